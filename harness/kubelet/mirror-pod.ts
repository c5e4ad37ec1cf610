import { keyOf, type New, type Pod } from '../api/objects.ts';
import { pods } from '../api/resource.ts';
import { isConflict, isNotFound } from '../api/status.ts';
import type { KubeletParts } from './kubelet-parts.ts';
import { CONFIG_HASH, CONFIG_MIRROR } from './static-pod.ts';

/**
 * Returns the mirror pod to create in the API for a static pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod/mirror_client.go CreateMirrorPod
 */
export function newMirrorPod({ metadata, spec }: Pod): New<Pod> {
  const { name, namespace = '', labels = {}, annotations = {} } = metadata;
  const mirror = { ...annotations, [CONFIG_MIRROR]: annotations[CONFIG_HASH] ?? '' };
  return { metadata: { name, namespace, labels, annotations: mirror }, spec };
}

/**
 * Deletes a mirror pod immediately, but no other pod of the same name. Succeeds if it is already deleted.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod/mirror_client.go DeleteMirrorPod
 */
export async function deleteMirrorPod({ context }: KubeletParts, mirrorPod: Pod): Promise<void> {
  const { uid } = mirrorPod.metadata;
  try {
    await context.client.delete(pods, keyOf(mirrorPod), { gracePeriodSeconds: 0, preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
