import type { Deployment, Pod, ReplicaSet } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { ObjectHistories } from '../../testing/rig/object-history.ts';
import type { Observed } from '../../testing/rig/observations.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';

/** The revisions that the controller had observed. */
export type Known = Observed<'deployments' | 'replicasets' | 'pods'>;

/** The record of one run, which the laws read. */
export interface DeploymentHistory extends ClusterRun {
  readonly deployments: ObjectHistories<Deployment>;
  readonly replicaSets: ObjectHistories<ReplicaSet>;
  readonly pods: ObjectHistories<Pod>;
  /** Every write of the controller to a ReplicaSet, with the states that it can have observed. */
  readonly orders: readonly Order[];
  /** Every status that it wrote, with the states that it can have observed. */
  readonly statuses: readonly StatusWrite[];
  /** Whether the controller ever read pods. */
  readonly looksAtPods: boolean;
  /** The times of its failed requests, in virtual ms: each may have doubled its back-off. */
  readonly failedMs: readonly number[];
  /** The names of ReplicaSets whose create ended in AlreadyExists, oldest first. */
  readonly collisions: readonly string[];
  /** The time after the last fault and the last operation, in virtual ms. */
  readonly healedMs: number;
  /** Whether a fault struck the controller or all processes; faults of the ReplicaSet controller alone do not count. */
  readonly wasDisturbed: boolean;
  /** The time of the last write, except Events; undefined if the writes never ended. */
  readonly restedMs: number | undefined;
  /** The end of the run, in virtual ms. @defaultValue `QUIET_MS` after the last write */
  readonly endMs?: number;
  /** Resource versions created by `rollout undo`. */
  readonly undone: readonly number[];
  /** The final state. */
  readonly left: {
    readonly deployment: Deployment;
    readonly replicaSets: readonly ReplicaSet[];
    readonly pods: readonly Pod[];
  };
}

/** A write of the controller to a ReplicaSet. */
export interface Order {
  readonly entry: JournalEntry<ReplicaSet>;
  /** The revisions that it had certainly observed when it decided this. */
  readonly observed: Known;
  /**
   * The versions of the controlling Deployment that the controller can have observed, oldest first; empty without one.
   */
  readonly versions: readonly Deployment[];
  /** The actual states of the Deployment's other ReplicaSets just before the write. */
  readonly others: readonly ReplicaSet[];
}

/** A status that the controller wrote. */
export interface StatusWrite {
  readonly entry: JournalEntry<Deployment>;
  readonly observed: Known;
}
