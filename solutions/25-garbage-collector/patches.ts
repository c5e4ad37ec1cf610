/**
 * What the collector changes in objects that it does not delete. Each patch names the uid, so that it never hits another
 * incarnation under the same name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/patch.go
 */
import type { KubeObject, OwnerReference, Patch } from '#harness';

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

/** What is asked of the owner references of an object. */
type Change = Partial<OwnerReference> & { readonly uid: string; readonly $patch?: 'delete' };

/**
 * The same change of owner references, for an object that takes no strategic merge patch: a custom resource. The list is
 * replaced as a whole, in just this state of the object.
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
