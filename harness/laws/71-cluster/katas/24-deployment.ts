import type { Deployment } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import { deployments, events, pods, type Resource, replicaSets } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { DeploymentHistory } from '../../24-deployment/history.ts';
import { historyOf } from '../../24-deployment/history.ts';
import * as laws from '../../24-deployment/laws/index.ts';
import { PROCESS } from '../../24-deployment/operations.ts';
import type { ClusterHistory } from '../history.ts';
import { adapted, always, isCalm, perHistory, recordedOf, runOf, wasDisturbed } from './adapted.ts';
import type { KataInCluster } from './kata.ts';

/** A state is final if no Deployment, ReplicaSet or pod has changed for this long: longer than every deadline. */
const CALM_MS = 70_000;

/** The history of all Deployments. Its final state is that of one of them, and no law about the end may read it. */
const prepared = perHistory((history): DeploymentHistory => {
  const run = runOf(history);
  return historyOf(
    { ...run, journal: run.journal.filter(({ resource }) => !sameResource(resource, events)) },
    {
      ...recordedOf(history, PROCESS),
      healedMs: history.healedMs,
      restedMs: history.restedMs,
      endMs: history.endMs,
      wasDisturbed: wasDisturbed(history),
      undone: [],
      left: {
        deployment: history.left(deployments)[0] as Deployment,
        replicaSets: history.left(replicaSets),
        pods: history.left(pods),
      },
    },
  );
});

/** The history of each Deployment that exists at the end. */
const each = perHistory((history): readonly DeploymentHistory[] =>
  history.left(deployments).map((deployment) => ofOne(prepared(history), deployment)),
);

function ofOne(history: DeploymentHistory, deployment: Deployment): DeploymentHistory {
  const { uid } = deployment.metadata;
  const isOther = ({ resource, object }: JournalEntry): boolean =>
    sameResource(resource, deployments) && object.metadata.uid !== uid;
  return {
    ...history,
    journal: history.journal.filter((entry) => !isOther(entry)),
    orders: history.orders.filter(
      ({ entry: { object, previous } }) => controllerOf(previous ?? object)?.uid === uid,
    ),
    statuses: history.statuses.filter(({ entry }) => entry.object.metadata.uid === uid),
    left: { ...history.left, deployment },
  };
}

const whole = (history: ClusterHistory): readonly DeploymentHistory[] => [prepared(history)];

/** The Deployments at the end, if nothing has happened to them for a while. */
const atEnd = (history: ClusterHistory): readonly DeploymentHistory[] =>
  isCalm(history, [deployments, replicaSets, pods] as readonly Resource[], CALM_MS)
    ? each(history).map((one) => ({ ...one, restedMs: one.restedMs ?? history.endMs }))
    : [];

const { withinBudget, staysAvailable, oldestFirst, keepsEnough, onePerTemplate, madeAsAsked } = laws;
const { mindsItsOwn, revisionMoves, truthful, progressCounts } = laws;
const { neverOverlaps, respectsDeletion } = laws;
const { converges, finalStatus, finishes, trimsHistory } = laws;
const { keepsDeadline, prompt, staysOver } = laws;

const ONE_BY_ONE = 'It repeats laws that a whole cluster shows one by one.';

const RESUMED =
  'It is about a Deployment that stays paused; the users of a whole cluster resume all of them.';

/** The laws of Deployments, in a whole cluster. */
export const deploymentInCluster: KataInCluster = {
  kata: '24-deployment',
  laws: {
    ...adapted(
      {
        ...{ withinBudget, staysAvailable, keepsEnough, onePerTemplate, madeAsAsked, mindsItsOwn },
        ...{ revisionMoves, truthful, progressCounts, neverOverlaps },
      },
      whole,
    ),
    ...adapted(always({ respectsDeletion }), whole),
    ...adapted({ oldestFirst, staysOver, prompt }, each),
    ...adapted({ ...always({ converges, finalStatus, finishes }), keepsDeadline, trimsHistory }, atEnd),
  },
  leftOut: {
    undoesNoWork: 'No other client of a whole cluster annotates a ReplicaSet.',
    scalesWhilePaused: RESUMED,
    inProportion: RESUMED,
    stopsWriting:
      'The rest of a whole cluster is that of all its components; `prompt` and `finishes` judge it.',
    rollsBack:
      'It is about the rollback of the kata; the users of a whole cluster have the rollback of kubectl.',
    stillWithSizes: ONE_BY_ONE,
    stillWithRecreate: ONE_BY_ONE,
    stillWithHistory: ONE_BY_ONE,
    stillWithAll: ONE_BY_ONE,
  },
};
