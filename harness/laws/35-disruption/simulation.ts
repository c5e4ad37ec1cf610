import { createCluster } from '../../cluster/cluster.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { type ClusterRun, play, recordOf } from '../../testing/rig/play.ts';
import { type RecordedRequest, RequestRecorder } from '../../testing/rig/recorder.ts';
import { restAndRestart } from '../../testing/rig/rest-and-restart.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { Environment } from './environment.ts';
import { obligations } from './oracle.ts';
import { type DisruptionScenario, type Operation, PROCESS } from './scenario.ts';

/** A controller starts when the last request of its predecessor has arrived: a lease ensures that. */
const LEASE_MS = 60;
/** Longer than the time of an eviction without a deletion, and the longest back-off. */
const SETTLE_WITHIN_MS = 240_000;
/** How long nothing must happen then, before and after a restart. */
const REST_MS = 130_000;

/** Faults after which one cache of the controller may be older than another. */
export const STALING: ReadonlySet<string> = new Set([
  'lag',
  'delay-watches',
  'restart-apiserver',
  'fail-watches',
]);

/** One run of the controller, until the status is correct, and a restart after that. */
export interface DisruptionHistory extends ClusterRun {
  /** The name of the budget. */
  readonly budget: string;
  /** The controller's requests. */
  readonly requests: readonly RecordedRequest[];
  readonly restedMs: number | undefined;
  /** The obligations at the deadline. */
  readonly owed: readonly string[];
  readonly leftMs: number;
  /** Whether no fault made a cache stale. */
  readonly isCurrent: boolean;
}

/**
 * Runs the controller in a hostile cluster: users evict pods and change the budget, and the nemesis injects faults. At
 * the end the controller restarts once.
 *
 * @throws the rejection of the controller
 */
export async function runDisruption(
  component: Component,
  components: Partial<Components>,
  scenario: DisruptionScenario,
): Promise<DisruptionHistory> {
  const { seed, schedule, replicas, latencyMs, limit, before, steps } = scenario;
  const latency = { min: 1, max: latencyMs };
  await using cluster = await createCluster({ seed, schedule, replicas, latencyMs: latency, components });
  const { sim } = cluster;
  const recorder = new RequestRecorder(sim);
  const environment = new Environment(cluster);
  await environment.begin(limit);
  for (let i = 0; i < before; i++) await environment.add(i, 'deployment', true);
  const owed = perRevision(cluster, () => obligations(environment.snapshot()));
  let starts = 0;
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
    settle: async () =>
      (await cluster.runUntil(() => owed().length === 0, SETTLE_WITHIN_MS)) ? sim.elapsedMs : undefined,
  });
  const atDeadline = { owed: owed(), leftMs: sim.elapsedMs };
  if (restedMs !== undefined) {
    await restAndRestart(cluster, { processes: [PROCESS], restMs: REST_MS });
  }
  const isCurrent = !steps.some((step) => 'strike' in step && STALING.has(step.strike.fault));
  return {
    ...recordOf(cluster),
    ...{ budget: 'web', requests: recorder.requests, restedMs, isCurrent },
    ...atDeadline,
  };
}
