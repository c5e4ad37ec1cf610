import type { Deployment, ReplicaSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { deployments, pods, replicaSets } from '../../api/resource.ts';
import { entriesOf, type JournalEntry } from '../../cluster/journal.ts';
import { ObjectHistories } from '../../testing/rig/object-history.ts';
import { Observations } from '../../testing/rig/observations.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { Recorded } from '../../testing/rig/recorded.ts';
import type { DeploymentHistory, Known, Order, StatusWrite } from './history.ts';
import { PROCESS } from './operations.ts';

/** The facts about a run that its journal and its trace do not show. */
type Seen = Pick<DeploymentHistory, 'healedMs' | 'restedMs' | 'wasDisturbed' | 'undone' | 'left' | 'endMs'>;

/** Returns the history of a run of the controller, in a cluster of its own or in a whole one. */
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
