import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import type { ProbeResult } from '../../contracts/node/probe-manager.ts';
import type { Clock, Random } from '../../sim/index.ts';

/** The state of a worker between ticks. */
export interface ProbeState {
  /** The ID of the last observed container; empty before the first. */
  readonly containerID: string;
  /** Whether probing of this container has stopped. */
  readonly onHold: boolean;
  /** The result of its last probe, and how often it occurred in a row. */
  readonly lastResult: ProbeResult;
  readonly resultRun: number;
}

/** The observation of a worker at a tick. */
export interface ProbeSight {
  readonly status: Pod['status'] | undefined;
  readonly nowMs: number;
  /** The start time of the kubelet. */
  readonly startedMs: number;
}

/** The outcome of a tick, or of a part of it. */
export interface ProbeTick {
  readonly state: ProbeState;
  /** The results to store for `state.containerID`, in this order. */
  readonly results: readonly ProbeResult[];
  readonly next: 'wait' | 'probe' | 'end';
}

/** The initial state of every worker. */
export const nothingSeen: ProbeState = {
  containerID: '',
  onHold: false,
  lastResult: 'Unknown',
  resultRun: 0,
};

/** Dependencies of a probe worker. */
export interface ProbeWorkerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The start time of the kubelet. */
  readonly startedMs: number;
  readonly statusOf: (podUID: string) => Pod['status'] | undefined;
  /** Stores the results. */
  readonly results: {
    set(containerID: string, result: ProbeResult, podUID: string): void;
    remove(containerID: string): void;
  };
  /** Runs one probe; resolves with undefined if it could not run. */
  readonly probe: (containerID: string, podIP: string) => Promise<'Success' | 'Failure' | undefined>;
  /** Called when the worker has ended by itself or was stopped. */
  readonly onEnd: () => void;
}

/** Returns the status of a regular container or a sidecar, if it was ever created. */
export function containerStatusOf(
  { containerStatuses = [], initContainerStatuses = [] }: NonNullable<Pod['status']> = {},
  name: string,
): core.ContainerStatus | undefined {
  return [...containerStatuses, ...initContainerStatuses].find(
    (status) => status.name === name && status.containerID,
  );
}

/** The minimum age difference at which a container counts as older than the kubelet. */
const GRACE_MS = 10_000;

/**
 * Returns whether the container existed before the kubelet started. Then the status in the API still holds until the
 * first probe.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go kubeletRestartGracePeriod
 */
export function hasSurvived({ state }: core.ContainerStatus, startedMs: number): boolean {
  const { startedAt } = state?.running ?? {};
  return !!startedAt && Date.parse(startedAt) < startedMs - GRACE_MS;
}
