import type { KubeObject, Namespace } from '../../api/objects.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { type ClusterRun, play, recordOf } from '../../testing/rig/play.ts';
import { type RecordedRequest, RequestRecorder } from '../../testing/rig/recorder.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { Environment, type Obstacles } from './environment.ts';
import { type NamespaceScenario, type Operation, PROCESS } from './scenario.ts';

/** A controller starts when the last request of its predecessor has arrived: a lease ensures that. */
const LEASE_MS = 60;

/**
 * How long the obstacles remain after the faults: the longest grace period, the longest time between two attempts, and
 * some more.
 */
const BLOCKED_MS = 150_000;

/** The time for the end, from the end of the obstacles: a back-off, the grace period of pods, and another back-off. */
export const PROMPT_MS = 185_000;

/** The time after that, in which nothing must happen. */
const QUIET_MS = 100_000;

/** The cluster at the end of the time with obstacles. */
interface Snapshot extends Obstacles {
  readonly atMs: number;
  readonly namespaces: readonly Namespace[];
  readonly content: readonly KubeObject[];
}

/** One run of the controller, until each deleted namespace is gone. */
export interface NamespaceHistory extends ClusterRun {
  /** The controller's requests. */
  readonly requests: readonly RecordedRequest[];
  /** When the faults had ended. */
  readonly healedMs: number;
  readonly blocked: Snapshot;
  /** When each deleted namespace was gone; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The deleted namespaces that remain at the deadline. */
  readonly left: readonly string[];
  readonly leftMs: number;
  readonly endMs: number;
}

/**
 * Runs the controller in a hostile cluster: users fill and delete namespaces, and the nemesis injects faults. Then the
 * faults end, then all other obstacles.
 *
 * @throws the rejection of the controller
 */
export async function runNamespaces(
  component: Component,
  components: Partial<Components>,
  scenario: NamespaceScenario,
): Promise<NamespaceHistory> {
  const { seed, schedule, replicas, latencyMs, steps } = scenario;
  const latency = { min: 1, max: latencyMs };
  await using cluster = await createCluster({ seed, schedule, replicas, latencyMs: latency, components });
  const { sim } = cluster;
  const recorder = new RequestRecorder(sim);
  const environment = new Environment(cluster);
  await environment.createNamespaces();
  const left = perRevision(cluster, () =>
    environment
      .namespaces()
      .filter(({ metadata }) => metadata.deletionTimestamp)
      .map(({ metadata }) => metadata.name),
  );
  let blocked: Snapshot | undefined;
  let starts = 0;
  const { healedMs, restedMs } = await play<Operation>({
    cluster,
    start: () =>
      cluster.run(PROCESS, async (context) => {
        const { clock, signal } = context;
        if (starts++ > 0) await clock.sleep(LEASE_MS, signal);
        await component({
          ...context,
          client: recorder.client(environment.client(context.client)),
          discoverResources: () => environment.discover(),
        });
      }),
    steps,
    act: (operation) => environment.act(operation),
    calmDown: async () => {
      if (left().length > 0) await cluster.runFor(BLOCKED_MS);
      blocked = {
        atMs: sim.elapsedMs,
        namespaces: environment.namespaces(),
        content: environment.content(),
        ...environment.obstacles,
      };
      await environment.clear();
    },
    settle: async () => {
      const isGone = await cluster.runUntil(() => left().length === 0, PROMPT_MS);
      return isGone ? sim.elapsedMs : undefined;
    },
  });
  const atDeadline = { left: left(), leftMs: sim.elapsedMs };
  if (restedMs !== undefined) await cluster.runFor(QUIET_MS);
  return {
    ...recordOf(cluster),
    requests: recorder.requests,
    healedMs,
    blocked: blocked as Snapshot,
    restedMs,
    ...atDeadline,
    endMs: sim.elapsedMs,
  };
}
