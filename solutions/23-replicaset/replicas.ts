/** Level 2 · What a new pod looks like. */
import { type New, newControllerRef, type Pod, type ReplicaSet } from '#harness';

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
