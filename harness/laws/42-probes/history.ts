import type { Pod } from '../../api/objects.ts';
import type { ProbeResult, ProbeType } from '../../contracts/node/probe-manager.ts';
import type { ProbesScenario } from './scenario.ts';

/** One probe of one container of one pod. */
export interface ProbeKey {
  readonly pod: string;
  readonly container: string;
  readonly type: ProbeType;
}

/** What a call asked for, and what it should have. Words, for they are compared and shown. */
export interface Wire {
  readonly asked: string;
  readonly owed: string;
  readonly timeoutMs: number;
  readonly owedTimeoutMs: number;
}

/** A result that the manager knows. */
export interface Known {
  readonly containerID: string;
  readonly type: ProbeType;
  readonly result: ProbeResult;
}

/** One thing that was done to a manager, or that came of it, in the order in which it happened. */
export type HistoryEntry = { readonly atMs: number } /** A kubelet starts, with a new manager. */ & (
  | { readonly kind: 'boot' }
  | { readonly kind: 'abort' }
  | { readonly kind: 'add' | 'stop'; readonly pod: string }
  | { readonly kind: 'remove'; readonly pod: string; readonly how: 'removePod' | 'cleanupPods' }
  /**
   * The kubelet made a status. `known` is what the manager knew before; `given` went into `updatePodStatus`, `answered` came out,
   * and `status` is that with the conditions of the kubelet.
   * From then on `statusOf` gives it.
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
  /** A call begins. `isFurther`: it follows a redirect. */
  | {
      readonly kind: 'call';
      readonly call: number;
      readonly key: ProbeKey;
      readonly containerID: string;
      readonly wire: Wire;
      readonly isFurther: boolean;
    }
  /** A call ends. `says` is what is to be told of it; `undefined` when nothing is. `redirect`: it does not end the probe. */
  | {
      readonly kind: 'answer';
      readonly call: number;
      readonly key: ProbeKey;
      readonly means: 'Success' | 'Failure' | 'error' | 'redirect';
      readonly reason: 'Unhealthy' | 'ProbeWarning' | undefined;
      readonly says: string | undefined;
    }
  /** A call to where nothing listens that is probed. */
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
  /** What happened to a container, for the reader alone. */
  | { readonly kind: 'life'; readonly what: string; readonly containerID: string }
  /** Long after the end: how many timers are left, and what is still known. */
  | { readonly kind: 'rest'; readonly timers: number; readonly known: readonly Known[] }
);

/** An entry before it has a time. */
export type Event = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

/** One life of a manager, and of what it probes. */
export interface ProbesHistory {
  readonly entries: readonly HistoryEntry[];
  readonly scenario: ProbesScenario;
  /** The pods, by name, as they were added. */
  readonly pods: ReadonlyMap<string, Pod>;
  /** Equal for equal runs. */
  readonly hash: string;
  timeline(): readonly string[];
}

/** A probe as one names it: `liveness of web-0/app-0`. */
export function sayKey({ pod, container, type }: ProbeKey): string {
  return `${type} of ${pod}/${container}`;
}
