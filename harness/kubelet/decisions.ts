import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type { ProbeResult } from '../contracts/node/probe-manager.ts';
import type { Clock } from '../sim/index.ts';
import type { ContainerToKill, PodActions } from './pod-status.ts';

/** Where a pod is in its life. Upstream: kubernetes/api@v0.36.3 core/v1/types.go PodPhase */
export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** What a phase depends on beside the pod and its containers. */
export interface PhaseOptions {
  /** The kubelet has stopped the pod, and that is final: nothing in it is started again, whatever its policy. Never so for a static pod. */
  readonly podIsTerminal: boolean;
  /** There has been a container of `spec.containers` in the sandbox of now: the init containers have done their part. */
  readonly podHasInitialized: boolean;
}

/** What the conditions of a pod depend on. */
export interface ConditionInput {
  readonly pod: Pod;
  /** Of its containers and of its init containers; undefined when nothing is known of any. */
  readonly statuses: readonly core.ContainerStatus[] | undefined;
  /** What it is now. */
  readonly phase: PodPhase;
  /** As they were before, and those that others than the kubelet have written. */
  readonly conditions: readonly core.PodCondition[];
}

/** Whether a pod needs another sandbox than it has. */
export interface SandboxChange extends Pick<PodActions, 'attempt' | 'sandboxID'> {
  readonly changed: boolean;
}

/** What the probes of containers have found, by the container's id: `containerd://…`. Undefined where they have found nothing. */
export interface ProbeResults {
  liveness(containerID: string): ProbeResult | undefined;
  startup(containerID: string): ProbeResult | undefined;
}

/** What is to be done about the init containers of a pod. */
export interface InitContainerActions
  extends Pick<PodActions, 'killPod' | 'initContainersToStart' | 'containersToKill'> {
  /** They have done their part: what `spec.containers` has may run. */
  readonly initialized: boolean;
}

/** What is to be done about one sidecar. */
export interface SidecarActions {
  readonly start: boolean;
  /** Kill it, before anything is started. */
  readonly kill?: ContainerToKill;
  /** It has started: so may the container after it, even if this one is to be killed now. */
  readonly nextMayStart: boolean;
}

/** What is to be done about one init container. To start it `never` means that it has failed for good, and its pod with it. */
export interface InitContainerNeeds extends Omit<SidecarActions, 'start'> {
  readonly start: boolean | 'never';
}

/** How a back-off counts. */
export interface BackoffOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** After the first failure. */
  readonly initialMs: number;
  /** Never more than this. */
  readonly maxMs: number;
  /** A key that has had no failure for longer begins anew. @defaultValue twice `maxMs` */
  readonly expiryMs?: number;
}

/** Why a container is not started again yet. */
export interface BackoffError {
  /** For `waiting.message`. */
  readonly message: string;
  /** From when on it may start, in ms since 1970. */
  readonly untilMs: number;
}
