import type { Pod } from '../../api/objects.ts';
import type { ProbeResult, ProbeType } from '../../contracts/node/probe-manager.ts';
import type { ProbesScenario } from './scenario.ts';

/** One probe of one container of one pod. */
export interface ProbeKey {
  readonly pod: string;
  readonly container: string;
  readonly type: ProbeType;
}

/** A call and the expected call, as text to compare and show. */
export interface Wire {
  readonly asked: string;
  readonly owed: string;
  readonly timeoutMs: number;
  readonly owedTimeoutMs: number;
}

/** A stored result of the manager. */
export interface Known {
  readonly containerID: string;
  readonly type: ProbeType;
  readonly result: ProbeResult;
}

/** One input or output of a manager, in the order of the run. */
export type HistoryEntry = { readonly atMs: number } /** A kubelet starts, with a new manager. */ & (
  | { readonly kind: 'boot' }
  | { readonly kind: 'abort' }
  | { readonly kind: 'add' | 'stop'; readonly pod: string }
  | { readonly kind: 'remove'; readonly pod: string; readonly how: 'removePod' | 'cleanupPods' }
  /** The results of the manager right after it was called to stop probes. */
  | { readonly kind: 'left'; readonly pod: string; readonly known: readonly Known[] }
  /**
   * The kubelet made a status. `known`: the results of the manager before; `given`: the argument of `updatePodStatus`;
   * `answered`: its return value; `status`: the same with the conditions of the kubelet, which `statusOf` returns from then on.
   */
  | {
      readonly kind: 'status';
      readonly pod: string;
      readonly object: Pod;
      readonly given: Pod['status'];
      readonly answered: Pod['status'];
      readonly status: Pod['status'];
      readonly known: readonly Known[];
    }
  /** A call starts. `isFurther`: it follows a redirect. */
  | {
      readonly kind: 'call';
      readonly call: number;
      readonly key: ProbeKey;
      readonly containerID: string;
      readonly wire: Wire;
      readonly isFurther: boolean;
    }
  /** A call ends. `says`: the expected message of its event; `undefined` if it needs none. `redirect`: the probe goes on. */
  | {
      readonly kind: 'answer';
      readonly call: number;
      readonly key: ProbeKey;
      readonly means: 'Success' | 'Failure' | 'error' | 'redirect';
      readonly reason: 'Unhealthy' | 'ProbeWarning' | undefined;
      readonly says: string | undefined;
    }
  /** A call with a host and a port that belong to no probe. */
  | { readonly kind: 'stray'; readonly asked: string }
  | {
      readonly kind: 'update';
      readonly pod: string;
      readonly containerID: string;
      readonly type: ProbeType;
      readonly result: ProbeResult;
    }
  | {
      readonly kind: 'event';
      readonly pod: string;
      readonly container: string;
      readonly type: string;
      readonly reason: string;
      readonly message: string;
    }
  /** A start or an end of a container, only for the timeline. */
  | { readonly kind: 'container'; readonly what: string; readonly containerID: string }
  /** The timers and results that are left long after the end. */
  | { readonly kind: 'rest'; readonly timers: number; readonly known: readonly Known[] }
);

/** An entry before it has a time. */
export type Event = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

/** The record of one run. */
export interface ProbesHistory {
  readonly entries: readonly HistoryEntry[];
  readonly scenario: ProbesScenario;
  /** The pods, by name, as they were added. */
  readonly pods: ReadonlyMap<string, Pod>;
  /** Equal for equal runs. */
  readonly hash: string;
  timeline(): readonly string[];
}

/** Describes a probe: `liveness of web-0/app-0`. */
export function sayKey({ pod, container, type }: ProbeKey): string {
  return `${type} of ${pod}/${container}`;
}
