import type * as cri from '../contracts/node/cri/index.ts';

/**
 * A pod as observed in the runtime, independent of the API. It is all that a kubelet knows after a restart.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/runtime.go PodStatus
 */
export interface RuntimePodStatus {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** The IPs of the newest sandbox, while it is ready. */
  readonly ips: readonly string[];
  /** Newest first. */
  readonly sandboxStatuses: readonly cri.PodSandboxStatus[];
  /** The containers of all sandboxes and all attempts, newest first. */
  readonly containerStatuses: readonly RuntimeContainerStatus[];
  /** The subset of containers in the newest sandbox, if it is ready. */
  readonly activeContainerStatuses: readonly RuntimeContainerStatus[];
  /** The time of the observation, in ms since 1970. */
  readonly observedMs: number;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/runtime.go State */
export type RuntimeContainerState = 'created' | 'running' | 'exited' | 'unknown';

/**
 * One container of a pod as observed in the runtime. A restarted container is a new one of the same name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/runtime.go Status
 */
export interface RuntimeContainerStatus {
  /** The ID as in the API: `containerd://…`. */
  readonly id: string;
  /** The name as in the pod's spec. */
  readonly name: string;
  readonly state: RuntimeContainerState;
  /** Times in ms since 1970; 0 if the event has not happened. */
  readonly createdAtMs: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  readonly exitCode: number;
  /** The image as in the spec that the container was created from. */
  readonly image: string;
  /** The image, by digest. */
  readonly imageRef: string;
  /**
   * The hash of the spec that the container was created from. A different hash means that the definition has changed.
   */
  readonly hash: string;
  readonly restartCount: number;
  readonly reason: string;
  readonly message: string;
}

/**
 * The actions for a pod, in order: `computePodActions` computes them and the kubelet carries them out field by field.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go podActions
 */
export interface PodActions {
  /** Kill all containers and the sandbox. */
  readonly killPod: boolean;
  /** Create a new sandbox, after everything else is killed. */
  readonly createSandbox: boolean;
  /** The sandbox in which to start containers. With `killPod`, the sandbox to replace, if there is one. */
  readonly sandboxID: string | undefined;
  /** The attempt number of the existing or the new sandbox. */
  readonly attempt: number;
  /** Single containers to kill, by ID. */
  readonly containersToKill: ReadonlyMap<string, ContainerToKill>;
  /** Indexes in `spec.ephemeralContainers`. */
  readonly ephemeralContainersToStart: readonly number[];
  /** Indexes in `spec.initContainers`. */
  readonly initContainersToStart: readonly number[];
  /** Indexes in `spec.containers`. */
  readonly containersToStart: readonly number[];
}

/** The actions for a pod that needs none, in its first sandbox. */
export const nothingToDo: PodActions = {
  killPod: false,
  createSandbox: false,
  sandboxID: undefined,
  attempt: 0,
  containersToKill: new Map(),
  ephemeralContainersToStart: [],
  initContainersToStart: [],
  containersToStart: [],
};

/** The reason to kill a single container. */
export interface ContainerToKill {
  readonly name: string;
  /** The message of its event. */
  readonly message: string;
  /** A failed probe may set a different grace period. */
  readonly reason?: 'LivenessProbe' | 'StartupProbe' | 'Unknown';
}
