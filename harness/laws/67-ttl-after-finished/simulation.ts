import { type Job, keyOf, type New } from '../../api/objects.ts';
import { jobs } from '../../api/plain-resources.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { finishedCondition } from '../../contracts/job/facts.ts';
import { finishedJob } from '../../testing/rig/finished-job.ts';
import { type ClusterRun, play, recordOf } from '../../testing/rig/play.ts';
import { type RecordedRequest, RequestRecorder } from '../../testing/rig/recorder.ts';
import { restAndRestart } from '../../testing/rig/rest-and-restart.ts';
import { Stage } from '../../testing/rig/stage.ts';
import { expiryOf } from './oracle.ts';
import { type Operation, PROCESS, type TtlScenario } from './scenario.ts';

/** The time to recover from the faults. */
const RECOVER_MS = 70_000;
/** Longer than the largest number of seconds. */
const SETTLE_WITHIN_MS = 700_000;
/** How long nothing must happen then. */
const REST_MS = 40_000;
/** A controller starts when the last request of its predecessor has arrived: a lease ensures that. */
const LEASE_MS = 60;

/** One run of the controller, until no Job is left that expires, and a restart after that. */
export interface TtlHistory extends ClusterRun {
  readonly jobs: readonly JournalEntry<Job>[];
  /** The controller's requests. */
  readonly requests: readonly RecordedRequest[];
  /** After this time no fault strikes, and the controller has recovered. */
  readonly steadyMs: number;
  /** When no Job was left that expires; undefined if that never happened. */
  readonly restedMs: number | undefined;
  readonly leftMs: number;
  /** The Jobs at the end. */
  readonly left: readonly Job[];
}

/**
 * Runs the controller in a hostile cluster: Jobs end, users change them, and the nemesis injects faults. Then all of that
 * stops, and time passes until each Job with a limit must be gone. A garbage collector deletes Jobs at once.
 *
 * @throws the rejection of the controller
 */
export async function runTtl(
  component: Component,
  components: Partial<Components>,
  scenario: TtlScenario,
): Promise<TtlHistory> {
  const { seed, schedule, replicas, latencyMs, steps } = scenario;
  const latency = { min: 1, max: latencyMs };
  await using cluster = await createCluster({ seed, schedule, replicas, latencyMs: latency, components });
  const { clock, journal, sim } = cluster;
  const recorder = new RequestRecorder(sim);
  const stage = new Stage(cluster);
  let starts = 0;
  let steadyMs = 0;
  const mayExpire = (): boolean => stage.list(jobs).some((job) => expiryOf(job) !== undefined);
  await play<Operation>({
    cluster,
    start: () =>
      cluster.run(PROCESS, async (context) => {
        if (starts++ > 0) await context.clock.sleep(LEASE_MS, context.signal);
        await component({ ...context, client: recorder.client(context.client) });
      }),
    steps,
    act: (operation) => act(stage, operation, clock.now()),
    writesMax: 1_000,
    settle: async () => {
      await cluster.runFor(RECOVER_MS);
      steadyMs = sim.elapsedMs;
      await cluster.runUntil(() => !mayExpire(), SETTLE_WITHIN_MS);
      return sim.elapsedMs;
    },
  });
  const end = { left: stage.list(jobs), leftMs: sim.elapsedMs };
  const restedMs = mayExpire() ? undefined : sim.elapsedMs;
  if (restedMs !== undefined) {
    await restAndRestart(cluster, { processes: [PROCESS], restMs: REST_MS });
  }
  return {
    ...recordOf(cluster),
    jobs: journal.of(jobs),
    requests: recorder.requests,
    steadyMs,
    restedMs,
    ...end,
  };
}

async function act(stage: Stage, operation: Operation, nowMs: number): Promise<void> {
  const key = { namespace: 'default', name: `job-${operation.job}` };
  const job = stage.list(jobs).find(({ metadata }) => metadata.name === key.name);
  const isGoing = job?.metadata.deletionTimestamp !== undefined;
  const target = `jobs/${key.name}`;
  if (operation.do === 'create') {
    if (!job) await create(stage, key, operation.ttl);
    return;
  }
  if (!job || isGoing) return;
  if (operation.do === 'end') {
    if (finishedCondition(job)) return;
    const ended = finishedJob(job, operation.type, nowMs);
    return stage.act('job-controller', operation.type, target, (client) => client.updateStatus(jobs, ended));
  }
  if (operation.do === 'set') {
    const body = { spec: { ttlSecondsAfterFinished: operation.ttl ?? null } };
    return stage.act('user', `set ${operation.ttl} s`, target, (user) =>
      user.patch(jobs, key, { type: 'merge', body }),
    );
  }
  await stage.act('user', 'delete', target, (user) =>
    user.delete(jobs, keyOf(job), { propagationPolicy: 'Background' }),
  );
  await create(stage, key, operation.ttl);
}

async function create(
  stage: Stage,
  metadata: { readonly namespace: string; readonly name: string },
  ttl: number | undefined,
): Promise<void> {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'job', image: 'job:1' }] } };
  const spec = { template, ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }) };
  await stage.act('user', 'create', `jobs/${metadata.name}`, (user) =>
    user.create(jobs, { metadata, spec } as New<Job>),
  );
}
