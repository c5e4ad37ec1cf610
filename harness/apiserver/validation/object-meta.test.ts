import { describe, expect, test } from 'vitest';
import type * as meta from '#api/meta/v1';
import { deepFreeze } from '../../api/freeze.ts';
import { isDNS1123Subdomain } from '../../api/names.ts';
import type { Cause } from '../../api/status.ts';
import {
  validateAnnotations,
  validateImmutableField,
  validateLabelSelector,
  validateLabels,
  validateNonnegativeField,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './object-meta.ts';

const rules = { namespaced: true, validateName: isDNS1123Subdomain };
const lines = (causes: readonly Cause[]): string[] => causes.map((c) => `${c.field}: ${c.message}`);
const stored: meta.ObjectMeta = deepFreeze({
  name: 'web',
  namespace: 'default',
  uid: 'a1',
  resourceVersion: '3',
  creationTimestamp: '2024-05-01T10:00:00Z',
});

describe('metadata of a new object', () => {
  const check = (changes: meta.ObjectMeta) =>
    lines(validateObjectMeta(deepFreeze({ name: 'web', namespace: 'default', ...changes }), rules));

  test('is valid with a name and a namespace', () => {
    expect(check({})).toEqual([]);
  });

  test('needs a name', () => {
    expect(check({ name: '' })).toEqual(['metadata.name: Required value: name or generateName is required']);
  });

  test('needs a name that is valid for its kind', () => {
    expect(check({ name: 'Web' })).toEqual([
      expect.stringMatching(/^metadata\.name: Invalid value: "Web": a lowercase RFC 1123 subdomain must/),
    ]);
  });

  test('can have a prefix that ends in a dash', () => {
    expect(check({ generateName: 'web-' })).toEqual([]);
    expect(check({ generateName: '-' })).toHaveLength(1);
  });

  test('needs a namespace if the kind is namespaced, and otherwise cannot have one', () => {
    expect(check({ namespace: '' })).toEqual(['metadata.namespace: Required value']);
    expect(check({ namespace: 'a.b' })).toEqual([
      'metadata.namespace: Invalid value: "a.b": must not contain dots',
    ]);
    expect(lines(validateObjectMeta(stored, { ...rules, namespaced: false }))).toEqual([
      'metadata.namespace: Forbidden: not allowed on this type',
    ]);
  });

  test('has at most one controller among its owners', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', uid: 'u', controller: true };
    const ownerReferences = [
      { ...owner, name: 'a' },
      { ...owner, name: 'b' },
    ];
    expect(check({ ownerReferences })).toEqual([
      `metadata.ownerReferences: Invalid value: ${JSON.stringify(ownerReferences)}: Only one reference can have Controller set to true. Found "true" in references for ReplicaSet/a and ReplicaSet/b`,
    ]);
  });

  test('requires complete owner references', () => {
    const ownerReferences = [{ apiVersion: '', kind: '', name: '', uid: '' }];
    expect(check({ ownerReferences })).toEqual([
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ]);
  });

  test('cannot have an event as owner', () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }];
    expect(check({ ownerReferences })).toEqual([
      expect.stringContaining('/v1, Kind=Event is disallowed from being an owner'),
    ]);
  });

  test('allows custom finalizers only with a domain', () => {
    expect(check({ finalizers: ['example.com/cleanup', 'foregroundDeletion'] })).toEqual([]);
    expect(check({ finalizers: ['cleanup'] })).toEqual([
      'metadata.finalizers[0]: Invalid value: "cleanup": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });

  test('cannot both orphan and delete its dependents', () => {
    expect(check({ finalizers: ['orphan', 'foregroundDeletion'] })).toEqual([
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ]);
  });
});

describe('metadata of a changed object', () => {
  const check = (changes: meta.ObjectMeta, old: meta.ObjectMeta = {}) =>
    lines(validateObjectMetaUpdate({ ...stored, ...changes }, { ...stored, ...old }));

  test('can change its labels and annotations', () => {
    expect(check({ labels: { app: 'web' }, annotations: { 'a/b': 'c' } })).toEqual([]);
  });

  test.each([
    ['name', 'other', '"other"'],
    ['namespace', 'other', '"other"'],
    ['uid', 'other', '"other"'],
    ['creationTimestamp', '2024-05-01T10:00:01Z', '"2024-05-01T10:00:01Z"'],
    ['deletionTimestamp', '2024-05-01T10:00:01Z', '"2024-05-01T10:00:01Z"'],
    ['deletionGracePeriodSeconds', 5, '5'],
  ])('cannot change its %s', (field, value, shown) => {
    expect(check({ [field]: value })).toEqual([
      `metadata.${field}: Invalid value: ${shown}: field is immutable`,
    ]);
  });

  test('requires a resourceVersion', () => {
    expect(check({ resourceVersion: '' })).toEqual([
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
    ]);
  });

  test('cannot decrease its generation', () => {
    expect(check({ generation: 1 }, { generation: 2 })).toEqual([
      'metadata.generation: Invalid value: 1: must not be decremented',
    ]);
  });

  test('cannot add finalizers during its deletion, but can remove them', () => {
    const deletionTimestamp = '2024-05-01T10:00:30Z';
    const old = { deletionTimestamp, finalizers: ['a.io/x'] };
    expect(check({ deletionTimestamp, finalizers: [] }, old)).toEqual([]);
    expect(check({ deletionTimestamp, finalizers: ['a.io/x', 'a.io/z', 'a.io/y'] }, old)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a.io/y", "a.io/z"}',
    ]);
    expect(check({ finalizers: ['a.io/y'] })).toEqual([]);
  });
});

describe('labels, annotations and selectors', () => {
  test('an error in a label has the path of all labels', () => {
    expect(lines(validateLabels({ 'a b': 'ok', app: '-x' }, 'metadata.labels'))).toEqual([
      expect.stringMatching(/^metadata\.labels: Invalid value: "a b": name part must consist of/),
      expect.stringMatching(
        /^metadata\.labels: Invalid value: "-x": a valid label must be an empty string or/,
      ),
    ]);
  });

  test('an annotation can have capitals in its domain, and any value', () => {
    expect(validateAnnotations({ 'Example.COM/Key': '\u0000 {' }, 'a')).toEqual([]);
    expect(validateAnnotations({ 'a/b/c': '' }, 'a')).toHaveLength(1);
  });

  test('annotations have a limit of 256 KiB, including keys', () => {
    expect(validateAnnotations({ key: 'x'.repeat(256 * 1024 - 3) }, 'a')).toEqual([]);
    expect(lines(validateAnnotations({ key: 'x'.repeat(256 * 1024 - 2) }, 'a'))).toEqual([
      'a: Too long: may not be more than 262144 bytes',
    ]);
  });

  test('a selector without requirements is valid, and so is a missing one', () => {
    expect(validateLabelSelector({}, 's')).toEqual([]);
    expect(validateLabelSelector(undefined, 's')).toEqual([]);
  });

  test('a requirement has the number of values that its operator needs', () => {
    const matchExpressions = [
      { key: 'a', operator: 'In' },
      { key: 'a', operator: 'Exists', values: ['b'] },
      { key: 'a', operator: 'Gt', values: ['1'] },
      { key: 'a', operator: 'NotIn', values: ['-'] },
    ];
    expect(lines(validateLabelSelector({ matchExpressions }, 's'))).toEqual([
      "s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "s.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      's.matchExpressions[2].operator: Invalid value: "Gt": not a valid selector operator',
      expect.stringMatching(/^s\.matchExpressions\[3\]\.values\[0\]: Invalid value: "-": a valid label must/),
    ]);
  });

  test('a number cannot be negative, and an immutable field cannot change', () => {
    expect(lines(validateNonnegativeField(-1, 'n'))).toEqual([
      'n: Invalid value: -1: must be greater than or equal to 0',
    ]);
    expect(validateImmutableField({ cpu: 1 }, { cpu: 1 }, 'f')).toEqual([]);
    expect(lines(validateImmutableField('b', 'a', 'f'))).toEqual([
      'f: Invalid value: "b": field is immutable',
    ]);
  });
});
