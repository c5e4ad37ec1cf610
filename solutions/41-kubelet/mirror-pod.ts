import { deleteMirrorPod, fullName, type KubeletParts, newMirrorPod } from '#given/41-kubelet';
import { messageOf, type Pod, pods } from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go tryReconcileMirrorPods */
export async function reconcileMirrorPod(
  parts: KubeletParts,
  pod: Pod,
  mirrorPod: Pod | undefined,
): Promise<void> {
  const { client, log } = parts.context;
  const hash = pod.metadata.annotations?.['kubernetes.io/config.hash'];
  try {
    if (mirrorPod) {
      const isMirror = mirrorPod.metadata.annotations?.['kubernetes.io/config.mirror'] === hash;
      if (isMirror && !mirrorPod.metadata.deletionTimestamp) return;
      await deleteMirrorPod(parts, mirrorPod);
    }
    await client.create(pods, newMirrorPod(pod));
  } catch (error) {
    // The pod still runs. Only its mirror pod is late.
    log(`Failed to mirror ${pod.metadata.name}: ${messageOf(error)}`);
  }
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go HandlePodCleanups */
export async function deleteOrphanedMirrorPods(parts: KubeletParts): Promise<void> {
  for (const mirrorPod of parts.pods.mirrors()) {
    if (parts.pods.staticPodOf(mirrorPod)) continue;
    if (parts.workers.isTerminatingByFullName(fullName(mirrorPod.metadata))) continue;
    await deleteMirrorPod(parts, mirrorPod).catch((error: unknown) => parts.context.log(messageOf(error)));
  }
}
