import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import type { ProbeResult } from '../../contracts/node/probe-manager.ts';
import type { Clock, Random } from '../../sim/index.ts';

/** What a worker remembers from tick to tick. */
export interface ProbeState {
  /** The container that it saw last; empty while it saw none. */
  readonly containerID: string;
  /** Nothing is to be found out about this container any more. */
  readonly onHold: boolean;
  /** What its last probe gave, and how often in a row. */
  readonly lastResult: ProbeResult;
  readonly resultRun: number;
}

/** What a worker sees when it looks. */
export interface ProbeSight {
  readonly status: Pod['status'] | undefined;
  readonly nowMs: number;
  /** When the kubelet started. */
  readonly startedMs: number;
}

/** What comes of a tick, or of a part of it. */
export interface ProbeTick {
  readonly state: ProbeState;
  /** To be stored for `state.containerID`, in this order. */
  readonly results: readonly ProbeResult[];
  readonly next: 'wait' | 'probe' | 'end';
}

/** How every worker begins. */
export const nothingSeen: ProbeState = {
  containerID: '',
  onHold: false,
  lastResult: 'Unknown',
  resultRun: 0,
};

/** What a worker works with. */
export interface ProbeWorkerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** When the kubelet started. */
  readonly startedMs: number;
  readonly statusOf: (podUID: string) => Pod['status'] | undefined;
  /** Where it stores what it finds out. */
  readonly results: {
    set(containerID: string, result: ProbeResult, podUID: string): void;
    remove(containerID: string): void;
  };
  /** Makes one probe: undefined when it could not be made. */
  readonly probe: (containerID: string, podIP: string) => Promise<'Success' | 'Failure' | undefined>;
  /** Told when it has ended by itself, or was stopped. */
  readonly onEnd: () => void;
}

/** The status of a container, if it was ever made: an app's, or a sidecar's. */
export function containerStatusOf(
  { containerStatuses = [], initContainerStatuses = [] }: NonNullable<Pod['status']> = {},
  name: string,
): core.ContainerStatus | undefined {
  return [...containerStatuses, ...initContainerStatuses].find(
    (status) => status.name === name && status.containerID,
  );
}

/** A container that is older than the kubelet by more than this was there before it. */
const GRACE_MS = 10_000;

/**
 * Was the container there before the kubelet? Then what the API says of it still holds, until a probe says otherwise.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go kubeletRestartGracePeriod
 */
export function hasSurvived({ state }: core.ContainerStatus, startedMs: number): boolean {
  const { startedAt } = state?.running ?? {};
  return !!startedAt && Date.parse(startedAt) < startedMs - GRACE_MS;
}
