import type { PhaseOptions, PodPhase } from '#given/41-kubelet';
import { type core, isSidecar, type Pod, shouldRestart } from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go getPhase */
export function getPhase(
  pod: Pod,
  statuses: readonly core.ContainerStatus[],
  { podIsTerminal, podHasInitialized }: PhaseOptions,
): PodPhase {
  const { initContainers = [], containers } = pod.spec;
  const look = (container: core.Container) => {
    const status = statuses.find(({ name }) => name === container.name);
    const { state = {}, lastState } = status ?? {};
    // A container that waits for its restart counts as stopped, not as waiting, because it has started once.
    const terminated = state.terminated ?? (state.waiting && lastState?.terminated);
    const stage = state.running ? 'running' : terminated ? 'stopped' : state.waiting ? 'waiting' : 'unknown';
    const restarts = terminated !== undefined && shouldRestart(container, pod.spec, terminated.exitCode);
    return { status, stage, restarts, hasFailed: terminated !== undefined && terminated.exitCode !== 0 };
  };

  const ordinary = initContainers.filter((container) => !isSidecar(container)).map(look);
  if (ordinary.some(({ hasFailed, restarts }) => hasFailed && !restarts)) return 'Failed';
  if (ordinary.some(({ stage }) => stage !== 'stopped')) return 'Pending';

  // A stopped sidecar will restart, or its pod has ended: in both cases it does not affect the phase.
  const sidecars = initContainers.filter(isSidecar).map(look);
  const isStarting = sidecars.some(({ stage, status }) => stage === 'running' && !status?.started);
  if (isStarting && !podHasInitialized) return 'Pending';
  const regular = containers.map(look);
  const those = [...sidecars.filter(({ stage }) => stage !== 'stopped'), ...regular];
  const stages = those.map(({ stage }) => stage);

  if (stages.includes('unknown') || stages.includes('waiting')) return 'Pending';
  if (stages.includes('running')) return 'Running';
  if (!podIsTerminal && regular.some(({ restarts }) => restarts)) return 'Running';
  return regular.every(({ status }) => status?.state?.terminated?.exitCode === 0) ? 'Succeeded' : 'Failed';
}
