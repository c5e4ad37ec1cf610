import { namespaces } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { Client } from '../../contracts/client.ts';
import type { Component, Components } from '../../contracts/component.ts';
import type { NewInformer } from '../../contracts/informer.ts';
import { intercept } from '../../contracts/intercept.ts';
import { drawTimeline } from '../../drawing/timeline.ts';
import { play, recordOf } from '../../testing/rig/play.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { Owners } from './environment.ts';
import { type GarbageHistory, type Notification, observed, type UntimedNotification } from './history.ts';
import { type Operation, PROCESS, type Step } from './operations.ts';
import type { GarbageScenario } from './scenario/index.ts';
import { placeNames } from './scenario/places.ts';

/** The maximum latency of a request to the apiserver. */
const LATENCY_MS_MAX = 30;
/** After the last fault, the longest backoff of a queue may still have to pass, several times over. */
const SETTLE_WITHIN_MS = 2_500_000;
/** Requests from before the rest may still be in flight, or be retried. */
const LINGER_MS = 200_000;
/** How long the collector must rest then. */
const QUIET_MS = 600_000;

/**
 * Runs a garbage collector in a hostile cluster. Users create objects that own each other, with correct and wrong
 * references, and delete them; then nothing disturbs it any more.
 *
 * @throws the component's rejection
 */
export async function runGarbageCollector(
  component: Component,
  components: Pick<Components, 'informer' | 'workQueue' | 'workers'>,
  scenario: GarbageScenario,
): Promise<GarbageHistory> {
  const notifications: Notification[] = [];
  const observedComponents = {
    ...components,
    informer: ((options) => observed(components.informer(options), (what) => notify(what))) as NewInformer,
  };
  await using cluster = await createCluster({
    ...scenario,
    latencyMs: { min: 1, max: LATENCY_MS_MAX },
    components: observedComponents,
  });
  const { admin, sim, storage, trace } = cluster;
  const notify = (what: UntimedNotification): void => {
    notifications.push({ atMs: sim.elapsedMs, ...what } as Notification);
  };
  const owners = new Owners(cluster);
  const watched = (client: Client): Client =>
    intercept(client, async (request, send) => {
      const answer = await send(request);
      if (request.verb === 'get') await owners.wasRead(request.resource.plural, request.key);
      return answer;
    });
  const owed = perRevision(cluster, () => owners.obligations());
  for (const name of ['a', 'b']) await admin.create(namespaces, { metadata: { name }, spec: {} });
  for (const operation of scenario.present) await owners.do(operation);
  const startMs = sim.elapsedMs;
  const { process, healedMs } = await play<Operation>({
    cluster,
    start: () =>
      cluster.run(PROCESS, (context) => {
        const positions = cluster.replicas.map(({ server }) => server.cache.position ?? storage.revision);
        notify({ type: 'start', floor: Math.min(...positions) });
        return component({ ...context, client: watched(context.client) });
      }),
    steps: [
      ...scenario.steps,
      ...placeNames.map((release, i) => ({ afterMs: i === 0 ? scenario.calmMs : 0, release })),
    ],
    act: (operation) => owners.do(operation),
    calmDown: () => owners.calmDown(),
    settle: async () => {
      const paid = await cluster.runUntil(() => owed().length === 0, SETTLE_WITHIN_MS);
      return paid ? sim.elapsedMs : undefined;
    },
  });
  const left = owed();
  await cluster.runFor(LINGER_MS);
  const before = trace.entries.length;
  if (left.length === 0) await cluster.runFor(QUIET_MS);
  if (process.failure !== undefined) throw process.failure;
  const happened = [...trace.entries];
  return {
    ...recordOf(cluster),
    process: PROCESS,
    notifications,
    requests: happened.filter(({ actor, outcome }) => actor === PROCESS && outcome !== undefined),
    latencyMs: LATENCY_MS_MAX,
    healedMs,
    wellMs: Math.min(lastEffectMs(scenario.steps, startMs), healedMs),
    endMs: sim.elapsedMs,
    obligations: left,
    restless: happened.slice(before).filter(({ actor, verb }) => actor === PROCESS && WRITES.has(verb)),
    timeline: () => drawTimeline(happened.filter(({ verb }) => verb !== 'BOOKMARK')),
  };
}

/**
 * Returns the end of the last possible effect of a fault; 0 without faults. A fault on a request may hit the next
 * request, or the last one.
 */
function lastEffectMs(steps: readonly Step[], startMs: number): number {
  let atMs = startMs;
  let untilMs = 0;
  for (const step of steps) {
    atMs += step.afterMs;
    if ('whenRead' in step && step.operations.some((operation) => 'strike' in operation))
      return Number.POSITIVE_INFINITY;
    if (!('strike' in step)) continue;
    const { strike } = step;
    if ('forMs' in strike) untilMs = Math.max(untilMs, atMs + strike.forMs);
    else if (OF_A_MOMENT.has(strike.fault)) untilMs = Math.max(untilMs, atMs);
    else return Number.POSITIVE_INFINITY;
  }
  return untilMs;
}

const OF_A_MOMENT: ReadonlySet<string> = new Set(['compact', 'cut-watches', 'fail-watches']);

const WRITES: ReadonlySet<string> = new Set([
  'create',
  'update',
  'updateStatus',
  'patch',
  'delete',
  'deleteCollection',
]);
