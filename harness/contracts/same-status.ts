import type { Deployment, ReplicaSet } from '../api/objects.ts';

type Status = Deployment['status'] | ReplicaSet['status'];

/**
 * Do two statuses of a Deployment, or of a ReplicaSet, say the same? An absent count is 0, and absent conditions are none; but an
 * absent `terminatingReplicas` is not 0: it is not known.
 */
export function isSameStatus(a: Status, b: Status): boolean {
  return JSON.stringify(normal(a)) === JSON.stringify(normal(b));
}

function normal({ conditions = [], ...counts }: Status): unknown {
  const said = Object.entries(counts)
    .filter(([name, count]) => count !== undefined && (count !== 0 || name === 'terminatingReplicas'))
    .sort(byName);
  return [said, conditions.map((condition) => Object.entries(condition).sort(byName))];
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
