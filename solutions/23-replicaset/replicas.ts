/** Level 2 · How many pods, and what they look like. */
import { type New, newControllerRef, type Pod, type ReplicaSet } from '#harness';

/** How many pods one sync creates or deletes at most. */
export const BURST_REPLICAS = 500;

export function replicasDiff(replicas: number, active: number): number {
  return Math.max(-BURST_REPLICAS, Math.min(active - replicas, BURST_REPLICAS));
}

export function newPod(rs: ReplicaSet): New<Pod> {
  const { namespace, name } = rs.metadata;
  const { metadata: { labels, annotations, finalizers } = {}, spec } = rs.spec.template;
  return {
    metadata: {
      ...(namespace === undefined ? {} : { namespace }),
      generateName: `${name}-`,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [newControllerRef(rs)],
    },
    spec: spec as Pod['spec'],
  };
}
