import type { CronJob, Job } from '../../api/objects.ts';
import { finishedCondition } from '../../contracts/job/facts.ts';
import { PERIODS, type Schedule } from './scenario.ts';

const MINUTE_MS = 60_000;

/** Returns the latest scheduled time of a CronJob until a time; both in ms since 1970. */
export function latestTime({ spec }: CronJob, untilMs: number): number {
  const periodMs = PERIODS[spec.schedule as Schedule] * MINUTE_MS;
  return Math.floor(untilMs / periodMs) * periodMs;
}

/** Returns the scheduled time of a Job of the controller, from its name; undefined for another Job. */
export function scheduledTimeOf({ metadata: { name } }: Job): number | undefined {
  const minutes = /-(\d+)$/.exec(name)?.[1];
  return minutes === undefined ? undefined : Number(minutes) * MINUTE_MS;
}

/**
 * Returns what the controller still has to do at rest, when the CronJob is suspended and all its Jobs have ended.
 *
 * @param children the Jobs that the CronJob controls
 */
export function obligations(cronJob: CronJob, children: readonly Job[]): readonly string[] {
  const { spec, status } = cronJob;
  const due = (status.active ?? []).map(({ name }) => `remove ${name} from status.active`);
  const ended = (type: string): readonly Job[] =>
    children.filter((job) => finishedCondition(job)?.type === type);
  const extra = (type: string, limit = 0): void => {
    const count = ended(type).length - limit;
    if (count > 0) due.push(`delete ${count} of ${ended(type).length} Jobs with the condition ${type}`);
  };
  extra('Complete', spec.successfulJobsHistoryLimit);
  extra('Failed', spec.failedJobsHistoryLimit);
  const last = ended('Complete')
    .map(({ status: { completionTime } }) => completionTime ?? '')
    .sort()
    .at(-1);
  if (last !== undefined && (status.lastSuccessfulTime ?? '') < last)
    due.push(`set lastSuccessfulTime ${last}`);
  return due;
}
