import type { ContainerStatus } from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { KubeletError } from '../../contracts/node/kubelet-server.ts';

/**
 * Returns the ID of the container whose log is requested: the running one, or else the last one.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go Kubelet.validateContainerLogStatus
 *
 * Differs: it uses the status in the API. Upstream's kubelet uses its own, which may be slightly newer.
 *
 * @param previous request the instance before it
 * @returns the ID as in the status: `containerd://4f…`
 * @throws KubeletError when no such container has run
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

/** The texts for the most common failures. */
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
