import { expect, test } from 'vitest';
import { changedBy } from './changed.ts';

const object = (more: object, resourceVersion = '1') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default', uid: 'u', creationTimestamp: '', resourceVersion, ...more },
});

test('Names each changed field with its value before and after', () => {
  const previous = object({ annotations: { 'example.com/revision': '1' }, finalizers: ['a', 'b'] });
  const after = object({ annotations: { 'example.com/revision': '2' }, finalizers: ['a'] }, '2');
  expect(changedBy({ previous, object: after })).toBe(
    'metadata.annotations["example.com/revision"] from "1" to "2", metadata.finalizers[1] from "b" to absent',
  );
});

test('Names nothing if only the resourceVersion is new', () => {
  expect(changedBy({ previous: object({}), object: object({}, '2') })).toBe('nothing');
});

test('Counts the changes beyond three', () => {
  const labels = { a: '1', b: '1', c: '1', d: '1' };
  expect(changedBy({ previous: object({ labels: {} }), object: object({ labels }) })).toMatch(
    /, and 1 more$/,
  );
});
