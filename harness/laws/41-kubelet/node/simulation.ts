import type { Node } from '../../../api/objects.ts';
import { leases, nodes } from '../../../api/resource.ts';
import { type Cluster, createCluster } from '../../../cluster/cluster.ts';
import type { Process } from '../../../cluster/process.ts';
import type { NodeComponent, NodeComponentContext } from '../../../contracts/component.ts';
import type { NodeSources } from '../../../kubelet/node/index.ts';
import { play, recordOf } from '../../../testing/rig/play.ts';
import { NODE, PROCESS } from '../scenario/index.ts';
import type { NodeHistory, NodeIncarnation, Truth } from './history.ts';
import type { NodeOperation, NodeScenario } from './scenario.ts';

/** Time after the last fault until each request succeeds again and the kubelet has observed the node again. */
const CALM_AFTER_MS = 60_000;
/** Longer than the longest time between two writes of a status. */
const CALM_MS = 470_000;
const AFTER_STOP_MS = 30_000;

const lease = { namespace: 'kube-node-lease', name: NODE };
const WHY = { runtime: 'container runtime is down', network: 'container runtime network not ready' } as const;

/** The function under test. */
export type RunNode = (context: NodeComponentContext, sources: NodeSources) => Promise<void>;

/**
 * Plays a scenario of a node whose kubelet only reports the node.
 *
 * @throws the error that `runNode` rejects with
 */
export async function runNodeScenario(runNode: RunNode, scenario: NodeScenario): Promise<NodeHistory> {
  const { seed, schedule, latencyMs: max } = scenario;
  const simulation = new NodeSimulation(scenario);
  const kubelet: NodeComponent = (context) => runNode(context, simulation.sourcesFor(context));
  await using cluster = await createCluster({
    seed,
    schedule,
    latencyMs: { min: 1, max },
    components: { kubelet },
  });
  return await simulation.play(cluster);
}

class NodeSimulation {
  readonly #scenario: NodeScenario;
  readonly #truth: Truth[] = [{ atMs: 0, pressure: [], runtimeErrors: [], networkErrors: [] }];
  readonly #incarnations: NodeIncarnation[] = [];
  #cluster!: Cluster;
  #kubelet: Process | undefined;

  constructor(scenario: NodeScenario) {
    this.#scenario = scenario;
  }

  /** Returns the sources of a kubelet that starts now. */
  sourcesFor({ signal }: NodeComponentContext): NodeSources {
    const { sim } = this.#cluster;
    const { runtime, pressure } = this.#scenario.blindMs;
    const bornMs = sim.elapsedMs;
    const incarnation: NodeIncarnation = {
      bornMs,
      seesMs: { runtime: bornMs + runtime, pressure: bornMs + pressure },
      diedMs: Number.POSITIVE_INFINITY,
    };
    const last = this.#incarnations.at(-1);
    if (last) last.diedMs = Math.min(last.diedMs, incarnation.bornMs);
    this.#incarnations.push(incarnation);
    signal.addEventListener('abort', () => {
      incarnation.diedMs = Math.min(incarnation.diedMs, sim.elapsedMs);
    });
    const sees = (what: 'runtime' | 'pressure'): boolean => sim.elapsedMs >= incarnation.seesMs[what];
    return {
      runtimeErrors: () => (sees('runtime') ? this.#now.runtimeErrors : undefined),
      networkErrors: () => (sees('runtime') ? this.#now.networkErrors : []),
      pressure: () => (sees('pressure') ? new Set(this.#now.pressure) : undefined),
    };
  }

  async play(cluster: Cluster): Promise<NodeHistory> {
    const { sim, journal } = cluster;
    this.#cluster = cluster;
    cluster.addMachine(NODE);
    if (this.#scenario.isThere) await this.#do({ do: 'make-node' });
    await play<NodeOperation>({
      cluster,
      start: () => {
        [this.#kubelet] = cluster.runOnNode(NODE, 'kubelet');
        return this.#kubelet as Process;
      },
      steps: this.#scenario.steps,
      act: (operation) => this.#do(operation),
      settle: async () => undefined,
    });
    await cluster.runFor(CALM_AFTER_MS);
    const calmMs = sim.elapsedMs;
    await cluster.runFor(CALM_MS);
    const stoppedMs = sim.elapsedMs;
    this.#kubelet?.stop();
    await cluster.runFor(AFTER_STOP_MS);
    if (this.#kubelet?.failure !== undefined) throw this.#kubelet.failure;
    return {
      ...recordOf(cluster),
      nodeName: NODE,
      process: PROCESS,
      scenario: this.#scenario,
      truth: this.#truth,
      incarnations: this.#incarnations,
      leases: [...journal.of(leases)],
      nodes: [...journal.of(nodes)],
      calmMs,
      stoppedMs,
    };
  }

  get #now(): Truth {
    return this.#truth.at(-1) as Truth;
  }

  async #do(operation: NodeOperation): Promise<void> {
    const { admin, sim } = this.#cluster;
    switch (operation.do) {
      case 'delete-node':
        await admin.delete(nodes, { name: NODE }).catch(() => {});
        return;
      case 'make-node':
        await admin.create(nodes, { metadata: { name: NODE }, spec: {} }).catch(() => {});
        return;
      case 'replace-node':
        await this.#do({ do: 'delete-node' });
        return this.#do({ do: 'make-node' });
      case 'meddle':
        return this.#meddle(operation.with);
      case 'mark-unknown':
        return this.#status(({ conditions = [], ...status }) => ({
          ...status,
          conditions: conditions.map((each) => ({
            ...each,
            ...(isOwn(each.type) ? { status: 'Unknown', reason: 'NodeStatusUnknown' } : {}),
          })),
        }));
      case 'touch-lease': {
        const found = await admin.get(leases, lease).catch(() => undefined);
        const metadata = { ...found?.metadata, name: NODE, labels: { touched: String(sim.elapsedMs) } };
        if (found) await admin.update(leases, { ...found, metadata });
        return;
      }
      case 'delete-lease':
        await admin.delete(leases, lease).catch(() => {});
        return;
      case 'press':
        return this.#become({ pressure: operation.pressure });
      case 'break':
        return this.#become({ [`${operation.what}Errors`]: operation.broken ? [WHY[operation.what]] : [] });
      case 'restart':
        this.#kubelet?.crash();
        await this.#cluster.runFor(operation.downMs);
        if (!this.#kubelet?.running) this.#kubelet?.start();
        return;
      case 'nothing':
        return;
    }
  }

  async #become(change: Partial<Truth>): Promise<void> {
    this.#truth.push({ ...this.#now, ...change, atMs: this.#cluster.sim.elapsedMs });
  }

  async #meddle(what: 'label' | 'condition' | 'resource'): Promise<void> {
    const { admin, sim } = this.#cluster;
    const mark = String(sim.elapsedMs);
    if (what === 'label') {
      const found = await admin.get(nodes, { name: NODE }).catch(() => undefined);
      const labels = { ...found?.metadata.labels, 'example.com/mark': mark };
      if (found) await admin.update(nodes, { ...found, metadata: { ...found.metadata, labels } });
      return;
    }
    await this.#status(({ conditions = [], capacity, ...status }) =>
      what === 'condition'
        ? {
            ...status,
            ...(capacity ? { capacity } : {}),
            conditions: [
              ...conditions.filter(({ type }) => type !== 'NetworkUnavailable'),
              { type: 'NetworkUnavailable', status: 'False', message: mark },
            ],
          }
        : { ...status, conditions, capacity: { ...capacity, 'example.com/dongle': mark } },
    );
  }

  async #status(change: (status: Node['status']) => Node['status']): Promise<void> {
    const { admin } = this.#cluster;
    const found = await admin.get(nodes, { name: NODE }).catch(() => undefined);
    if (found) await admin.updateStatus(nodes, { ...found, status: change(found.status) });
  }
}

/** Whether a condition belongs to the kubelet. */
function isOwn(type: string): boolean {
  return ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].includes(type);
}
