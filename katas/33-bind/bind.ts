/**
 * Kata 33 · The scheduling loop. Read README.md first, then start with Level 1.
 *
 * For your own design, implement only {@link scheduler}, in any shape: its comment is the contract.
 *
 * Objects from a client or a cache are shared and frozen: copy them before you change them. A pod is identified by its
 * `uid`: another pod of the same name is another pod.
 */
import { scheduling } from '#given/33-bind';
import { type Component, type framework, type Node, type Pod, todo } from '#harness';

const KATA = '33-bind';

// Level 1 · The queue

/**
 * Returns the backoff of a pod that has failed `count` times.
 *
 * @param count - A whole number, from 0.
 * @returns The backoff in ms: 0 for a count of 0; otherwise `initialMs`, doubled for every failure after the first, and
 * at most `maxMs`, however large the count.
 * @example
 * With the defaults, the counts 0 to 6 return 0, 1, 2, 4, 8, 10 and 10 seconds.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/backoff_queue.go
 * backoffQueue.calculateBackoffDuration
 */
export function backoffDurationMs(
  count: number,
  {
    initialMs = scheduling.POD_INITIAL_BACKOFF_MS,
    maxMs = scheduling.POD_MAX_BACKOFF_MS,
  }: scheduling.BackoffLimits = {},
): number {
  return todo(KATA, 'backoffDurationMs', 'Level 1');
}

/**
 * The pods that wait for a node. `scheduling.QueuePlaces` has the four places, `this.active`, `this.backoff`,
 * `this.unschedulable` and `this.inFlight`, and the methods `pop`, `done`, `delete` and `close`. You write the moves
 * between the places. A pod is in at most one place.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go PriorityQueue
 */
export class SchedulingQueue extends scheduling.QueuePlaces {
  constructor(options: scheduling.SchedulingQueueOptions) {
    super(options, ({ timestampMs, consecutiveErrorsCount, unschedulableCount }) => {
      return timestampMs + backoffDurationMs(consecutiveErrorsCount || unschedulableCount, options.limits);
    });
  }

  /**
   * Adds a pod without a node. It becomes active, or unschedulable if it is gated (`scheduling.isGated`). All counts
   * are 0, and `timestampMs` is now. A pod that is already in a place or in flight stays unchanged.
   */
  add(pod: Pod): void {
    todo(KATA, 'SchedulingQueue.add', 'Level 1');
  }

  /**
   * Puts a pod that `pop` has taken from the active ones in flight.
   *
   * @returns The pod with `attempts` increased by one, and without `unschedulablePlugins`.
   */
  protected popped(info: scheduling.QueuedPodInfo): scheduling.QueuedPodInfo {
    return todo(KATA, 'SchedulingQueue.popped', 'Level 1');
  }

  /**
   * Reports whether the pod still backs off. Its count is `consecutiveErrorsCount`, or `unschedulableCount` if that is
   * 0. Its backoff ends {@link backoffDurationMs} of this count after `timestampMs`; in that very millisecond it still
   * backs off. With a count of 0 it does not back off.
   *
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/backoff_queue.go backoffQueue.isPodBackingoff
   */
  isBackingOff(info: scheduling.QueuedPodInfo): boolean {
    return todo(KATA, 'SchedulingQueue.isBackingOff', 'Level 1');
  }

  /**
   * Takes a pod back that was popped and could not be scheduled. It is `done`, and its `timestampMs` is now.
   *
   * - Without `unschedulablePlugins` there was an error: `consecutiveErrorsCount` increases by one, and the pod backs
   *   off.
   * - With them, these plugins rejected it: `unschedulableCount` increases by one, `consecutiveErrorsCount` becomes 0,
   *   and the pod is unschedulable. (Level 2) But if an event since its pop makes it {@link isPodWorthRequeuing}, it
   *   backs off. So does a rejected pod that was not in flight, because its events are unknown.
   *
   * A pod that already waits in the queue stays unchanged.
   *
   * @param info - The result of `pop`, except for `unschedulablePlugins` and `pod`, which may be a newer version.
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go
   * PriorityQueue.AddUnschedulableIfNotPresent
   */
  addUnschedulableIfNotPresent(info: scheduling.QueuedPodInfo): void {
    todo(KATA, 'SchedulingQueue.addUnschedulableIfNotPresent', 'Level 1');
  }

  /** Makes all pods active whose backoff is over. Called every second. */
  flushBackoffQCompleted(): void {
    todo(KATA, 'SchedulingQueue.flushBackoffQCompleted', 'Level 1');
  }

  /**
   * Retries pods that are not gated and, by `timestampMs`, have been unschedulable for *more* than
   * `scheduling.POD_MAX_IN_UNSCHEDULABLE_PODS_MS`: they back off if their backoff is not over, or else become active.
   * Called every 30 seconds.
   */
  flushUnschedulablePodsLeftover(): void {
    todo(KATA, 'SchedulingQueue.flushUnschedulablePodsLeftover', 'Level 1');
  }

  /**
   * Replaces a pod that has no node yet by its new version.
   *
   * | the pod is | then |
   * |---|---|
   * | active, backing off | the new version takes its place |
   * | gated | the new version stays unschedulable; without gates it becomes active |
   * | unschedulable, not gated | the new version stays there. (Level 2) But if an event of the change makes it {@link isPodWorthRequeuing}, it backs off if its backoff is not over, or else becomes active |
   * | in flight | the popped version stays. (Level 2) The events of the change are recorded for this pod |
   * | unknown | it is added |
   *
   * `scheduling.podSchedulingPropertiesChange` returns the events of the change.
   *
   * @param oldPod - Has the same uid as `newPod`.
   */
  update(oldPod: Pod, newPod: Pod): void {
    todo(KATA, 'SchedulingQueue.update', 'Level 1');
  }

  /**
   * Moves each unschedulable pod that is not gated and that the event makes {@link isPodWorthRequeuing}: it backs off
   * if its backoff is not over, or else becomes active. The others stay.
   *
   * The event is also recorded for each pod in flight, for {@link addUnschedulableIfNotPresent}.
   *
   * @param oldObject - The object before the event, `undefined` for `Add`.
   * @param newObject - The object after the event, `undefined` for `Delete`.
   * @param preCheck - If given, only pods that pass it are moved. It is not called for pods in flight.
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go
   * PriorityQueue.MoveAllToActiveOrBackoffQueue
   */
  moveAllToActiveOrBackoffQueue(
    event: framework.ClusterEvent,
    oldObject: Pod | Node | undefined,
    newObject: Pod | Node | undefined,
    preCheck?: (pod: Pod) => boolean,
  ): void {
    todo(KATA, 'SchedulingQueue.moveAllToActiveOrBackoffQueue', 'Level 2');
  }
}

// Level 2 · Which events wake which pods

/**
 * Reports whether an event could help a pod. Only the plugins that rejected it are asked.
 *
 * @param plugins - All plugins, including those that did not reject the pod.
 * @returns
 * - true if no plugin rejected the pod: an error may not happen again;
 * - true for the wildcard event (`scheduling.isWildcard`);
 * - true if a plugin that rejected the pod has registered for the event (`framework.matches`), and its `queueingHintFn`
 *   is missing, throws, or returns `Queue` for `info.pod`. A plugin may register for one event several times: one
 *   `Queue` is enough;
 * - false otherwise
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go
 * PriorityQueue.isPodWorthRequeuing
 */
export function isPodWorthRequeuing(
  info: Pick<scheduling.QueuedPodInfo, 'pod' | 'unschedulablePlugins'>,
  event: framework.ClusterEvent,
  oldObject: Pod | Node | undefined,
  newObject: Pod | Node | undefined,
  plugins: readonly scheduling.QueueingPlugin[],
): boolean {
  return todo(KATA, 'isPodWorthRequeuing', 'Level 2');
}

// Level 3 · The cache

/**
 * The nodes, and the pods on them. The cache is ahead of the informers: a pod is *assumed* on its node from the
 * decision until an informer shows it there, or until it is forgotten. Otherwise the scheduler would allocate the same
 * room twice.
 *
 * `scheduling.CachedNodes` has the nodes: `this.occupy(pod)` and `this.vacate(pod)` change the room on the node that
 * the pod names, and `snapshot` returns all nodes at one moment. It also has `updatePod`, `isAssumedPod` and `getPod`,
 * which read `this.states`. You decide which pods take up room.
 *
 * Differs: without `FinishBinding`, because assumed pods do not expire (upstream: since 1.23).
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/cache/cache.go cacheImpl
 */
export class SchedulerCache extends scheduling.CachedNodes {
  /**
   * Adds a pod that an informer shows on its node. It is no longer assumed, neither there nor on another node. It
   * replaces an older version.
   *
   * @param pod - Has `spec.nodeName`.
   */
  addPod(pod: Pod): void {
    todo(KATA, 'SchedulerCache.addPod', 'Level 3');
  }

  /**
   * Removes a deleted or ended pod, assumed or not, from its node in the cache, whatever node `pod` names. Ignores an
   * unknown pod.
   */
  removePod(pod: Pod): void {
    todo(KATA, 'SchedulerCache.removePod', 'Level 3');
  }

  /**
   * Assumes a pod on a node: it takes up room there from now on.
   *
   * @returns A copy of the pod with this `spec.nodeName`.
   * @throws Error that names the pod if the cache already has it, assumed or not; then the cache is unchanged.
   */
  assumePod(pod: Pod, nodeName: string): Pod {
    return todo(KATA, 'SchedulerCache.assumePod', 'Level 3');
  }

  /**
   * Forgets an assumed pod: it takes up no room any longer. A pod that an informer has shown stays.
   *
   * @returns Whether the pod was assumed and is now forgotten.
   */
  forgetPod(pod: Pod): boolean {
    return todo(KATA, 'SchedulerCache.forgetPod', 'Level 3');
  }
}

// Level 4 · One pod, one node

/**
 * Finds the best node for a pod: calls `filtering.findNodesThatFit` with the plugins of the profile, then
 * `scoring.prioritizeNodes` with the plugins of the profile, then `scoring.selectHost`. A single feasible node is not
 * scored.
 *
 * @throws `scheduling.NoNodesAvailableError` if the snapshot has no node; `scheduling.FitError`, with the number of
 * nodes in the snapshot, if the pod fits on none; any error of a plugin.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.schedulePod
 */
export function schedulePod(request: scheduling.SchedulePod): scheduling.ScheduleResult {
  return todo(KATA, 'schedulePod', 'Level 4');
}

// Level 5 · Binding

/**
 * Handles a pod that could not be scheduled. If the informer still has this pod, without a node and not ended
 * (`scheduler.getPod`, `scheduling.isUnbound`), that version is requeued before the first await, with the plugins of a
 * FitError, or with none for any other error. Then `scheduling.tellWhyItWaits` reports the reason. Otherwise the pod is
 * `done`, and nothing else happens.
 *
 * @param info - The result of `pop`.
 * @returns When the reason is reported. Never rejects.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.handleSchedulingFailure
 */
export async function handleSchedulingFailure(
  scheduler: scheduling.Scheduler,
  info: scheduling.QueuedPodInfo,
  error: unknown,
): Promise<void> {
  todo(KATA, 'handleSchedulingFailure', 'Level 5');
}

/**
 * Binds an assumed and reserved pod. It marks the pod `done` in the queue before the first await.
 *
 * It calls the bind plugins of the profile, and then `scheduling.defaultBinder` (`scheduling.runBindPlugins`). A status
 * other than `Success` is a failure: an Error with its reasons, joined by `, `.
 *
 * | result | then |
 * |---|---|
 * | bound to our node | emit the event `Normal`, `Scheduled`, `Successfully assigned default/web-1 to node-1`. The pod stays assumed until the informer shows it |
 * | failed, and not bound | undo, then {@link handleSchedulingFailure} |
 * | failed, but it may be bound (`scheduling.mayBeBound`) | read the pod (`scheduling.askServer`); it stays assumed meanwhile. The answer leads to row 1, 2, 4 or 5 |
 * | another client has bound it to another node | undo, then `scheduling.assumeElsewhere` |
 * | deleted, or replaced by another pod of its name | undo |
 *
 * To undo: `scheduling.runReservePluginsUnreserve`; {@link SchedulerCache.forgetPod}; and, if that returned true, the
 * event `scheduling.ASSIGNED_POD_DELETE` of the assumed pod to the queue, because its room is free.
 *
 * @returns When the pod is bound or handled. Never rejects. After `signal` is aborted it does nothing more.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.bindingCycle,
 * Scheduler.handleBindingCycleError
 */
export async function bindingCycle(
  scheduler: scheduling.Scheduler,
  assignment: scheduling.Assignment,
): Promise<void> {
  todo(KATA, 'bindingCycle', 'Level 5');
}

// Level 6 · The loop

/**
 * Passes a change of a pod to the cache, then to the queue.
 *
 * A pod is
 * - *placed* if it has a `spec.nodeName` and has not ended (`hasEnded`);
 * - *waiting* if it has none, has not ended, and its `spec.schedulerName` is that of the profile (absent:
 *   `default-scheduler`);
 * - *other* in all other cases, also if it is deleted.
 *
 * | before | now | |
 * |---|---|---|
 * | placed | placed | `cache.updatePod`; each event of `scheduling.podSchedulingPropertiesChange` to the queue |
 * | waiting, other | placed | `cache.addPod`; `queue.delete`; `scheduling.ASSIGNED_POD_ADD` to the queue; and if the pod was assumed on another node, `scheduling.ASSIGNED_POD_DELETE` of the assumed pod |
 * | placed | waiting, other | `cache.removePod`; `scheduling.ASSIGNED_POD_DELETE` of the previous pod to the queue |
 * | waiting | waiting | `queue.update`; nothing if it is assumed |
 * | other | waiting | `queue.add`; nothing if the cache has it |
 * | waiting, other | other | `queue.delete`. If the pod is deleted or has ended and is assumed: as in row 3, with the pod of the cache |
 *
 * A different uid means two pods: one is deleted, then the other is added. An equal `resourceVersion` is a resync:
 * nothing.
 *
 * @param previous - `undefined` if the pod was added.
 * @param current - `undefined` if it was deleted.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/eventhandlers.go addPod, updatePod, deletePod, handleAssumedPodDeletion;
 * pkg/scheduler/scheduler.go NewInformerFactory
 */
export function podChanged(
  scheduler: Pick<scheduling.Scheduler, 'profile' | 'queue' | 'cache'>,
  previous: Pod | undefined,
  current: Pod | undefined,
): void {
  todo(KATA, 'podChanged', 'Level 6');
}

/**
 * Schedules one pod. A pod to skip (`scheduling.skipPodSchedule`) is `done`. Otherwise: take a snapshot with
 * `scheduler.namespaces()`; call {@link schedulePod} from `scheduler.nextStartIndex`, and store the index that it
 * returns; assume the pod; call `scheduling.runReservePluginsReserve`; start {@link bindingCycle}. Nothing is awaited
 * before that. An error goes to {@link handleSchedulingFailure}; a pod that was assumed is forgotten first, without an
 * event to the queue, which would wake this pod itself.
 *
 * @returns When the pod is bound, or its failure is reported. Never rejects.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.ScheduleOne, Scheduler.schedulingCycle
 */
export async function scheduleOne(
  scheduler: scheduling.Scheduler,
  info: scheduling.QueuedPodInfo,
): Promise<void> {
  todo(KATA, 'scheduleOne', 'Level 6');
}

/**
 * Pops pods and calls {@link scheduleOne} for each, *without* waiting for it, until the queue is closed.
 * `scheduling.InFlightBindings` counts the unfinished calls: at most 500 at a time.
 *
 * @returns When the queue is closed, which also happens when `signal` is aborted. Then nothing more is scheduled.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/scheduler.go Scheduler.Run
 */
export async function run(scheduler: scheduling.Scheduler): Promise<void> {
  todo(KATA, 'run', 'Level 6');
}

/**
 * The scheduler: finds a node for every pod that names it (`spec.schedulerName`). `scheduling.assembleScheduler` adds
 * handlers, the start and the flushes.
 *
 * The contract for your own design:
 *
 * - Use `context.profile()`: its filters and scores, its reserve plugins, and its bind plugins before the API's `bind`.
 *   A plugin that throws, or a bind plugin that returns neither `Success` nor `Skip`, fails only this pod; call
 *   `unreserve` with the state and the node of `reserve`. A refused `reserve` is a rejection, and any event may help
 *   that pod.
 * - A pod gets one node, and every bound pod fits, however stale the informers: decisions count at once. After a
 *   timeout, read the pod before you bind it again; pause at least 50 ms between failed reads. Before the first
 *   attempt, list all pods (a `list` without a resourceVersion), because the informers may start with a state from
 *   before an earlier bind.
 * - A rejected pod waits for an event that could help it (README, Level 2), or five minutes, and in any case for its
 *   backoff: 1, 2, 4, 8, then 10 s. Errors and rejections are counted separately. Pods are tried by priority, then by
 *   waiting time.
 * - Each failed attempt leads to an event and the condition `PodScheduled` (`scheduling.tellWhyItWaits`), each bind to
 *   an event (`Scheduled`).
 * - Work until `context.signal` is aborted; then resolve, and write nothing more.
 */
export const scheduler: Component = scheduling.assembleScheduler({
  newQueue: (options) => new SchedulingQueue(options),
  newCache: () => new SchedulerCache(),
  podChanged,
  run,
});
