import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { unknownEnd } from './container-statuses.ts';
import { isSidecar } from './containers.ts';

/**
 * Returns whether a container would leave its terminated state although the pod's policy forbids a restart. The status
 * manager drops such a status, because it must be an error.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/status_manager.go checkContainerStateTransition
 *
 * Differs: a container with its own restart policy is never rejected; upstream evaluates its rules.
 */
export function isIllegalTransition({ spec }: Pod, old: core.PodStatus, status: core.PodStatus): boolean {
  if ((spec.restartPolicy ?? 'Always') === 'Always') return false;
  const revives = (
    containers: readonly core.Container[],
    before: readonly core.ContainerStatus[] = [],
    after: readonly core.ContainerStatus[] = [],
  ): boolean =>
    before.some(({ name, state }) => {
      const container = containers.find((each) => each.name === name);
      const terminated = state?.terminated;
      if (!terminated || !container || container.restartPolicy !== undefined || isSidecar(container))
        return false;
      if (terminated.exitCode !== 0 && spec.restartPolicy === 'OnFailure') return false;
      return after.some((each) => each.name === name && !each.state?.terminated);
    });
  return (
    revives(spec.containers, old.containerStatuses, status.containerStatuses) ||
    revives(spec.initContainers ?? [], old.initContainerStatuses, status.initContainerStatuses)
  );
}

/**
 * Returns the final status of a pod whose containers are all gone. A container without an observed exit gets an unknown
 * exit.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/status_manager.go TerminatePod
 */
export function withUnknownEnds(pod: Pod, status: core.PodStatus): core.PodStatus {
  const { containerStatuses, initContainerStatuses } = status;
  const ended = (each: core.ContainerStatus): core.ContainerStatus =>
    each.state?.terminated ? each : { ...each, state: { terminated: unknownEnd('terminated') } };
  const begun = begunCount(initContainerStatuses ?? []);
  return {
    ...status,
    ...(containerStatuses && hasPodInitialized(pod)
      ? { containerStatuses: containerStatuses.map(ended) }
      : {}),
    ...(initContainerStatuses
      ? { initContainerStatuses: initContainerStatuses.map((each, i) => (i < begun ? ended(each) : each)) }
      : {}),
  };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/status_manager.go hasPodInitialized */
function hasPodInitialized({ spec, status }: Pod): boolean {
  const { initContainers = [] } = spec;
  if (initContainers.length === 0) return true;
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  if (containerStatuses.some(({ state, lastState }) => lastState?.terminated || !state?.waiting)) return true;
  const last = initContainerStatuses.at(-1);
  const container = initContainers.find(({ name }) => name === last?.name);
  if (!last || !container) return false;
  if (isSidecar(container)) return last.state?.running !== undefined && last.started === true;
  return [last.state, last.lastState].some((state) => state?.terminated?.exitCode === 0);
}

/** Returns how many init containers have started, in their order; at least one. */
function begunCount(statuses: readonly core.ContainerStatus[]): number {
  const last = statuses.findLastIndex(({ state, lastState }) => !state?.waiting || lastState?.terminated);
  return Math.max(1, last + 1);
}
