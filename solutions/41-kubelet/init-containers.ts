import {
  type ContainerToKill,
  type core,
  findContainerStatus,
  type InitContainerActions,
  isSidecar,
  type Pod,
  type ProbeResults,
  type RuntimePodStatus,
  restartsAfterKill,
  type SidecarActions,
  shouldContainerBeRestarted,
  unknownToKill,
} from '#harness';
import { computeSidecarActions } from './sidecars.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go computeInitContainerActions */
export function computeInitContainerActions(
  pod: Pod,
  podStatus: RuntimePodStatus,
  probes: ProbeResults,
): InitContainerActions {
  const { initContainers = [], containers } = pod.spec;
  const statusOf = ({ name }: core.Container) => findContainerStatus(podStatus, name);
  // One that has exited may be of a sandbox before this one, in which nothing has been initialized.
  const hasBegun = containers.some((each) => ['created', 'running'].includes(statusOf(each)?.state ?? ''));
  let initialized = hasBegun || initContainers.length === 0;
  // Those before the last one that there is have had their turn, even if the runtime has forgotten them.
  const current = hasBegun ? initContainers.length : Math.max(0, initContainers.findLastIndex(statusOf));
  const initContainersToStart: number[] = [];
  const containersToKill = new Map<string, ContainerToKill>();

  for (const [i, container] of initContainers.entries()) {
    if (i > current || (i < current && !isSidecar(container))) continue;
    const status = statusOf(container);
    const { start, kill, nextMayStart } = isSidecar(container)
      ? computeSidecarActions(container, podStatus, probes)
      : ordinaryActions(container, pod, podStatus);
    if (start === 'never')
      return { initialized: false, killPod: true, initContainersToStart: [], containersToKill: new Map() };
    if (start) initContainersToStart.push(i);
    if (kill && status) containersToKill.set(status.id, kill);
    if (!nextMayStart || i !== current) continue;
    if (i === initContainers.length - 1) initialized = true;
    else initContainersToStart.push(i + 1);
  }
  return { initialized, killPod: false, initContainersToStart, containersToKill };
}

/** What an ordinary init container needs; to start it `never` means that it has failed for good, and its pod with it. */
function ordinaryActions(
  container: core.Container,
  pod: Pod,
  podStatus: RuntimePodStatus,
): Omit<SidecarActions, 'start'> & { readonly start: boolean | 'never' } {
  const status = findContainerStatus(podStatus, container.name);
  const waits = { nextMayStart: false };
  switch (status?.state) {
    case 'running':
      return { ...waits, start: false };
    case 'exited':
      // Some runtimes give a process that was killed for its memory the exit code 0.
      if (status.exitCode === 0 && status.reason !== 'OOMKilled') return { start: false, nextMayStart: true };
      return { ...waits, start: shouldContainerBeRestarted(container, pod, podStatus) || 'never' };
    case 'unknown':
      if (!restartsAfterKill(container, pod)) return { ...waits, start: 'never' };
      return { ...waits, start: true, kill: unknownToKill(container.name, 'Init container') };
    default:
      return { ...waits, start: true };
  }
}
