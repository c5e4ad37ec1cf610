import type { Node } from '../../api/objects.ts';
import type { ComponentContext } from '../component.ts';

/**
 * A queue of nodes that wait for a taint, with a token bucket that holds one token. Each node that leaves the queue takes
 * a token. The queue sleeps until the next token is due.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go
 * RateLimitedTimedQueue
 *
 * Differs: upstream looks into the queue every 100 ms.
 */
export class TaintQueue {
  readonly #context: Pick<ComponentContext, 'clock' | 'signal'>;
  readonly #taint: (node: Node) => Promise<void>;
  /** The waiting nodes by name, each as it was last added. */
  readonly #nodes = new Map<string, Node>();
  #perSecond: number;
  /** When the next token is due. */
  #tokenMs: number;
  #cancel: (() => void) | undefined;

  /**
   * @param perSecond the first rate; the bucket is full
   * @param taint taints one node. If it rejects, the node waits again, at the end of the queue
   */
  constructor(
    context: Pick<ComponentContext, 'clock' | 'signal'>,
    perSecond: number,
    taint: (node: Node) => Promise<void>,
  ) {
    this.#context = context;
    this.#perSecond = perSecond;
    this.#taint = taint;
    this.#tokenMs = context.clock.now();
    context.signal.addEventListener('abort', () => this.#cancel?.(), { once: true });
  }

  /** Adds a node at the end. A node that already waits keeps its place. */
  add(node: Node): void {
    this.#nodes.set(node.metadata.name, node);
    this.#arm();
  }

  /** The nodes per second. */
  get perSecond(): number {
    return this.#perSecond;
  }

  /** Returns whether a node waits. */
  has(name: string): boolean {
    return this.#nodes.has(name);
  }

  /** Removes a node that waits. */
  remove(name: string): void {
    this.#nodes.delete(name);
  }

  /**
   * Sets the rate. If the old bucket was empty, the new bucket starts empty, too.
   *
   * @param perSecond nodes per second; 0 stops the queue
   */
  setRate(perSecond: number): void {
    if (perSecond === this.#perSecond) return;
    const nowMs = this.#context.clock.now();
    const isEmpty = this.#perSecond === 0 || nowMs < this.#tokenMs;
    this.#perSecond = perSecond;
    this.#tokenMs = isEmpty && perSecond > 0 ? nowMs + 1_000 / perSecond : nowMs;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#arm();
  }

  #arm(): void {
    const { clock, signal } = this.#context;
    if (this.#cancel || this.#nodes.size === 0 || this.#perSecond === 0 || signal.aborted) return;
    this.#cancel = clock.after(Math.max(0, Math.ceil(this.#tokenMs - clock.now())), () => this.#take());
  }

  #take(): void {
    this.#cancel = undefined;
    const [node] = this.#nodes.values();
    if (!node) return;
    this.#nodes.delete(node.metadata.name);
    this.#tokenMs = this.#context.clock.now() + 1_000 / this.#perSecond;
    this.#taint(node).catch(() => this.add(node));
    this.#arm();
  }
}
