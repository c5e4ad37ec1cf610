import type * as core from '#api/core/v1';
import { deepEqual } from '../../api/freeze.ts';
import { keyOf, keyToString, type Node, type Pod } from '../../api/objects.ts';
import { nodes, pods } from '../../api/resource.ts';
import type { Component, ComponentContext } from '../component.ts';
import type { SharedInformer } from '../informer.ts';
import { lastKnown } from '../last-known.ts';
import { Unwritten } from '../unwritten.ts';
import type { RateLimitingWorkQueue } from '../work-queue.ts';
import { matchTaint, type SeenTaint } from './facts.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/tainteviction/taint_eviction.go UpdateWorkerSize */
const WORKERS = 8;
const NODE = 'node';

/** The decisions of a taint eviction controller. */
export interface TaintEvictionParts {
  /**
   * Evicts the pod, schedules its eviction, or cancels it. Called when the pod, or the `NoExecute` taints of its node,
   * change, and at the scheduled time. A rejection is retried.
   */
  syncPod(eviction: TaintEviction, pod: Pod): Promise<void>;
}

/**
 * The caches and the memory of a taint eviction controller.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/tainteviction/taint_eviction.go Controller
 *
 * Differs: it remembers since when each taint has been on each pod's node. Upstream has one timer for a pod, which a new
 * taint or new tolerations do not change.
 */
export class TaintEviction {
  readonly context: ComponentContext;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #nodes: SharedInformer<Node>;
  readonly #pods: SharedInformer<Pod>;
  readonly #taints = new Map<string, readonly SeenTaint[]>();
  /** When each pod was first seen on its node, by the uid of the pod. */
  readonly #boundMs = new Map<string, number>();
  /** The uids of the pods whose eviction is scheduled. */
  readonly #scheduled = new Set<string>();

  constructor(context: ComponentContext) {
    this.context = context;
    this.#queue = context.newWorkQueue<string>();
    this.#nodes = context.informers.forResource(nodes);
    this.#pods = context.informers.forResource(pods, { [NODE]: ({ spec }) => [spec.nodeName ?? ''] });
  }

  /**
   * Returns the `NoExecute` taints of the pod's node, each with the time since when the pod has been there with the
   * taint. After a restart of the controller the times start again.
   */
  taintsOf({ metadata, spec }: Pod): SeenTaint[] {
    const boundMs = this.#boundMs.get(metadata.uid) ?? this.context.clock.now();
    const taints = this.#taints.get(spec.nodeName ?? '') ?? [];
    return taints.map(({ taint, sinceMs }) => ({ taint, sinceMs: Math.max(sinceMs, boundMs) }));
  }

  /** Calls `syncPod` for this pod again at `atMs`, unless it changes earlier. */
  schedule(pod: Pod, atMs: number): void {
    this.#scheduled.add(pod.metadata.uid);
    this.#queue.addAfter(keyToString(keyOf(pod)), atMs - this.context.clock.now());
  }

  /** Emits an event if the pod's eviction was scheduled, and forgets that it was. */
  cancel(pod: Pod): void {
    if (this.#scheduled.delete(pod.metadata.uid)) this.emit(pod, 'Cancelling deletion of Pod');
  }

  /** Emits an event about the eviction of the pod: `Marking for deletion Pod default/web`. */
  emit(pod: Pod, message: 'Marking for deletion Pod' | 'Cancelling deletion of Pod'): void {
    this.context.recorder.event(
      pod,
      'Normal',
      'TaintManagerEviction',
      `${message} ${keyToString(keyOf(pod))}`,
    );
  }

  /** Runs until the signal of the context aborts. */
  async run(parts: TaintEvictionParts): Promise<void> {
    const { informers, log, runWorkers } = this.context;
    const unwritten = new Unwritten();
    this.#listen();
    informers.start();
    await informers.waitForCacheSync();
    const work = runWorkers({
      queue: this.#queue,
      workers: WORKERS,
      sync: async (key) => {
        const pod = this.#pods.indexer.getByKey(key);
        if (pod?.spec.nodeName) await parts.syncPod(this, pod).catch(unwritten.meet);
      },
      onError: (error, key) => log(`error evicting '${key}': ${String(error)}`),
    });
    await Promise.race([work, unwritten.met]);
  }

  #listen(): void {
    this.#nodes.addEventHandler({
      onAdd: (node) => this.#nodeChanged(node.metadata.name, node.spec.taints),
      onUpdate: (_, node) => this.#nodeChanged(node.metadata.name, node.spec.taints),
      onDelete: (last) => this.#nodeChanged(lastKnown(last).metadata.name, []),
    });
    this.#pods.addEventHandler({
      onAdd: (pod) => this.#podChanged(undefined, pod),
      onUpdate: (previous, pod) => {
        if (previous.metadata.uid !== pod.metadata.uid) this.#podGone(previous);
        this.#podChanged(previous, pod);
      },
      onDelete: (last) => this.#podGone(lastKnown(last)),
    });
  }

  #nodeChanged(name: string, taints: readonly core.Taint[] = []): void {
    const before = this.#taints.get(name) ?? [];
    const nowMs = this.context.clock.now();
    const after = taints
      .filter(({ effect }) => effect === 'NoExecute')
      .map((taint) => before.find((seen) => isSameTaint(seen.taint, taint)) ?? { taint, sinceMs: nowMs });
    if (after.length === before.length && after.every((seen) => before.includes(seen))) return;
    if (after.length > 0) this.#taints.set(name, after);
    else this.#taints.delete(name);
    for (const pod of this.#pods.indexer.byIndex(NODE, name)) this.#queue.add(keyToString(keyOf(pod)));
  }

  #podChanged(previous: Pod | undefined, { metadata, spec }: Pod): void {
    if (!spec.nodeName) return;
    const { uid } = metadata;
    if (!this.#boundMs.has(uid)) this.#boundMs.set(uid, this.context.clock.now());
    const isSame =
      previous?.metadata.uid === uid &&
      previous.spec.nodeName === spec.nodeName &&
      deepEqual(previous.spec.tolerations, spec.tolerations);
    if (!isSame && this.#taints.has(spec.nodeName)) this.#queue.add(keyToString(keyOf({ metadata } as Pod)));
  }

  #podGone({ metadata: { uid } }: Pod): void {
    this.#boundMs.delete(uid);
    this.#scheduled.delete(uid);
  }
}

/**
 * Assembles a taint eviction controller from these parts. A part that is not implemented yet ends the controller.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/tainteviction/taint_eviction.go New, Controller.Run
 *
 * Differs: a failed eviction is retried without a limit. Upstream gives up after five attempts.
 */
export function assembleTaintEviction(parts: TaintEvictionParts): Component {
  return (context) => new TaintEviction(context).run(parts);
}

/** Returns whether the taint has been on the node since the earlier observation. */
function isSameTaint(a: core.Taint, b: core.Taint): boolean {
  return matchTaint(a, b) && a.value === b.value && a.timeAdded === b.timeAdded;
}
