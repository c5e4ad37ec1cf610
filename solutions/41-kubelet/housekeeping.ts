import { isRunningPod, type KubeletParts } from '#given/41-kubelet';
import { deleteOrphanedMirrorPods } from './mirror-pod.ts';

/**
 * Reconciles three sets: the desired pods, the pods with workers, and the running pods. The workers are read before the
 * runtime, so that a pod that starts in between is not mistaken for an orphan.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go HandlePodCleanups
 */
export async function handlePodCleanups(parts: KubeletParts): Promise<void> {
  const { pods, workers, runtimePods, steps } = parts;
  const desired = new Set(pods.list().map(({ metadata }) => metadata.uid));
  const known = workers.syncKnownPods(desired);
  const running = (await runtimePods.list()).filter(isRunningPod);
  await steps.forgetPods({ desired, known, running });
  if (pods.mirrors().length > 0) await deleteOrphanedMirrorPods(parts);

  // The pod was recreated under a uid that has ended, or it has ended and can be removed.
  for (const pod of pods.list().filter(({ metadata }) => !workers.knows(metadata.uid))) {
    const { uid, deletionTimestamp } = pod.metadata;
    const runs = running.some((each) => each.uid === uid);
    if (!steps.hasEnded(pod)) workers.update({ type: 'create', pod });
    else if (deletionTimestamp && !runs) workers.update({ type: 'kill', pod });
  }
  for (const runtimePod of running) {
    if (known.has(runtimePod.uid) || workers.knows(runtimePod.uid)) continue;
    workers.update({ type: 'kill', runtimePod, kill: { graceSeconds: 1 } });
  }
}
