import type { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from '../../api/objects.ts';
import { controllerRevisions, statefulSets } from '../../api/plain-resources.ts';
import { persistentVolumeClaims, pods } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import { entriesOf, type JournalEntry } from '../../cluster/journal.ts';
import { scripts } from '../../cluster/nodes/pod-script.ts';
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
import { type Operation, PROCESS, type StatefulSetScenario } from './scenario.ts';

const SETTLE_WITHIN_MS = 1_200_000;
/** A controller that replaces pods without end would cost minutes. */
const WRITES_MAX = 1_000;
/** How long nothing must happen then. */
const REST_MS = 40_000;
/** A controller starts when the last request of its predecessor has arrived: a lease ensures that. */
const LEASE_MS = 60;

/** The resources that the laws compare with the controller's view. */
const WATCHED = ['pods', 'statefulsets', 'persistentvolumeclaims', 'controllerrevisions'] as const;

/** One run of the controller, until it is quiescent, and a restart after that. */
export interface StatefulSetHistory extends ClusterRun {
  /** The name of the set. */
  readonly set: string;
  readonly pods: readonly JournalEntry<Pod>[];
  readonly sets: readonly JournalEntry<StatefulSet>[];
  readonly claims: readonly JournalEntry<PersistentVolumeClaim>[];
  readonly revisions: readonly JournalEntry<ControllerRevision>[];
  /** The controller's requests. */
  readonly requests: readonly RecordedRequest[];
  /** Returns the revisions that the controller had certainly observed when it decided about the request of `atMs`. */
  observedAt(atMs: number): Observed<(typeof WATCHED)[number]>;
  /** When the controller had no obligation any more; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The obligations at the deadline. */
  readonly due: readonly string[];
  readonly leftMs: number;
}

/**
 * Runs the controller in a hostile cluster: users change the set, pods end, and the nemesis injects faults. Then all of
 * that stops, and the controller has time to converge. At the end it restarts once.
 *
 * @throws the rejection of the controller
 */
export async function runStatefulSet(
  component: Component,
  components: Partial<Components>,
  scenario: StatefulSetScenario,
): Promise<StatefulSetHistory> {
  const { seed, schedule, replicas, latencyMs, flaps, steps } = scenario;
  const latency = { min: 1, max: latencyMs };
  await using cluster = await createCluster({ seed, schedule, replicas, latencyMs: latency, components });
  const { journal, sim, trace } = cluster;
  const recorder = new RequestRecorder(sim);
  const environment = new Environment(cluster, scenario);
  const { stage } = environment;
  let births = 0;
  const due = perRevision(
    cluster,
    () => {
      const snapshot: Snapshot = {
        set: environment.set,
        pods: stage.list(pods),
        revisions: stage.list(controllerRevisions),
        nowMs: cluster.clock.now(),
      };
      return [
        ...obligations(snapshot),
        ...(isWaiting(snapshot) ? ['wait until all pods are available'] : []),
      ];
    },
    // Time alone makes pods available.
    () => String(Math.floor(sim.elapsedMs / 1_000)),
  );

  const hasGarbage = perRevision(cluster, () => environment.hasGarbage);

  runScriptedNodes(cluster, { count: 2, script: scripts(flaps ? { flappingPercent: 60 } : {}) });
  await cluster.runFor(100);
  await environment.create();
  const { restedMs } = await play<Operation>({
    cluster,
    start: () =>
      cluster.run(PROCESS, async (context) => {
        if (births++ > 0) await context.clock.sleep(LEASE_MS, context.signal);
        await component({ ...context, client: recorder.client(context.client) });
      }),
    steps,
    act: (operation) => environment.act(operation),
    writesMax: WRITES_MAX,
    // The last readiness probe fails within 90 s.
    calmDown: () => (flaps ? cluster.runFor(90_000) : undefined),
    settle: async () => {
      const untilMs = sim.elapsedMs + SETTLE_WITHIN_MS;
      const isOver = (): boolean => hasGarbage() || due().length === 0 || journal.entries.length > WRITES_MAX;
      while (sim.elapsedMs < untilMs && (await cluster.runUntil(isOver, untilMs - sim.elapsedMs))) {
        if (!hasGarbage()) break;
        await environment.collect();
      }
      if (due().length > 0) return undefined;
      if (flaps) await cluster.runFor(90_000);
      return due().length === 0 ? sim.elapsedMs : undefined;
    },
  });
  const left = { due: due(), leftMs: sim.elapsedMs };
  if (restedMs !== undefined) {
    await restAndRestart(cluster, { processes: [PROCESS], restMs: REST_MS });
  }
  return historyOf(recordOf(cluster), {
    ...{ trace: trace.entries, recorder, latencyMs, set: 'web', restedMs },
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
  }: Recorded & Pick<StatefulSetHistory, 'set' | 'restedMs' | 'due' | 'leftMs'>,
): StatefulSetHistory {
  const observed = new Observations({ process: PROCESS, resources: WATCHED, latencyMs }).read(trace);
  return {
    ...run,
    pods: entriesOf(run.journal, pods),
    sets: entriesOf(run.journal, statefulSets),
    claims: entriesOf(run.journal, persistentVolumeClaims),
    revisions: entriesOf(run.journal, controllerRevisions),
    requests: recorder.requests,
    observedAt: (atMs) => observed.at(recorder.sinceMs(atMs)),
    ...rest,
  };
}
