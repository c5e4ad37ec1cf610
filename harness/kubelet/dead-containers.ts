import type { RuntimePodStatus } from './pod-status.ts';
import { criId } from './runtime-pods.ts';

/**
 * Returns the dead containers of a pod to delete after one container has exited: all exited containers of the same name
 * except the newest. With `all`, returns every exited container of the pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_container_deletor.go getContainersToDeleteInPod
 *
 * @param exitedId the exited container's ID in the runtime
 * @returns container IDs in the runtime
 */
export function deadContainers(
  { containerStatuses }: Pick<RuntimePodStatus, 'containerStatuses'>,
  exitedId: string,
  { all }: { readonly all: boolean },
): readonly string[] {
  const dead = containerStatuses.filter(({ state }) => state === 'exited');
  const exited = containerStatuses.find(({ id }) => criId(id) === exitedId);
  const of = all ? dead : dead.filter(({ name }) => name === exited?.name).slice(1);
  return of.map(({ id }) => criId(id));
}
