import type { Pod } from '../../../api/objects.ts';
import type { NodePressure } from '../../../kubelet/node/index.ts';
import type { PodRejection } from '../../../kubelet/node/node-agent.ts';
import type { Eviction } from '../../../kubelet/node/node-parts.ts';
import type { PodUsage } from '../../../kubelet/node/pod-usage.ts';
import type { SignalObservations } from '../../../kubelet/node/thresholds.ts';
import type { Run } from '../../../testing/holds.ts';
import type { EvictionScenario } from './scenario.ts';

/** One action of an eviction manager. */
export type Action =
  | { readonly do: 'warn'; readonly reason: string; readonly message: string }
  | { readonly do: 'reclaim' }
  | ({ readonly do: 'evict' } & Eviction);

/** The record of one call of `synchronize`. */
export interface PassRecord {
  /** In virtual ms. */
  readonly atMs: number;
  /** The pods on the node before the call. */
  readonly pods: readonly Pod[];
  readonly usages: ReadonlyMap<string, PodUsage>;
  /** The state of the node before the call; undefined if it could not be observed. */
  readonly before: SignalObservations | undefined;
  /** The state of the node after its unused disk space is reclaimed. */
  readonly reclaimed: SignalObservations;
  readonly actions: readonly Action[];
  /** The pods that the call returned; undefined if it rejected. */
  readonly returned: readonly Pod[] | undefined;
  /** The pressure after the call. */
  readonly pressure: readonly NodePressure[] | undefined;
  /** The pod that was to be admitted then, and the answer. */
  readonly arrival?: {
    readonly pod: Pod;
    /** The pods that the node has admitted. */
    readonly others: readonly Pod[];
    readonly rejection: PodRejection | undefined;
  };
}

/** The record of one run of an eviction manager. */
export interface EvictionHistory extends Run {
  readonly scenario: EvictionScenario;
  readonly passes: readonly PassRecord[];
}
