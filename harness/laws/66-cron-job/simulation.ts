import type { CronJob, Job } from '../../api/objects.ts';
import { cronJobs, jobs } from '../../api/plain-resources.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { type ClusterRun, play, recordOf } from '../../testing/rig/play.ts';
import { type RecordedRequest, RequestRecorder } from '../../testing/rig/recorder.ts';
import { restAndRestart } from '../../testing/rig/rest-and-restart.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { Environment } from './environment.ts';
import { obligations } from './oracle.ts';
import { type CronJobScenario, type Operation, PERIODS, PROCESS } from './scenario.ts';

/** The time to recover from the faults. */
const RECOVER_MS = 70_000;
const SETTLE_WITHIN_MS = 200_000;
/** How long nothing must happen then. */
const REST_MS = 130_000;
/** A controller starts when the last request of its predecessor has arrived: a lease ensures that. */
const LEASE_MS = 60;
const DAY_MS = Date.UTC(2024, 3, 17);

/** One run of the controller: faults, two scheduled times without faults, a rest, and a restart. */
export interface CronJobHistory extends ClusterRun {
  readonly cronJobs: readonly JournalEntry<CronJob>[];
  readonly jobs: readonly JournalEntry<Job>[];
  /** The controller's requests. */
  readonly requests: readonly RecordedRequest[];
  /** Returns when the controller began to decide about the request of `atMs`. */
  sinceMs(atMs: number): number;
  /** After this time no fault strikes, and the controller has recovered. */
  readonly steadyMs: number;
  /** The CronJob at this time. */
  readonly steady: CronJob | undefined;
  /** When the CronJob was suspended at the end. */
  readonly suspendedMs: number;
  /** When the controller had no obligation any more; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The obligations at the deadline. */
  readonly due: readonly string[];
  readonly leftMs: number;
}

/**
 * Runs the controller in a hostile cluster: users change the CronJob, Jobs end, and the nemesis injects faults. Then all
 * of that stops, and each scheduled time must be on time. At the end the CronJob is suspended.
 *
 * @throws the rejection of the controller
 */
export async function runCronJob(
  component: Component,
  components: Partial<Components>,
  scenario: CronJobScenario,
): Promise<CronJobHistory> {
  const { seed, schedule, replicas, latencyMs, beginMs, steps } = scenario;
  const latency = { min: 1, max: latencyMs };
  const startMs = DAY_MS + beginMs;
  await using cluster = await createCluster({
    seed,
    schedule,
    startMs,
    replicas,
    latencyMs: latency,
    components,
  });
  const { journal, sim } = cluster;
  const recorder = new RequestRecorder(sim);
  const environment = new Environment(cluster, scenario);
  const due = perRevision(cluster, () => {
    const { cronJob, children } = environment;
    return cronJob ? obligations(cronJob, children) : [];
  });
  let starts = 0;
  let steady: Pick<CronJobHistory, 'steadyMs' | 'steady' | 'suspendedMs'> = {
    ...{ steadyMs: 0, steady: undefined, suspendedMs: 0 },
  };
  /** Lets some scheduled times pass. Each Job ends before the next one is due. */
  const passTimes = async (): Promise<void> => {
    await environment.endAll();
    await environment.set({ suspend: false });
    await cluster.runFor(RECOVER_MS);
    // With Forbid, the end of one Job may start another.
    for (let times = 0; times < 2; times++) {
      await environment.endAll();
      await cluster.runFor(1_000);
    }
    const [steadyMs, cronJob] = [sim.elapsedMs, environment.cronJob];
    const minutes = 2 * PERIODS[cronJob?.spec.schedule as keyof typeof PERIODS];
    for (let passed = 0; passed < minutes; passed += 1 / 4) {
      await cluster.runFor(15_000);
      await environment.endAll();
    }
    await cluster.runFor(1_000);
    steady = { steadyMs, steady: cronJob, suspendedMs: sim.elapsedMs };
    await environment.set({ suspend: true });
    await cluster.runFor(1_000);
    await environment.endAll();
  };
  await environment.create();
  const { restedMs } = await play<Operation>({
    cluster,
    start: () =>
      cluster.run(PROCESS, async (context) => {
        const { clock, signal } = context;
        if (starts++ > 0) await clock.sleep(LEASE_MS, signal);
        await component({ ...context, client: recorder.client(context.client) });
      }),
    steps,
    act: (operation) => environment.act(operation),
    writesMax: 2_000,
    calmDown: passTimes,
    settle: async () => {
      await cluster.runUntil(() => due().length === 0, SETTLE_WITHIN_MS);
      return due().length === 0 ? sim.elapsedMs : undefined;
    },
  });
  const left = { due: due(), leftMs: sim.elapsedMs };
  if (restedMs !== undefined) {
    await restAndRestart(cluster, { processes: [PROCESS], restMs: REST_MS });
  }
  return {
    ...recordOf(cluster),
    cronJobs: journal.of(cronJobs),
    jobs: journal.of(jobs),
    requests: recorder.requests,
    sinceMs: (atMs) => recorder.sinceMs(atMs),
    ...steady,
    restedMs,
    ...left,
  };
}
