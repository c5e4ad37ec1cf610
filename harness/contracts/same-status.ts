import { deepEqual } from '../api/freeze.ts';
import type { Deployment, ReplicaSet } from '../api/objects.ts';

type Status = Deployment['status'] | ReplicaSet['status'];

/**
 * Returns whether two statuses of a Deployment, or of a ReplicaSet, are equal. An absent count equals 0, and absent
 * conditions equal an empty list. But an absent `terminatingReplicas` is unknown, which differs from 0.
 */
export function isSameStatus(a: Status, b: Status): boolean {
  const names = [...Object.keys(a), ...Object.keys(b)] as (keyof Status)[];
  return (
    names.every((name) => name === 'conditions' || countOf(a, name) === countOf(b, name)) &&
    deepEqual(a.conditions ?? [], b.conditions ?? [])
  );
}

function countOf(status: Status, name: keyof Status): unknown {
  const count = status[name];
  return count === 0 && name !== 'terminatingReplicas' ? undefined : count;
}
