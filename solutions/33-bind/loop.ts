/** Level 6 · The loop. */
import {
  type Component,
  type ComponentContext,
  DeletedFinalStateUnknown,
  framework,
  keyOf,
  keyToString,
  type Namespace,
  type Node,
  namespaces,
  nodes,
  type ObjectKey,
  type Pod,
  pods,
  type ResourceEventHandler,
  type ResourceEventHandlerRegistration,
  type SharedInformer,
} from '#harness';
import {
  ASK_AGAIN_MS,
  ASK_AGAIN_MS_MAX,
  askServer,
  bindingCycle,
  type Decision,
  runReservePluginsReserve,
} from './binding.ts';
import { SchedulerCache } from './cache.ts';
import { nodeChanged, podChanged } from './changes.ts';
import { FitError, schedulePod, skipPodSchedule } from './cycle.ts';
import { ASSIGNED_POD_DELETE } from './events.ts';
import { handleSchedulingFailure, messageOf } from './failure.ts';
import { hasEnded, isSame } from './pods.ts';
import { type QueuedPodInfo, type QueueingPlugin, SchedulingQueue } from './queue.ts';
import type { Scheduler } from './scheduler.ts';

const FLUSH_BACKOFF_MS = 1_000;
const FLUSH_LEFTOVER_MS = 30_000;
/** How often it is asked whether the handlers have been told everything. */
const SYNCED_POLL_MS = 100;
/** More pods than this are not bound, or told why not, at a time: thousands of requests at once would flood a server. */
const WRITES_IN_FLIGHT_MAX = 500;

const ALL: framework.ClusterEventWithHint = { event: { resource: '*', actionType: 'All' } };

class SchedulingLoop {
  readonly #context: ComponentContext;
  readonly #scheduler: Scheduler;
  readonly #pods: SharedInformer<Pod>;
  readonly #namespaces: SharedInformer<Namespace>;
  readonly #handlers: readonly ResourceEventHandlerRegistration[];
  /** The labels of each namespace; `undefined` when they have changed since they were asked for last. */
  #labels: framework.Snapshot['namespaces'] | undefined;
  /** Pods that the server told us of and that the informer has not shown yet, by uid. */
  readonly #unconfirmed = new Map<string, Pod>();
  #nextStartIndex = 0;
  #writesInFlight = 0;
  /** Called whenever a pod has been bound or told why not, and when the scheduler is to stop. */
  #writeEnded = (): void => {};

  constructor(context: ComponentContext) {
    const { client, clock, recorder, signal, informers, log } = context;
    this.#context = context;
    this.#pods = informers.forResource(pods);
    this.#namespaces = informers.forResource(namespaces);
    const profile = context.profile();
    const queue = new SchedulingQueue({ clock, plugins: queueingPlugins(profile) });
    const cache = new SchedulerCache();
    const getPod = (key: ObjectKey): Pod | undefined => this.#pods.indexer.getByKey(keyToString(key));
    this.#scheduler = { profile, client, clock, recorder, signal, queue, cache, getPod, log };
    this.#handlers = this.#addAllEventHandlers();
  }

  async run(): Promise<void> {
    const { queue } = this.#scheduler;
    const { informers, signal } = this.#context;
    const stop = (): void => {
      queue.close();
      this.#writeEnded();
    };
    signal.addEventListener('abort', stop, { once: true });
    informers.start();
    await informers.waitForCacheSync();
    await this.#waitForHandlersSync();
    await this.#assumeBound();
    void this.#every(FLUSH_BACKOFF_MS, () => queue.flushBackoffQCompleted());
    void this.#every(FLUSH_LEFTOVER_MS, () => {
      queue.flushUnschedulablePodsLeftover();
      this.#checkUnconfirmed();
    });
    while (!signal.aborted) {
      const info = await queue.pop();
      if (!info || signal.aborted) return;
      this.#scheduleOne(info);
      while (this.#writesInFlight >= WRITES_IN_FLIGHT_MAX && !signal.aborted) await this.#untilWriteEnds();
    }
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/eventhandlers.go addAllEventHandlers */
  #addAllEventHandlers(): readonly ResourceEventHandlerRegistration[] {
    const { informers } = this.#context;
    const podHandler = handler<Pod>((previous, current) => podChanged(this.#scheduler, previous, current));
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
   * A cache can be full before its handlers have been told of it, and whoever schedules on half a cache takes room for free
   * that is not.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/eventhandlers.go Scheduler.WaitForHandlersSync
   */
  async #waitForHandlersSync(): Promise<void> {
    const { clock, signal } = this.#context;
    while (!this.#handlers.every((each) => each.hasSynced())) await clock.sleep(SYNCED_POLL_MS, signal);
  }

  /** What an earlier self has bound, the first list of an informer need not show: the server does. */
  async #assumeBound(): Promise<void> {
    const { queue, cache, getPod } = this.#scheduler;
    for (const pod of await this.#listPods()) {
      const { nodeName } = pod.spec;
      if (!nodeName || hasEnded(pod) || cache.getPod(pod)) continue;
      cache.assumePod(pod, nodeName);
      queue.delete(pod);
      // Of a pod that the informer shows it will also tell what becomes of it.
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

  /** No event will tell of a pod that came and went before the watch began: it would be assumed for ever. */
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

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.ScheduleOne */
  #scheduleOne(info: QueuedPodInfo): void {
    const { queue, cache, recorder } = this.#scheduler;
    const { pod } = info;
    const { namespace, name, uid, deletionTimestamp } = pod.metadata;
    if (skipPodSchedule(pod, cache)) {
      if (deletionTimestamp !== undefined) {
        const message = `skip schedule deleting pod: ${namespace}/${name}`;
        recorder.event(pod, 'Warning', 'FailedScheduling', message);
      }
      queue.done(uid);
      return;
    }
    const state = new framework.CycleState();
    try {
      const assumed = this.#schedulingCycle(pod, state);
      this.#track(bindingCycle(this.#scheduler, { info, assumed, state }));
    } catch (error) {
      this.#track(handleSchedulingFailure(this.#scheduler, info, error));
    }
  }

  /**
   * Finds a node, and takes the room there. Nothing is awaited, so that the next pod finds it taken.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.schedulingCycle
   */
  #schedulingCycle(pod: Pod, state: framework.CycleState): Pod {
    const { profile, cache } = this.#scheduler;
    const { random } = this.#context;
    const snapshot = cache.snapshot(this.#namespaceLabels());
    const startIndex = this.#nextStartIndex;
    const found = schedulePod({ profile, state, pod, snapshot, random, startIndex });
    this.#nextStartIndex = found.nextStartIndex;
    const assumed = cache.assumePod(pod, found.suggestedHost);
    try {
      const decision = runReservePluginsReserve(profile.reserve, state, assumed, found.suggestedHost);
      if (decision.status.code === 'Success') return assumed;
      throw this.#refused(pod, found.suggestedHost, decision);
    } catch (error) {
      cache.forgetPod(assumed);
      throw error;
    }
  }

  #refused(pod: Pod, nodeName: string, { status, plugin = '' }: Decision): FitError {
    const diagnosis = {
      nodeToStatus: new Map([[nodeName, status]]),
      unschedulablePlugins: new Set([plugin]),
      preFilterMsg: '',
    };
    const message = this.#scheduler.profile.filtering.fitErrorMessage(1, diagnosis);
    return new FitError({ pod, numAllNodes: 1, diagnosis, message });
  }

  #namespaceLabels(): framework.Snapshot['namespaces'] {
    this.#labels ??= new Map(
      this.#namespaces.indexer.list().map(({ metadata }) => [metadata.name, metadata.labels ?? {}]),
    );
    return this.#labels;
  }

  #track(work: Promise<void>): void {
    this.#writesInFlight++;
    void work.then(() => {
      this.#writesInFlight--;
      this.#writeEnded();
    });
  }

  #untilWriteEnds(): Promise<void> {
    return new Promise((resolve) => {
      this.#writeEnded = resolve;
    });
  }

  /** Until the scheduler is to stop. */
  async #every(periodMs: number, run: () => void): Promise<void> {
    const { clock, signal } = this.#context;
    while (!signal.aborted) {
      await clock.sleep(periodMs, signal).catch(() => {});
      if (!signal.aborted) run();
    }
  }
}

export const scheduler: Component = async (context) => {
  try {
    await new SchedulingLoop(context).run();
  } catch (error) {
    // Whoever is told to stop while he waits has not failed.
    if (!context.signal.aborted) throw error;
  }
};

/** Who reserves has not said what could change its mind: everything could. */
function queueingPlugins({ filtering, reserve }: framework.Profile): readonly QueueingPlugin[] {
  return [...filtering.plugins, ...reserve.map(({ name }) => ({ name, eventsToRegister: () => [ALL] }))];
}

function handler<T>(
  changed: (previous: T | undefined, current: T | undefined) => void,
): ResourceEventHandler<T> {
  return {
    onAdd: (object) => changed(undefined, object),
    onUpdate: (previous, current) => changed(previous, current),
    onDelete: (last) => changed(last instanceof DeletedFinalStateUnknown ? last.object : last, undefined),
  };
}
