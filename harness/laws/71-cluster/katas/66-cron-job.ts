import type { CronJob } from '../../../api/objects.ts';
import { cronJobs, jobs } from '../../../api/plain-resources.ts';
import { controllerOf } from '../../../api/predicates.ts';
import type { Resource } from '../../../api/resource.ts';
import { entriesOf } from '../../../cluster/journal.ts';
import { finishedCondition } from '../../../contracts/job/facts.ts';
import { ObjectHistories, type ObjectHistory } from '../../../testing/rig/object-history.ts';
import * as laws from '../../66-cron-job/laws.ts';
import { obligations } from '../../66-cron-job/oracle.ts';
import { PROCESS } from '../../66-cron-job/scenario.ts';
import type { CronJobHistory } from '../../66-cron-job/simulation.ts';
import type { ClusterHistory } from '../history.ts';
import { adapted, isCalm, perHistory, recordedOf, runOf, wasDisturbed } from './adapted.ts';
import type { KataInCluster } from './kata.ts';

/** The time after the rest of the whole cluster until the last status is written. */
const LATE_MS = 30_000;
/** A state is final if nobody has changed these objects for this long. */
const CALM_MS = 60_000;

const prepared = perHistory((history): CronJobHistory => {
  const { journal, restedMs, endMs, healedMs } = history;
  const { recorder } = recordedOf(history, PROCESS);
  return {
    ...runOf(history),
    cronJobs: entriesOf(journal, cronJobs),
    jobs: entriesOf(journal, jobs),
    requests: recorder.requests,
    sinceMs: (atMs) => recorder.sinceMs(atMs),
    ...{ steadyMs: endMs, steady: undefined, suspendedMs: healedMs },
    restedMs: restedMs === undefined ? undefined : restedMs + LATE_MS,
    due: [],
    leftMs: endMs,
  };
});

const whole = (history: ClusterHistory): readonly CronJobHistory[] => [prepared(history)];

/** Every CronJob is suspended when the faults have ended. */
const toTheEnd = (history: ClusterHistory): readonly CronJobHistory[] => [
  { ...prepared(history), suspendedMs: history.endMs },
];

/** The history of each CronJob in a life without faults, from its creation until its suspension or deletion. */
const steady = perHistory((history): readonly CronJobHistory[] => {
  if (wasDisturbed(history)) return [];
  const one = prepared(history);
  return new ObjectHistories(one.cronJobs).all.flatMap((cronJob): readonly CronJobHistory[] => {
    const [created] = cronJob.versions;
    if (!created?.object) return [];
    const times = { steadyMs: created.atMs, suspendedMs: endOf(cronJob) ?? history.endMs };
    const own = one.jobs.filter(({ object }) => controllerOf(object)?.uid === cronJob.id);
    return [{ ...one, jobs: own, steady: created.object, ...times }];
  });
});

/** A CronJob that forbids two Jobs at once may be late. */
const punctual = (history: ClusterHistory): readonly CronJobHistory[] =>
  steady(history).filter(({ steady: cronJob }) => cronJob?.spec.concurrencyPolicy !== 'Forbid');

function endOf({ versions }: ObjectHistory<CronJob>): number | undefined {
  return versions.find(({ object }) => !object || object.spec.suspend || object.metadata.deletionTimestamp)
    ?.atMs;
}

/** The end of each CronJob whose Jobs have ended, if nothing has happened to it for a while. */
const atEnd = (history: ClusterHistory): readonly CronJobHistory[] => {
  if (!isCalm(history, [cronJobs, jobs] as readonly Resource[], CALM_MS)) return [];
  return history.left(cronJobs).flatMap((cronJob) => {
    const children = history.left(jobs).filter((job) => controllerOf(job)?.uid === cronJob.metadata.uid);
    if (!children.every((job) => finishedCondition(job))) return [];
    return { ...prepared(history), restedMs: undefined, due: obligations(cronJob, children) };
  });
};

const { once, scheduled, suspended, alone, keeps, gentle, onTime, recorded, atRest, quiet } = laws;

/** The laws of CronJobs, in a whole cluster. */
export const cronJobInCluster: KataInCluster = {
  kata: '66-cron-job',
  laws: {
    ...adapted({ once, scheduled, alone, keeps, gentle, quiet }, whole),
    ...adapted({ suspended }, toTheEnd),
    ...adapted({ onTime }, punctual),
    ...adapted({ recorded }, steady),
    ...adapted({ atRest }, atEnd),
  },
  leftOut: {},
};
