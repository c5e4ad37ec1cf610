import {
  failureOf,
  type KillPodOptions,
  type KubeletParts,
  PodSyncResult,
  type RunningPod,
  stopSandbox,
} from '#given/41-kubelet';
import { isSidecar } from '#harness';
import { killContainer } from './kill-container.ts';
import { TerminationOrder } from './termination-order.ts';

/**
 * Kills all containers at the same time, and then the sandboxes, which hold the network that the containers need until
 * their end.
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
    pod?.spec.initContainers?.some(isSidecar) && new TerminationOrder(pod, names, parts.context.clock);
  const kill = async ({ id, name }: RunningPod['containers'][number]): Promise<void> => {
    const killed = killContainer(parts, pod, { id, name, graceSeconds, order: order || undefined, signal });
    result.add('KillContainer', name, await failureOf('KillContainerError', killed));
  };
  await Promise.all(containers.map(kill));
  signal?.throwIfAborted();
  for (const id of sandboxIDs) result.add('KillPodSandbox', id, await stopSandbox(parts, id));
  return result;
}
