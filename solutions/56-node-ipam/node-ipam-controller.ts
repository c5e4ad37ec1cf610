import {
  type Component,
  type ComponentContext,
  DeletedFinalStateUnknown,
  messageOf,
  type Node,
  nodes,
  type RateLimitingWorkQueue,
  type SharedInformer,
} from '#harness';
import { CidrSet } from './cidr-set.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodeipam/ipam/cidr_allocator.go cidrUpdateWorkers */
const WORKERS = 30;
/** The maximum number of attempts to write a block in one sync. Upstream: cidrUpdateRetries */
const PATCH_TRIES = 3;
/** The interval between attempts of the initial list. Upstream: nodePollInterval */
const LIST_RETRY_MS = 10_000;
/** The holder of the blocks that overlap with the Service range. No uid has this value. */
const SERVICES = 'services';

interface NodeIpamOptions {
  /** The range of all blocks. @defaultValue `10.244.0.0/16` */
  readonly clusterCIDR?: string;
  /** The prefix length of a block. @defaultValue 24 */
  readonly nodeCIDRMaskSize?: number;
  /** The range that is excluded. @defaultValue `10.96.0.0/12` */
  readonly serviceClusterIPRange?: string;
}

/**
 * Allocates a block of pod addresses to each node. The API stores the allocations; the controller reads them into
 * memory before it allocates.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodeipam/ipam/range_allocator.go rangeAllocator
 *
 * Differs: a block that may have been written stays allocated to the node, and is written again. Upstream releases it
 * unless the server itself timed out, and another node may get it, too.
 */
class NodeIpamController {
  readonly #context: ComponentContext;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #nodes: SharedInformer<Node>;
  /** Blocks by the uid of their node: a recreated node with the same name has no claim to them. */
  readonly #cidrs: CidrSet;

  constructor(context: ComponentContext, options: NodeIpamOptions) {
    const { clusterCIDR = '10.244.0.0/16', nodeCIDRMaskSize = 24 } = options;
    this.#context = context;
    this.#queue = context.newWorkQueue<string>();
    this.#cidrs = new CidrSet(clusterCIDR, nodeCIDRMaskSize);
    this.#keepServices(options.serviceClusterIPRange ?? '10.96.0.0/12');
    this.#nodes = context.informers.forResource(nodes);
    this.#nodes.addEventHandler({
      onAdd: (node) => this.#queue.add(node.metadata.name),
      onUpdate: (previous, current) => {
        if (previous.metadata.uid !== current.metadata.uid) this.#cidrs.release(previous.metadata.uid);
        this.#queue.add(current.metadata.name);
      },
      onDelete: (last) => {
        const { metadata } = last instanceof DeletedFinalStateUnknown ? last.object : last;
        this.#cidrs.release(metadata.uid);
      },
    });
  }

  /**
   * Runs until the signal aborts.
   *
   * @throws Error when a node has a block outside the range: the range was changed, and an operator must intervene
   */
  async run(): Promise<void> {
    const { informers, runWorkers, log, signal } = this.#context;
    await this.#occupyAll();
    if (signal.aborted) return;
    informers.start();
    await informers.waitForCacheSync();
    await runWorkers({
      queue: this.#queue,
      workers: WORKERS,
      sync: (name) => this.#syncNode(name),
      onError: (error, name) => log(`error syncing '${name}': ${messageOf(error)}`),
    });
  }

  /** Upstream: rangeAllocator.filterOutServiceRange */
  #keepServices(range: string): void {
    try {
      this.#cidrs.occupy(SERVICES, range);
    } catch {
      // The Service range does not overlap with the range of blocks, as it should be.
    }
  }

  /** Reads from the server, not from a cache: the latest allocations must be known before the first new one. */
  async #occupyAll(): Promise<void> {
    const { client, clock, log, signal } = this.#context;
    while (!signal.aborted) {
      try {
        const { items } = await client.list(nodes, { signal });
        for (const node of items) this.#occupy(node);
        return;
      } catch (error) {
        if (error instanceof OutOfRange) throw error;
        log(`nodes cannot be listed: ${messageOf(error)}`);
        await clock.sleep(LIST_RETRY_MS, signal).catch(() => {});
      }
    }
  }

  #occupy({ metadata: { uid, name }, spec: { podCIDR } }: Node): void {
    if (!podCIDR) return;
    try {
      this.#cidrs.occupy(uid, podCIDR);
    } catch (error) {
      const message = `failed to mark cidr[${podCIDR}] as occupied for node: ${name}: ${messageOf(error)}`;
      throw new OutOfRange(message, { cause: error });
    }
  }

  async #syncNode(name: string): Promise<void> {
    const node = this.#nodes.indexer.getByKey(name);
    if (!node || node.metadata.deletionTimestamp !== undefined) return;
    if (node.spec.podCIDR) return this.#occupy(node);
    const { uid } = node.metadata;
    let cidr = this.#cidrs.allocate(uid);
    if (cidr === undefined) {
      await this.#sweep();
      // The node was deleted during the request.
      if (this.#nodes.indexer.getByKey(name)?.metadata.uid !== uid) return;
      cidr = this.#cidrs.allocate(uid);
    }
    if (cidr === undefined) {
      this.#tell(node, 'CIDRNotAvailable');
      throw new Error('there are no remaining CIDRs left to allocate in the accepted range');
    }
    await this.#assign(node, cidr);
  }

  /**
   * Releases the blocks of deleted nodes. The controller misses a deletion that happens while it starts, but those
   * blocks matter only when no other block is free.
   */
  async #sweep(): Promise<void> {
    const holders = this.#cidrs.holders();
    const { items } = await this.#context.client.list(nodes);
    const there = new Set(items.map(({ metadata }) => metadata.uid));
    for (const holder of holders) {
      if (holder !== SERVICES && !there.has(holder)) this.#cidrs.release(holder);
    }
  }

  /**
   * Writes a block to its node. The uid in the patch is a precondition.
   *
   * Upstream: rangeAllocator.updateCIDRsAllocation
   */
  async #assign(node: Node, cidr: string): Promise<void> {
    const { uid, name } = node.metadata;
    const body = { metadata: { uid }, spec: { podCIDR: cidr, podCIDRs: [cidr] } };
    for (let tries = 1; ; tries++) {
      try {
        await this.#context.client.patch(nodes, { name }, { type: 'strategic', body });
        return;
      } catch (error) {
        if (tries < PATCH_TRIES) continue;
        this.#tell(node, 'CIDRAssignmentFailed');
        throw error;
      }
    }
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/util/node/controller_utils.go RecordNodeStatusChange */
  #tell(node: Node, status: 'CIDRNotAvailable' | 'CIDRAssignmentFailed'): void {
    const message = `Node ${node.metadata.name} status is now: ${status}`;
    this.#context.recorder.event(node, 'Normal', status, message);
  }
}

/** The error for a node with a block outside the range. */
class OutOfRange extends Error {
  override readonly name = 'OutOfRange';
}

/** Creates the controller with a range other than the default. */
export function newNodeIpamController(options: NodeIpamOptions = {}): Component {
  return (context) => new NodeIpamController(context, options).run();
}

/** The controller as it runs in a cluster. */
export const nodeIpamController: Component = newNodeIpamController();
