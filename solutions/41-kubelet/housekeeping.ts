import { type KubeletParts, PODS_DIRECTORY, type Pod, type RuntimePod } from '#harness';
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
  const running = (await runtimePods.list()).filter(isRunning);

  const active = [...known].filter(([, { state }]) => state === 'sync' || state === 'terminating');
  probes.cleanupPods(new Set(active.map(([uid]) => uid)));
  parts.statuses.retain(desired);
  parts.reasons.retain(desired);
  const needed = new Set([...desired, ...known.keys(), ...running.map(({ uid }) => uid)]);
  await removeOrphanedDirectories(parts, needed);
  await deleteOrphanedMirrorPods(parts);

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

/** A pod that is wanted and that nobody works on: it came again under a uid that has ended, or it has ended and may go. */
function takeUp({ workers }: KubeletParts, pod: Pod, isRunning: boolean): void {
  const { phase } = pod.status;
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  if (!isOver) workers.update({ type: 'create', pod });
  else if (pod.metadata.deletionTimestamp && !isRunning) workers.update({ type: 'kill', pod });
}

/** Anything of it that works, or holds an address. */
function isRunning({ containers, sandboxes }: RuntimePod): boolean {
  return (
    containers.some(({ state }) => state === 'CONTAINER_RUNNING') ||
    sandboxes.some(({ state }) => state === 'SANDBOX_READY')
  );
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_volumes.go cleanupOrphanedPodDirs */
async function removeOrphanedDirectories(
  { context, volumes }: KubeletParts,
  needed: ReadonlySet<string>,
): Promise<void> {
  const { files } = context.host;
  for (const uid of await files.readdir(PODS_DIRECTORY).catch(() => [])) {
    // What is mounted below it would be removed with it, and belongs to others.
    if (needed.has(uid) || volumes.hasPossiblyMountedVolumesForPod(uid)) continue;
    await files.removeAll(`${PODS_DIRECTORY}/${uid}`).catch((error: unknown) => context.log(String(error)));
  }
}
