import { describe, expect, test } from 'vitest';
import { type CronJob, cronJobs, parseCronSchedule } from '#given/66-cron-job';
import { events, jobs } from '#harness';
import { type Cluster, createCluster, runScriptedNodes } from '#harness/testing';
import { components } from '../components.ts';
import {
  cronCluster,
  finish,
  jobsIn,
  REPORT,
  report,
  reportIn,
  runUntil,
  START_MS,
  setSpec,
  timeOf,
  timesIn,
} from './cron-job.fixture.ts';
import { mostRecentScheduleTime, nextSyncMs } from './cron-job.ts';

/** Returns the Events of the CronJob: `SuccessfulCreate Created job report-28555201`. */
async function eventsIn(cluster: Cluster): Promise<string[]> {
  const { items } = await cluster.admin.list(events, { namespace: 'default' });
  return items
    .filter(({ involvedObject }) => involvedObject?.kind === 'CronJob')
    .map(({ type, reason, message }) => `${type} ${reason} ${message}`);
}

describe('A CronJob', () => {
  test('creates a Job 100 ms after each scheduled time', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report({ schedule: '*/2 * * * *' }));
    await runUntil(cluster, '00:02:00');
    expect(await jobsIn(cluster)).toEqual([]);
    await runUntil(cluster, '00:02:01');
    const [job] = await jobsIn(cluster);
    expect(job?.metadata).toMatchObject({
      name: `report-${START_MS / 60_000 + 2}`,
      labels: { app: 'report' },
      annotations: {
        team: 'sales',
        'batch.kubernetes.io/cronjob-scheduled-timestamp': '2024-04-17T00:02:00Z',
      },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'report', controller: true }],
    });
    expect((await reportIn(cluster)).status).toEqual({
      active: [
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          namespace: 'default',
          name: job?.metadata.name,
          uid: job?.metadata.uid,
          resourceVersion: expect.any(String),
        },
      ],
      lastScheduleTime: '2024-04-17T00:02:00Z',
    });
    await runUntil(cluster, '00:06:01');
    expect(await timesIn(cluster)).toEqual(['00:02', '00:04', '00:06']);
  });

  test('runs its Job in a cluster, and keeps three that succeeded', async () => {
    await using cluster = await createCluster({ components, seed: 7 });
    runScriptedNodes(cluster, { count: 1, scheduler: 'real' });
    cluster.runComponents('cronJobController', 'jobController', 'garbageCollector');
    await cluster.admin.create(cronJobs, report());
    await runUntil(cluster, '00:03:30');
    const all = await jobsIn(cluster);
    expect(all.map(({ metadata }) => metadata.name)).toHaveLength(3);
    expect(await eventsIn(cluster)).toContain(`Normal SuccessfulCreate Created job ${all[0]?.metadata.name}`);
  });

  test('uses its time zone', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report({ schedule: '30 5 * * *', timeZone: 'Asia/Kolkata' }));
    await runUntil(cluster, '00:00:01');
    const [job] = await jobsIn(cluster);
    expect(job).toBeUndefined();
    await cluster.runFor(24 * 3_600_000);
    const [next] = await jobsIn(cluster);
    expect(next?.metadata.annotations).toMatchObject({
      'batch.kubernetes.io/cronjob-scheduled-timestamp': '2024-04-18T05:30:00+05:30',
    });
  });

  test('ignores scheduled times before its creation', async () => {
    await using cluster = await cronCluster();
    await runUntil(cluster, '00:01:30');
    await cluster.admin.create(cronJobs, report());
    await runUntil(cluster, '00:01:59');
    expect(await jobsIn(cluster)).toEqual([]);
  });

  test('creates nothing while it is suspended, and the latest missed Job when it is resumed', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report({ suspend: true }));
    await runUntil(cluster, '00:05:30');
    expect(await jobsIn(cluster)).toEqual([]);
    await setSpec(cluster, { suspend: false });
    await runUntil(cluster, '00:05:31');
    expect(await timesIn(cluster)).toEqual(['00:05']);
  });

  test('skips a time that was missed by more than startingDeadlineSeconds', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report({ suspend: true, startingDeadlineSeconds: 20 }));
    await runUntil(cluster, '00:05:30');
    await setSpec(cluster, { suspend: false });
    await runUntil(cluster, '00:05:59');
    expect(await timesIn(cluster)).toEqual([]);
    await runUntil(cluster, '00:06:01');
    expect(await timesIn(cluster)).toEqual(['00:06']);
  });

  test('warns about more than 100 missed times, and runs only the latest', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report({ suspend: true }));
    await runUntil(cluster, '02:00:30');
    await setSpec(cluster, { suspend: false });
    await runUntil(cluster, '02:00:40');
    expect(await timesIn(cluster)).toEqual(['02:00']);
    expect(await eventsIn(cluster)).toContain(
      'Warning TooManyMissedTimes too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    );
  });

  test('reports a schedule without any time', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report({ schedule: '0 0 31 2 *' }));
    await cluster.runFor(1_000);
    expect(await eventsIn(cluster)).toEqual([
      'Warning InvalidSchedule invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second',
    ]);
  });

  test('follows a new schedule', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report({ schedule: '0 * * * *' }));
    await runUntil(cluster, '00:10:30');
    await setSpec(cluster, { schedule: '12 * * * *' });
    await runUntil(cluster, '01:00:30');
    expect(await timesIn(cluster)).toEqual(['00:12']);
  });

  test('creates nothing while it is being deleted', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, {
      ...report(),
      metadata: { ...REPORT, finalizers: ['example.com/x'] },
    });
    await cluster.admin.delete(cronJobs, REPORT);
    await runUntil(cluster, '00:03:01');
    expect(await jobsIn(cluster)).toEqual([]);
  });
});

describe('The policy for concurrent Jobs', () => {
  test('Allow runs Jobs at the same time', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report());
    await runUntil(cluster, '00:02:01');
    expect((await reportIn(cluster)).status.active).toHaveLength(2);
  });

  test('Forbid skips times while a Job runs, and runs the latest one when it ends', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report({ concurrencyPolicy: 'Forbid' }));
    await runUntil(cluster, '00:03:30');
    expect(await timesIn(cluster)).toEqual(['00:01']);
    expect(await eventsIn(cluster)).toContain(
      'Normal JobAlreadyActive Not starting job because prior execution is running and concurrency policy is Forbid',
    );
    await finish(cluster, '00:01');
    await runUntil(cluster, '00:03:31');
    expect(await timesIn(cluster)).toEqual(['00:01', '00:03']);
  });

  test('Replace deletes the running Job', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report({ concurrencyPolicy: 'Replace' }));
    await runUntil(cluster, '00:02:01');
    expect(await timesIn(cluster)).toEqual(['00:02']);
    expect((await reportIn(cluster)).status.active).toHaveLength(1);
  });
});

describe('The Jobs of a CronJob', () => {
  test('leave status.active when they end, and the last success is recorded', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report());
    await runUntil(cluster, '00:01:10');
    await finish(cluster, '00:01');
    await runUntil(cluster, '00:01:11');
    expect((await reportIn(cluster)).status).toEqual({
      lastScheduleTime: '2024-04-17T00:01:00Z',
      lastSuccessfulTime: '2024-04-17T00:01:10Z',
    });
    const name = `report-${START_MS / 60_000 + 1}`;
    expect(await eventsIn(cluster)).toContain(
      `Normal SawCompletedJob Saw completed job: ${name}, condition: Complete`,
    );
  });

  test('leave status.active when they are deleted', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report());
    await runUntil(cluster, '00:01:10');
    const name = `report-${START_MS / 60_000 + 1}`;
    await cluster.admin.delete(jobs, { namespace: 'default', name }, { propagationPolicy: 'Background' });
    await runUntil(cluster, '00:01:11');
    expect((await reportIn(cluster)).status).toEqual({ lastScheduleTime: '2024-04-17T00:01:00Z' });
    expect(await eventsIn(cluster)).toContain(`Normal MissingJob Active job went missing: ${name}`);
    await runUntil(cluster, '00:01:59');
    expect(await jobsIn(cluster)).toEqual([]);
  });

  test('are deleted beyond the limits of the history, the oldest first', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(
      cronJobs,
      report({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 }),
    );
    for (const minute of ['00:01', '00:02', '00:03', '00:04']) {
      await runUntil(cluster, `${minute}:01`);
      await finish(cluster, minute, minute === '00:02' ? 'Failed' : 'Complete');
    }
    await cluster.runFor(1_000);
    expect(await timesIn(cluster)).toEqual(['00:04']);
  });

  test('do not include the Job of a user with an owner of the same name', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report({ concurrencyPolicy: 'Forbid' }));
    await runUntil(cluster, '00:00:30');
    const { spec } = report().spec.jobTemplate;
    const owner = {
      apiVersion: 'example.com/v1',
      kind: 'Report',
      name: 'report',
      uid: 'other',
      controller: true,
    };
    await cluster.admin.create(jobs, {
      metadata: { namespace: 'default', name: 'other', ownerReferences: [owner] },
      spec: spec as CronJob['spec']['jobTemplate']['spec'] & object,
    });
    await runUntil(cluster, '00:01:01');
    expect(await jobsIn(cluster)).toHaveLength(2);
    expect((await eventsIn(cluster)).filter((event) => event.includes('Unexpected'))).toEqual([]);
  });

  test('are adopted after a create whose status was not written', async () => {
    await using cluster = await cronCluster();
    await cluster.admin.create(cronJobs, report());
    await runUntil(cluster, '00:00:59');
    const crash = {
      fault: 'crash',
      process: 'cronjob-controller',
      performed: true,
      restartAfterMs: 2_000,
    } as const;
    // The first request reads the CronJob, the second creates the Job.
    cluster.nemesis.strike({ ...crash, skip: 1 });
    await runUntil(cluster, '00:01:01');
    expect((await reportIn(cluster)).status).toEqual({});
    await runUntil(cluster, '00:01:10');
    expect(await timesIn(cluster)).toEqual(['00:01']);
    expect((await reportIn(cluster)).status).toMatchObject({
      active: [{ name: `report-${START_MS / 60_000 + 1}` }],
      lastScheduleTime: '2024-04-17T00:01:00Z',
    });
  });
});

describe('The most recent scheduled time', () => {
  const cronJob = (spec: Partial<CronJob['spec']>, lastScheduleTime?: string): CronJob =>
    ({
      metadata: { name: 'report', creationTimestamp: '2024-04-17T00:00:00Z' },
      spec: { ...report().spec, ...spec },
      status: lastScheduleTime === undefined ? {} : { lastScheduleTime },
    }) as CronJob;
  const at = (time: string): number => Date.parse(`2024-04-17T${time}Z`);
  const mostRecent = (schedule: string, nowMs: number, startingDeadlineSeconds?: number) => {
    const spec = { schedule, ...(startingDeadlineSeconds === undefined ? {} : { startingDeadlineSeconds }) };
    const times = mostRecentScheduleTime(cronJob(spec), parseCronSchedule(schedule), {
      nowMs,
      withDeadline: true,
    });
    return [times.mostRecentMs === undefined ? undefined : timeOf(times.mostRecentMs), times.missed];
  };

  // The estimate misses the latest time if the intervals differ much, as upstream's does.
  test.each([
    ['0 * * * *', '00:10:00', undefined, [undefined, 'none']],
    ['0 * * * *', '01:10:00', undefined, ['01:00', 'none']],
    ['0 * * * *', '04:59:00', undefined, ['04:00', 'few']],
    ['* * * * *', '01:41:00', undefined, ['01:41', 'many']],
    ['@every 1h', '03:10:00', undefined, ['03:00', 'few']],
    ['30 6-16/4 * * 1-5', '16:00:00', undefined, ['14:30', 'few']],
    ['30 6-16/4 * * 1-5', '23:00:00', undefined, [undefined, 'few']],
    ['0 * * * *', '04:59:00', 60, [undefined, 'none']],
    ['0 * * * *', '04:59:00', 3_600, ['04:00', 'none']],
  ])('of %s at %s with the deadline %s', (schedule, time, deadline, expected) => {
    expect(mostRecent(schedule, at(time), deadline)).toEqual(expected);
  });

  test('decides when to look again', () => {
    const schedule = parseCronSchedule('0 * * * *');
    expect(nextSyncMs(cronJob({}), schedule, at('00:10:00'))).toBe(50 * 60_000 + 100);
    expect(nextSyncMs(cronJob({}, '2024-04-17T01:00:00Z'), schedule, at('01:00:02'))).toBe(3_600_000 - 1_900);
  });
});
