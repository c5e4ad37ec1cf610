import type { Killers } from './kill-steps.ts';
import type { KubeletParts } from './kubelet-parts.ts';

/** The number of dead containers with the same name that a pod keeps for inspection. */
const DEAD_CONTAINERS_KEPT = 1;

/**
 * Removes dead containers and sandboxes, as the runtime lists them, newest first:
 *
 * - all containers that do not run, except the newest of each pod and name;
 * - all sandboxes that are not ready and have no containers, except the newest of each pod;
 * - of evicted pods, and of deleted pods that have stopped, also the newest ones and the logs.
 *
 * A failure to remove one item does not stop the others; the next round tries it again.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_gc.go containerGC.GarbageCollect
 *
 * @throws cri.CriError when listing the runtime fails
 */
export async function garbageCollect(
  parts: KubeletParts,
  { killContainer }: Pick<Killers, 'killContainer'>,
): Promise<void> {
  const { signal } = parts.context;
  await evictContainers(parts, killContainer);
  // A kubelet makes no calls after its signal is aborted.
  if (!signal.aborted) await evictSandboxes(parts);
  if (!signal.aborted) await parts.steps.removeOrphanedLogs();
}

async function evictContainers(parts: KubeletParts, killContainer: Killers['killContainer']): Promise<void> {
  for (const { uid, containers } of await parts.runtimePods.list()) {
    const keep = parts.workers.shouldPodContentBeRemoved(uid) ? 0 : DEAD_CONTAINERS_KEPT;
    const dead = containers.filter(({ state }) => state !== 'CONTAINER_RUNNING');
    for (const name of new Set(dead.map(({ metadata }) => metadata.name))) {
      for (const { id, state } of dead.filter(({ metadata }) => metadata.name === name).slice(keep)) {
        if (state === 'CONTAINER_UNKNOWN') {
          // The container may still run.
          const message = 'Container is in unknown state, try killing it before removal';
          const killed = killContainer(parts, undefined, { id, name, message });
          if (!(await succeeds(parts, killed))) continue;
        }
        await parts.removeContainer(id);
      }
    }
  }
}

/** Keeps the newest sandbox while the pod exists, because its attempt number counts the earlier sandboxes. */
async function evictSandboxes(parts: KubeletParts): Promise<void> {
  const { runtime } = parts.context.host;
  for (const { uid, sandboxes, containers } of await parts.runtimePods.list()) {
    const keep = parts.workers.shouldPodContentBeRemoved(uid) ? 0 : 1;
    for (const { id, state } of sandboxes.slice(keep)) {
      const inUse = containers.some(({ podSandboxId }) => podSandboxId === id);
      if (state === 'SANDBOX_READY' || inUse) continue;
      // When the sandbox was stopped before, the release of its network may have failed.
      if (await succeeds(parts, runtime.stopPodSandbox(id)))
        await succeeds(parts, runtime.removePodSandbox(id));
    }
  }
}

async function succeeds({ context }: KubeletParts, done: Promise<unknown>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (error) {
    context.log(`Failed to remove what is dead: ${error}`);
    return false;
  }
}
