import type { Deployment, Pod, ReplicaSet } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { ObjectHistories } from '../../testing/rig/object-history.ts';
import type { Observed } from '../../testing/rig/observations.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';

/** What the controller had been told of. */
export type Known = Observed<'deployments' | 'replicasets' | 'pods'>;

/** One life of a Deployment among users, pods, controllers and a nemesis: everything that laws are read off. */
export interface DeploymentHistory extends ClusterRun {
  readonly deployments: ObjectHistories<Deployment>;
  readonly replicaSets: ObjectHistories<ReplicaSet>;
  readonly pods: ObjectHistories<Pod>;
  /** Every write that the controller made to a ReplicaSet, with what it can have known. */
  readonly orders: readonly Order[];
  /** Every status that it wrote, with what it can have known. */
  readonly statuses: readonly StatusWrite[];
  /** Did the controller ever look at pods? */
  readonly looksAtPods: boolean;
  /** When its requests failed, in virtual ms: so often its patience may have doubled. */
  readonly failedMs: readonly number[];
  /** The names of ReplicaSets that the controller could not create because they were taken, oldest first. */
  readonly collisions: readonly string[];
  /** When users and faults had done their worst. */
  readonly healedMs: number;
  /** Was there a fault that strikes the controller, or all? Those of the ReplicaSet controller alone are none of its business. */
  readonly wasDisturbed: boolean;
  /** When the last thing was written, except events; absent when it never ended. */
  readonly restedMs: number | undefined;
  /** The versions of the Deployment that are a roll-out undone. */
  readonly undone: readonly number[];
  /** What was left in the end. */
  readonly left: {
    readonly deployment: Deployment;
    readonly replicaSets: readonly ReplicaSet[];
    readonly pods: readonly Pod[];
  };
}

/** A write of the controller to a ReplicaSet. */
export interface Order {
  readonly entry: JournalEntry<ReplicaSet>;
  /** What it had been told of for certain when it decided this. */
  readonly told: Known;
  /** The Deployment that controls the ReplicaSet, as the controller can have known it, oldest first; none when none does. */
  readonly versions: readonly Deployment[];
  /** The Deployment's other ReplicaSets, as they were in truth right before. */
  readonly others: readonly ReplicaSet[];
}

/** A status that the controller wrote. */
export interface StatusWrite {
  readonly entry: JournalEntry<Deployment>;
  readonly told: Known;
}
