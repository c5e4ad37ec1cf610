import { type CronJob, cronJobs } from '#given/66-cron-job';
import { type Job, jobs, type New } from '#harness';
import { type Cluster, createCluster } from '#harness/testing';
import { components } from '../components.ts';

export const REPORT = { namespace: 'default', name: 'report' };
/** The clock of a new cluster, in ms since 1970. */
export const START_MS = Date.parse('2024-04-17T00:00:00Z');

/** A CronJob that runs each minute; a test replaces the parts of its spec that it is about. */
export function report(spec: Partial<CronJob['spec']> = {}): New<CronJob> {
  return {
    metadata: { ...REPORT },
    spec: {
      schedule: '* * * * *',
      jobTemplate: {
        metadata: { labels: { app: 'report' }, annotations: { team: 'sales' } },
        spec: {
          template: {
            spec: { restartPolicy: 'Never', containers: [{ name: 'report', image: 'report:1' }] },
          },
        },
      },
      ...spec,
    },
  };
}

/** A cluster with the controller. Tests finish the Jobs themselves. */
export async function cronCluster(): Promise<Cluster> {
  const cluster = await createCluster({ components, seed: 7 });
  cluster.runComponents('cronJobController');
  await cluster.runFor(100);
  return cluster;
}

/** Lets time pass until a time of the day: `00:05:01`. */
export async function runUntil(cluster: Cluster, time: string): Promise<void> {
  await cluster.runFor(Date.parse(`2024-04-17T${time}Z`) - cluster.clock.now());
}

/** Returns the stored CronJob. */
export const reportIn = (cluster: Cluster): Promise<CronJob> => cluster.admin.get(cronJobs, REPORT);

/** Changes the spec of the CronJob. */
export async function setSpec(cluster: Cluster, spec: Partial<CronJob['spec']>): Promise<void> {
  await cluster.admin.patch(cronJobs, REPORT, { type: 'merge', body: { spec } });
}

/** Returns the Jobs of the namespace. */
export async function jobsIn(cluster: Cluster): Promise<Job[]> {
  return (await cluster.admin.list(jobs, { namespace: 'default' })).items as Job[];
}

/** Returns the scheduled time of each Job, from its name: `00:05`. */
export async function timesIn(cluster: Cluster): Promise<string[]> {
  const all = await jobsIn(cluster);
  return all.map(({ metadata: { name } }) => timeOf(Number(name.split('-').at(-1)) * 60_000));
}

/** Formats a time of the day. */
export const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

/** Finishes the Job of a time, as the Job controller does. */
export async function finish(
  cluster: Cluster,
  time: string,
  type: 'Complete' | 'Failed' = 'Complete',
): Promise<void> {
  const name = `report-${Date.parse(`2024-04-17T${time}:00Z`) / 60_000}`;
  const job = await cluster.admin.get(jobs, { namespace: 'default', name });
  const now = new Date(cluster.clock.now()).toISOString().replace(/\.\d+/, '');
  const condition = (each: string) => ({
    type: each,
    status: 'True',
    lastTransitionTime: now,
    lastProbeTime: now,
  });
  const criterion = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  await cluster.admin.updateStatus(jobs, {
    ...job,
    status: {
      startTime: job.metadata.creationTimestamp,
      ...(type === 'Complete' ? { completionTime: now, succeeded: 1 } : { failed: 1 }),
      conditions: [condition(criterion), condition(type)],
      uncountedTerminatedPods: {},
    },
  });
}
