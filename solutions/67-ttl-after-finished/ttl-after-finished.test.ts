import { describe, expect, test } from 'vitest';
import { type Job, jobs, type New, pods } from '#harness';
import { type Cluster, createCluster, runScriptedNodes } from '#harness/testing';
import { components } from '../components.ts';
import { expiryMs } from './ttl-after-finished.ts';

const REPORT = { namespace: 'default', name: 'report' };

/** A cluster with one scripted node, the controller, and the controllers that a Job needs. */
async function ttlCluster(): Promise<Cluster> {
  const cluster = await createCluster({ components, seed: 7 });
  runScriptedNodes(cluster, { count: 1, scheduler: 'real' });
  cluster.runComponents('ttlAfterFinishedController', 'jobController', 'garbageCollector');
  await cluster.runFor(100);
  return cluster;
}

/** A suspended Job: it ends when a test lets it end. */
function report(ttlSecondsAfterFinished?: number): New<Job> {
  return {
    metadata: { ...REPORT },
    spec: {
      suspend: true,
      ...(ttlSecondsAfterFinished === undefined ? {} : { ttlSecondsAfterFinished }),
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'report', image: 'report:1' }] },
      },
    },
  };
}

/** Fails the Job now, as an active deadline does. */
async function end(cluster: Cluster): Promise<void> {
  const body = { spec: { suspend: false, activeDeadlineSeconds: 1 } };
  await cluster.admin.patch(jobs, REPORT, { type: 'merge', body });
  const isOver = (job: Job | undefined): boolean =>
    job?.status.conditions?.some(({ type, status }) => type === 'Failed' && status === 'True') ?? true;
  await cluster.runUntil(() => isOver((cluster.storage.list(jobs) as Job[])[0]), 60_000);
}

const jobIn = (cluster: Cluster): Job | undefined => (cluster.storage.list(jobs) as Job[])[0];

async function setTtl(cluster: Cluster, ttlSecondsAfterFinished: number | null): Promise<void> {
  await cluster.admin.patch(jobs, REPORT, { type: 'merge', body: { spec: { ttlSecondsAfterFinished } } });
}

describe('A finished Job', () => {
  test('is deleted with its pods when its seconds have passed', async () => {
    await using cluster = await ttlCluster();
    await cluster.admin.create(jobs, report(60));
    await end(cluster);
    await cluster.runFor(55_000);
    expect(jobIn(cluster)).toBeDefined();
    await cluster.runFor(10_000);
    expect(jobIn(cluster)).toBeUndefined();
    expect(cluster.storage.list(pods)).toEqual([]);
  });

  test('with 0 seconds is deleted at once', async () => {
    await using cluster = await ttlCluster();
    await cluster.admin.create(jobs, report(0));
    await end(cluster);
    await cluster.runFor(5_000);
    expect(jobIn(cluster)).toBeUndefined();
  });

  test('without a limit stays', async () => {
    await using cluster = await ttlCluster();
    await cluster.admin.create(jobs, report());
    await end(cluster);
    await cluster.runFor(3_600_000);
    expect(jobIn(cluster)).toBeDefined();
  });

  test('stays longer if its limit grows, and shorter if it shrinks', async () => {
    await using cluster = await ttlCluster();
    await cluster.admin.create(jobs, report(60));
    await end(cluster);
    await setTtl(cluster, 600);
    await cluster.runFor(300_000);
    expect(jobIn(cluster)).toBeDefined();
    await setTtl(cluster, 310);
    await cluster.runFor(15_000);
    expect(jobIn(cluster)).toBeUndefined();
  });

  test('that ended long ago is deleted when it gets a limit', async () => {
    await using cluster = await ttlCluster();
    await cluster.admin.create(jobs, report());
    await end(cluster);
    await cluster.runFor(600_000);
    await setTtl(cluster, 60);
    await cluster.runFor(5_000);
    expect(jobIn(cluster)).toBeUndefined();
  });
});

describe('The expiry of a Job', () => {
  const job = (parts: { ttl?: number; status?: string; deleted?: boolean }): Job =>
    ({
      metadata: { ...REPORT, ...(parts.deleted ? { deletionTimestamp: '2024-04-17T00:00:00Z' } : {}) },
      spec: { ttlSecondsAfterFinished: parts.ttl },
      status: {
        conditions: [
          { type: 'Complete', status: parts.status ?? 'True', lastTransitionTime: '2024-04-17T00:00:00Z' },
        ],
      },
    }) as Job;

  test('is the end of the Job plus its seconds', () => {
    expect(expiryMs(job({ ttl: 90 }))).toBe(Date.parse('2024-04-17T00:01:30Z'));
  });

  test('does not exist for a Job that runs, has no limit, or is being deleted', () => {
    expect(expiryMs(job({}))).toBeUndefined();
    expect(expiryMs(job({ ttl: 90, status: 'False' }))).toBeUndefined();
    expect(expiryMs(job({ ttl: 90, deleted: true }))).toBeUndefined();
  });
});
