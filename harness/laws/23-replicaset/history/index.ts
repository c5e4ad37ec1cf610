import type { Pod, ReplicaSet } from '../../../api/objects.ts';
import type { ObjectHistories } from '../../../testing/rig/object-history.ts';
import type { Observed } from '../../../testing/rig/observations.ts';
import type { ClusterRun } from '../../../testing/rig/play.ts';
import type { RecordedRequest } from '../../../testing/rig/recorder.ts';

/** The record of one run, which the laws read. */
export interface ReplicaSetHistory extends ClusterRun {
  readonly pods: ObjectHistories<Pod>;
  readonly sets: ObjectHistories<ReplicaSet>;
  /** The requests of the controller, except writes of Events. */
  readonly requests: readonly RecordedRequest[];
  readonly knowledge: Knowledge;
  /** Earliest times of a relist of pods, in virtual ms: pods created and deleted before a relist are never observed. */
  readonly relistedMs: readonly number[];
  /** Whether the caches did not report which version they had reached. */
  readonly isVersionless: boolean;
  /** The time after the last fault and the last operation, in virtual ms. */
  readonly healedMs: number;
  /** The time when everything was in order and no request was in flight; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The ReplicaSets at `leftMs`. */
  readonly left: readonly ReplicaSet[];
  /** The end of the run, in virtual ms: everything was in order, or the wait was over. */
  readonly leftMs: number;
}

/** The revisions that the controller can have observed at a time. */
interface Knowledge {
  /** The revisions observed at the start of the work in progress at `atMs`: that work uses a state at least as new. */
  at(atMs: number): Known;
  /** The newest revisions that it can have observed by then. */
  byThen(atMs: number): Observed<'pods' | 'replicasets'>;
  /** The number of events that it received in a period, bounds included. */
  heard(fromMs: number, toMs: number): number;
}

/** The observed revisions, and their time. */
export type Known = Observed<'pods' | 'replicasets'> & {
  /** The start of the work in progress, in virtual ms: since then requests followed each other without a pause. */
  readonly sinceMs: number;
};
