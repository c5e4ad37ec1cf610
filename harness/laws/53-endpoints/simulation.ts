import type { Pod } from '../../api/objects.ts';
import { pods, services } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { Process } from '../../cluster/process.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { ObjectHistories } from '../../testing/rig/object-history.ts';
import { Observations } from '../../testing/rig/observations.ts';
import { play, recordOf } from '../../testing/rig/play.ts';
import { RequestRecorder } from '../../testing/rig/recorder.ts';
import { perRevision, untilQuiet } from '../../testing/rig/settling.ts';
import { Stage } from '../../testing/rig/stage.ts';
import { Environment } from './environment.ts';
import type { EndpointsHistory, Epilogue } from './history.ts';
import { ENDPOINTS, MAX_ENDPOINTS_PER_SLICE, SLICES } from './operations.ts';
import { belongs, situationOf, wrongEndpoints, wrongSlices } from './oracle.ts';
import type { EndpointsScenario } from './scenario.ts';

/** Longer than the longest backoff of a Service that failed repeatedly while faults lasted. */
const SETTLE_WITHIN_MS = 3_000_000;
/** A controller with this many requests since then has had enough chances. */
const REQUESTS_MAX = 300;
/** How long nothing must happen then. */
const REST_MS = 300_000;

/** The two controllers under test. */
interface EndpointControllers {
  /** With at most {@link MAX_ENDPOINTS_PER_SLICE} endpoints in a slice. */
  readonly slices: Component;
  readonly endpoints: Component;
}

/**
 * Runs the controllers in a hostile cluster: Services and pods are created and deleted, and the nemesis injects
 * faults. Then all of that stops, and the controllers have time to converge.
 *
 * @param components the components that the controllers depend on
 * @throws the rejection of a controller
 */
export async function runEndpoints(
  controllers: EndpointControllers,
  components: Partial<Components>,
  scenario: EndpointsScenario,
): Promise<EndpointsHistory> {
  const { seed, schedule, replicas, latencyMs, before, steps } = scenario;
  const latency = { min: 1, max: latencyMs };
  await using cluster = await createCluster({ seed, schedule, replicas, latencyMs: latency, components });
  const { journal, nemesis, sim, trace } = cluster;
  const recorder = new RequestRecorder(sim);
  const environment = new Environment(cluster);
  const stage = new Stage(cluster);
  const situation = () => situationOf((resource) => stage.list(resource), MAX_ENDPOINTS_PER_SLICE);
  const wrong = perRevision(cluster, () => {
    const now = situation();
    return { slices: wrongSlices(now), endpoints: wrongEndpoints(now) };
  });
  const atRest = (): boolean => wrong().slices.length + wrong().endpoints.length === 0;

  let other: Process | undefined;
  await environment.begin();
  const { restedMs } = await play({
    cluster,
    before,
    start: () => {
      other = cluster.run(ENDPOINTS, controllers.endpoints);
      return cluster.run(SLICES, (context) =>
        controllers.slices({ ...context, client: recorder.client(context.client) }),
      );
    },
    steps,
    act: (operation) => environment.do(operation),
    calmDown: () => environment.collect(),
    settle: async () => {
      const most = journal.entries.length + REQUESTS_MAX;
      await cluster.runUntil(() => atRest() || journal.entries.length > most, SETTLE_WITHIN_MS);
      return atRest() ? sim.elapsedMs : undefined;
    },
  });
  if (other?.failure !== undefined) throw other.failure;
  const left = { ...wrong(), atMs: sim.elapsedMs };
  let epilogue: Epilogue | undefined;
  if (restedMs !== undefined) {
    await cluster.runFor(REST_MS);
    for (const process of [SLICES, ENDPOINTS]) {
      nemesis.strike({ fault: 'crash', process, skip: 0, performed: true, restartAfterMs: 50 });
    }
    // They crash at their next request: a closed watch makes them send one.
    for (const process of [SLICES, ENDPOINTS]) nemesis.strike({ fault: 'cut-watches', process });
    await cluster.runFor(REST_MS);
    epilogue = await flipOne();
  }
  const observed = new Observations({ process: SLICES, resources: ['pods', 'services'], latencyMs }).read(
    trace.entries,
  );
  return {
    ...recordOf(cluster),
    pods: new ObjectHistories(journal.of(pods)),
    services: new ObjectHistories(journal.of(services)),
    endpointsMax: MAX_ENDPOINTS_PER_SLICE,
    observedAt: (atMs) => observed.at(recorder.sinceMs(atMs)),
    restedMs,
    left,
    ...(epilogue ? { epilogue } : {}),
  };

  /** Makes one pod of some Service unready, or ready. */
  async function flipOne(): Promise<Epilogue | undefined> {
    const now = situation();
    const shown = (pod: Pod): number =>
      now.services.filter(({ spec, ...service }) => belongs(pod, { spec, ...service })).length;
    const pod = now.pods.find((each) => shown(each) > 0 && !each.metadata.deletionTimestamp);
    const isKnown = now.nodes.some(({ metadata }) => metadata.name === pod?.spec.nodeName);
    if (!pod || !isKnown) return undefined;
    const fromMs = sim.elapsedMs;
    const index = now.pods.filter(({ status }) => status.phase === 'Running').indexOf(pod);
    await environment.do({ do: 'flip', pod: index, times: 1 });
    await untilQuiet(cluster, { forMs: 20_000, withinMs: 60_000, isHeard: isAboutEndpoints });
    return { pod: pod.metadata.name, fromMs, services: shown(pod) };
  }
}

function isAboutEndpoints({ resource }: { readonly resource: { readonly plural: string } }): boolean {
  return ['endpoints', 'endpointslices'].includes(resource.plural);
}
