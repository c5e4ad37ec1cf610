import type { EvictionThreshold } from '../../../kubelet/node/thresholds.ts';

/** A pod of the node, and its usage. */
export interface EvictedPodPlan {
  readonly priority?: number;
  /** @defaultValue no request */
  readonly requestMib?: number;
  readonly memoryMib: number;
  readonly diskMib: number;
  /** The limit of its `emptyDir` volume, which holds all its data. @defaultValue no limit */
  readonly limitMib?: number;
  /** Whether the node knows its usage. */
  readonly isKnown: boolean;
  readonly graceSeconds?: number;
}

/** One call of `synchronize`, and the state of the node then. */
export interface Pass {
  /** Time since the previous call, in virtual ms. */
  readonly afterMs: number;
  readonly memoryMib: number;
  readonly diskPercent: number;
  readonly pidsPercent: number;
  /** Disk space that the kubelet can reclaim. */
  readonly unusedPercent: number;
  /** Signals without an observation. */
  readonly isPartial: boolean;
  /** Whether the node cannot be observed. */
  readonly fails: boolean;
  /** A pod that is to be admitted after the call, with its request of memory; absent for none. */
  readonly arrives?: EvictedPodPlan;
}

/** A scenario of an eviction manager, which fast-check generates and shrinks. */
export interface EvictionScenario {
  readonly thresholds: readonly EvictionThreshold[];
  readonly maxPodGracePeriodSeconds: number;
  readonly pods: readonly EvictedPodPlan[];
  readonly passes: readonly Pass[];
}
