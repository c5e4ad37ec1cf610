import { deepEqual } from '../api/freeze.ts';
import type { Deployment, ReplicaSet } from '../api/objects.ts';

type Status = Deployment['status'] | ReplicaSet['status'];

/**
 * Do two statuses of a Deployment, or of a ReplicaSet, say the same? An absent count is 0, and absent conditions are none; but an
 * absent `terminatingReplicas` is not 0: it is not known.
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
