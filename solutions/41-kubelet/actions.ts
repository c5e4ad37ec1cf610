import {
  findContainerStatus,
  nothingToDo,
  type PodActions,
  type ProbeResults,
  type RuntimePodStatus,
  restartsAfterKill,
  shouldContainerBeRestarted,
  unknownToKill,
  whyToKill,
} from '#given/41-kubelet';
import type { core, Pod } from '#harness';
import { ephemeralContainersToStart } from './ephemeral.ts';
import { computeInitContainerActions } from './init-containers.ts';
import { podSandboxChanged } from './sandbox.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions */
export function computePodActions(pod: Pod, podStatus: RuntimePodStatus, probes: ProbeResults): PodActions {
  const { changed, attempt, sandboxID } = podSandboxChanged(pod, podStatus);
  const actions = { ...nothingToDo, killPod: changed, attempt, sandboxID };
  if (changed) return { ...actions, ...newSandboxActions(pod, podStatus, attempt) };

  const { initialized, ...init } = computeInitContainerActions(pod, podStatus, probes);
  const ephemeral = pod.spec.ephemeralContainers ? ephemeralContainersToStart(pod, podStatus) : [];
  const begun = { ...actions, ...init, ephemeralContainersToStart: ephemeral };
  if (!initialized) return begun;

  const containersToStart: number[] = [];
  const containersToKill = new Map(init.containersToKill);
  let kept = 0;
  for (const [i, container] of pod.spec.containers.entries()) {
    const status = findContainerStatus(podStatus, container.name);
    const kill = status?.state === 'running' ? whyToKill(container, status, probes) : undefined;
    // A changed definition makes it another container: the restart policy applies only to the same one.
    const restarts = kill
      ? kill.reason === undefined || restartsAfterKill(container, pod)
      : shouldContainerBeRestarted(container, pod, podStatus);
    if (restarts) containersToStart.push(i);
    else if (status?.state === 'running' && !kill) kept++;
    if (status && kill) {
      const message = `${kill.message}${restarts ? ', will be restarted' : ''}`;
      containersToKill.set(status.id, { ...kill, message });
    } else if (status?.state === 'unknown' && restarts) {
      containersToKill.set(status.id, unknownToKill(container.name, 'Container'));
    }
  }
  // No container runs and none will start, so the pod has ended. Sidecars alone do not keep it alive.
  return kept === 0 && containersToStart.length === 0
    ? { ...begun, killPod: true, containersToKill, initContainersToStart: [] }
    : { ...begun, containersToStart, containersToKill };
}

/** Returns the actions in a new sandbox: the pod starts from the beginning, unless it has no work left. */
function newSandboxActions(pod: Pod, podStatus: RuntimePodStatus, attempt: number): Partial<PodActions> {
  const { initContainers = [], containers, restartPolicy } = pod.spec;
  // A container that ran is not run again. If none ever ran, only the sandbox has failed, and is retried.
  if (restartPolicy === 'Never' && attempt !== 0 && podStatus.containerStatuses.length > 0) return {};
  const containersToStart = [...containers.keys()].filter((i) => {
    const { name, restartPolicy: policy = restartPolicy } = containers[i] as core.Container;
    const { state, exitCode } = findContainerStatus(podStatus, name) ?? {};
    return policy !== 'OnFailure' || state !== 'exited' || exitCode !== 0;
  });
  if (containersToStart.length === 0) return {};
  if (initContainers.length > 0) return { createSandbox: true, initContainersToStart: [0] };
  return { createSandbox: true, containersToStart };
}
