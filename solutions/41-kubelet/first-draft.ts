/** The functions of the short way, as a first draft: it gives a pod its probes once, before its first container starts. */
import {
  isRunningPod,
  isStaticPod,
  type KubeletParts,
  type PodSync,
  runningPod,
  type SyncOutcome,
  type TerminatingPodSync,
} from '#given/41-kubelet';
import type { Backoff } from './backoff.ts';
import { carryOut } from './carry-out.ts';
import { killPod } from './kill-pod.ts';
import { deleteOrphanedMirrorPods, reconcileMirrorPod } from './mirror-pod.ts';

export async function syncPod(parts: KubeletParts, backOff: Backoff, sync: PodSync): Promise<SyncOutcome> {
  const { pod, mirrorPod, podStatus, signal } = sync;
  const status = parts.generateAPIPodStatus(pod, podStatus);
  parts.statuses.setPodStatus(pod, status);
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return 'ended';
  parts.steps.mustHaveNetwork(pod);
  if (isStaticPod(pod)) await reconcileMirrorPod(parts, pod, mirrorPod);
  await parts.steps.mountVolumes(pod, signal);
  const pullSecrets = await parts.pullSecretsOf(pod);
  // A pod with containers has its probes already.
  if (podStatus.containerStatuses.length === 0) parts.probes.addPod(pod);
  const ips = status.podIPs?.map(({ ip }) => ip) ?? [];
  const result = await carryOut(parts, backOff, { pod, podStatus, ips, pullSecrets });
  parts.reasons.update(pod.metadata.uid, result);
  const error = result.error();
  if (error) throw error;
  return result.results.length > 0 ? 'changed' : 'unchanged';
}

export async function syncTerminatingPod(parts: KubeletParts, sync: TerminatingPodSync): Promise<void> {
  const { pod, podStatus, graceSeconds, adjust = (status) => status, signal } = sync;
  parts.statuses.setPodStatus(pod, adjust(parts.generateAPIPodStatus(pod, podStatus)));
  parts.probes.stopLivenessAndStartup(pod);
  const result = await killPod(parts, runningPod(pod, podStatus), { graceSeconds, signal });
  const error = result.error();
  if (error) {
    parts.context.recorder.event(pod, 'Warning', 'FailedKillPod', `error killing pod: ${error.message}`);
    throw error;
  }
  parts.probes.removePod(pod);
  const last = await parts.steps.podStatusAfterKill(pod, podStatus);
  parts.statuses.setPodStatus(pod, parts.generateAPIPodStatus(pod, last, { podIsTerminal: true }));
}

export async function syncTerminatedPod(parts: KubeletParts, sync: PodSync): Promise<void> {
  const { pod, podStatus, signal } = sync;
  parts.statuses.setPodStatus(pod, parts.generateAPIPodStatus(pod, podStatus, { podIsTerminal: true }));
  await parts.steps.waitUntilUnmounted(pod, signal);
  parts.statuses.terminatePod(pod);
}

export async function handlePodCleanups(parts: KubeletParts): Promise<void> {
  const { pods, workers, runtimePods, steps } = parts;
  const desired = new Set(pods.list().map(({ metadata }) => metadata.uid));
  const known = workers.syncKnownPods(desired);
  const running = (await runtimePods.list()).filter(isRunningPod);
  await steps.forgetPods({ desired, known, running });
  if (pods.mirrors().length > 0) await deleteOrphanedMirrorPods(parts);
  for (const pod of pods.list()) {
    const { uid, deletionTimestamp } = pod.metadata;
    if (workers.knows(uid)) continue;
    const runs = running.some((each) => each.uid === uid);
    if (!steps.hasEnded(pod)) workers.update({ type: 'create', pod });
    else if (deletionTimestamp && !runs) workers.update({ type: 'kill', pod });
  }
  for (const runtimePod of running) {
    if (known.has(runtimePod.uid) || workers.knows(runtimePod.uid)) continue;
    workers.update({ type: 'kill', runtimePod, kill: { graceSeconds: 1 } });
  }
}
