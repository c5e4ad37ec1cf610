/**
 * The patches that the collector sends for objects that it does not delete. Each patch contains the uid, so that it
 * never changes another incarnation under the same name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/patch.go
 */
import type { KubeObject, OwnerReference, Patch } from '#harness';

/**
 * Removes the references to these owners. All other references keep their current state.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_ref_manager.go GenerateDeleteOwnerRefStrategicMergeBytes
 */
export function withoutOwners(dependentUid: string, ownerUids: readonly string[]): Patch {
  const ownerReferences = ownerUids.map((uid) => ({ $patch: 'delete', uid }));
  return { type: 'strategic', body: { metadata: { uid: dependentUid, ownerReferences } } };
}

/**
 * Sets `blockOwnerDeletion` to false in all owner references of this object.
 *
 * Upstream: the same file, unblockOwnerReferencesStrategicMergePatch
 */
export function unblocking({ metadata: { uid, ownerReferences = [] } }: KubeObject): Patch {
  const unblocked = ownerReferences
    .filter(({ blockOwnerDeletion }) => blockOwnerDeletion)
    .map((reference) => ({ uid: reference.uid, blockOwnerDeletion: false }));
  return { type: 'strategic', body: { metadata: { uid, ownerReferences: unblocked } } };
}

/**
 * Removes a finalizer, but only if the object is still in this state: a merge patch replaces the whole list.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/operations.go removeFinalizer
 *
 * Differs: upstream reads the object again by name, and does not check that it is the same incarnation.
 */
export function withoutFinalizer({ metadata }: KubeObject, finalizer: string): Patch {
  const { uid, resourceVersion, finalizers = [] } = metadata;
  const left = finalizers.filter((each) => each !== finalizer);
  return { type: 'merge', body: { metadata: { uid, resourceVersion, finalizers: left } } };
}

/** A change of one owner reference, as a strategic merge patch expresses it. */
type Change = Partial<OwnerReference> & { readonly uid: string; readonly $patch?: 'delete' };

/**
 * Converts a patch of owner references for a resource that does not support strategic merge patches: a custom resource.
 * The patch replaces the whole list, but only if the object is still in this state.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/patch.go deleteOwnerRefJSONMergePatch,
 * unblockOwnerReferencesJSONMergePatch
 */
export function asMergePatch({ body }: Patch, { metadata }: KubeObject): Patch {
  const { uid, resourceVersion, ownerReferences = [] } = metadata;
  const { metadata: asked } = body as { metadata: { ownerReferences?: readonly Change[] } };
  const next = ownerReferences.flatMap((reference) => {
    const change = asked.ownerReferences?.find((each) => each.uid === reference.uid);
    return change?.$patch === 'delete' ? [] : [{ ...reference, ...change }];
  });
  return { type: 'merge', body: { metadata: { uid, resourceVersion, ownerReferences: next } } };
}
