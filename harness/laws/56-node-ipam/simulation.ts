import type { Node } from '../../api/objects.ts';
import { nodes } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { Observations } from '../../testing/rig/observations.ts';
import { type ClusterRun, play, recordOf } from '../../testing/rig/play.ts';
import { type RecordedRequest, RequestRecorder } from '../../testing/rig/recorder.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { Stage } from '../../testing/rig/stage.ts';
import { BLOCKS, type NodeIpamScenario, type Operation, PROCESS } from './scenario.ts';

/** Longer than the longest backoff of a node that finds no block. */
const SETTLE_WITHIN_MS = 4_000_000;
/** How long nothing must happen then. */
const REST_MS = 200_000;

/** A controller begins when the last request of the one before has arrived: a lease makes sure of that. */
const LEASE_MS = 60;

/** One life of the controller, until all is quiet, and a restart after that. */
export interface NodeIpamHistory extends ClusterRun {
  /** Every write of a node. */
  readonly nodes: readonly JournalEntry<Node>[];
  /** What the controller asked for. */
  readonly requests: readonly RecordedRequest[];
  /** The revision of nodes up to which the controller had been told for certain, when it began what it did at `atMs`. */
  toldOf(atMs: number): number;
  /** When each node that can have a block had one; absent when that never came. */
  readonly restedMs: number | undefined;
  /** What was not as it should be when the time to wait was over. */
  readonly waiting: readonly string[];
  readonly leftMs: number;
  /** When the controller began to live, each time. */
  readonly bornMs: readonly number[];
}

/**
 * One life of the controller in a hostile cluster: nodes come and go, the nemesis does what she does; then all of them stop, and
 * the controller has time to put things in order. In the end it is started once more.
 *
 * @param component with the range {@link RANGE}
 * @throws whatever the controller rejects with
 */
export async function runNodeIpam(
  component: Component,
  components: Partial<Components>,
  scenario: NodeIpamScenario,
): Promise<NodeIpamHistory> {
  const { seed, schedule, replicas, latencyMs, before, steps } = scenario;
  const latency = { min: 1, max: latencyMs };
  await using cluster = await createCluster({ seed, schedule, replicas, latencyMs: latency, components });
  const { journal, nemesis, sim, trace } = cluster;
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
    if (operation.do === 'join') return join(operation.node);
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
  const waiting = perRevision(cluster, () => {
    const all = stage.list(nodes);
    const without = all.filter(({ spec }) => !spec.podCIDR).map(({ metadata }) => metadata.name);
    const free = BLOCKS - (all.length - without.length);
    return free > 0 ? without : [];
  });

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
    await cluster.runFor(REST_MS);
    nemesis.strike({ fault: 'crash', process: PROCESS, skip: 0, performed: true, restartAfterMs: 50 });
    // It dies at its next request: a watch that ends makes it ask.
    nemesis.strike({ fault: 'cut-watches', process: PROCESS });
    await cluster.runFor(REST_MS);
  }
  const told = new Observations({ process: PROCESS, resources: ['nodes'], latencyMs }).read(trace.entries);
  return {
    ...recordOf(cluster),
    nodes: journal.of(nodes),
    requests: recorder.requests,
    toldOf: (atMs) => told.at(recorder.sinceMs(atMs)).nodes,
    restedMs,
    ...left,
    bornMs,
  };
}
