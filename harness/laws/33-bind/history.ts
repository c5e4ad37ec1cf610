import type { Node, Pod } from '../../api/objects.ts';
import type * as framework from '../../contracts/framework/index.ts';
import type { ObjectHistories } from '../../testing/rig/object-history.ts';
import type { Observations, Observed } from '../../testing/rig/observations.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { RecordedRequest } from '../../testing/rig/recorder.ts';

/** How much the scheduler had been told. */
export type Known = Observed<'pods' | 'nodes'>;

/** One time that the scheduler asked its filters about a pod. */
export interface Attempt {
  /** Which life of the scheduler: the first, the second. */
  readonly incarnation: number;
  readonly atMs: number;
  /** In the order in which things happened: attempts, requests and answers are numbered together. */
  readonly as: number;
  /** As the scheduler had it. */
  readonly pod: Pod;
  /** What the scheduler took to be true. */
  readonly nodeInfos: readonly framework.NodeInfo[];
  /** Where in the snapshot it was asked to begin. */
  readonly startIndex: number;
  /** Where the next attempt is to begin: what the scheduler was told. */
  readonly nextStartIndex: number;
  /** The nodes that could run the pod. */
  readonly feasible: readonly string[];
  /** Those of them with the highest score. */
  best(): readonly string[];
  readonly diagnosis: framework.Diagnosis;
  /** What the filters say of it, in a sentence. */
  message(): string;
}

/** A plugin was asked to set something aside for a pod on a node, or to give it back. */
export interface Reservation {
  readonly incarnation: number;
  readonly atMs: number;
  readonly what: 'reserve' | 'unreserve';
  readonly pod: Pod;
  readonly node: string;
}

/** How it was at a moment at which nothing had happened for a while. */
export interface Look {
  readonly atMs: number;
  /** Pods that could run somewhere and had no node. */
  readonly missed: readonly { readonly pod: Pod; readonly places: readonly string[] }[];
  /** How many pods waited besides, for which there was no place. */
  readonly hopeless: number;
  /** What was done last, as a violation says it. */
  readonly after: string;
}

/** One life of a scheduler among users, nodes and a nemesis: everything that laws are read off. */
export interface SchedulerHistory extends ClusterRun {
  readonly pods: ObjectHistories<Pod>;
  /** By name: a pod is bound to a name, whatever node bears it. */
  readonly nodes: ObjectHistories<Node>;
  readonly attempts: readonly Attempt[];
  readonly reservations: readonly Reservation[];
  /** What the scheduler asked for, other than to tell of events. */
  readonly requests: readonly RecordedRequest[];
  /** What the scheduler had been told when. */
  readonly told: Observations<'pods' | 'nodes'>;
  /** The filters that it asked, whose hints say which pods are to be woken by what. */
  readonly plugins: readonly framework.FilterPlugin[];
  /** How long a message travels at most. */
  readonly latencyMs: number;
  /** When faults had done their worst. */
  readonly healedMs: number;
  /** When all pods that could run had a node for a while; absent when that never came. */
  readonly restedMs: number | undefined;
  /** When it had rested, or the time to wait was over: from then on one thing was done after the other. */
  readonly calmMs: number;
  /** How it was when it had rested, or the time to wait was over; and after each thing that was done in the calm. */
  readonly looks: readonly Look[];
  /** From when on nothing was done any more, and until when. */
  readonly quietMs: { readonly from: number; readonly to: number };
  /** The nodes and pods that were left. */
  readonly left: { readonly nodes: readonly Node[]; readonly pods: readonly Pod[] };
}
