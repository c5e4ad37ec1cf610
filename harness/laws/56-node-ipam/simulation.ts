import type { Node } from '../../api/objects.ts';
import { nodes } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { Observations } from '../../testing/rig/observations.ts';
import { type ClusterRun, play, recordOf } from '../../testing/rig/play.ts';
import { type RecordedRequest, RequestRecorder } from '../../testing/rig/recorder.ts';
import { restAndRestart } from '../../testing/rig/rest-and-restart.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { Stage } from '../../testing/rig/stage.ts';
import { BLOCKS, type NodeIpamScenario, type Operation, PROCESS } from './scenario.ts';

/** Longer than the longest backoff of a node without a free block. */
const SETTLE_WITHIN_MS = 4_000_000;
/** How long nothing must happen then. */
const REST_MS = 200_000;

/** A controller starts when the last request of its predecessor has arrived: a lease ensures that. */
const LEASE_MS = 60;

/** One run of the controller, until it is quiescent, and a restart after that. */
export interface NodeIpamHistory extends ClusterRun {
  /** Every write of a node. */
  readonly nodes: readonly JournalEntry<Node>[];
  /** The number of blocks for nodes. */
  readonly blocks: number;
  /** The controller's requests. */
  readonly requests: readonly RecordedRequest[];
  /** Returns the revision of nodes that the controller had certainly observed when it began the request of `atMs`. */
  observedOf(atMs: number): number;
  /** When each node that can have a block had one; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The nodes that still waited at the deadline. */
  readonly waiting: readonly string[];
  readonly leftMs: number;
  /** The start times of the controller. */
  readonly bornMs: readonly number[];
}

/**
 * Runs the controller in a hostile cluster: nodes join and leave, and the nemesis injects faults. Then all of that
 * stops, and the controller has time to converge. At the end it restarts once.
 *
 * @param component with the range {@link RANGE}
 * @throws the rejection of the controller
 */
export async function runNodeIpam(
  component: Component,
  components: Partial<Components>,
  scenario: NodeIpamScenario,
): Promise<NodeIpamHistory> {
  const { seed, schedule, replicas, latencyMs, before, steps } = scenario;
  const latency = { min: 1, max: latencyMs };
  await using cluster = await createCluster({ seed, schedule, replicas, latencyMs: latency, components });
  const { journal, sim, trace } = cluster;
  const recorder = new RequestRecorder(sim);
  const stage = new Stage(cluster);
  const bornMs: number[] = [];

  const join = (number: number, block?: number): Promise<void> => {
    const name = `node-${number}`;
    if (stage.list(nodes).some(({ metadata }) => metadata.name === name)) return Promise.resolve();
    const podCIDR = `10.244.${block}.0/24`;
    const spec = block === undefined ? {} : { podCIDR, podCIDRs: [podCIDR] };
    return stage.act('kubelet', 'joins', `nodes/${name}`, (kubelet) =>
      kubelet.create(nodes, { metadata: { name }, spec }),
    );
  };
  const leave = (number: number): Promise<void> =>
    stage.act('user', 'delete', `nodes/node-${number}`, (user) =>
      user.delete(nodes, { name: `node-${number}` }),
    );
  const act = async (operation: Operation): Promise<void> => {
    if (operation.do === 'join') return join(operation.node, operation.block);
    if (operation.do === 'leave') return leave(operation.node);
    if (operation.do === 'replace') {
      await leave(operation.node);
      return join(operation.node);
    }
    await stage.act('kubelet', 'reports', `nodes/node-${operation.node}`, (kubelet) =>
      kubelet.patch(
        nodes,
        { name: `node-${operation.node}` },
        { type: 'merge', body: { metadata: { annotations: { seen: String(sim.elapsedMs) } } } },
      ),
    );
  };
  const waiting = perRevision(cluster, () => waitingIn(stage.list(nodes), BLOCKS));

  for (const [i, block] of before.entries()) await join(i, block);
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
    act,
    settle: async () => {
      await cluster.runUntil(() => waiting().length === 0, SETTLE_WITHIN_MS);
      return waiting().length === 0 ? sim.elapsedMs : undefined;
    },
  });
  const left = { waiting: waiting(), leftMs: sim.elapsedMs };
  if (restedMs !== undefined) {
    await restAndRestart(cluster, { processes: [PROCESS], restMs: REST_MS });
  }
  const observed = new Observations({ process: PROCESS, resources: ['nodes'], latencyMs }).read(
    trace.entries,
  );
  return {
    ...recordOf(cluster),
    nodes: journal.of(nodes),
    blocks: BLOCKS,
    requests: recorder.requests,
    observedOf: (atMs) => observed.at(recorder.sinceMs(atMs)).nodes,
    restedMs,
    ...left,
    bornMs,
  };
}

/** Returns the names of the nodes that wait for one of the blocks, unless there are too few. */
export function waitingIn(all: readonly Node[], blocks: number): readonly string[] {
  const without = all.filter(({ spec }) => !spec.podCIDR).map(({ metadata }) => metadata.name);
  const free = blocks - (all.length - without.length);
  return free > 0 ? without : [];
}
