import {
  type ContainerToKill,
  type core,
  findContainerStatus,
  type InitContainerActions,
  type InitContainerNeeds,
  isSidecar,
  type Pod,
  type ProbeResults,
  type RuntimePodStatus,
  restartsAfterKill,
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
      : ordinaryNeeds(container, pod, podStatus);
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

/** What an ordinary init container needs. */
function ordinaryNeeds(container: core.Container, pod: Pod, podStatus: RuntimePodStatus): InitContainerNeeds {
  const status = findContainerStatus(podStatus, container.name);
  if (status?.state === 'unknown') {
    if (!restartsAfterKill(container, pod)) return { start: 'never', nextMayStart: false };
    return { start: true, kill: unknownToKill(container.name, 'Init container'), nextMayStart: false };
  }
  if (status?.state !== 'exited') return { start: status?.state !== 'running', nextMayStart: false };
  // Some runtimes give a process that was killed for its memory the exit code 0.
  if (status.exitCode === 0 && status.reason !== 'OOMKilled') return { start: false, nextMayStart: true };
  return { start: shouldContainerBeRestarted(container, pod, podStatus) || 'never', nextMayStart: false };
}
