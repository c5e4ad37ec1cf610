import type { Namespace, Node, Pod } from '../../api/objects.ts';
import { keyOf, keyToString, type ObjectKey } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';
import { namespaces, nodes, pods } from '../../api/resource.ts';
import type { Component, ComponentContext } from '../component.ts';
import type { ClusterEventWithHint, Profile, Snapshot } from '../framework/index.ts';
import type { ResourceEventHandler, ResourceEventHandlerRegistration, SharedInformer } from '../informer.ts';
import { lastKnown } from '../last-known.ts';
import { ASK_AGAIN_MS, ASK_AGAIN_MS_MAX, askServer } from './ask-server.ts';
import { messageOf } from './errors.ts';
import { isSame } from './pods.ts';
import type { QueueingPlugin, SchedulingQueueOptions } from './queued-pod-info.ts';
import type { Scheduler, SchedulerCache, SchedulingQueue } from './scheduler.ts';
import { ASSIGNED_POD_DELETE, nodeSchedulingPropertiesChange } from './scheduling-events.ts';

const FLUSH_BACKOFF_MS = 1_000;
const FLUSH_LEFTOVER_MS = 30_000;
/** The interval at which the scheduler checks whether its handlers have synced. */
const SYNCED_POLL_MS = 100;

const ALL: ClusterEventWithHint = { event: { resource: '*', actionType: 'All' } };

/** The parts of a scheduler. */
interface SchedulerParts {
  newQueue(options: SchedulingQueueOptions): SchedulingQueue;
  newCache(): SchedulerCache;
  /** Handles an added, changed or deleted pod. */
  podChanged(scheduler: Scheduler, previous: Pod | undefined, current: Pod | undefined): void;
  /** Schedules one pod after another, until the queue is closed. */
  run(scheduler: Scheduler): Promise<void>;
}

/**
 * Connects a scheduler to its cluster: handlers pass nodes and pods to its cache and its queue.
 *
 * Before it schedules, all handlers have received the first list, and the server has listed the current pods. Informers
 * may start with a state from before a restart, so pods that have a node on the server are assumed there. The backoff
 * queue is flushed every second, and pods that were unschedulable for too long every 30 seconds.
 *
 * @returns the component. It resolves when it is stopped
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/scheduler.go Scheduler.Run, eventhandlers.go
 * addAllEventHandlers. Differs: upstream does not list pods from the server at its start, so it can allocate room that
 * belongs to pods missing in its first list
 */
export function assembleScheduler(parts: SchedulerParts): Component {
  return async (context) => {
    try {
      await new AssembledScheduler(context, parts).run();
    } catch (error) {
      // A stop during a wait is not a failure.
      if (!context.signal.aborted) throw error;
    }
  };
}

/**
 * Handles an added, changed or deleted node: updates the cache, then the queue.
 *
 * @param previous `undefined` if the node was added
 * @param current `undefined` if the node was deleted
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/eventhandlers.go addNodeToCache, updateNodeInCache,
 * deleteNodeFromCache
 */
export function nodeChanged(
  { queue, cache }: Pick<Scheduler, 'queue' | 'cache'>,
  previous: Node | undefined,
  current: Node | undefined,
): void {
  if (previous && current) {
    cache.updateNode(previous, current);
    for (const event of nodeSchedulingPropertiesChange(current, previous)) {
      queue.moveAllToActiveOrBackoffQueue(event, previous, current);
    }
  } else if (current) {
    cache.addNode(current);
    queue.moveAllToActiveOrBackoffQueue({ resource: 'Node', actionType: 'Add' }, undefined, current);
  } else if (previous) {
    cache.removeNode(previous);
    queue.moveAllToActiveOrBackoffQueue({ resource: 'Node', actionType: 'Delete' }, previous, undefined);
  }
}

class AssembledScheduler {
  readonly #context: ComponentContext;
  readonly #parts: SchedulerParts;
  readonly #scheduler: Scheduler;
  readonly #pods: SharedInformer<Pod>;
  readonly #namespaces: SharedInformer<Namespace>;
  readonly #handlers: readonly ResourceEventHandlerRegistration[];
  /** The labels of each namespace; `undefined` if they have changed since the last call. */
  #labels: Snapshot['namespaces'] | undefined;
  /** Pods that the server has listed and that the informer has not shown yet, by uid. */
  readonly #unconfirmed = new Map<string, Pod>();

  constructor(context: ComponentContext, parts: SchedulerParts) {
    const { client, clock, random, recorder, signal, informers, log } = context;
    this.#context = context;
    this.#parts = parts;
    this.#pods = informers.forResource(pods);
    this.#namespaces = informers.forResource(namespaces);
    const profile = context.profile();
    const queue = parts.newQueue({ clock, plugins: queueingPlugins(profile) });
    const cache = parts.newCache();
    const getPod = (key: ObjectKey): Pod | undefined => this.#pods.indexer.getByKey(keyToString(key));
    const labels = (): Snapshot['namespaces'] => this.#namespaceLabels();
    const services = { profile, client, clock, random, recorder, signal, queue, cache, getPod, log };
    this.#scheduler = { ...services, namespaces: labels, nextStartIndex: 0 };
    this.#handlers = this.#addAllEventHandlers();
    profile.onEvent?.((event, before, now) => queue.moveAllToActiveOrBackoffQueue(event, before, now));
  }

  async run(): Promise<void> {
    const { queue } = this.#scheduler;
    const { informers, signal } = this.#context;
    signal.addEventListener('abort', () => queue.close(), { once: true });
    informers.start();
    await informers.waitForCacheSync();
    await this.#waitForHandlersSync();
    await this.#assumeBound();
    void this.#every(FLUSH_BACKOFF_MS, () => queue.flushBackoffQCompleted());
    void this.#every(FLUSH_LEFTOVER_MS, () => {
      queue.flushUnschedulablePodsLeftover();
      this.#checkUnconfirmed();
    });
    await this.#parts.run(this.#scheduler);
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/eventhandlers.go addAllEventHandlers */
  #addAllEventHandlers(): readonly ResourceEventHandlerRegistration[] {
    const { informers } = this.#context;
    const podHandler = handler<Pod>((previous, current) =>
      this.#parts.podChanged(this.#scheduler, previous, current),
    );
    const nodeHandler = handler<Node>((previous, current) => nodeChanged(this.#scheduler, previous, current));
    const namespaceHandler = handler<Namespace>(() => {
      this.#labels = undefined;
    });
    return [
      this.#pods.addEventHandler(podHandler),
      informers.forResource(nodes).addEventHandler(nodeHandler),
      this.#namespaces.addEventHandler(namespaceHandler),
    ];
  }

  /**
   * Waits until the handlers have received the first list. The cache of an informer can be complete before its handlers
   * are. A scheduler with half a cache would treat occupied room as free.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/eventhandlers.go Scheduler.WaitForHandlersSync
   */
  async #waitForHandlersSync(): Promise<void> {
    const { clock, signal } = this.#context;
    while (!this.#handlers.every((each) => each.hasSynced())) await clock.sleep(SYNCED_POLL_MS, signal);
  }

  /**
   * Assumes the pods that are already bound. The first list of an informer may miss pods that an earlier run has bound;
   * the server has them.
   */
  async #assumeBound(): Promise<void> {
    const { queue, cache, getPod } = this.#scheduler;
    for (const pod of await this.#listPods()) {
      const { nodeName } = pod.spec;
      if (!nodeName || hasEnded(pod) || cache.getPod(pod)) continue;
      cache.assumePod(pod, nodeName);
      queue.delete(pod);
      // The informer reports further changes of a pod that it has shown.
      if (!isSame(pod, getPod(keyOf(pod)))) this.#unconfirmed.set(pod.metadata.uid, pod);
    }
  }

  async #listPods(): Promise<readonly Pod[]> {
    const { client, clock, signal, log } = this.#context;
    for (let delayMs = ASK_AGAIN_MS; ; delayMs = Math.min(2 * delayMs, ASK_AGAIN_MS_MAX)) {
      try {
        const { items } = await client.list(pods, { signal });
        return items;
      } catch (error) {
        if (!signal.aborted) log(`Failed to list pods: ${messageOf(error)}`);
        await clock.sleep(delayMs, signal);
      }
    }
  }

  /**
   * Checks the pods that the informer has not shown. The informer never reports a pod that was deleted before its watch
   * began, so that pod would stay assumed.
   */
  #checkUnconfirmed(): void {
    const { queue, cache, getPod, log, signal } = this.#scheduler;
    for (const [uid, pod] of this.#unconfirmed) {
      this.#unconfirmed.delete(uid);
      if (!cache.isAssumedPod(pod) || isSame(pod, getPod(keyOf(pod)))) continue;
      const ask = async (): Promise<void> => {
        const live = await askServer(this.#scheduler, pod);
        if (live && !hasEnded(live)) this.#unconfirmed.set(uid, pod);
        else if (cache.forgetPod(pod)) {
          queue.moveAllToActiveOrBackoffQueue(ASSIGNED_POD_DELETE, pod, undefined);
        }
      };
      ask().catch((error) => {
        if (!signal.aborted) log(messageOf(error));
      });
    }
  }

  #namespaceLabels(): Snapshot['namespaces'] {
    this.#labels ??= new Map(
      this.#namespaces.indexer.list().map(({ metadata }) => [metadata.name, metadata.labels ?? {}]),
    );
    return this.#labels;
  }

  /** Repeats until the scheduler is stopped. */
  async #every(periodMs: number, run: () => void): Promise<void> {
    const { clock, signal } = this.#context;
    while (!signal.aborted) {
      await clock.sleep(periodMs, signal).catch(() => {});
      if (!signal.aborted) run();
    }
  }
}

/** Returns the plugins for the queue. If a reserve plugin is no filter, it registers no events, and every event wakes its pods. */
function queueingPlugins({ filtering: { plugins }, reserve }: Profile): readonly QueueingPlugin[] {
  const filters = new Set(plugins.map(({ name }) => name));
  const others = reserve.filter(({ name }) => !filters.has(name));
  return [...plugins, ...others.map(({ name }) => ({ name, eventsToRegister: () => [ALL] }))];
}

function handler<T>(
  changed: (previous: T | undefined, current: T | undefined) => void,
): ResourceEventHandler<T> {
  return {
    onAdd: (object) => changed(undefined, object),
    onUpdate: (previous, current) => changed(previous, current),
    onDelete: (last) => changed(lastKnown(last), undefined),
  };
}
