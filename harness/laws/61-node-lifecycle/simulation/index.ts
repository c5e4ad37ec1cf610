import type { Cluster } from '../../../cluster/cluster.ts';
import { createCluster } from '../../../cluster/cluster.ts';
import type { Component, Components } from '../../../contracts/component.ts';
import { intercept } from '../../../contracts/intercept.ts';
import { targetOf } from '../../../contracts/request.ts';
import { play, recordOf } from '../../../testing/rig/play.ts';
import { perRevision } from '../../../testing/rig/settling.ts';
import { Environment } from '../environment/index.ts';
import type { NodeHistory } from '../history.ts';
import { EVICTION, GARBAGE, LIFECYCLE, type Operation } from '../operations.ts';
import { isPending } from '../oracle/pending.ts';
import type { NodeScenario } from '../scenario.ts';

/** The longest toleration of a scenario, and the time of the slowest taints, may still have to pass. */
const SETTLE_WITHIN_MS = 700_000;
/** Requests may still be in flight, and the next pass emits Events about deleted Nodes. */
export const LINGER_MS = 8_000;
/** How long the controllers must rest then: several of their periods. */
const QUIET_MS = 65_000;

/** The controllers under test. A missing one does not run. */
export interface Subjects {
  readonly nodeLifecycleController?: Component;
  readonly taintEvictionController?: Component;
  readonly podGarbageCollector?: Component;
}

/**
 * Runs the node controllers in a cluster whose machines die and return. Then nothing disturbs them any more.
 *
 * @throws the rejection of a controller
 */
export async function runNodes(
  subjects: Subjects,
  components: Pick<Components, 'informer' | 'workQueue' | 'workers'>,
  scenario: NodeScenario,
): Promise<NodeHistory> {
  const { latencyMs, nodes: _, present, steps, renewMs: __, ...options } = scenario;
  await using cluster = await createCluster({
    ...options,
    latencyMs: { min: 1, max: latencyMs },
    components,
  });
  const { sim, trace, nemesis } = cluster;
  const environment = new Environment(cluster, scenario);
  await environment.prepare(present);
  await cluster.runFor(BEFORE_START_MS);
  const run = (process: string, component: Component | undefined) =>
    component ? [runWatched(cluster, environment, process, component)] : [];
  const pending = perRevision(cluster, () =>
    isPending(cluster, {
      isSilent: (node) => environment.isSilent(node),
      hasLifecycle: subjects.nodeLifecycleController !== undefined,
      hasEviction: subjects.taintEvictionController !== undefined,
      hasGarbage: subjects.podGarbageCollector !== undefined,
    }),
  );
  let processes: ReturnType<typeof run> = [];
  const { restedMs } = await play<Operation>({
    cluster,
    start: () => {
      processes = [
        ...run(LIFECYCLE, subjects.nodeLifecycleController),
        ...run(EVICTION, subjects.taintEvictionController),
        ...run(GARBAGE, subjects.podGarbageCollector),
      ];
      const [first] = processes;
      if (!first) throw new Error('Failed to run the node controllers: pass at least one of them.');
      return first;
    },
    steps,
    act: (operation) => environment.do(operation),
    writesMax: WRITES_MAX,
    calmDown: () => environment.calmDown(),
    settle: async () => {
      const isSettled = await cluster.runUntil(() => !pending(), SETTLE_WITHIN_MS);
      return isSettled ? sim.elapsedMs : undefined;
    },
  });
  await cluster.runFor(LINGER_MS + QUIET_MS);
  for (const { failure } of processes) if (failure !== undefined) throw failure;
  const names = new Set(processes.map(({ name }) => name));
  return {
    ...recordOf(cluster),
    scenario,
    starts: trace.entries.flatMap(({ actor, verb, atMs }) =>
      verb === 'start' && names.has(actor) ? [{ process: actor, atMs }] : [],
    ),
    struck: [...nemesis.struck],
    restedMs: restedMs === undefined ? undefined : restedMs + LINGER_MS,
    endMs: sim.elapsedMs,
  };
}

/** Time in which the kubelets report their pods before the controllers start. */
const BEFORE_START_MS = 2_000;
/** A controller that writes more than this is in a loop. */
const WRITES_MAX = 20_000;

/** Runs a controller, and informs the environment about its requests for pods. */
function runWatched(cluster: Cluster, environment: Environment, process: string, component: Component) {
  return cluster.run(process, (context) =>
    component({
      ...context,
      client: intercept(context.client, async (request, send) => {
        const { name } = targetOf(request);
        if (request.resource.plural === 'nodes' && name !== undefined && WRITES.has(request.verb))
          await environment.willBeWritten(name);
        if (
          request.resource.plural === 'pods' &&
          name !== undefined &&
          WRITES.has(request.verb) &&
          process === LIFECYCLE
        )
          await environment.podWillBeWritten(name);
        if (request.resource.plural === 'pods' && name !== undefined)
          await environment.cameTo('decided', name);
        const answer = await send(request);
        if (request.resource.plural === 'pods' && name !== undefined) {
          const when = request.verb === 'get' ? 'read' : WRITES.has(request.verb) ? 'written' : undefined;
          if (when) await environment.cameTo(when, name);
        }
        return answer;
      }),
    }),
  );
}

const WRITES: ReadonlySet<string> = new Set(['update', 'updateStatus', 'patch']);
