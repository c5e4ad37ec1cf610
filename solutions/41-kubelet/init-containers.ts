import {
  type ContainerToKill,
  findContainerStatus,
  type InitContainerActions,
  type InitContainerNeeds,
  type ProbeResults,
  type RuntimePodStatus,
  restartsAfterKill,
  shouldContainerBeRestarted,
  unknownToKill,
} from '#given/41-kubelet';
import { type core, isSidecar, type Pod } from '#harness';
import { computeSidecarActions } from './sidecars.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go computeInitContainerActions */
export function computeInitContainerActions(
  pod: Pod,
  podStatus: RuntimePodStatus,
  probes: ProbeResults,
): InitContainerActions {
  const { initContainers = [], containers } = pod.spec;
  const statusOf = ({ name }: core.Container) => findContainerStatus(podStatus, name);
  // An exited container may belong to an earlier sandbox, and does not prove that this one is initialized.
  const hasBegun = containers.some((each) => ['created', 'running'].includes(statusOf(each)?.state ?? ''));
  let initialized = hasBegun || initContainers.length === 0;
  // All init containers before the last known one have completed, even if the runtime has removed them.
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

/** Returns the actions for a regular init container. */
function ordinaryNeeds(container: core.Container, pod: Pod, podStatus: RuntimePodStatus): InitContainerNeeds {
  const status = findContainerStatus(podStatus, container.name);
  if (status?.state === 'unknown') {
    if (!restartsAfterKill(container, pod)) return { start: 'never', nextMayStart: false };
    return { start: true, kill: unknownToKill(container.name, 'Init container'), nextMayStart: false };
  }
  if (status?.state !== 'exited') return { start: status?.state !== 'running', nextMayStart: false };
  // Some runtimes report exit code 0 for an OOM-killed process.
  if (status.exitCode === 0 && status.reason !== 'OOMKilled') return { start: false, nextMayStart: true };
  return { start: shouldContainerBeRestarted(container, pod, podStatus) || 'never', nextMayStart: false };
}
