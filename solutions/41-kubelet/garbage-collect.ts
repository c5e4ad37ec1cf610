import type { KubeletParts } from '#harness';
import { killContainer } from './kill-container.ts';

/** How many dead containers of one name a pod keeps, for people to look at. */
const DEAD_CONTAINERS_KEPT = 1;

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_gc.go containerGC.GarbageCollect
 */
export async function garbageCollect(parts: KubeletParts): Promise<void> {
  await evictContainers(parts);
  await evictSandboxes(parts);
  await parts.steps.removeOrphanedLogs();
}

async function evictContainers(parts: KubeletParts): Promise<void> {
  for (const { uid, containers } of await parts.runtimePods.list()) {
    const keep = parts.workers.shouldPodContentBeRemoved(uid) ? 0 : DEAD_CONTAINERS_KEPT;
    const dead = containers.filter(({ state }) => state !== 'CONTAINER_RUNNING');
    for (const name of new Set(dead.map(({ metadata }) => metadata.name))) {
      for (const { id, state } of dead.filter(({ metadata }) => metadata.name === name).slice(keep)) {
        if (state === 'CONTAINER_UNKNOWN' && !(await killUnknown(parts, id, name))) continue;
        await parts.removeContainer(id);
      }
    }
  }
}

/** It may run, for all that is known. */
async function killUnknown(parts: KubeletParts, id: string, name: string): Promise<boolean> {
  try {
    const message = 'Container is in unknown state, try killing it before removal';
    await killContainer(parts, undefined, { id, name, message });
    return true;
  } catch (error) {
    parts.context.log(String(error));
    return false;
  }
}

/** The newest sandbox of a pod stays as long as the pod: it says how many there were before. */
async function evictSandboxes({ context, workers, runtimePods }: KubeletParts): Promise<void> {
  const { runtime } = context.host;
  for (const { uid, sandboxes, containers } of await runtimePods.list()) {
    const keep = workers.shouldPodContentBeRemoved(uid) ? 0 : 1;
    for (const { id, state } of sandboxes.slice(keep)) {
      const inUse = containers.some(({ podSandboxId }) => podSandboxId === id);
      if (state === 'SANDBOX_READY' || inUse) continue;
      try {
        // Its network may not have been given back when it was stopped.
        await runtime.stopPodSandbox(id);
        await runtime.removePodSandbox(id);
      } catch (error) {
        context.log(`Failed to remove the sandbox ${id}: ${error}`);
      }
    }
  }
}
