import type { Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import { type Law, lawAbout } from '../../../testing/holds.ts';
import { type JobHistory, type JobLaw, jobWrites, podWrites } from '../history.ts';
import { isActive, isEnding, isFinished, isTracked, uncounted } from '../oracle/pods.ts';
import { failuresBefore } from '../oracle/policies.ts';
import * as counting from './counting.ts';
import * as ending from './ending.ts';
import * as limits from './limits.ts';
import * as liveness from './liveness.ts';
import * as others from './others.ts';
import * as policies from './policies.ts';
import * as status from './status.ts';
import * as timing from './timing.ts';

/** @param situation the case that the law is about; the law fails if no run reaches it */
function law(situation: string, isMet: (history: JobHistory) => boolean, read: JobLaw): Law<JobHistory> {
  return lawAbout({ name: situation, isMet }, read);
}

const creates = (history: JobHistory): boolean => podWrites(history).some(({ verb }) => verb === 'create');
const counts = (history: JobHistory): boolean =>
  jobWrites(history).some(
    ({ object }) => uncounted(object).succeeded.length + uncounted(object).failed.length > 0,
  );
const releases = (history: JobHistory): boolean =>
  podWrites(history).some(
    ({ previous, object }) => previous && hasEnded(previous) && isTracked(previous) && !isTracked(object),
  );
const ends = (history: JobHistory): boolean => jobWrites(history).some(({ object }) => isFinished(object));
const decides = (history: JobHistory): boolean => jobWrites(history).some(({ object }) => isEnding(object));
const deletes = (history: JobHistory): boolean =>
  podWrites(history).some(({ verb, previous }) => verb === 'delete' && previous && isActive(previous));
const rests = ({ restedMs }: JobHistory): boolean => restedMs !== undefined;
const ofJobs = (is: (history: JobHistory) => boolean) => is;
const hasJob = (is: (spec: JobHistory['left']['jobs'][number]) => boolean) =>
  ofJobs(({ jobs }) => jobs.all.some(({ versions }) => versions.some(({ object }) => object && is(object))));
const failsOnce = ({ pods }: JobHistory): boolean =>
  pods.all.some(({ versions }) =>
    versions.some(({ object }) => (object as Pod | undefined)?.status.phase === 'Failed'),
  );

export const countedOnce = law('a pod that it counted', counts, counting.countedOnce);
export const neverLost = law('a pod that it counted and released', releases, counting.neverLost);
export const countsTruly = law('a pod that it counted', counts, counting.countsTruly);
export const neverTooMany = law('a pod that it created', creates, limits.neverTooMany);
export const onePodPerIndex = law(
  'a pod of an Indexed Job',
  hasJob(({ spec }) => spec.completionMode === 'Indexed'),
  limits.onePodPerIndex,
);
export const suspendedHasNone = law(
  'a suspended Job',
  hasJob(({ spec }) => spec.suspend === true),
  limits.suspendedHasNone,
);
export const deletesForAReason = law('an active pod that it deleted', deletes, limits.deletesForAReason);
export const removedIsNoFailure = law('an active pod that it deleted', deletes, limits.removedIsNoFailure);
export const endIsEnd = law('a Job whose end was decided', decides, ending.endIsEnd);
export const endsLast = law('a Job that finished', ends, ending.endsLast);
export const endsForAReason = law('a Job whose end was decided', decides, ending.endsForAReason);
export const leavesOthersAlone = law(
  'a Job that another controller manages',
  hasJob(({ spec }) => spec.managedBy !== undefined),
  others.leavesOthersAlone,
);
export const likeTheTemplate = law('a pod that it created', creates, others.likeTheTemplate);
export const validRequests = law('a pod that it created', creates, others.validRequests);
export const truthfulStatus = law(
  'a status that it wrote',
  (history) => jobWrites(history).length > 0,
  status.truthfulStatus,
);
export const trueIndexes = law(
  'a completed index',
  hasJob(({ status }) => status.completedIndexes !== undefined && status.completedIndexes !== ''),
  status.trueIndexes,
);
export const waits = law('a pod that failed', failsOnce, timing.waits);
export const startsAtOnce = law('a pod that it created', creates, timing.startsAtOnce);
export const keepsDeadlines = law(
  'a Job with a deadline',
  hasJob(({ spec }) => spec.activeDeadlineSeconds !== undefined),
  timing.keepsDeadlines,
);
export const atRest = law('a run in which nothing was left to do', rests, liveness.atRest);
export const prompt = law('a run in which nothing was left to do', rests, liveness.prompt);
export const quiet = law('a run in which nothing was left to do', rests, liveness.quiet);

export const followsFailurePolicy = law(
  'a Job with a pod failure policy that it ended',
  hasJob((job) => job.spec.podFailurePolicy !== undefined && isEnding(job)),
  policies.followsFailurePolicy,
);
export const followsSuccessPolicy = law(
  'a Job with a success policy that it ended',
  hasJob((job) => job.spec.successPolicy !== undefined && isEnding(job)),
  policies.followsSuccessPolicy,
);
export const trueFailedIndexes = law(
  'an index that has failed',
  hasJob(({ status }) => (status.failedIndexes ?? '') !== ''),
  policies.trueFailedIndexes,
);
export const waitsPerIndex = law(
  'a replaced pod of a Job with a back-off limit per index',
  (history) => podWrites(history).some(({ verb, object }) => verb === 'create' && failuresBefore(object) > 0),
  policies.waitsPerIndex,
);
