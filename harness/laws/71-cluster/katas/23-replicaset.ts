import { pods, type Resource, replicaSets } from '../../../api/resource.ts';
import { historyOf } from '../../23-replicaset/history/history-of.ts';
import type { ReplicaSetHistory } from '../../23-replicaset/history/index.ts';
import * as laws from '../../23-replicaset/laws/index.ts';
import { PROCESS } from '../../23-replicaset/operations.ts';
import type { ClusterHistory } from '../history.ts';
import { adapted, always, isCalm, perHistory, recordedOf, runOf } from './adapted.ts';
import type { KataInCluster } from './kata.ts';

/** A state is final if no pod and no ReplicaSet has changed for this long. */
const CALM_MS = 60_000;
/** The time after the rest of the whole cluster until the last status is written. */
const LATE_MS = 30_000;

const prepared = perHistory((history): ReplicaSetHistory => {
  const { healedMs, endMs, restedMs } = history;
  return historyOf(runOf(history), {
    ...recordedOf(history, PROCESS),
    isVersionless: false,
    healedMs,
    restedMs: restedMs === undefined ? undefined : restedMs + LATE_MS,
    left: history.left(replicaSets),
    leftMs: endMs,
  });
});

const whole = (history: ClusterHistory): readonly ReplicaSetHistory[] => [prepared(history)];

/** The laws about the final state read it only if no rest was found. */
const atEnd = perHistory((history): readonly ReplicaSetHistory[] =>
  isCalm(history, [pods, replicaSets] as readonly Resource[], CALM_MS)
    ? [{ ...prepared(history), restedMs: undefined }]
    : [],
);

const atRest = (history: ClusterHistory): readonly ReplicaSetHistory[] =>
  history.restedMs === undefined ? [] : whole(history);

const { neverTooMany, neverTooFew, deletesInOrder, leavesOthersAlone, respectsDeletion } = laws;
const { startsSlowly, backsOff, truthfulStatus } = laws;
const { converges, adoptsAndReleases, finalStatus } = laws;

/** The laws of ReplicaSets, in a whole cluster. */
export const replicaSetInCluster: KataInCluster = {
  kata: '23-replicaset',
  laws: {
    ...adapted(
      {
        ...{ neverTooMany, neverTooFew, deletesInOrder, leavesOthersAlone, respectsDeletion },
        ...{ startsSlowly, backsOff, truthfulStatus },
      },
      whole,
    ),
    // Admission adds to the pods of a secured cluster.
    ...adapted({ likeTheTemplate: laws.likeTheTemplate }, (history) =>
      history.scenario.secured ? [] : whole(history),
    ),
    ...adapted(always({ converges, adoptsAndReleases, finalStatus }), atEnd),
    ...adapted({ quietAtRest: laws.quietAtRest }, atRest),
  },
  leftOut: {
    prompt: 'A whole cluster also waits for kubelets and images: no bound of the controller alone shows.',
    looksAgain: 'It is about informers that report no version; those of a whole cluster do.',
  },
};
