import {
  cri,
  isSidecar,
  type KillPodOptions,
  type KubeletParts,
  messageOf,
  type Pod,
  PodSyncResult,
  type RunningPod,
  SyncError,
} from '#harness';
import { killContainer } from './kill-container.ts';
import { TerminationOrder } from './termination-order.ts';

/**
 * All containers at once, and then the sandboxes: they hold the network that the containers end in.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go killPodWithSyncResult
 */
export async function killPod(
  parts: KubeletParts,
  { pod, containers, sandboxIDs }: RunningPod,
  { graceSeconds, signal }: KillPodOptions = {},
): Promise<PodSyncResult> {
  const result = new PodSyncResult();
  const names = containers.map(({ name }) => name);
  const order = pod && hasSidecars(pod) ? new TerminationOrder(pod, names, parts.context.clock) : undefined;
  await Promise.all(
    containers.map(async ({ id, name }) => {
      const error = await failure(
        'KillContainerError',
        killContainer(parts, pod, { id, name, graceSeconds, order, signal }),
      );
      result.add('KillContainer', name, error);
    }),
  );
  signal?.throwIfAborted();
  for (const id of sandboxIDs) {
    result.add('KillPodSandbox', id, await failure('KillPodSandboxError', stopSandbox(parts, id)));
  }
  return result;
}

async function stopSandbox({ context }: KubeletParts, id: string): Promise<void> {
  await context.host.runtime.stopPodSandbox(id).catch((error: unknown) => {
    if (!cri.isCriNotFound(error)) throw error;
  });
}

async function failure(reason: string, done: Promise<void>): Promise<SyncError | undefined> {
  try {
    await done;
    return undefined;
  } catch (error) {
    return new SyncError(reason, messageOf(error));
  }
}

function hasSidecars({ spec }: Pod): boolean {
  return (spec.initContainers ?? []).some(isSidecar);
}
