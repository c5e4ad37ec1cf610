import {
  fullName,
  isConflict,
  isNotFound,
  isStaticPod,
  type KubeletParts,
  keyOf,
  type Pod,
  pods,
} from '#harness';

/** The annotations by which a mirror pod says of what it is a mirror. */
const CONFIG_HASH = 'kubernetes.io/config.hash';
const CONFIG_MIRROR = 'kubernetes.io/config.mirror';

/**
 * A static pod is seen in the API by a pod that stands for it there. One that stands for another version of it is no use, and
 * one that somebody has deleted comes again.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go tryReconcileMirrorPods
 */
export async function reconcileMirrorPod(
  parts: KubeletParts,
  pod: Pod,
  mirrorPod: Pod | undefined,
): Promise<void> {
  if (!isStaticPod(pod)) return;
  const { client, log } = parts.context;
  try {
    const isMirror =
      mirrorPod?.metadata.annotations?.[CONFIG_MIRROR] === pod.metadata.annotations?.[CONFIG_HASH];
    if (mirrorPod && isMirror && !mirrorPod.metadata.deletionTimestamp) return;
    if (mirrorPod) await deleteMirrorPod(parts, mirrorPod);
    await client.create(pods, await mirrorOf(parts, pod));
  } catch (error) {
    // The pod runs all the same: whoever looks at the API has to wait.
    log(`Failed to mirror ${pod.metadata.name}: ${error}`);
  }
}

/** Those whose static pod is gone, when it has ended: until then they show how it ends. */
export async function deleteOrphanedMirrorPods(parts: KubeletParts): Promise<void> {
  for (const mirrorPod of parts.pods.mirrors()) {
    if (parts.pods.staticPodOf(mirrorPod)) continue;
    if (parts.workers.isTerminatingByFullName(fullName(mirrorPod.metadata))) continue;
    await deleteMirrorPod(parts, mirrorPod).catch((error: unknown) => parts.context.log(String(error)));
  }
}

async function deleteMirrorPod({ context }: KubeletParts, mirrorPod: Pod): Promise<void> {
  const { uid } = mirrorPod.metadata;
  try {
    await context.client.delete(pods, keyOf(mirrorPod), { gracePeriodSeconds: 0, preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod/mirror_client.go CreateMirrorPod */
async function mirrorOf({ context }: KubeletParts, { metadata, spec }: Pod) {
  const { name, namespace = '', labels = {}, annotations = {} } = metadata;
  const mirror = { ...annotations, [CONFIG_MIRROR]: annotations[CONFIG_HASH] ?? '' };
  return {
    metadata: { name, namespace, labels, annotations: mirror },
    spec: { ...spec, nodeName: context.node },
  };
}
