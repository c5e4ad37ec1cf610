import type { Job } from '../../api/objects.ts';
import { finishedCondition } from '../../contracts/job/facts.ts';

/** Returns when a Job expires, in ms since 1970; undefined if it does not, or is already being deleted. */
export function expiryOf(job: Job): number | undefined {
  const end = finishedCondition(job)?.lastTransitionTime;
  const { ttlSecondsAfterFinished: seconds } = job.spec;
  if (!end || seconds === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
  return Date.parse(end) + seconds * 1_000;
}
