export { cronJobController } from './cron-job-controller.ts';
export { mostRecentScheduleTime, nextSyncMs } from './times.ts';
