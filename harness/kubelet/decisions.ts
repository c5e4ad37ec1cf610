import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type { ProbeResult } from '../contracts/node/probe-manager.ts';
import type { Clock } from '../sim/index.ts';
import type { ContainerToKill, PodActions } from './pod-status.ts';

/** The phase of a pod. Upstream: kubernetes/api@v0.36.3 core/v1/types.go PodPhase */
export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** The inputs of a phase other than the pod and its container statuses. */
export interface PhaseOptions {
  /**
   * The kubelet has finally stopped the pod: no container will restart, whatever the policy. Never true for a static
   * pod.
   */
  readonly podIsTerminal: boolean;
  /** The current sandbox has had a container of `spec.containers`, so the init containers are complete. */
  readonly podHasInitialized: boolean;
}

/** The inputs of a pod's conditions. */
export interface ConditionInput {
  readonly pod: Pod;
  /** The statuses of its containers and its init containers; undefined when none are known. */
  readonly statuses: readonly core.ContainerStatus[] | undefined;
  /** The current phase. */
  readonly phase: PodPhase;
  /** The previous conditions, including the conditions that other components have written. */
  readonly conditions: readonly core.PodCondition[];
}

/** Whether a pod needs a new sandbox. */
export interface SandboxChange extends Pick<PodActions, 'attempt' | 'sandboxID'> {
  readonly changed: boolean;
}

/** The results of container probes, by container ID (`containerd://…`). Undefined before the first result. */
export interface ProbeResults {
  liveness(containerID: string): ProbeResult | undefined;
  startup(containerID: string): ProbeResult | undefined;
}

/** The actions for the init containers of a pod. */
export interface InitContainerActions
  extends Pick<PodActions, 'killPod' | 'initContainersToStart' | 'containersToKill'> {
  /** The init containers are complete, so the containers of `spec.containers` may run. */
  readonly initialized: boolean;
}

/** The actions for one sidecar. */
export interface SidecarActions {
  readonly start: boolean;
  /** The kill to carry out before any container starts. */
  readonly kill?: ContainerToKill;
  /** The sidecar has started, so the next container may start, even if this one is killed now. */
  readonly nextMayStart: boolean;
}

/**
 * The actions for one init container. `start: 'never'` means that the container, and with it the pod, has failed for
 * good.
 */
export interface InitContainerNeeds extends Omit<SidecarActions, 'start'> {
  readonly start: boolean | 'never';
}

/** Options of a back-off. */
export interface BackoffOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** The delay after the first failure. */
  readonly initialMs: number;
  /** The maximum delay. */
  readonly maxMs: number;
  /** A key without a failure for longer than this is reset. @defaultValue twice `maxMs` */
  readonly expiryMs?: number;
}

/** The reason why a container is not restarted yet. */
export interface BackoffError {
  /** The text for `waiting.message`. */
  readonly message: string;
  /** The earliest time of the next start, in ms since 1970. */
  readonly untilMs: number;
}
