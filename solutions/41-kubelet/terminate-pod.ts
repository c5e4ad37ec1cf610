import { type KubeletParts, type PodSync, runningPod, type TerminatingPodSync } from '#given/41-kubelet';
import { killPod } from './kill-pod.ts';

/**
 * The status reports the end only after it is complete, because controllers then start a replacement.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatingPod
 *
 * Differs: a shorter grace period replaces the wait for a longer one. Upstream cancels it, but no code reacts to the
 * cancellation.
 */
export async function syncTerminatingPod(parts: KubeletParts, sync: TerminatingPodSync): Promise<void> {
  const { pod, podStatus, graceSeconds, adjust, signal } = sync;
  const status = parts.generateAPIPodStatus(pod, podStatus);
  parts.statuses.setPodStatus(pod, adjust ? adjust(status) : status);
  // From now on, failures of these probes are expected.
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
  // From now on the pod can be removed from the API, because the node has released everything.
  parts.statuses.terminatePod(pod);
}
