import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { formatTime } from '../sim/index.ts';
import { findContainerStatus, isSidecar } from './containers.ts';
import type { RuntimeContainerStatus, RuntimePodStatus } from './pod-status.ts';
import type { WaitingReason } from './reason-cache.ts';
import { shouldContainerBeRestarted } from './restart.ts';

/** The inputs of container statuses. */
interface ContainerStatusesOptions {
  readonly pod: Pod;
  readonly podStatus: RuntimePodStatus;
  /** The containers of `spec.initContainers`, of `spec.containers` or of `spec.ephemeralContainers`. */
  readonly containers: readonly core.Container[];
  readonly areInitContainers: boolean;
  /** The statuses reported before. */
  readonly previous: readonly core.ContainerStatus[];
  /** Returns why the last attempt to start a container failed. */
  readonly reasonOf: (container: string) => WaitingReason | undefined;
}

/**
 * Returns the statuses of containers: their state, their previous exit, their restart count. A container that the
 * runtime has lost keeps its previous status, which is the only record of it.
 *
 * @returns init containers in the order of the spec, all others sorted by name
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go convertToAPIContainerStatuses
 *
 * Differs: `resources`, `allocatedResources`, `volumeMounts` and `user` are omitted. The restart of all containers
 * together (KEP-5532) is not supported.
 */
export function convertToAPIContainerStatuses(options: ContainerStatusesOptions): core.ContainerStatus[] {
  const { containers, areInitContainers } = options;
  const statuses = containers.map((container) => containerStatus(container, options));
  if (areInitContainers) return statuses;
  return statuses.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function containerStatus(container: core.Container, options: ContainerStatusesOptions): core.ContainerStatus {
  const { podStatus, previous } = options;
  const old = previous.find(({ name }) => name === container.name);
  const [newest, second] = podStatus.containerStatuses.filter(({ name }) => name === container.name);
  const status = newest ? seen(newest, second, old) : lost(container, old, options);
  return waiting(container, status, options);
}

/** Returns the status of a container that exists in the runtime. */
function seen(
  newest: RuntimeContainerStatus,
  second: RuntimeContainerStatus | undefined,
  old: core.ContainerStatus | undefined,
): core.ContainerStatus {
  const status = convert(newest, old);
  const lastState = second ? convert(second, old).state : status.lastState;
  return { ...status, ...(lastState ? { lastState } : {}) };
}

function convert(
  container: RuntimeContainerStatus,
  old: core.ContainerStatus | undefined,
): core.ContainerStatus {
  const { name, image, imageRef: imageID, id: containerID, state } = container;
  const ended = old?.containerID !== containerID ? old?.state?.terminated : undefined;
  const terminated = ended ?? old?.lastState?.terminated;
  // The API reports the termination of another instance, so this instance is a restart.
  const isAnother =
    state === 'running' && old?.state?.terminated && old.restartCount >= container.restartCount;
  const isLost = state === 'unknown' && old?.state?.running;
  const restartCount =
    Math.max(container.restartCount, old?.restartCount ?? 0) + (isAnother || isLost ? 1 : 0);
  return {
    name,
    image,
    imageID,
    containerID,
    restartCount,
    ready: false,
    state: isLost ? { terminated: unknownEnd('terminated') } : stateOf(container),
    ...(terminated ? { lastState: { terminated } } : {}),
    // Keep `started` until the probes report again, also after a restart of the kubelet.
    ...(state === 'running' && old?.started !== undefined ? { started: old.started } : {}),
  };
}

function stateOf(container: RuntimeContainerStatus): core.ContainerState {
  const { id: containerID, state, exitCode, reason, message, startedAtMs, finishedAtMs } = container;
  if (state === 'running') return { running: { startedAt: formatTime(startedAtMs) } };
  if (state !== 'exited') return { waiting: {} };
  return {
    terminated: {
      exitCode,
      ...(reason ? { reason } : {}),
      ...(message ? { message } : {}),
      startedAt: formatTime(startedAtMs),
      finishedAt: formatTime(finishedAtMs),
      containerID,
    },
  };
}

/** Returns the status of a container that the runtime does not have: it never existed, or it is lost. */
function lost(
  container: core.Container,
  old: core.ContainerStatus | undefined,
  { pod, podStatus, areInitContainers }: ContainerStatusesOptions,
): core.ContainerStatus {
  if (old?.state?.terminated) return old;
  const { name, image = '' } = container;
  const reason = pod.spec.initContainers?.length ? 'PodInitializing' : 'ContainerCreating';
  const { restartCount = 0, lastState } = old ?? {};
  const base = {
    name,
    image,
    imageID: '',
    ready: false,
    restartCount,
    ...(lastState ? { lastState } : {}),
    state: { waiting: { reason } },
  };
  if (areInitContainers && !isSidecar(container) && hasAnyRegularContainerCreated(pod, podStatus)) {
    return { ...base, state: { terminated: INITIALIZED } };
  }
  if (!old?.state?.running || lastState?.terminated) return base;
  return {
    ...base,
    lastState: { terminated: unknownEnd('deleted.  The container used to be Running') },
    restartCount: restartCount + (pod.metadata.deletionTimestamp ? 0 : 1),
  };
}

/** Sets the reason for the wait, if the last attempt to start the container failed. */
function waiting(
  container: core.Container,
  status: core.ContainerStatus,
  { pod, podStatus, areInitContainers, reasonOf }: ContainerStatusesOptions,
): core.ContainerStatus {
  const newest = findContainerStatus(podStatus, container.name);
  // It has completed and will not be restarted.
  if (areInitContainers && newest?.state === 'exited' && newest.exitCode === 0) return status;
  if (areInitContainers && !newest && status.state?.terminated === INITIALIZED) return status;
  if (!shouldContainerBeRestarted(container, pod, podStatus)) return status;
  const reason = reasonOf(container.name);
  if (!reason) return status;
  const { state } = status;
  return {
    ...status,
    ...(state?.terminated ? { lastState: state } : {}),
    state: { waiting: { reason: reason.reason, message: reason.message } },
  };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go HasAnyRegularContainerCreated */
function hasAnyRegularContainerCreated({ spec }: Pod, podStatus: RuntimePodStatus): boolean {
  return spec.containers.some(({ name }) => {
    const { state = 'unknown' } = findContainerStatus(podStatus, name) ?? {};
    return state !== 'unknown';
  });
}

const INITIALIZED: core.ContainerStateTerminated = {
  exitCode: 0,
  reason: 'Completed',
  message:
    'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally',
};

/**
 * Returns the termination of a container whose exit was not observed: without an exit code it cannot count as success.
 */
export function unknownEnd(when: string): core.ContainerStateTerminated {
  return {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: `The container could not be located when the pod was ${when}`,
  };
}
