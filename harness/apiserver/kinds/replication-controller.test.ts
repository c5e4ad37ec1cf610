import { describe, expect, test } from 'vitest';
import { refused, refusedStatus, sampleOf } from './declared.fixture.ts';
import { replicationController } from './replication-controller.ts';

describe('ReplicationController', () => {
  test('copies its selector and its labels from the template by default', () => {
    const { metadata, spec } = sampleOf(replicationController, {
      'spec.selector': undefined,
      'spec.replicas': undefined,
    });
    expect([metadata.labels, spec.selector, spec.replicas]).toEqual([{ app: 'web' }, { app: 'web' }, 1]);
  });

  test.each([
    [{ 'spec.replicas': -1 }, 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    [
      { 'spec.selector': { app: 'db' } },
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
    [{ 'spec.template': undefined }, 'spec.template: Required value'],
    [
      { 'spec.template.spec.activeDeadlineSeconds': 5 },
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported',
    ],
    [{ 'spec.selector': undefined, 'spec.template.metadata': {} }, 'spec.selector: Required value'],
  ])('rejects %j', (changes, why) => {
    expect(refused(replicationController, changes)).toEqual([why]);
  });

  test('rejects counts above the number of pods', () => {
    expect(refusedStatus(replicationController, { 'status.availableReplicas': 2 })).toEqual([
      'status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas',
    ]);
  });

  test('reports its selector as text', () => {
    expect(replicationController.scale?.selector(sampleOf(replicationController))).toBe('app=web');
  });
});
