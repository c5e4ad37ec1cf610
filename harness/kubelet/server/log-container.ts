import type { ContainerStatus } from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { KubeletError } from '../../contracts/node/kubelet-server.ts';

/**
 * The id of the container of which a log is asked for: the one that runs, or else ran last.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go Kubelet.validateContainerLogStatus
 *
 * Differs: it goes by the status that the API has; upstream's kubelet by its own, which may be newer by a moment.
 *
 * @param previous the one before it
 * @returns the id as the status has it: `containerd://4f…`
 * @throws KubeletError when there is none
 */
export function containerWithLog(pod: Pod, name: string, previous: boolean): string {
  const fail = (why: string): never => {
    throw new KubeletError(
      400,
      `${previous ? 'previous terminated container' : 'container'} "${name}" in pod "${pod.metadata.name}" ${why}`,
    );
  };
  const status = statusOf(pod, name);
  if (!status) {
    throw new KubeletError(400, `container "${name}" in pod "${pod.metadata.name}" is not available`);
  }
  const { state, lastState } = status;
  const last = lastState?.terminated?.containerID;
  if (previous) return last || fail('not found');
  if (state?.running) return status.containerID ?? '';
  if (state?.terminated) return state.terminated.containerID || last || fail('is terminated');
  if (lastState?.terminated) return last || fail('is terminated');
  const reason = state?.waiting?.reason;
  if (state?.waiting) return fail(`is waiting to start: ${WORDS[reason ?? ''] ?? reason ?? ''}`);
  return fail('is waiting to start - no logs yet');
}

/** For what goes wrong most often. */
const WORDS: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: 'trying and failing to pull image',
};

function statusOf({ status }: Pod, name: string): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status;
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    (each) => each.name === name,
  );
}
