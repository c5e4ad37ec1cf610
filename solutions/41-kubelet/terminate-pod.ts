import { type KubeletParts, type PodSync, runningPod, type TerminatingPodSync } from '#harness';
import { killPod } from './kill-pod.ts';

/**
 * The status says that it has ended only when it has: controllers then start another pod in its place.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatingPod
 *
 * Differs: a shorter grace period ends the wait for a longer one. Upstream cancels it, but nothing listens.
 */
export async function syncTerminatingPod(parts: KubeletParts, sync: TerminatingPodSync): Promise<void> {
  const { pod, podStatus, graceSeconds, adjust, signal } = sync;
  const status = parts.generateAPIPodStatus(pod, podStatus);
  parts.statuses.setPodStatus(pod, adjust ? adjust(status) : status);
  // Whatever they find from now on, it is what was to be expected.
  parts.probes.stopLivenessAndStartup(pod);

  const killed = await killPod(parts, runningPod(pod, podStatus), { graceSeconds, signal });
  const error = killed.error();
  if (error) {
    parts.context.recorder.event(pod, 'Warning', 'FailedKillPod', `error killing pod: ${error.message}`);
    throw error;
  }
  parts.probes.removePod(pod);
  const last = await parts.steps.podStatusAfterKill(pod, podStatus);
  parts.statuses.setPodStatus(pod, parts.generateAPIPodStatus(pod, last, { podIsTerminal: true }));
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatedPod */
export async function syncTerminatedPod(parts: KubeletParts, sync: PodSync): Promise<void> {
  const { pod, podStatus, signal } = sync;
  parts.statuses.setPodStatus(pod, parts.generateAPIPodStatus(pod, podStatus, { podIsTerminal: true }));
  await parts.steps.waitUntilUnmounted(pod, signal);
  // From now on it may leave the API: nothing of it is left here.
  parts.statuses.terminatePod(pod);
}
