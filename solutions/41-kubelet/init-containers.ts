import {
  type ContainerToKill,
  type core,
  findContainerStatus,
  isSidecar,
  type Pod,
  type PodActions,
  type RuntimeContainerStatus,
  type RuntimePodStatus,
} from '#harness';
import {
  containerShouldRestart,
  type InitContainerStep,
  type ProbeResults,
  restartsAfterKill,
  unknownToKill,
} from './restart.ts';
import { computeSidecarActions } from './sidecars.ts';

/** What is to be done about a pod's init containers. */
export interface InitContainerActions
  extends Pick<PodActions, 'killPod' | 'initContainersToStart' | 'containersToKill'> {
  /** They have done their part: the containers of the pod may run. */
  readonly initialized: boolean;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go computeInitContainerActions */
export function computeInitContainerActions(
  pod: Pod,
  podStatus: RuntimePodStatus,
  probes: ProbeResults,
): InitContainerActions {
  const { initContainers = [], containers } = pod.spec;
  const statusOf = ({ name }: core.Container) => findContainerStatus(podStatus, name);
  // One that has exited may be of a sandbox before this one, in which nothing has been initialized.
  let initialized =
    initContainers.length === 0 ||
    containers.some((container) => ['created', 'running'].includes(statusOf(container)?.state ?? ''));
  // Those before the last one that there is have had their turn, even if the runtime has forgotten them.
  const current = initialized ? initContainers.length : initContainers.findLastIndex(statusOf);
  const initContainersToStart: number[] = [];
  const containersToKill = new Map<string, ContainerToKill>();

  for (const [i, container] of initContainers.entries()) {
    if (i > current || (i < current && !isSidecar(container))) continue;
    const status = statusOf(container);
    const { start, kill, done } = isSidecar(container)
      ? computeSidecarActions(container, status, probes)
      : ordinaryActions(container, status, pod);
    if (start === 'never') {
      return { initialized: false, killPod: true, initContainersToStart: [], containersToKill: new Map() };
    }
    if (start) initContainersToStart.push(i);
    if (kill && status) containersToKill.set(status.id, kill);
    if (done && i === current) {
      if (i === initContainers.length - 1) initialized = true;
      else initContainersToStart.push(i + 1);
    }
  }
  if (current < 0) initContainersToStart.push(0);
  return { initialized, killPod: false, initContainersToStart, containersToKill };
}

function ordinaryActions(
  container: core.Container,
  status: RuntimeContainerStatus | undefined,
  pod: Pod,
): InitContainerStep {
  switch (status?.state) {
    case 'running':
      return { start: false, done: false };
    case 'exited': {
      // Some runtimes report 0 for a process that was killed for its memory.
      if (status.exitCode === 0 && status.reason !== 'OOMKilled') return { start: false, done: true };
      const restarts =
        !pod.metadata.deletionTimestamp && containerShouldRestart(container, pod, status.exitCode);
      return { start: restarts || 'never', done: false };
    }
    case 'unknown':
      return restartsAfterKill(container, pod)
        ? { start: true, kill: unknownToKill(container.name, 'Init container'), done: false }
        : { start: 'never', done: false };
    default:
      return { start: true, done: false };
  }
}
