import type * as core from '#api/core/v1';
import type { Lease, Node, Pod } from '../../api/objects.ts';
import { leases, nodes, pods } from '../../api/resource.ts';
import { compareResourceVersion } from '../../api/resource-version.ts';
import { isNotFound } from '../../api/status.ts';
import type { Component, ComponentContext } from '../component.ts';
import type { SharedInformer } from '../informer.ts';
import { NotImplemented } from '../todo.ts';
import { Unwritten } from '../unwritten.ts';
import { CONDITION_TAINTS, EXECUTE_TAINTS, type Health, type TaintChanges, zoneOf } from './facts.ts';
import { TaintQueue } from './taint-queue.ts';
import { changeTaints } from './taint-writer.ts';

/** Upstream: kubernetes/cloud-provider@v0.36.3 config/v1alpha1/defaults.go NodeMonitorPeriod */
const MONITOR_PERIOD_MS = 5_000;
/** Upstream: pkg/controller/nodelifecycle/node_lifecycle_controller.go NodeHealthUpdateRetry, retrySleepTime */
const TRIES = 5;
const RETRY_MS = 20;
/** Upstream: UpdateWorkerSize, the workers of taints and the parallel checks of a pass */
const WORKERS = 8;
/** Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager/app/options/nodelifecyclecontroller.go NodeEvictionRate */
const FIRST_RATE = 0.1;
const NODE = 'node';

/** The decisions of a node lifecycle controller. */
export interface NodeLifecycleParts {
  /** Returns the `NoSchedule` taints that a node should have. */
  taintsByCondition(node: Node): readonly core.Taint[];
  /** Returns the `NoExecute` taints that a node should have. */
  executeTaints(node: Node, allZonesDown: boolean): readonly core.Taint[];
  /** Compares the taints that a node has with those that it should have. */
  taintChanges(node: Node, wanted: readonly core.Taint[], managed: readonly core.Taint[]): TaintChanges;
  /** Checks all nodes. Called every five seconds. */
  monitorPass(lifecycle: NodeLifecycle): Promise<void>;
}

/**
 * The caches, the memory and the requests of a node lifecycle controller.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go Controller
 */
export class NodeLifecycle {
  readonly context: ComponentContext;
  /** The signs of life of each node, by the uid of the node. A deleted node leaves it before the next pass. */
  readonly healths = new Map<string, Health>();
  /** Whether every zone was fully disrupted in the last pass. A pass sets it. */
  allZonesDown = false;
  readonly #taint: (node: Node) => Promise<void>;
  readonly #nodes: SharedInformer<Node>;
  readonly #leases: SharedInformer<Lease>;
  readonly #pods: SharedInformer<Pod>;
  readonly #queues = new Map<string, TaintQueue>();
  /** The nodes of the last pass, by name. */
  #known = new Map<string, Node>();

  /** @param taint sets the `NoExecute` taint of a node that has waited long enough */
  constructor(context: ComponentContext, taint: (node: Node) => Promise<void>) {
    this.context = context;
    this.#taint = taint;
    this.#nodes = context.informers.forResource(nodes);
    this.#leases = context.informers.forResource(leases);
    this.#pods = context.informers.forResource(pods, { [NODE]: ({ spec }) => [spec.nodeName ?? ''] });
  }

  /** Starts the caches. Resolves when they have synced. */
  async start(): Promise<void> {
    this.context.informers.start();
    await this.context.informers.waitForCacheSync();
  }

  /** Calls back with the name of each node that is added or changed. */
  listen(onChange: (name: string) => void): void {
    this.#nodes.addEventHandler({
      onAdd: ({ metadata }) => onChange(metadata.name),
      onUpdate: (_, { metadata }) => onChange(metadata.name),
    });
  }

  node(name: string): Node | undefined {
    return this.#nodes.indexer.getByKey(name);
  }

  nodes(): Node[] {
    return this.#nodes.indexer.list();
  }

  /** Returns the Lease that the kubelet of this node renews. */
  leaseOf({ metadata }: Node): Lease | undefined {
    return this.#leases.indexer.getByKey(`kube-node-lease/${metadata.name}`);
  }

  /** Returns the pods that are bound to this node. */
  podsOn({ metadata }: Node): Pod[] {
    return this.#pods.indexer.byIndex(NODE, metadata.name);
  }

  /**
   * Emits the events of new and deleted nodes, and forgets the deleted ones. Called before each pass.
   *
   * Upstream: Controller.classifyNodes
   *
   * Differs: a new node keeps its `NoExecute` taints until its first verdict. Upstream removes them, so a restart of the
   * controller also restarts the time that pods tolerate them.
   */
  classifyNodes(): void {
    const current = new Map(this.nodes().map((node) => [node.metadata.name, node] as const));
    for (const [name, node] of this.#known) {
      if (current.get(name)?.metadata.uid === node.metadata.uid) continue;
      this.healths.delete(node.metadata.uid);
      this.forgetTaint(node);
      this.#emitNode(node, 'RemovingNode', `Removing Node ${name} from Controller`);
    }
    for (const [name, node] of current) {
      if (this.#known.get(name)?.metadata.uid === node.metadata.uid) continue;
      this.#emitNode(node, 'RegisteredNode', `Registered Node ${name} in Controller`);
    }
    this.#known = current;
  }

  /**
   * Calls `check` for each node, for at most eight nodes at once. A node whose check rejects is logged.
   *
   * @returns the results of the checks that resolved
   */
  async forEach<T>(all: readonly Node[], check: (node: Node) => Promise<T>): Promise<T[]> {
    const rest = [...all];
    const results: T[] = [];
    const worker = async (): Promise<void> => {
      for (let node = rest.shift(); node && !this.context.signal.aborted; node = rest.shift()) {
        try {
          results.push(await check(node));
        } catch (error) {
          if (error instanceof NotImplemented) throw error;
          this.context.log(`error checking node '${node.metadata.name}': ${String(error)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, worker));
    return results;
  }

  /**
   * Calls `attempt` with the node, and after each failure again with the node as the server has it now: at most five
   * times, 20 ms apart.
   *
   * @throws the error of the last attempt
   */
  async withRetries<T>(node: Node, attempt: (node: Node) => Promise<T>): Promise<T> {
    const { client, clock, signal } = this.context;
    for (let tries = 1, current = node; ; tries++) {
      try {
        return await attempt(current);
      } catch (error) {
        if (error instanceof NotImplemented || isNotFound(error) || tries === TRIES) throw error;
        await clock.sleep(RETRY_MS, signal);
        current = await client.get(nodes, { name: node.metadata.name }).catch(() => current);
      }
    }
  }

  /**
   * Changes the taints of the node in two writes, and retries conflicts. Each write reads the node first.
   *
   * @throws StatusError, ConnectionError when a request fails
   */
  async changeTaints(node: Node, changes: TaintChanges): Promise<void> {
    await changeTaints(this.context, node, changes);
  }

  /** Sets the rate at which waiting nodes of this zone are tainted, in nodes per second. */
  setRate(zone: string, perSecond: number): void {
    this.#queueOf(zone).setRate(perSecond);
  }

  /** Returns the rate of this zone. */
  rateOf(zone: string): number {
    return this.#queueOf(zone).perSecond;
  }

  /**
   * Lets the node wait for its `NoExecute` taint. It gets the taint as soon as the rate of its zone allows, unless it is
   * ready by then.
   */
  taintLater(node: Node): void {
    const queue = this.#queueOf(zoneOf(node));
    // The node may have moved to another zone.
    for (const other of this.#queues.values()) if (other !== queue) other.remove(node.metadata.name);
    queue.add(node);
  }

  /** Returns whether the node waits for its taint. */
  isWaiting({ metadata }: Node): boolean {
    return [...this.#queues.values()].some((queue) => queue.has(metadata.name));
  }

  /** Ends the wait of a node. */
  forgetTaint(node: Node): void {
    for (const queue of this.#queues.values()) queue.remove(node.metadata.name);
  }

  /**
   * Emits an event about the node: `Node node-1 status is now: NodeNotReady`.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/util/node/controller_utils.go RecordNodeStatusChange
   */
  emitStatus(node: Node, status: string): void {
    this.context.recorder.event(
      node,
      'Normal',
      status,
      `Node ${node.metadata.name} status is now: ${status}`,
    );
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/util/node/controller_utils.go RecordNodeEvent */
  #emitNode(node: Node, reason: string, event: string): void {
    this.context.recorder.event(node, 'Normal', reason, `Node ${node.metadata.name} event: ${event}`);
  }

  #queueOf(zone: string): TaintQueue {
    const existing = this.#queues.get(zone);
    if (existing) return existing;
    const queue = new TaintQueue(this.context, FIRST_RATE, async (queued) => {
      const cached = this.node(queued.metadata.name);
      if (cached?.metadata.uid !== queued.metadata.uid) return;
      // The cache may not have the status yet that this controller has just written.
      const isBehind = isOlder(cached, queued);
      await this.#taint(isBehind ? queued : cached);
    });
    this.#queues.set(zone, queue);
    return queue;
  }
}

/**
 * Assembles a node lifecycle controller from these parts. A part that is not implemented yet ends the controller.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go
 * NewNodeLifecycleController, Controller.Run
 *
 * Differs: a node whose taints could not be written is retried. Upstream waits for its next change, and a silent node
 * does not change.
 */
export function assembleNodeLifecycle(parts: NodeLifecycleParts): Component {
  return async (context) => {
    const unwritten = new Unwritten();
    const lifecycle = newNodeLifecycle(context, parts);
    const queue = context.newWorkQueue<string>();
    lifecycle.listen((name) => queue.add(name));
    await lifecycle.start();
    const work = context.runWorkers({
      queue,
      workers: WORKERS,
      sync: async (name) => {
        const node = lifecycle.node(name);
        if (node) await syncTaints(lifecycle, parts, node).catch(unwritten.meet);
      },
      onError: (error, name) => context.log(`error syncing '${name}': ${String(error)}`),
    });
    await Promise.race([Promise.all([work, monitor(lifecycle, parts)]), unwritten.met]);
  };
}

/** Creates the dependencies of a starting controller. */
export function newNodeLifecycle(
  context: ComponentContext,
  { executeTaints, taintChanges }: Pick<NodeLifecycleParts, 'executeTaints' | 'taintChanges'>,
): NodeLifecycle {
  const lifecycle = new NodeLifecycle(context, async (node) => {
    const wanted = executeTaints(node, lifecycle.allZonesDown);
    await lifecycle.changeTaints(node, taintChanges(node, wanted, EXECUTE_TAINTS));
  });
  return lifecycle;
}

/** Upstream: Controller.doNoScheduleTaintingPass */
async function syncTaints(
  lifecycle: NodeLifecycle,
  { taintsByCondition, taintChanges }: NodeLifecycleParts,
  node: Node,
): Promise<void> {
  await lifecycle.changeTaints(node, taintChanges(node, taintsByCondition(node), CONDITION_TAINTS));
}

function isOlder(a: Node, b: Node): boolean {
  return compareResourceVersion(a.metadata.resourceVersion, b.metadata.resourceVersion) < 0;
}

async function monitor(lifecycle: NodeLifecycle, parts: NodeLifecycleParts): Promise<void> {
  const { clock, log, signal } = lifecycle.context;
  while (!signal.aborted) {
    lifecycle.classifyNodes();
    try {
      await parts.monitorPass(lifecycle);
    } catch (error) {
      if (error instanceof NotImplemented) throw error;
      log(`error monitoring nodes: ${String(error)}`);
    }
    await clock.sleep(MONITOR_PERIOD_MS, signal).catch(() => {});
  }
}
