import {
  type core,
  cri,
  criId,
  isSidecar,
  type KubeletParts,
  messageOf,
  type Pod,
  PodSyncResult,
  type RuntimePod,
  type RuntimePodStatus,
  SyncError,
} from '#harness';
import { killContainer } from './kill-container.ts';
import { TerminationOrder } from './termination-order.ts';

/** What runs of a pod. Ids as the runtime knows them. */
export interface RunningPod {
  /** Undefined: nothing is known of it. */
  readonly pod: Pod | undefined;
  readonly containers: readonly { readonly id: string; readonly name: string }[];
  /** All of them: one that is not ready may hold an address all the same. */
  readonly sandboxIDs: readonly string[];
}

/** What of a pod's status runs. */
export function runningPod(pod: Pod, { containerStatuses, sandboxStatuses }: RuntimePodStatus): RunningPod {
  return {
    pod,
    containers: containerStatuses
      .filter(({ state }) => state === 'running')
      .map(({ id, name }) => ({ id: criId(id), name })),
    sandboxIDs: sandboxStatuses.map(({ id }) => id),
  };
}

/** What runs of a pod that is known to the runtime alone. */
export function orphanedPod({ containers, sandboxes }: RuntimePod): RunningPod {
  return {
    pod: undefined,
    containers: containers
      .filter(({ state }) => state === 'CONTAINER_RUNNING')
      .map(({ id, metadata }) => ({ id, name: metadata.name })),
    sandboxIDs: sandboxes.map(({ id }) => id),
  };
}

/** How a pod is killed. */
export interface KillPodOptions {
  /** In place of what the pod says. */
  readonly graceSeconds?: number;
  readonly signal?: AbortSignal;
}

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
  const order =
    pod && hasSidecars(pod.spec) ? new TerminationOrder(pod, names, parts.context.clock) : undefined;
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

function hasSidecars({ initContainers = [] }: core.PodSpec): boolean {
  return initContainers.some(isSidecar);
}
