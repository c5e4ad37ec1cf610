import type { RuntimePodStatus } from './pod-status.ts';
import { criId } from './runtime-pods.ts';

/**
 * The dead containers of a pod that are no longer needed, now that one has exited: of those of its name, all that have exited but the
 * newest. Where the whole pod is of no use any more, all.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_container_deletor.go getContainersToDeleteInPod
 *
 * @param exitedId as the runtime knows it
 * @returns ids as the runtime knows them
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
