import { jobs } from '../../../api/plain-resources.ts';
import { pods, type Resource } from '../../../api/resource.ts';
import { entriesOf } from '../../../cluster/journal.ts';
import type { JobHistory } from '../../65-job/history.ts';
import * as laws from '../../65-job/laws/index.ts';
import { PROCESS } from '../../65-job/operations.ts';
import { failuresIn, historyOf } from '../../65-job/simulation.ts';
import type { ClusterHistory } from '../history.ts';
import { adapted, always, isCalm, perHistory, recordedOf, runOf } from './adapted.ts';
import type { KataInCluster } from './kata.ts';

/** The time after the rest of the whole cluster until the last status is written. */
const LATE_MS = 30_000;
/** A state is final if nobody has changed these objects for this long. */
const CALM_MS = 60_000;

const prepared = perHistory((history): JobHistory => {
  const { epochMs, healedMs, restedMs, endMs, struck } = history;
  const run = runOf(history);
  return historyOf(run, {
    ...recordedOf(history, PROCESS),
    hasFaults: struck.length > 0,
    healedMs,
    restedMs: restedMs === undefined ? undefined : restedMs + LATE_MS,
    leftMs: endMs,
    left: {
      jobs: history.left(jobs),
      pods: history.left(pods),
      failures: failuresIn(entriesOf(run.journal, pods), epochMs),
      nowMs: epochMs + endMs,
    },
  });
});

const whole = (history: ClusterHistory): readonly JobHistory[] => [prepared(history)];

const atEnd = (history: ClusterHistory): readonly JobHistory[] =>
  isCalm(history, [jobs, pods] as readonly Resource[], CALM_MS) ? whole(history) : [];

const { countedOnce, neverLost, countsTruly, neverTooMany, suspendedHasNone, deletesForAReason } = laws;
const { removedIsNoFailure, endIsEnd, endsLast, endsForAReason, leavesOthersAlone } = laws;
const { onePodPerIndex, trueIndexes, likeTheTemplate, validRequests, truthfulStatus, waits, startsAtOnce } =
  laws;
const { atRest, prompt, quiet } = laws;

const NO_LIMIT_PER_INDEX = 'No Job of a whole cluster has a back-off limit per index.';
const NO_POLICY = 'No Job of a whole cluster has such a policy.';

/** The laws of Jobs, in a whole cluster. */
export const jobInCluster: KataInCluster = {
  kata: '65-job',
  laws: {
    ...adapted(
      {
        ...{ countedOnce, neverLost, countsTruly, neverTooMany, suspendedHasNone, deletesForAReason },
        ...{ removedIsNoFailure, endIsEnd, endsLast, endsForAReason, onePodPerIndex, trueIndexes },
        ...{ likeTheTemplate, validRequests, truthfulStatus, waits, startsAtOnce, prompt, quiet },
      },
      whole,
    ),
    ...adapted(always({ leavesOthersAlone }), whole),
    ...adapted(always({ atRest }), atEnd),
  },
  leftOut: {
    trueFailedIndexes: NO_LIMIT_PER_INDEX,
    waitsPerIndex: NO_LIMIT_PER_INDEX,
    keepsDeadlines: 'No Job of a whole cluster has a deadline.',
    followsFailurePolicy: NO_POLICY,
    followsSuccessPolicy: NO_POLICY,
  },
};
