import type { Node, Pod } from '../../api/objects.ts';
import { nodes, pods } from '../../api/resource.ts';
import { isNotFound } from '../../api/status.ts';
import type { Component, ComponentContext } from '../component.ts';
import type { SharedInformer } from '../informer.ts';
import { NotImplemented } from '../todo.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/podgc/gc_controller.go gcCheckPeriod, quarantineTime */
const PERIOD_MS = 20_000;
const QUARANTINE_MS = 40_000;
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/podgc/config/v1alpha1/defaults.go TerminatedPodGCThreshold */
const THRESHOLD = 12_500;

/** The decisions of a pod garbage collector. */
export interface PodGcParts {
  /** Deletes the garbage. Called every 20 seconds. */
  gcPass(gc: PodGc): Promise<void>;
}

/**
 * The caches and the memory of a pod garbage collector.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/podgc/gc_controller.go PodGCController
 */
export class PodGc {
  readonly context: ComponentContext;
  /** The number of ended pods that the cluster keeps; 0: any number. */
  readonly terminatedPodThreshold: number;
  readonly #nodes: SharedInformer<Node>;
  readonly #pods: SharedInformer<Pod>;
  /** When each node with pods was first missed in the cache, by name. */
  readonly #missedMs = new Map<string, number>();

  constructor(context: ComponentContext, terminatedPodThreshold: number) {
    this.context = context;
    this.terminatedPodThreshold = terminatedPodThreshold;
    this.#nodes = context.informers.forResource(nodes);
    this.#pods = context.informers.forResource(pods);
  }

  /** Starts the caches. Resolves when they have synced. */
  async start(): Promise<void> {
    this.context.informers.start();
    await this.context.informers.waitForCacheSync();
  }

  pods(): Pod[] {
    return this.#pods.indexer.list();
  }

  node(name: string): Node | undefined {
    return this.#nodes.indexer.getByKey(name);
  }

  /**
   * Returns the names of the deleted nodes that these pods are bound to. A node counts as deleted if the cache has been
   * without it for 40 seconds, and the server does not find it either.
   *
   * Upstream: PodGCController.discoverDeletedNodes
   */
  async deletedNodes(all: readonly Pod[]): Promise<ReadonlySet<string>> {
    const { client, clock } = this.context;
    const nowMs = clock.now();
    const missing = new Set(
      all.map(({ spec }) => spec.nodeName ?? '').filter((name) => name && !this.node(name)),
    );
    for (const name of this.#missedMs.keys()) if (!missing.has(name)) this.#missedMs.delete(name);
    const deleted = new Set<string>();
    for (const name of missing) {
      const missedMs = this.#missedMs.get(name) ?? nowMs;
      this.#missedMs.set(name, missedMs);
      if (nowMs - missedMs < QUARANTINE_MS) continue;
      try {
        await client.get(nodes, { name });
        this.#missedMs.delete(name);
      } catch (error) {
        if (isNotFound(error)) deleted.add(name);
        else this.context.log(`error reading node '${name}': ${String(error)}`);
      }
    }
    return deleted;
  }
}

/** Options of {@link assemblePodGc}. */
interface PodGcOptions {
  /** @defaultValue 12500 */
  readonly terminatedPodThreshold?: number;
}

/**
 * Assembles a pod garbage collector from these parts. A part that is not implemented yet ends the controller.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/podgc/gc_controller.go NewPodGC, PodGCController.Run
 */
export function assemblePodGc(
  parts: PodGcParts,
  { terminatedPodThreshold = THRESHOLD }: PodGcOptions = {},
): Component {
  return async (context) => {
    const { clock, log, signal } = context;
    const gc = new PodGc(context, terminatedPodThreshold);
    await gc.start();
    while (!signal.aborted) {
      try {
        await parts.gcPass(gc);
      } catch (error) {
        if (error instanceof NotImplemented) throw error;
        log(`error collecting pods: ${String(error)}`);
      }
      await clock.sleep(PERIOD_MS, signal).catch(() => {});
    }
  };
}
