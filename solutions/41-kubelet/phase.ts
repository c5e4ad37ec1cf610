import { type core, isSidecar, type PhaseOptions, type Pod, type PodPhase } from '#harness';
import { containerShouldRestart } from './restart.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go getPhase */
export function getPhase(
  pod: Pod,
  statuses: readonly core.ContainerStatus[],
  { podIsTerminal, podHasInitialized }: PhaseOptions,
): PodPhase {
  const { initContainers = [], containers } = pod.spec;
  const look = (container: core.Container) => {
    const status = statuses.find(({ name }) => name === container.name);
    const stage = stageOf(status);
    const restarts = typeof stage === 'object' && containerShouldRestart(container, pod, stage.exitCode);
    return { status, stage, restarts };
  };

  const ordinary = initContainers.filter((container) => !isSidecar(container)).map(look);
  const failed = ordinary.some(
    ({ stage, restarts }) => typeof stage === 'object' && stage.exitCode !== 0 && !restarts,
  );
  if (failed) return 'Failed';
  if (ordinary.some(({ stage }) => typeof stage === 'string')) return 'Pending';

  // A sidecar that has stopped is started again, or its pod is over: either way it says nothing of the phase.
  const sidecars = initContainers.filter(isSidecar).map(look);
  const starting = sidecars.some(({ stage, status }) => stage === 'running' && !status?.started);
  if (starting && !podHasInitialized) return 'Pending';
  const regular = containers.map(look);
  const stages = [...sidecars.filter(({ stage }) => typeof stage === 'string'), ...regular].map(
    ({ stage }) => stage,
  );

  if (stages.includes('unknown') || stages.includes('waiting')) return 'Pending';
  if (stages.includes('running')) return 'Running';
  if (!podIsTerminal && regular.some(({ restarts }) => restarts)) return 'Running';
  return regular.every(({ status }) => status?.state?.terminated?.exitCode === 0) ? 'Succeeded' : 'Failed';
}

type Stage = 'unknown' | 'waiting' | 'running' | { readonly exitCode: number };

/** A container that waits to be started again counts as stopped, not as waiting: it has begun once. */
function stageOf({ state = {}, lastState }: Partial<core.ContainerStatus> = {}): Stage {
  if (state.running) return 'running';
  const terminated = state.terminated ?? (state.waiting && lastState?.terminated);
  if (terminated) return { exitCode: terminated.exitCode };
  return state.waiting ? 'waiting' : 'unknown';
}
