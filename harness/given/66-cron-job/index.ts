/** `#given/66-cron-job`: the parts of the harness that only this solution uses. */
export { type CronSchedule, parseCronSchedule } from '../../api/cron-schedule.ts';
export type { CronJob } from '../../api/objects.ts';
export { cronJobs } from '../../api/plain-resources.ts';
export { TimeZone, UTC } from '../../api/time-zone.ts';
export { finishedCondition } from '../../contracts/job/facts.ts';
export { formatTime } from '../../sim/clock.ts';
