import { deepEqual } from '../api/freeze.ts';
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../api/objects.ts';

type Status = (DaemonSet | Deployment | ReplicaSet | StatefulSet)['status'];

/**
 * Returns whether two statuses of a controller of pods are equal. An absent count equals 0, and absent
 * conditions equal an empty list. But an absent `terminatingReplicas` is unknown, which differs from 0.
 */
export function isSameStatus(a: Status, b: Status): boolean {
  const names = [...Object.keys(a), ...Object.keys(b)];
  return (
    names.every((name) => name === 'conditions' || countOf(a, name) === countOf(b, name)) &&
    deepEqual(a.conditions ?? [], b.conditions ?? [])
  );
}

function countOf(status: Status, name: string): unknown {
  const count = (status as Readonly<Record<string, unknown>>)[name];
  return count === 0 && name !== 'terminatingReplicas' ? undefined : count;
}
