import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type * as cri from '../contracts/node/cri/index.ts';
import type { ContainerToKill, RuntimePodStatus } from './pod-status.ts';
import type { KnownPod } from './pod-worker.ts';
import { criId, type RuntimePod } from './runtime-pods.ts';

/** A sandbox that is ready. */
export interface ReadySandbox {
  readonly id: string;
  /** The IPs of the sandbox; the node's IPs with host network. */
  readonly ips: readonly string[];
}

/** One container of a pod. */
export interface ContainerOfPod {
  readonly pod: Pod;
  readonly container: core.Container;
}

/** A container to start, with its sandbox. */
export interface ContainerStart extends ContainerOfPod {
  /** The state of the pod in the runtime. */
  readonly podStatus: RuntimePodStatus;
  readonly sandbox: ReadySandbox;
  /** The configuration that the sandbox was created with. */
  readonly sandboxConfig: cri.PodSandboxConfig;
  readonly pullSecrets: readonly core.Secret[];
}

/** A pod to work on, its state, and the inputs of a container start. */
export interface PodWork {
  readonly pod: Pod;
  readonly podStatus: RuntimePodStatus;
  /** The addresses of its sandbox, if the sandbox is usable. */
  readonly ips: readonly string[];
  readonly pullSecrets: readonly core.Secret[];
}

/** A container to kill, with options. */
export interface ContainerKill extends Omit<ContainerToKill, 'message'> {
  /** The ID in the runtime. */
  readonly id: string;
  /** The message of the event. @defaultValue `Stopping container web` */
  readonly message?: string;
  /** The grace period; overrides the pod's. */
  readonly graceSeconds?: number | undefined;
  /** The termination order of the pod's containers; absent for any order. */
  readonly order?: TerminationTurns | undefined;
  /** Aborts the wait: the container will be killed again with a shorter grace period. */
  readonly signal?: AbortSignal | undefined;
}

/** The termination order of a pod's containers. */
export interface TerminationTurns {
  /**
   * Waits for the turn of a container, for at most `seconds`.
   *
   * @returns the whole seconds that it waited
   */
  turn(name: string, seconds: number): Promise<number>;
  /** Records that a container has terminated. */
  terminated(name: string): void;
}

/** The running containers and the sandboxes of a pod, with their IDs in the runtime. */
export interface RunningPod {
  /** Undefined if the pod is unknown. */
  readonly pod: Pod | undefined;
  readonly containers: readonly { readonly id: string; readonly name: string }[];
  /** All sandboxes, because a sandbox that is not ready may still hold an address. */
  readonly sandboxIDs: readonly string[];
}

/** The pods of a node, in three sets that may differ. */
export interface PodSets {
  /** The UIDs of the pods that should run on the node. */
  readonly desired: ReadonlySet<string>;
  /** The pods that have a worker, by UID. */
  readonly known: ReadonlyMap<string, KnownPod>;
  /** The pods that run containers or hold an address. */
  readonly running: readonly RuntimePod[];
}

/** Options of a pod kill. */
export interface KillPodOptions {
  /** The grace period of the containers; overrides the pod's. */
  readonly graceSeconds?: number;
  /** Aborts the wait: the pod will be killed again with a shorter grace period. */
  readonly signal?: AbortSignal;
}

/**
 * Returns the running containers and the sandboxes of a pod. A container whose state is unknown is omitted: it is
 * killed with its sandbox.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/helpers.go ConvertPodStatusToRunningPod
 */
export function runningPod(pod: Pod, { containerStatuses, sandboxStatuses }: RuntimePodStatus): RunningPod {
  return {
    pod,
    containers: containerStatuses
      .filter(({ state }) => state === 'running')
      .map(({ id, name }) => ({ id: criId(id), name })),
    sandboxIDs: sandboxStatuses.map(({ id }) => id),
  };
}

/** Returns the running containers and the sandboxes of a pod that only the runtime knows. */
export function orphanedPod({ containers, sandboxes }: RuntimePod): RunningPod {
  return {
    pod: undefined,
    containers: containers
      .filter(({ state }) => state === 'CONTAINER_RUNNING')
      .map(({ id, metadata }) => ({ id, name: metadata.name })),
    sandboxIDs: sandboxes.map(({ id }) => id),
  };
}

/** Returns whether a pod runs a container or holds an address. */
export function isRunningPod({ containers, sandboxes }: RuntimePod): boolean {
  return (
    containers.some(({ state }) => state === 'CONTAINER_RUNNING') ||
    sandboxes.some(({ state }) => state === 'SANDBOX_READY')
  );
}
