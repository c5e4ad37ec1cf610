import { describe, expect, test } from 'vitest';
import { deepFreeze } from '../../api/freeze.ts';
import type { Namespace } from '../../api/objects.ts';
import { asTerminating, isFinalized, namespace } from './namespace.ts';
import { lines } from './pod/pod.fixture.ts';

const LABEL = 'kubernetes.io/metadata.name';
const metadata = {
  name: 'prod',
  uid: 'u',
  resourceVersion: '1',
  creationTimestamp: '2024-05-01T10:00:00Z',
};
const sent: Namespace = deepFreeze({ apiVersion: 'v1', kind: 'Namespace', metadata, spec: {}, status: {} });
const stored = deepFreeze(namespace.prepareForCreate(namespace.setDefaults(sent)));

describe('Namespace', () => {
  test('is created active, with a finalizer in its spec and its name as a label', () => {
    expect(stored).toEqual({
      ...sent,
      metadata: { ...metadata, labels: { [LABEL]: 'prod' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    expect(namespace.validate(stored)).toEqual([]);
  });

  test('keeps the finalizers of the create', () => {
    const { spec } = namespace.prepareForCreate({ ...sent, spec: { finalizers: ['example.com/x'] } });
    expect(spec.finalizers).toEqual(['example.com/x', 'kubernetes']);
  });

  test('keeps its name label, whatever a client sends', () => {
    const changed = namespace.setDefaults({
      ...sent,
      metadata: { ...metadata, labels: { [LABEL]: 'dev', a: 'b' } },
    });
    expect(changed.metadata.labels).toEqual({ [LABEL]: 'prod', a: 'b' });
    expect(namespace.setDefaults(changed)).toBe(changed);
  });

  test('rejects a name with dots', () => {
    expect(namespace.validateName('a.b')).toEqual(['must not contain dots']);
  });

  test('requires a domain in finalizers', () => {
    expect(lines(namespace.validate({ ...stored, spec: { finalizers: ['mine'] } }))).toEqual([
      'spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });

  test('keeps spec and status in an update', () => {
    const changed = namespace.prepareForUpdate(
      { ...stored, spec: {}, status: { phase: 'Terminating' } },
      stored,
    );
    expect(changed).toEqual(stored);
    expect(namespace.validateUpdate(changed, stored)).toEqual([]);
  });

  test('terminates only when it is deleted', () => {
    const deleted = {
      ...stored,
      metadata: { ...stored.metadata, deletionTimestamp: '2024-05-01T11:00:00Z' },
    };
    const check = (value: Namespace, old: Namespace) =>
      lines(namespace.validateStatusUpdate?.(value, old) ?? []);
    expect(check(asTerminating(deleted), deleted)).toEqual([]);
    expect(check(deleted, deleted)).toEqual([
      'status.Phase: Invalid value: "Active": may only be \'Terminating\' if `deletionTimestamp` is not empty',
    ]);
    expect(check(asTerminating(stored), stored)).toEqual([
      'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
    ]);
  });

  test('can be removed when its spec has no finalizers', () => {
    expect(isFinalized(stored)).toBe(false);
    expect(isFinalized({ ...stored, spec: {} })).toBe(true);
    const terminating = asTerminating(stored);
    expect(terminating.status.phase).toBe('Terminating');
    expect(asTerminating(terminating)).toBe(terminating);
  });

  test('can be selected by its phase and, by an old mistake, by its name', () => {
    expect(namespace.selectableFields(stored)).toEqual({ 'status.phase': 'Active', name: 'prod' });
    expect(namespace.selectableFieldNames).toEqual(['status.phase', 'name']);
  });
});
