import type { Node, Pod } from '../../../api/objects.ts';
import type * as framework from '../../../contracts/framework/index.ts';
import type { ObjectHistories } from '../../../testing/rig/object-history.ts';
import type { Observations, Observed } from '../../../testing/rig/observations.ts';
import type { ClusterRun } from '../../../testing/rig/play.ts';
import type { RecordedRequest } from '../../../testing/rig/recorder.ts';

/** The revisions that the scheduler had observed. */
export type Known = Observed<'pods' | 'nodes'>;

/** One call of `findNodesThatFit` by the scheduler. */
export interface Attempt {
  /** The incarnation of the scheduler. */
  readonly incarnation: number;
  readonly atMs: number;
  /** The position in the common order of attempts, requests and responses. */
  readonly as: number;
  /** The version that the scheduler passed. */
  readonly pod: Pod;
  /** The nodes of its snapshot. */
  readonly nodeInfos: readonly framework.NodeInfo[];
  /** The start index that the scheduler passed. */
  readonly startIndex: number;
  /** The start index of the next attempt, as returned to the scheduler. */
  readonly nextStartIndex: number;
  /** The nodes on which the pod fits. */
  readonly feasible: readonly string[];
  /** Returns the feasible nodes with the highest score. */
  best(): readonly string[];
  readonly diagnosis: framework.Diagnosis;
  /** Returns the message of the FitError. */
  message(): string;
}

/** A call of `reserve` or `unreserve`. */
export interface Reservation {
  readonly incarnation: number;
  readonly atMs: number;
  readonly what: 'reserve' | 'unreserve';
  readonly pod: Pod;
  readonly node: string;
}

/** The state after a quiet period. */
export interface Look {
  readonly atMs: number;
  /** Pods without a node that fit on some node. */
  readonly missed: readonly { readonly pod: Pod; readonly places: readonly string[] }[];
  /** The number of other waiting pods, which fit nowhere. */
  readonly hopeless: number;
  /** The last operation, as a violation describes it. */
  readonly after: string;
}

/** The record of one run, which the laws read. */
export interface SchedulerHistory extends ClusterRun {
  readonly pods: ObjectHistories<Pod>;
  /** By name: a pod is bound to a node name, which a recreated node reuses. */
  readonly nodes: ObjectHistories<Node>;
  readonly attempts: readonly Attempt[];
  readonly reservations: readonly Reservation[];
  /** The requests of the scheduler, without those for events. */
  readonly requests: readonly RecordedRequest[];
  /** The revisions that the scheduler had observed at each time. */
  readonly told: Observations<'pods' | 'nodes'>;
  /** The filters, whose hints decide which events wake which pods. */
  readonly plugins: readonly framework.FilterPlugin[];
  /** The highest latency of a message. */
  readonly latencyMs: number;
  /** The end of all faults. */
  readonly healedMs: number;
  /** The time at which all pods that fit had had a node for a while; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The time from which operations came one at a time: `restedMs`, or the end of the wait for it. */
  readonly calmMs: number;
  /** The states at `calmMs` and after each operation since then. */
  readonly looks: readonly Look[];
  /** The final period without operations. */
  readonly quietMs: { readonly from: number; readonly to: number };
  /** The nodes and pods at the end. */
  readonly left: { readonly nodes: readonly Node[]; readonly pods: readonly Pod[] };
}
