import type { Pod } from '../../api/objects.ts';
import type { ClusterEventWithHint } from './cluster-event.ts';
import type { CycleState } from './cycle-state.ts';
import type { NodeInfo } from './node-info.ts';
import type { Snapshot } from './snapshot.ts';
import type { Status } from './status.ts';

/**
 * The extension points of a scheduler. A plugin is asked at one or more of them, in this order: preFilter, filter (each
 * node), preScore, score (each node that is left), normalizeScore, reserve, bind.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/interface.go
 *
 * Differs: QueueSort, PreEnqueue, PostFilter, Permit, PreBind and PostBind are not there, nor is what undoes a preFilter pod
 * by pod (PreFilterExtensions), which preemption needs.
 */
interface Plugin {
  /** As upstream has it: `NodeResourcesFit`. */
  readonly name: string;
}

/** Says where a pod can run. Pure: it looks, and changes only `state`. */
export interface FilterPlugin extends Plugin {
  /**
   * Is asked once, before any node. What it works out it writes into `state`.
   *
   * @returns `Skip` when {@link filter} would let the pod pass everywhere: then it is not asked; a rejection when no node at
   * all can do
   */
  preFilter?(state: CycleState, pod: Pod, snapshot: Snapshot): Status;
  /** Can the pod run on this node? */
  filter(state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status;
  /** What could make it change its mind about a pod that it has turned away. */
  eventsToRegister(): readonly ClusterEventWithHint[];
}

/** What a plugin thinks of a node. */
export interface NodeScore {
  readonly name: string;
  readonly score: number;
}

/** The best score, after normalising. The worst is 0. Upstream: kubernetes/kube-scheduler@v0.36.3 framework/interface.go MaxNodeScore */
export const MAX_NODE_SCORE = 100;

/** Says how good a node is. Pure: it looks, and changes only `state`. */
export interface ScorePlugin extends Plugin {
  /**
   * Is asked once, with the nodes that are left.
   *
   * @returns `Skip` when it has no opinion about this pod: then {@link score} is not asked, and every node has 0
   */
  preScore?(state: CycleState, pod: Pod, feasible: readonly NodeInfo[], snapshot: Snapshot): Status;
  /** @returns a whole number; between 0 and {@link MAX_NODE_SCORE} unless there is a {@link normalizeScore} */
  score(state: CycleState, pod: Pod, nodeInfo: NodeInfo): number;
  /** Brings what {@link score} gave into whole numbers from 0 to {@link MAX_NODE_SCORE}, in the order given. */
  normalizeScore?(state: CycleState, pod: Pod, scores: readonly NodeScore[]): readonly NodeScore[];
}

/** Sets something aside on the node that was chosen. */
export interface ReservePlugin extends Plugin {
  reserve(state: CycleState, pod: Pod, nodeName: string): Status;
  /** Undoes it, also what was half done. Must not throw. */
  unreserve(state: CycleState, pod: Pod, nodeName: string): void;
}

/** Tells the API. */
export interface BindPlugin extends Plugin {
  /**
   * @returns `Success` when the pod is bound, `Skip` when the next plugin is to do it
   * @throws whatever went wrong
   */
  bind(state: CycleState, pod: Pod, nodeName: string): Promise<Status>;
}
