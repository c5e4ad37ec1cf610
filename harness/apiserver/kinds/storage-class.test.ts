import { describe, expect, test } from 'vitest';
import { refused, refusedUpdate, sampleOf } from './declared.fixture.ts';
import { storageClass } from './storage-class.ts';

describe('StorageClass', () => {
  test('binds volumes immediately, and deletes them with their claims, by default', () => {
    expect(sampleOf(storageClass, { volumeBindingMode: undefined })).toMatchObject({
      ...{ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
    });
  });

  const term = { matchLabelExpressions: [{ key: 'zone', values: ['b', 'a'] }] };
  test.each([
    [{ provisioner: '' }, 'provisioner: Required value'],
    [
      { reclaimPolicy: 'Recycle' },
      'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
    ],
    [
      { volumeBindingMode: 'Late' },
      'volumeBindingMode: Unsupported value: "Late": supported values: "Immediate", "WaitForFirstConsumer"',
    ],
    [{ parameters: { '': 'x' } }, 'parameters: Invalid value: "": field can not be empty.'],
    [{ parameters: { a: 'x'.repeat(262_144) } }, 'parameters: Too long: may not be more than 262144 bytes'],
    [
      { 'allowedTopologies.0.matchLabelExpressions.0.values': ['a', 'a'] },
      'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a"',
    ],
    [
      { 'allowedTopologies.0.matchLabelExpressions.0.values': [] },
      'allowedTopologies[0].matchLabelExpressions[0].values: Required value',
    ],
    [{ 'allowedTopologies.1': term }, 'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
  ])('rejects %j', (changes, why) => {
    expect(refused(storageClass, changes)).toEqual([why]);
  });

  test('never changes its provisioner and parameters', () => {
    expect(refusedUpdate(storageClass, { allowVolumeExpansion: true })).toEqual([]);
    const changes = {
      provisioner: 'a.b',
      parameters: {},
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'Immediate',
    };
    expect(refusedUpdate(storageClass, changes)).toEqual([
      'parameters: Invalid value: null: field is immutable',
      'provisioner: Invalid value: "a.b": field is immutable',
      'reclaimPolicy: Invalid value: "Retain": field is immutable',
      'volumeBindingMode: Invalid value: "Immediate": field is immutable',
    ]);
  });
});
