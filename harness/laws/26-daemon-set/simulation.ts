import type { DaemonSet, Pod } from '../../api/objects.ts';
import { controllerRevisions, daemonSets } from '../../api/plain-resources.ts';
import { nodes, pods } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import { entriesOf, type JournalEntry } from '../../cluster/journal.ts';
import { runScriptedNodes } from '../../cluster/nodes/scripted-nodes.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { Observations, type Observed } from '../../testing/rig/observations.ts';
import { type ClusterRun, play, recordOf } from '../../testing/rig/play.ts';
import type { Recorded } from '../../testing/rig/recorded.ts';
import { type RecordedRequest, RequestRecorder } from '../../testing/rig/recorder.ts';
import { restAndRestart } from '../../testing/rig/rest-and-restart.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { Environment } from './environment.ts';
import { isWaiting, obligations, type Snapshot } from './oracle.ts';
import { type DaemonSetScenario, NODES, type Operation, PROCESS } from './scenario.ts';

const SETTLE_WITHIN_MS = 1_200_000;
/** A controller that replaces pods without end would cost minutes. */
const WRITES_MAX = 1_000;
/** How long nothing must happen then. */
const REST_MS = 40_000;
/** A controller starts when the last request of its predecessor has arrived: a lease ensures that. */
const LEASE_MS = 60;

/** One run of the controller, until it is quiescent, and a restart after that. */
export interface DaemonSetHistory extends ClusterRun {
  readonly pods: readonly JournalEntry<Pod>[];
  readonly sets: readonly JournalEntry<DaemonSet>[];
  /** The controller's requests. */
  readonly requests: readonly RecordedRequest[];
  /** Returns the revisions that the controller had certainly observed when it decided about the request of `atMs`. */
  observedAt(atMs: number): Observed<'pods' | 'nodes' | 'daemonsets'>;
  /** When the controller had no obligation any more; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The obligations at the deadline. */
  readonly due: readonly string[];
  readonly leftMs: number;
  /** The start times of the controller. */
  readonly bornMs: readonly number[];
}

/**
 * Runs the controller in a hostile cluster: users change the set, nodes and pods change, and the nemesis injects faults.
 * Then all of that stops, and the controller has time to converge. At the end it restarts once.
 *
 * @throws the rejection of the controller
 */
export async function runDaemonSet(
  component: Component,
  components: Partial<Components>,
  scenario: DaemonSetScenario,
): Promise<DaemonSetHistory> {
  const { seed, schedule, replicas, latencyMs, streams, steps } = scenario;
  const latency = { min: 1, max: latencyMs };
  await using cluster = await createCluster({
    ...{ seed, schedule, replicas, latencyMs: latency, components },
    streamingLists: Array.from({ length: replicas }, () => streams),
  });
  const { journal, sim, trace } = cluster;
  const recorder = new RequestRecorder(sim);
  const environment = new Environment(cluster, scenario);
  const { stage } = environment;
  const bornMs: number[] = [];
  const snapshot = (): Snapshot => ({
    set: environment.set,
    nodes: stage.list(nodes),
    pods: stage.list(pods),
    revisions: stage.list(controllerRevisions),
    nowMs: cluster.clock.now(),
  });
  // Time alone makes pods available.
  const due = perRevision(
    cluster,
    () => {
      const now = snapshot();
      return [...obligations(now), ...(isWaiting(now) ? ['wait until all pods are available'] : [])];
    },
    () => String(Math.floor(sim.elapsedMs / 1_000)),
  );

  const hasGarbage = perRevision(cluster, () => environment.hasGarbage);

  runScriptedNodes(cluster, { count: NODES });
  await cluster.runFor(100);
  await environment.create();
  const { restedMs } = await play<Operation>({
    cluster,
    start: () =>
      cluster.run(PROCESS, async (context) => {
        const { clock, signal } = context;
        if (bornMs.length > 0) await clock.sleep(LEASE_MS, signal);
        bornMs.push(sim.elapsedMs);
        await component({ ...context, client: recorder.client(context.client) });
      }),
    steps,
    act: (operation) => environment.act(operation),
    writesMax: WRITES_MAX,
    settle: async () => {
      const untilMs = sim.elapsedMs + SETTLE_WITHIN_MS;
      const isOver = (): boolean => hasGarbage() || due().length === 0 || journal.entries.length > WRITES_MAX;
      while (sim.elapsedMs < untilMs && (await cluster.runUntil(isOver, untilMs - sim.elapsedMs))) {
        if (!hasGarbage()) break;
        await environment.collect();
      }
      return due().length === 0 ? sim.elapsedMs : undefined;
    },
  });
  const left = { due: due(), leftMs: sim.elapsedMs };
  if (restedMs !== undefined) {
    await restAndRestart(cluster, { processes: [PROCESS], restMs: REST_MS });
  }
  return historyOf(recordOf(cluster), {
    ...{ trace: trace.entries, recorder, latencyMs, bornMs, restedMs },
    ...left,
  });
}

/** Returns the history of the controller, from a simulation of this kata or from a whole cluster. */
export function historyOf(
  run: ClusterRun,
  {
    trace,
    recorder,
    latencyMs,
    ...rest
  }: Recorded & Pick<DaemonSetHistory, 'bornMs' | 'restedMs' | 'due' | 'leftMs'>,
): DaemonSetHistory {
  const observed = new Observations({
    process: PROCESS,
    resources: ['pods', 'nodes', 'daemonsets'],
    latencyMs,
    own: recorder.requests,
  }).read(trace);
  return {
    ...run,
    pods: entriesOf(run.journal, pods),
    sets: entriesOf(run.journal, daemonSets),
    requests: recorder.requests,
    observedAt: (atMs) => observed.at(recorder.sinceMs(atMs)),
    ...rest,
  };
}
