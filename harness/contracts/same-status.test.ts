import { expect, test } from 'vitest';
import { isSameStatus } from './same-status.ts';

const failing = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' };

test.each([
  ['an absent count and 0', { replicas: 1 }, { replicas: 1, readyReplicas: 0 }, true],
  ['two orders of fields', { replicas: 1, readyReplicas: 2 }, { readyReplicas: 2, replicas: 1 }, true],
  ['no conditions', { replicas: 1 }, { replicas: 1, conditions: [] }, true],
  [
    'two orders of the fields of a condition',
    { replicas: 1, conditions: [failing] },
    { replicas: 1, conditions: [{ reason: 'FailedCreate', status: 'True', type: 'ReplicaFailure' }] },
    true,
  ],
  ['two counts', { replicas: 1 }, { replicas: 2 }, false],
  [
    'an unknown number of terminating pods, and 0',
    { replicas: 1 },
    { replicas: 1, terminatingReplicas: 0 },
    false,
  ],
  ['one condition, and no conditions', { replicas: 1 }, { replicas: 1, conditions: [failing] }, false],
])('compares two statuses: %s', (_, a, b, same) => {
  expect(isSameStatus(a, b)).toBe(same);
  expect(isSameStatus(b, a)).toBe(same);
});
