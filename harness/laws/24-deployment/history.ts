import type { Deployment, Pod, ReplicaSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { deployments, pods, replicaSets } from '../../api/resource.ts';
import { entriesOf, type JournalEntry } from '../../cluster/journal.ts';
import { ObjectHistories } from '../../testing/rig/object-history.ts';
import { Observations, type Observed } from '../../testing/rig/observations.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { Recorded } from '../../testing/rig/recorded.ts';
import { PROCESS } from './operations.ts';

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

/** The facts about a run that its journal and its trace do not show. */
type Seen = Pick<DeploymentHistory, 'healedMs' | 'restedMs' | 'wasDisturbed' | 'undone' | 'left' | 'endMs'>;

/** Returns the history of the controller, from a simulation of this kata or from a whole cluster. */
export function historyOf(
  run: ClusterRun,
  { trace, recorder, latencyMs, ...seen }: Recorded & Seen,
): DeploymentHistory {
  const setEntries = entriesOf(run.journal, replicaSets);
  const deploymentEntries = entriesOf(run.journal, deployments);
  const past = new ObjectHistories(deploymentEntries);
  const pastSets = new ObjectHistories(setEntries);
  const observations = new Observations({
    process: PROCESS,
    resources: ['deployments', 'replicasets', 'pods'],
    latencyMs,
  }).read(trace);
  const observedAt = (atMs: number): Known => observations.at(recorder.sinceMs(atMs));
  const own = trace.filter(({ actor }) => actor === PROCESS);
  return {
    ...run,
    ...seen,
    deployments: past,
    replicaSets: pastSets,
    pods: new ObjectHistories(entriesOf(run.journal, pods)),
    orders: setEntries.filter(isOurs).map((entry) => orderOf(entry, observedAt(entry.atMs), past, pastSets)),
    statuses: deploymentEntries
      .filter(isOurs)
      .map((entry): StatusWrite => ({ entry, observed: observedAt(entry.atMs) })),
    failedMs: own.filter(({ outcome = 'ok' }) => !outcome.startsWith('ok')).map(({ atMs }) => atMs),
    collisions: own
      .filter(({ verb, outcome }) => verb === 'create' && outcome?.startsWith('AlreadyExists'))
      .flatMap(({ object }) => object?.split('/').at(-1) ?? []),
    looksAtPods: observations.everOf('pods'),
  };
}

function isOurs({ actor }: JournalEntry): boolean {
  return actor === PROCESS;
}

function orderOf(
  entry: JournalEntry<ReplicaSet>,
  observed: Known,
  past: ObjectHistories<Deployment>,
  pastSets: ObjectHistories<ReplicaSet>,
): Order {
  const { revision, object } = entry;
  const owner = controllerOf(object)?.uid;
  return {
    entry,
    observed,
    versions: past.of(owner)?.statesBetween(observed.deployments, revision - 1) ?? [],
    others:
      owner === undefined
        ? []
        : pastSets
            .allAt(revision - 1)
            .filter((each) => controllerOf(each)?.uid === owner && each.metadata.uid !== object.metadata.uid),
  };
}
