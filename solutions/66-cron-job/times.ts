/** The scheduled times of a CronJob: which one is due, and when to look again. */
import { type CronJob, type CronSchedule, parseCronSchedule, TimeZone, UTC } from '#given/66-cron-job';

/** How long after a scheduled time the controller wakes up. Upstream: nextScheduleDelta */
const AFTER_SCHEDULE_MS = 100;
/** More missed times than this cause a warning. */
const MANY = 100;

/** The scheduled times between the last run and now. Times are in ms since 1970. */
export interface ScheduleTimes {
  /** The times after this one count. */
  readonly earliestMs: number;
  /** The latest scheduled time that is not in the future, if one is known. */
  readonly mostRecentMs: number | undefined;
  /** An estimate of the number of scheduled times since {@link earliestMs}. */
  readonly missed: 'none' | 'few' | 'many';
}

/** The schedule can be parsed, but has no times, as with `0 0 31 2 *`. */
export class InvalidSchedule extends Error {
  override readonly name = 'InvalidSchedule';
}

/** Returns the zone of a CronJob. */
export function zoneOf({ spec: { timeZone } }: CronJob): TimeZone {
  return timeZone === undefined ? UTC : new TimeZone(timeZone);
}

/** Parses the schedule of a CronJob. Upstream: formatSchedule */
export function scheduleOf(cronJob: CronJob): CronSchedule {
  return parseCronSchedule(cronJob.spec.schedule, zoneOf(cronJob));
}

/**
 * Finds the latest scheduled time since the last run, or since the creation of the CronJob. It does not visit each
 * missed time: after a year there are too many.
 *
 * The number of missed times assumes that all intervals equal the first one. For an irregular schedule, such as the
 * working days at nine, the search may begin too late and find no time, as upstream's does.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/cronjob/utils.go mostRecentScheduleTime
 *
 * @param options.withDeadline whether times before `startingDeadlineSeconds` do not count
 * @throws InvalidSchedule
 */
export function mostRecentScheduleTime(
  cronJob: CronJob,
  schedule: CronSchedule,
  { nowMs, withDeadline }: { readonly nowMs: number; readonly withDeadline: boolean },
): ScheduleTimes {
  const earliestMs = earliestOf(cronJob, nowMs, withDeadline);
  const first = schedule.next(earliestMs);
  if (first !== undefined && nowMs < first) return { earliestMs, mostRecentMs: undefined, missed: 'none' };
  const second = first === undefined ? undefined : schedule.next(first);
  if (first === undefined || second === undefined) {
    throw new InvalidSchedule('time difference between two schedules is less than 1 second');
  }
  if (nowMs < second) return { earliestMs, mostRecentMs: first, missed: 'none' };
  const count = Math.floor((nowMs - first) / (second - first)) + 1;
  let mostRecentMs: number | undefined;
  // One interval earlier than estimated, and then exactly: intervals may differ.
  let next = schedule.next(first + (count - 2) * (second - first));
  while (next !== undefined && next <= nowMs) {
    mostRecentMs = next;
    next = schedule.next(next);
  }
  return { earliestMs, mostRecentMs, missed: count > MANY ? 'many' : 'few' };
}

function earliestOf({ metadata, spec, status }: CronJob, nowMs: number, withDeadline: boolean): number {
  const sinceMs = Date.parse(status.lastScheduleTime ?? metadata.creationTimestamp);
  const { startingDeadlineSeconds } = spec;
  if (!withDeadline || startingDeadlineSeconds === undefined) return sinceMs;
  return Math.max(sinceMs, nowMs - startingDeadlineSeconds * 1_000);
}

/**
 * Returns how long the controller can wait for the next scheduled time, in ms.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/cronjob/utils.go nextScheduleTimeDuration
 */
export function nextSyncMs(cronJob: CronJob, schedule: CronSchedule, nowMs: number): number {
  const next = schedule.next(lastHandledMs(cronJob, schedule, nowMs));
  return next === undefined ? 0 : next + AFTER_SCHEDULE_MS - nowMs;
}

function lastHandledMs(cronJob: CronJob, schedule: CronSchedule, nowMs: number): number {
  try {
    const times = mostRecentScheduleTime(cronJob, schedule, { nowMs, withDeadline: false });
    return times.mostRecentMs ?? (times.missed === 'none' ? times.earliestMs : nowMs);
  } catch (error) {
    if (error instanceof InvalidSchedule) return nowMs;
    throw error;
  }
}
