import { isRunningPod, type KubeletParts, type Pod } from '#harness';
import type { Backoff } from './backoff.ts';
import { deleteOrphanedMirrorPods } from './mirror-pod.ts';

/**
 * Three sets are brought together: what is wanted, what is worked on, what runs. What is worked on is read before what runs, so
 * that nothing is taken for an orphan that was begun in between.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go HandlePodCleanups
 */
export async function handlePodCleanups(parts: KubeletParts, backOff: Backoff): Promise<void> {
  const { pods, workers, runtimePods, probes } = parts;
  const desired = new Set(pods.list().map(({ metadata }) => metadata.uid));
  const known = workers.syncKnownPods(desired);
  const running = (await runtimePods.list()).filter(isRunningPod);

  const active = [...known].filter(([, { state }]) => state === 'sync' || state === 'terminating');
  probes.cleanupPods(new Set(active.map(([uid]) => uid)));
  parts.statuses.retain(desired);
  parts.reasons.retain(desired);
  const needed = new Set([...desired, ...known.keys(), ...running.map(({ uid }) => uid)]);
  await parts.steps.removeOrphanedDirectories(needed);
  if (pods.mirrors().length > 0) await deleteOrphanedMirrorPods(parts);

  const runs = new Set(running.map(({ uid }) => uid));
  for (const pod of pods.list()) {
    if (!workers.knows(pod.metadata.uid)) takeUp(parts, pod, runs.has(pod.metadata.uid));
  }
  for (const runtimePod of running) {
    const { uid } = runtimePod;
    if (known.has(uid) || workers.knows(uid)) continue;
    workers.update({ type: 'kill', runtimePod, kill: { graceSeconds: 1 } });
  }
  backOff.gc();
}

/** A pod that is wanted and has no worker: it came again under a uid that has ended, or it has ended and may go. */
function takeUp({ workers, statuses }: KubeletParts, pod: Pod, isRunning: boolean): void {
  // One that was refused has failed, whether the API knows it yet or not.
  const phases = [pod.status.phase, statuses.get(pod.metadata.uid)?.phase];
  const isOver = phases.some((phase) => phase === 'Succeeded' || phase === 'Failed');
  if (!isOver) workers.update({ type: 'create', pod });
  else if (pod.metadata.deletionTimestamp && !isRunning) workers.update({ type: 'kill', pod });
}
