import type { Killers } from './kill-steps.ts';
import type { KubeletParts } from './kubelet-parts.ts';

/** How many dead containers of one name a pod keeps, for people to look at. */
const DEAD_CONTAINERS_KEPT = 1;

/**
 * Removes what is of no use any more, by what the runtime has, newest first: of each pod and name, all containers that do not run
 * but the newest; of each pod, all sandboxes that are not ready and have no containers but the newest; and the newest, too, and
 * the logs, of pods whose content may go. What cannot be removed stays until the next time, and keeps nothing else.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_gc.go containerGC.GarbageCollect
 *
 * @throws cri.CriError when the runtime cannot be read
 */
export async function garbageCollect(
  parts: KubeletParts,
  { killContainer }: Pick<Killers, 'killContainer'>,
): Promise<void> {
  const { signal } = parts.context;
  await evictContainers(parts, killContainer);
  // A kubelet that was told to stop asks for nothing more.
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
          // It may run, for all that is known.
          const message = 'Container is in unknown state, try killing it before removal';
          const killed = killContainer(parts, undefined, { id, name, message });
          if (!(await succeeds(parts, killed))) continue;
        }
        await parts.removeContainer(id);
      }
    }
  }
}

/** The newest sandbox of a pod stays as long as the pod: it says how many there were before. */
async function evictSandboxes(parts: KubeletParts): Promise<void> {
  const { runtime } = parts.context.host;
  for (const { uid, sandboxes, containers } of await parts.runtimePods.list()) {
    const keep = parts.workers.shouldPodContentBeRemoved(uid) ? 0 : 1;
    for (const { id, state } of sandboxes.slice(keep)) {
      const inUse = containers.some(({ podSandboxId }) => podSandboxId === id);
      if (state === 'SANDBOX_READY' || inUse) continue;
      // Its network may not have been given back when it was stopped.
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
