import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import { type CronJobScenario, cronJobScenarios, cronJobLaws as laws, runCronJob } from '#laws/66-cron-job';
import { components } from '../components.ts';
import { cronJobController } from './cron-job.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: CronJobScenario) => runCronJob(cronJobController, components, scenario));
const lives = cronJobScenarios();

describe('The laws of CronJobs', () => {
  test('Once: no Job is created for a time that the status already covers', () =>
    holds(laws.once, lives, live));

  test('Scheduled: a Job is for the latest scheduled time, and within the deadline', () =>
    holds(laws.scheduled, lives, live));

  test('Suspended: nothing is created while the CronJob is suspended', () =>
    holds(laws.suspended, lives, live));

  test('Alone: with Forbid and Replace, no Job starts while an active one runs', () =>
    holds(laws.alone, lives, live));

  test('Keeps: only Jobs that are replaced or old are deleted', () => holds(laws.keeps, lives, live));

  test('Gentle: Jobs are deleted by uid, and their pods in the background', () =>
    holds(laws.gentle, lives, live));

  test('On time: without faults each Job is created within a second of its time', () =>
    holds(laws.onTime, lives, live));

  test('Recorded: the annotation and the status name each Job', () => holds(laws.recorded, lives, live));

  test('At rest: eventually the status is true, and the history is within its limits', () =>
    holds(laws.atRest, lives, live));

  test('Quiet: at rest nothing is written, not even by a controller that restarts', () =>
    holds(laws.quiet, lives, live));
});
