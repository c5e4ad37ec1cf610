/** What every level decides: how big a ReplicaSet is to become. */
import type { ReplicaSet } from '#harness';

/** How big a ReplicaSet is to become. */
export interface ScaleOrder {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

/** Only those that ask for a change. */
export function orders(sizes: readonly (readonly [ReplicaSet, number])[]): ScaleOrder[] {
  return sizes
    .filter(([{ spec }, replicas]) => spec.replicas !== replicas)
    .map(([replicaSet, replicas]) => ({ replicaSet, replicas }));
}
