/**
 * What the collector changes in objects that it does not delete. Each patch names the uid, so that it never hits another
 * incarnation under the same name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/patch.go
 */
import type { KubeObject, Patch } from '#harness';

/**
 * Takes references to these owners away, and leaves the others as they are by now.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_ref_manager.go GenerateDeleteOwnerRefStrategicMergeBytes
 */
export function withoutOwners(dependentUid: string, ownerUids: readonly string[]): Patch {
  const ownerReferences = ownerUids.map((uid) => ({ $patch: 'delete', uid }));
  return { type: 'strategic', body: { metadata: { uid: dependentUid, ownerReferences } } };
}

/** Lets every owner go that this object blocks. Upstream: the same file, unblockOwnerReferencesStrategicMergePatch */
export function unblocking({ metadata: { uid, ownerReferences = [] } }: KubeObject): Patch {
  const unblocked = ownerReferences
    .filter(({ blockOwnerDeletion }) => blockOwnerDeletion)
    .map((reference) => ({ uid: reference.uid, blockOwnerDeletion: false }));
  return { type: 'strategic', body: { metadata: { uid, ownerReferences: unblocked } } };
}

/**
 * Takes a finalizer away, and does so only to this very state of the object: a list without a merge key is replaced as
 * a whole.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/operations.go removeFinalizer
 *
 * Differs: upstream reads the object anew, by name, and does not ask whether it is the same one.
 */
export function withoutFinalizer({ metadata }: KubeObject, finalizer: string): Patch {
  const { uid, resourceVersion, finalizers = [] } = metadata;
  const left = finalizers.filter((each) => each !== finalizer);
  return { type: 'merge', body: { metadata: { uid, resourceVersion, finalizers: left } } };
}
