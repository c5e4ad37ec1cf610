import {
  type KubeletParts,
  orphanedPod,
  type PodSync,
  type RuntimePod,
  runningPod,
  type TerminatingPodSync,
} from '#harness';
import { killPod } from './kill-pod.ts';

/** How long an unknown pod has. */
const ORPHAN_GRACE_SECONDS = 1;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go podVolumesExist, SyncTerminatedPod */
const POLL_MS = 100;

/**
 * The status says that it has ended only when it has: controllers then start another pod in its place.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatingPod
 *
 * Differs: a shorter grace period ends the wait for a longer one. Upstream cancels it, but nothing listens.
 */
export async function syncTerminatingPod(
  parts: KubeletParts,
  { pod, podStatus, graceSeconds, adjust, signal }: TerminatingPodSync,
): Promise<void> {
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

  const stopped = await parts.readPodStatus(pod);
  const running = stopped.containerStatuses.filter(({ state }) => state === 'running');
  if (running.length > 0) {
    const ids = running.map(({ id }) => id).join(' ');
    throw new Error(`detected running containers after a successful KillPod, CRI violation: [${ids}]`);
  }
  // The addresses that it had are part of its last status.
  const last = { ...stopped, ips: podStatus.ips };
  parts.statuses.setPodStatus(pod, parts.generateAPIPodStatus(pod, last, { podIsTerminal: true }));
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatingRuntimePod */
export async function syncTerminatingRuntimePod(parts: KubeletParts, pod: RuntimePod): Promise<void> {
  const killed = await killPod(parts, orphanedPod(pod), { graceSeconds: ORPHAN_GRACE_SECONDS });
  const error = killed.error();
  if (error) throw error;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatedPod */
export async function syncTerminatedPod(
  parts: KubeletParts,
  { pod, podStatus, signal }: PodSync,
): Promise<void> {
  const { uid } = pod.metadata;
  parts.statuses.setPodStatus(pod, parts.generateAPIPodStatus(pod, podStatus, { podIsTerminal: true }));
  await parts.volumes.waitForUnmount(pod);
  while (parts.volumes.hasPossiblyMountedVolumesForPod(uid)) await parts.context.clock.sleep(POLL_MS, signal);
  // From now on it may leave the API: nothing of it is left here.
  parts.statuses.terminatePod(pod);
}
