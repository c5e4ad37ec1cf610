import type { Pod } from '../../api/objects.ts';
import type { ClusterEventWithHint } from './cluster-event.ts';
import type { CycleState } from './cycle-state.ts';
import type { NodeInfo } from './node-info.ts';
import type { Snapshot } from './snapshot.ts';
import type { Status } from './status.ts';

/**
 * The extension points of a scheduler. A plugin implements one or more of them. The scheduler calls them in this order:
 * preFilter, filter (for each node), preScore, score (for each remaining node), normalizeScore, reserve, bind.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/interface.go
 *
 * Differs: QueueSort, PreEnqueue, PostFilter, Permit, PreBind and PostBind are missing. So is PreFilterExtensions,
 * which adds and removes single pods for preemption.
 */
interface Plugin {
  /** The upstream name: `NodeResourcesFit`. */
  readonly name: string;
}

/** Decides on which nodes a pod can run. It has no side effects except writes to `state`. */
export interface FilterPlugin extends Plugin {
  /**
   * Called once, before any filter. It writes its results into `state`.
   *
   * @returns `Skip` when {@link filter} would accept every node: then the scheduler does not call it. A rejection when
   * the pod fits on no node
   */
  preFilter?(state: CycleState, pod: Pod, snapshot: Snapshot): Status;
  /** Returns whether the pod can run on this node. */
  filter(state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status;
  /** Returns the events after which a pod that this plugin has rejected might become schedulable. */
  eventsToRegister(): readonly ClusterEventWithHint[];
}

/** The score of a node from one plugin. */
export interface NodeScore {
  readonly name: string;
  readonly score: number;
}

/**
 * The highest score after normalization. The lowest is 0. Upstream: kubernetes/kube-scheduler@v0.36.3
 * framework/interface.go MaxNodeScore
 */
export const MAX_NODE_SCORE = 100;

/** Scores nodes. It has no side effects except writes to `state`. */
export interface ScorePlugin extends Plugin {
  /**
   * Called once, with the nodes that passed the filters.
   *
   * @returns `Skip` when it does not score this pod: then the scheduler does not call {@link score}, and every node
   * gets 0
   */
  preScore?(state: CycleState, pod: Pod, feasible: readonly NodeInfo[], snapshot: Snapshot): Status;
  /** @returns an integer, from 0 to {@link MAX_NODE_SCORE} if the plugin has no {@link normalizeScore} */
  score(state: CycleState, pod: Pod, nodeInfo: NodeInfo): number;
  /** Maps the results of {@link score} to integers from 0 to {@link MAX_NODE_SCORE}. The order stays the same. */
  normalizeScore?(state: CycleState, pod: Pod, scores: readonly NodeScore[]): readonly NodeScore[];
}

/** Reserves resources on the chosen node. */
export interface ReservePlugin extends Plugin {
  reserve(state: CycleState, pod: Pod, nodeName: string): Status;
  /** Undoes {@link reserve}, even if that was interrupted. It must not throw. */
  unreserve(state: CycleState, pod: Pod, nodeName: string): void;
}

/** Binds a pod to a node through the API. */
export interface BindPlugin extends Plugin {
  /**
   * @returns `Success` when the pod is bound, `Skip` when the next plugin must bind it
   * @throws the error, when the binding fails
   */
  bind(state: CycleState, pod: Pod, nodeName: string): Promise<Status>;
}
