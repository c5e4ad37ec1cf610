import type { ScaleOrder } from '#given/24-deployment';
import type { ReplicaSet } from '#harness';

/** Names of ReplicaSets, in their order. */
export const namesOf = (all: readonly ReplicaSet[]): string[] => all.map(({ metadata }) => metadata.name);

/** The sizes of ReplicaSets, by name, once the orders are carried out. */
export function sizesAfter(
  all: readonly ReplicaSet[],
  orders: readonly ScaleOrder[],
): Record<string, number> {
  const sizes = Object.fromEntries(all.map(({ metadata, spec }) => [metadata.name, spec.replicas]));
  for (const { replicaSet, replicas } of orders) sizes[replicaSet.metadata.name] = replicas;
  return sizes;
}
