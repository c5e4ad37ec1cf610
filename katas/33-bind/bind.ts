/**
 * Kata 33 · The scheduling loop. Read README.md beside this file, then begin at the top: Level 1 is the queue.
 *
 * From the inside out: a {@link SchedulingQueue} knows which pod is tried next, and which pods wait for what; a
 * {@link SchedulerCache} knows which pod is, or will be, on which node; {@link scheduleOne} finds a node for one pod, and
 * {@link bindingCycle} tells the API and puts things right if that fails; {@link run} does it for one pod after another.
 *
 * To go your own way, write {@link scheduler} in any shape: its contract stands there, and the laws ask for no more.
 *
 * Objects that come from a client or a cache are shared and frozen: copy before you change. A pod is identified by its `uid`:
 * another one of the same name is another pod.
 */
import { type Component, type framework, type Node, type Pod, scheduling, todo } from '#harness';

const KATA = '33-bind';

// Level 1 · The queue

/**
 * @param count how often a pod has failed: a whole number, from 0
 * @returns how long it waits, in ms: 0 for a count of 0; otherwise `initialMs`, doubled for every failure after the first, and
 * `maxMs` at most, however large the count
 * @example
 * With a second at first and ten at most, the counts 0 to 6 give 0, 1, 2, 4, 8, 10 and 10 seconds.
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
 * The pods that wait for a node. The places are given, in `scheduling.QueuePlaces`: `this.active`, `this.backoff`,
 * `this.unschedulable` and `this.inFlight`. So are `pop`, `done`, `delete` and `close`. What moves a pod from one place to another is
 * yours. A pod is in one place at most.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go PriorityQueue
 *
 * Differs: upstream pops from those that back off while none is active (`SchedulerPopFromBackoffQ`), and knows pods by their
 * names except while they are in flight.
 */
export class SchedulingQueue extends scheduling.QueuePlaces {
  constructor(options: scheduling.SchedulingQueueOptions) {
    super(options, ({ timestampMs, consecutiveErrorsCount, unschedulableCount }) => {
      return timestampMs + backoffDurationMs(consecutiveErrorsCount || unschedulableCount, options.limits);
    });
  }

  /**
   * A pod that has no node yet has come. It becomes active, or unschedulable if it is gated (`scheduling.isGated`). All counts are 0,
   * `timestampMs` is now. One that is there already, or in flight, stays where and what it is.
   */
  add(pod: Pod): void {
    todo(KATA, 'SchedulingQueue.add', 'Level 1');
  }

  /**
   * It is this pod's turn: `pop` has taken it out of the active. It is in flight from now on.
   *
   * @returns it, with one more of `attempts`, and without `unschedulablePlugins`
   */
  protected popped(info: scheduling.QueuedPodInfo): scheduling.QueuedPodInfo {
    return todo(KATA, 'SchedulingQueue.popped', 'Level 1');
  }

  /**
   * Does the pod back off still? How long it backs off follows from a count: `consecutiveErrorsCount`, or if that is 0,
   * `unschedulableCount`. Its backoff ends {@link backoffDurationMs} of that count after `timestampMs`; at that very ms it is *not*
   * over yet. With a count of 0 there is none.
   *
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/backoff_queue.go backoffQueue.isPodBackingoff
   */
  isBackingOff(info: scheduling.QueuedPodInfo): boolean {
    return todo(KATA, 'SchedulingQueue.isBackingOff', 'Level 1');
  }

  /**
   * A pod that was popped comes back: it could not be scheduled. It is `done`; its `timestampMs` is now.
   *
   * - Without `unschedulablePlugins` something went wrong: `consecutiveErrorsCount` is one more, and it backs off.
   * - With, they turned it away: `unschedulableCount` is one more, `consecutiveErrorsCount` 0, and it is unschedulable. (Level
   *   2) But if something has happened since it was popped that makes it {@link isPodWorthRequeuing}, it backs off. So it
   *   does if it was not in flight: it is not known what has happened.
   *
   * One that waits in the queue already stays where and what it is.
   *
   * @param info what `pop` gave, except `pod`, which may be a newer version, and `unschedulablePlugins`
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go
   * PriorityQueue.AddUnschedulablePodIfNotPresent
   */
  addUnschedulableIfNotPresent(info: scheduling.QueuedPodInfo): void {
    todo(KATA, 'SchedulingQueue.addUnschedulableIfNotPresent', 'Level 1');
  }

  /** All pods whose backoff is over become active. It is called every second. */
  flushBackoffQCompleted(): void {
    todo(KATA, 'SchedulingQueue.flushBackoffQCompleted', 'Level 1');
  }

  /**
   * Pods that have been unschedulable for *more* than `scheduling.POD_MAX_IN_UNSCHEDULABLE_PODS_MS`, by `timestampMs`, and are not
   * gated, are tried again: they back off if their backoff is not over, otherwise they become active. It is called every 30 seconds.
   */
  flushUnschedulablePodsLeftover(): void {
    todo(KATA, 'SchedulingQueue.flushUnschedulablePodsLeftover', 'Level 1');
  }

  /**
   * A pod that has no node yet has changed. What counts depends on where it is:
   *
   * | the pod is | then |
   * |---|---|
   * | active, backing off | it stays where it is, and the queue has the new version |
   * | gated | the new version stays among the unschedulable; without gates it becomes active |
   * | unschedulable, not gated | the new version stays there. (Level 2) But if one of the events of the change makes it {@link isPodWorthRequeuing}, it backs off if its backoff is not over, otherwise it becomes active |
   * | in flight | what was popped is what is being scheduled. (Level 2) The events of the change are remembered for this pod |
   * | unknown | it is added |
   *
   * The events of the change are `scheduling.podSchedulingPropertiesChange`.
   *
   * @param oldPod of the same uid as `newPod`
   */
  update(oldPod: Pod, newPod: Pod): void {
    todo(KATA, 'SchedulingQueue.update', 'Level 1');
  }

  /**
   * Something has happened. Of the unschedulable pods, without the gated, those that {@link isPodWorthRequeuing} back
   * off if their backoff is not over; otherwise they become active. The others stay.
   *
   * Pods that are in flight were decided upon before it happened: it is remembered for each of them, and looked at if the pod comes back
   * turned away ({@link addUnschedulableIfNotPresent}).
   *
   * @param oldObject what it was, `undefined` for `Add`
   * @param newObject what it is, `undefined` for `Delete`
   * @param preCheck if given, only pods for which it holds are looked at; it is not asked about those in flight
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
 * Could what has happened help this pod? Only the plugins that turned it away are asked: what the others think has not
 * changed for the worse.
 *
 * @param plugins all there are; those that the pod does not name in `unschedulablePlugins` are not asked
 * @returns
 * - true if no plugin turned it away: something went wrong, and may go right the next time;
 * - true if the event is `*` of `All` (`scheduling.isWildcard`), whichever plugin turned it away;
 * - true if a plugin that turned it away has registered for the event (`framework.matches`), and its `queueingHintFn` says
 *   `Queue`, throws, or is not there. It is asked about `info.pod`. A plugin may have registered for one event several times:
 *   one `Queue` is enough;
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
 * What the scheduler takes to be true: which nodes there are, and which pods are on them. It is ahead of the informers: a pod
 * is *assumed* to be on the node that was chosen for it from the moment it was chosen, until an informer shows it there, or
 * it is forgotten because that came to nothing. A scheduler that did not assume would give the same room away twice.
 *
 * The nodes are given, in `scheduling.CachedNodes`: `this.occupy(pod)` and `this.vacate(pod)` take and give back room on the node that
 * the pod names, `snapshot` shows all nodes at one moment. So are `updatePod`, `isAssumedPod` and `getPod`, which look into
 * `this.states`. Which pods take room is yours.
 *
 * Differs: upstream knows when a binding was finished (`FinishBinding`), for a time after which an assumed pod expired; that
 * time is "never" since 1.23, so there is none here.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/cache/cache.go cacheImpl
 */
export class SchedulerCache extends scheduling.CachedNodes {
  /**
   * An informer shows this pod on the node that it names. If it was assumed it is not any more, whether on that node or on
   * another one, where it is not then. One that is known already is replaced by this version.
   *
   * @param pod has `spec.nodeName`
   */
  addPod(pod: Pod): void {
    todo(KATA, 'SchedulerCache.addPod', 'Level 3');
  }

  /** The pod is gone, or has ended: it takes no room any more, assumed or not, whatever node `pod` names. Unknown: nothing. */
  removePod(pod: Pod): void {
    todo(KATA, 'SchedulerCache.removePod', 'Level 3');
  }

  /**
   * From now on the pod takes room on this node.
   *
   * @returns the pod as it will be when it is bound: a copy with this `spec.nodeName`
   * @throws Error that names the pod if it is in the cache already, assumed or not; then nothing has changed
   */
  assumePod(pod: Pod, nodeName: string): Pod {
    return todo(KATA, 'SchedulerCache.assumePod', 'Level 3');
  }

  /**
   * It came to nothing: the pod takes no room any more. But one that an informer has shown on its node meanwhile is
   * there, whatever was assumed: nothing is forgotten then.
   *
   * @returns whether it was assumed, and is forgotten now
   */
  forgetPod(pod: Pod): boolean {
    return todo(KATA, 'SchedulerCache.forgetPod', 'Level 3');
  }
}

// Level 4 · One pod, one node

/**
 * Finds the best node for a pod: asks `filtering.findNodesThatFit` with the profile's own plugins, then
 * `scoring.prioritizeNodes` with the profile's own plugins, then `scoring.selectHost`. If only one node can run the pod, the
 * scores are not asked for.
 *
 * @throws `scheduling.NoNodesAvailableError` if the snapshot has no node; `scheduling.FitError` if none of its nodes can run the pod,
 * with the number of nodes in the snapshot; whatever a plugin throws
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.schedulePod
 */
export function schedulePod(request: scheduling.SchedulePod): scheduling.ScheduleResult {
  return todo(KATA, 'schedulePod', 'Level 4');
}

// Level 5 · Binding

/**
 * A pod could not be scheduled. If the informer still has this very pod, without a node and not ended (`scheduler.getPod`,
 * `scheduling.isUnbound`), then that version of it goes back into the queue at once, before anything is awaited, with the plugins that
 * turned it away: those of a FitError, and none for any other error. And it is told why (`scheduling.tellWhyItWaits`). Otherwise the pod
 * is done, and nothing else happens.
 *
 * @param info what was popped
 * @returns when all that is done. Never rejects
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.handleSchedulingFailure. Differs: upstream tells
 * also of pods that are gone or have a node
 */
export async function handleSchedulingFailure(
  scheduler: scheduling.Scheduler,
  info: scheduling.QueuedPodInfo,
  error: unknown,
): Promise<void> {
  todo(KATA, 'handleSchedulingFailure', 'Level 5');
}

/**
 * Binds a pod that is assumed and reserved. From here on it is not the queue's: it is done, before anything is awaited.
 *
 * The bind plugins of the profile are asked, and `scheduling.defaultBinder` after them (`scheduling.runBindPlugins`). A status that is
 * not `Success` is a failure, too: an Error with its reasons, joined by `, `.
 *
 * | what came of it | then |
 * |---|---|
 * | it is bound to our node | an event tells: `Normal`, `Scheduled`, `Successfully assigned default/web-1 to node-1`. It stays assumed until the informer shows it |
 * | it failed, and it is not bound | our node is given back, and {@link handleSchedulingFailure} |
 * | it failed, and it may be bound all the same (`scheduling.mayBeBound`) | the server is asked (`scheduling.askServer`); meanwhile the pod stays assumed. What the server says counts: it is bound to our node (first row), it is not bound (second), or one of the next two |
 * | another has bound it to another node | our node is given back, and `scheduling.assumeElsewhere` |
 * | it is gone, or another pod of its name is there | our node is given back |
 *
 * To give a node back is: `scheduling.runReservePluginsUnreserve`, {@link SchedulerCache.forgetPod}, and, if that forgot it, to tell the
 * queue that there is room: `scheduling.ASSIGNED_POD_DELETE`, of the assumed pod.
 *
 * @returns when all that is done. Never rejects. After `signal` is aborted nothing more is done
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.bindingCycle,
 * Scheduler.handleBindingCycleError. Differs: upstream never asks; it takes a bind that was not answered for one that failed,
 * and can give the room away that the pod has
 */
export async function bindingCycle(
  scheduler: scheduling.Scheduler,
  assignment: scheduling.Assignment,
): Promise<void> {
  todo(KATA, 'bindingCycle', 'Level 5');
}

// Level 6 · The loop

/**
 * A pod has come, changed or gone: tells the cache and the queue, the cache first.
 *
 * What a pod is to us:
 * - *placed*: it has a `spec.nodeName` and has not ended (`hasEnded`);
 * - *waiting*: it has none, has not ended, and its `spec.schedulerName` is the profile's (absent: `default-scheduler`);
 * - *nothing*: everything else, also that it is not there.
 *
 * | before | now | |
 * |---|---|---|
 * | placed | placed | `cache.updatePod`; the queue is told each of `scheduling.podSchedulingPropertiesChange` |
 * | else | placed | `cache.addPod`; `queue.delete`; the queue is told `scheduling.ASSIGNED_POD_ADD`; and if it was assumed on another node, `scheduling.ASSIGNED_POD_DELETE` of the assumed pod: there is room |
 * | placed | else | `cache.removePod`; the queue is told `scheduling.ASSIGNED_POD_DELETE`, of the pod as it was |
 * | waiting | waiting | `queue.update`, unless it is assumed: then nothing |
 * | nothing | waiting | `queue.add`, unless it is in the cache: then nothing |
 * | else | nothing | `queue.delete`. If it is gone or has ended, and the cache has it because it was assumed: like *placed, else*, with the pod that the cache has |
 *
 * Two of different uids are two pods: the one has gone, then the other has come. Two of the same `resourceVersion` are a
 * resync: nothing.
 *
 * @param previous `undefined` if the pod was added
 * @param current `undefined` if it is gone
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/eventhandlers.go addPod, updatePod, deletePod, handleAssumedPodDeletion;
 * its informer does not see pods that have ended: pkg/scheduler/scheduler.go NewInformerFactory.
 * Differs: there a pod that is marked for deletion while it is assumed gives its room away at once, although it may be bound; and a pod
 * that turns out to be on another node than assumed wakes no pod that waits for the room
 */
export function podChanged(
  scheduler: Pick<scheduling.Scheduler, 'profile' | 'queue' | 'cache'>,
  previous: Pod | undefined,
  current: Pod | undefined,
): void {
  todo(KATA, 'podChanged', 'Level 6');
}

/**
 * Schedules one pod. If no node is to be looked for (`scheduling.skipPodSchedule`), it is done. Otherwise: a snapshot, with
 * `scheduler.namespaces()`; {@link schedulePod}, from `scheduler.nextStartIndex` on, which then is where the next pod begins; the
 * pod is assumed; `scheduling.runReservePluginsReserve`; and {@link bindingCycle}. Nothing is awaited before that. What fails before it
 * goes to {@link handleSchedulingFailure}, and a pod that was assumed is forgotten, of which the queue is not told: it would wake the pod
 * itself.
 *
 * @returns when the pod is bound, or it is told why not. Never rejects
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.ScheduleOne, Scheduler.schedulingCycle
 */
export async function scheduleOne(
  scheduler: scheduling.Scheduler,
  info: scheduling.QueuedPodInfo,
): Promise<void> {
  todo(KATA, 'scheduleOne', 'Level 6');
}

/**
 * Schedules one pod after another, until the queue is closed: pops one, {@link scheduleOne}, which is *not* waited for, and the next. A
 * `scheduling.InFlightBindings` counts what is not finished: no more than 500 pods are being bound, or told why not, at a time.
 *
 * @returns when the queue is closed, as it is once the `signal` is aborted. Then nothing is scheduled any more
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/scheduler.go Scheduler.Run
 */
export async function run(scheduler: scheduling.Scheduler): Promise<void> {
  todo(KATA, 'run', 'Level 6');
}

/**
 * The scheduler: gives every pod that names it (`spec.schedulerName`) a node. What the rest of a cluster knows of this kata. Handlers,
 * the start and the flushes are given, in `scheduling.assembleScheduler`.
 *
 * If you write it in your own way, this is the contract:
 *
 * - It keeps to `context.profile()`: its filters and scores, its reserve plugins, its bind plugins before the API's `bind`. A plugin that
 *   throws concerns one pod: that failed. So does a bind plugin that says neither `Success` nor `Skip`. What the pod took is given back
 *   (`unreserve` with the state and the node of `reserve`). A pod that a reserve plugin refused was turned away, and whatever happens may
 *   help it.
 * - A pod gets one node, and what is on a node fits there, whatever the cache of an informer shows: what it has decided counts at once. If
 *   it is not known whether a bind was done, the server is asked before the pod is bound again, with a pause of 50 ms or more. Before it
 *   schedules anything it asks the server for all pods as they are now (a `list` without a resourceVersion): informers may begin with a
 *   state from before an earlier run was stopped.
 * - A pod that was turned away waits until an event that the plugins registered for could help it (README, Level 2), or for five minutes.
 *   A pod that failed waits for its backoff: a second, then two, four, eight, ten. What went wrong counts apart from what plugins
 *   said. Pods go by priority, then by the time since which they wait.
 * - Of each pod that was not scheduled an event and the condition `PodScheduled` tell why (`scheduling.tellWhyItWaits`); of each that was,
 *   an event (`Scheduled`).
 * - It works until `context.signal` is aborted. Then it resolves, and writes nothing any more.
 */
export const scheduler: Component = scheduling.assembleScheduler({
  newQueue: (options) => new SchedulingQueue(options),
  newCache: () => new SchedulerCache(),
  podChanged,
  run,
});
