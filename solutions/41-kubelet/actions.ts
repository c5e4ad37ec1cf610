import {
  type ContainerToKill,
  type core,
  findContainerStatus,
  hashContainer,
  type Pod,
  type PodActions,
  type ProbeResults,
  type RuntimeContainerStatus,
  type RuntimePodStatus,
} from '#harness';
import { ephemeralContainersToStart } from './ephemeral.ts';
import { computeInitContainerActions } from './init-containers.ts';
import { restartsAfterKill, shouldContainerBeRestarted, unknownToKill } from './restart.ts';
import { podSandboxChanged } from './sandbox.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions */
export function computePodActions(pod: Pod, podStatus: RuntimePodStatus, probes: ProbeResults): PodActions {
  const { changed, attempt, sandboxID } = podSandboxChanged(pod, podStatus);
  const actions: PodActions = {
    killPod: changed,
    createSandbox: false,
    sandboxID,
    attempt,
    containersToKill: new Map(),
    ephemeralContainersToStart: [],
    initContainersToStart: [],
    containersToStart: [],
  };
  if (changed) return { ...actions, ...computeNewSandboxActions(pod, podStatus, attempt) };

  const { initialized, ...init } = computeInitContainerActions(pod, podStatus, probes);
  const begun = {
    ...actions,
    ...init,
    ephemeralContainersToStart: pod.spec.ephemeralContainers
      ? ephemeralContainersToStart(pod, podStatus)
      : [],
  };
  if (!initialized) return begun;

  const { kept, containersToStart, containersToKill } = computeContainerActions(pod, podStatus, probes);
  const kills = new Map([...begun.containersToKill, ...containersToKill]);
  // Nothing runs, and nothing will: the pod is over. Sidecars are there for the others, and do not keep it alive.
  return kept === 0 && containersToStart.length === 0
    ? { ...begun, killPod: true, containersToKill: kills, initContainersToStart: [] }
    : { ...begun, containersToStart, containersToKill: kills };
}

/** In a new sandbox a pod begins from the beginning, unless it has nothing left to do. */
function computeNewSandboxActions(
  pod: Pod,
  podStatus: RuntimePodStatus,
  attempt: number,
): Partial<PodActions> {
  const { initContainers = [], containers, restartPolicy } = pod.spec;
  // Nothing that ran is run again. If nothing ever ran, the sandbox alone has failed, and is tried again.
  if (restartPolicy === 'Never' && attempt !== 0 && podStatus.containerStatuses.length > 0) return {};
  const containersToStart = containers.flatMap((container, i) => {
    const { state, exitCode } = findContainerStatus(podStatus, container.name) ?? {};
    const policy = container.restartPolicy ?? restartPolicy;
    return policy === 'OnFailure' && state === 'exited' && exitCode === 0 ? [] : [i];
  });
  if (containersToStart.length === 0) return {};
  return initContainers.length > 0
    ? { createSandbox: true, initContainersToStart: [0] }
    : { createSandbox: true, containersToStart };
}

function computeContainerActions(pod: Pod, podStatus: RuntimePodStatus, probes: ProbeResults) {
  const containersToStart: number[] = [];
  const containersToKill = new Map<string, ContainerToKill>();
  let kept = 0;
  for (const [i, container] of pod.spec.containers.entries()) {
    const status = findContainerStatus(podStatus, container.name);
    if (status?.state !== 'running') {
      if (!shouldContainerBeRestarted(container, pod, podStatus)) continue;
      containersToStart.push(i);
      if (status?.state === 'unknown') {
        containersToKill.set(status.id, unknownToKill(container.name, 'Container'));
      }
      continue;
    }
    const ill = illness(container, status, probes);
    if (!ill) {
      kept++;
      continue;
    }
    // Another definition is another container: the policy is for the one that there was.
    const restarts = ill.reason === undefined || restartsAfterKill(container, pod);
    if (restarts) containersToStart.push(i);
    containersToKill.set(status.id, {
      ...ill,
      name: container.name,
      message: `Container ${container.name} ${ill.message}${restarts ? ', will be restarted' : ''}`,
    });
  }
  return { kept, containersToStart, containersToKill };
}

/** Why a container that runs is to be killed; undefined when it is well. */
function illness(
  container: core.Container,
  { id, hash }: RuntimeContainerStatus,
  probes: ProbeResults,
): Omit<ContainerToKill, 'name'> | undefined {
  if (hash !== hashContainer(container)) return { message: 'definition changed' };
  if (probes.liveness(id) === 'Failure') return { message: 'failed liveness probe', reason: 'LivenessProbe' };
  if (probes.startup(id) === 'Failure') return { message: 'failed startup probe', reason: 'StartupProbe' };
  return undefined;
}
