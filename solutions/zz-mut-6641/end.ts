/** Level 5 · Is it over? */
import {
  BACKOFF_LIMIT_EXCEEDED,
  COMPLETIONS_REACHED,
  type Counts,
  countRestarts,
  DEADLINE_EXCEEDED,
  decidedEnd,
  type End,
  type JobState,
  remainingDeadlineMs,
} from '#given/65-job';
import type { Job, Pod } from '#harness';

export function endOf({ job, counts, pods, verdicts }: JobState, nowMs: number): End | undefined {
  const earlier = decidedEnd(job) ?? verdicts.podFailure;
  if (earlier) return earlier;
  const { backoffLimit = 6 } = job.spec;
  if (counts.failed > backoffLimit || hasTooManyRestarts(job, pods)) return BACKOFF_LIMIT_EXCEEDED;
  if (remainingDeadlineMs(job, nowMs) === 0) return DEADLINE_EXCEEDED;
  return verdicts.indexFailure ?? verdicts.success;
}

export function completionOf({ spec }: Job, { active, succeeded }: Counts): End | undefined {
  // A work queue is complete when one pod has succeeded and the others have ended.
  return succeeded >= (spec.completions ?? 1) && active === 0 ? COMPLETIONS_REACHED : undefined;
}

/** A container that restarts in its pod counts like a failed pod. */
function hasTooManyRestarts({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec?.restartPolicy !== 'OnFailure') return false;
  return countRestarts(pods) >= Math.max(1, spec.backoffLimit ?? 6);
}
