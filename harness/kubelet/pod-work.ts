import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type * as cri from '../contracts/node/cri/index.ts';
import type { ContainerToKill, RuntimePodStatus } from './pod-status.ts';
import type { KnownPod } from './pod-worker.ts';
import { criId, type RuntimePod } from './runtime-pods.ts';

/** A sandbox that is ready. */
export interface ReadySandbox {
  readonly id: string;
  /** Its addresses; those of the node, if it is in the host's network. */
  readonly ips: readonly string[];
}

/** One container of a pod. */
export interface ContainerOfPod {
  readonly pod: Pod;
  readonly container: core.Container;
}

/** A container to start, and where. */
export interface ContainerStart extends ContainerOfPod {
  /** What the runtime has of the pod. */
  readonly podStatus: RuntimePodStatus;
  readonly sandbox: ReadySandbox;
  /** What the sandbox was made with. */
  readonly sandboxConfig: cri.PodSandboxConfig;
  readonly pullSecrets: readonly core.Secret[];
}

/** A pod to work on, what there is of it, and what its containers are started with. */
export interface PodWork {
  readonly pod: Pod;
  readonly podStatus: RuntimePodStatus;
  /** The addresses of its sandbox, if it has a good one. */
  readonly ips: readonly string[];
  readonly pullSecrets: readonly core.Secret[];
}

/** A container to kill, and how. */
export interface ContainerKill extends Omit<ContainerToKill, 'message'> {
  /** As the runtime knows it. */
  readonly id: string;
  /** What its event says. @defaultValue `Stopping container web` */
  readonly message?: string;
  /** How long it has, whatever its pod says. */
  readonly graceSeconds?: number | undefined;
  /** Whose turn it is; absent where there is no order. */
  readonly order?: TerminationTurns | undefined;
  /** Ends the wait: it is killed another time, and sooner. */
  readonly signal?: AbortSignal | undefined;
}

/** The order in which the containers of a pod end. */
export interface TerminationTurns {
  /**
   * Waits for the turn of a container, but not longer than it may.
   *
   * @returns the whole seconds that it waited
   */
  turn(name: string, seconds: number): Promise<number>;
  /** Takes that a container has ended. */
  terminated(name: string): void;
}

/** What runs of a pod. Ids as the runtime knows them. */
export interface RunningPod {
  /** Undefined: nothing is known of it. */
  readonly pod: Pod | undefined;
  readonly containers: readonly { readonly id: string; readonly name: string }[];
  /** All of them: one that is not ready may hold an address all the same. */
  readonly sandboxIDs: readonly string[];
}

/** The pods of a node, in three sets that need not agree. */
export interface PodSets {
  /** Those that the node is to have, by uid. */
  readonly desired: ReadonlySet<string>;
  /** Those that are worked on, by uid. */
  readonly known: ReadonlyMap<string, KnownPod>;
  /** Those of which anything runs, or holds an address. */
  readonly running: readonly RuntimePod[];
}

/** How a pod is killed. */
export interface KillPodOptions {
  /** How long its containers have, whatever it says. */
  readonly graceSeconds?: number;
  /** Ends the wait: it is killed another time, and sooner. */
  readonly signal?: AbortSignal;
}

/**
 * What runs of a pod, by what the runtime has of it. A container whose state is unknown is left out: it ends with its sandbox.
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

/** What runs of a pod that is known to the runtime alone. */
export function orphanedPod({ containers, sandboxes }: RuntimePod): RunningPod {
  return {
    pod: undefined,
    containers: containers
      .filter(({ state }) => state === 'CONTAINER_RUNNING')
      .map(({ id, metadata }) => ({ id, name: metadata.name })),
    sandboxIDs: sandboxes.map(({ id }) => id),
  };
}

/** Whether anything of a pod runs, or holds an address. */
export function isRunningPod({ containers, sandboxes }: RuntimePod): boolean {
  return (
    containers.some(({ state }) => state === 'CONTAINER_RUNNING') ||
    sandboxes.some(({ state }) => state === 'SANDBOX_READY')
  );
}
