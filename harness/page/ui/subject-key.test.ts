import { expect, test } from 'vitest';
import type { Subject } from '../protocol/details.ts';
import { subjectKey, subjectOf } from './subject-key.ts';

const subjects: readonly Subject[] = [
  { kind: 'object', resource: 'replicasets.apps', key: 'default/web-7d4' },
  { kind: 'component', name: 'kubelet-node-1' },
  { kind: 'node', name: 'node-1' },
  { kind: 'message', id: 12 },
  { kind: 'host', name: 'laptop' },
  { kind: 'apiserver', index: 0 },
];

test.each(subjects)('a subject survives its text: $kind', (subject) => {
  expect(subjectOf(subjectKey(subject))).toEqual(subject);
});

test('any other text is no subject', () => {
  expect(subjectOf('')).toBeUndefined();
});
