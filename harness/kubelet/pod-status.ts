import type * as cri from '../contracts/node/cri/index.ts';

/**
 * A pod as the runtime has it: what was observed, not what the API says. It is all that a kubelet knows after a restart.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/runtime.go PodStatus
 */
export interface RuntimePodStatus {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** Of the newest sandbox, while it is ready. */
  readonly ips: readonly string[];
  /** Newest first. */
  readonly sandboxStatuses: readonly cri.PodSandboxStatus[];
  /** Of all sandboxes, and of all attempts, newest first. */
  readonly containerStatuses: readonly RuntimeContainerStatus[];
  /** Those of them that belong to the newest sandbox, if it is ready. */
  readonly activeContainerStatuses: readonly RuntimeContainerStatus[];
  /** When it was observed, in ms since 1970. */
  readonly observedMs: number;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/runtime.go State */
export type RuntimeContainerState = 'created' | 'running' | 'exited' | 'unknown';

/**
 * One container of a pod as the runtime has it. A container that is started again is another one, of the same name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/runtime.go Status
 */
export interface RuntimeContainerStatus {
  /** As in the API: `containerd://…`. */
  readonly id: string;
  /** As in the pod's spec. */
  readonly name: string;
  readonly state: RuntimeContainerState;
  /** In ms since 1970; 0 for what has not happened. */
  readonly createdAtMs: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  readonly exitCode: number;
  /** As in the spec that it was made from. */
  readonly image: string;
  /** By digest. */
  readonly imageRef: string;
  /** Of the spec that it was made from: another one means that the container's definition has changed. */
  readonly hash: string;
  readonly restartCount: number;
  readonly reason: string;
  readonly message: string;
}

/**
 * What is to be done with a pod now: what `computePodActions` decides and the kubelet carries out, in the order of the fields.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go podActions
 */
export interface PodActions {
  /** Kill all containers and the sandbox. */
  readonly killPod: boolean;
  /** Make a new sandbox, after all is killed. */
  readonly createSandbox: boolean;
  /** The sandbox to start containers in. With `killPod`, the one that is no longer good, if there is one that was. */
  readonly sandboxID: string | undefined;
  /** Of the sandbox that is there or is to be made. */
  readonly attempt: number;
  /** Single containers to kill, by id. */
  readonly containersToKill: ReadonlyMap<string, ContainerToKill>;
  /** Indexes in `spec.ephemeralContainers`. */
  readonly ephemeralContainersToStart: readonly number[];
  /** Indexes in `spec.initContainers`. */
  readonly initContainersToStart: readonly number[];
  /** Indexes in `spec.containers`. */
  readonly containersToStart: readonly number[];
}

/** A pod that is as it has to be, in its first sandbox. */
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

/** Why a single container is killed. */
export interface ContainerToKill {
  readonly name: string;
  /** What its event says. */
  readonly message: string;
  /** Probes may give it another grace period. */
  readonly reason?: 'LivenessProbe' | 'StartupProbe' | 'Unknown';
}
