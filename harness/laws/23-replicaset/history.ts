import type { Pod, ReplicaSet } from '../../api/objects.ts';
import type { ObjectHistories } from '../../testing/rig/object-history.ts';
import type { Observed } from '../../testing/rig/observations.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { RecordedRequest } from '../../testing/rig/recorder.ts';

/** One life of a controller among users, nodes and a nemesis: everything that laws are read off. */
export interface ReplicaSetHistory extends ClusterRun {
  readonly pods: ObjectHistories<Pod>;
  readonly sets: ObjectHistories<ReplicaSet>;
  /** What the controller asked for, other than to tell of events. */
  readonly requests: readonly RecordedRequest[];
  readonly knowledge: Knowledge;
  /** When its informer may have begun to ask for all pods again, in virtual ms: what came and went before that it is never told. */
  readonly relistedMs: readonly number[];
  /** Its caches did not tell which version they had reached. */
  readonly isVersionless: boolean;
  /** When faults, users and nodes had done their worst. */
  readonly healedMs: number;
  /** When everything was as it should be and nothing was under way; absent when that never came. */
  readonly restedMs: number | undefined;
  /** The ReplicaSets that were left when it had rested, or the wait was over; and when that was. */
  readonly left: readonly ReplicaSet[];
  readonly leftMs: number;
}

/** What the controller can have known when. */
interface Knowledge {
  /**
   * How much the controller had been told when it began what it was about at `atMs`: whatever it does there, it does it
   * on a view that is at least as new.
   */
  at(atMs: number): Known;
  /** The most that it can have been told by then. */
  byThen(atMs: number): Observed<'pods' | 'replicasets'>;
  /** How often it was told something from the one time to the other, both included. */
  heard(fromMs: number, toMs: number): number;
}

/** How much it had been told, by when. */
export type Known = Observed<'pods' | 'replicasets'> & {
  /** When it began what it is about, in virtual ms: everything since then was asked for without a pause. */
  readonly sinceMs: number;
};
