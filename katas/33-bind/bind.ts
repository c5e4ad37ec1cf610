/**
 * Kata 33 · The scheduling loop. Read README.md beside this file, then begin at the top: Level 1 is the queue.
 *
 * Levels 1 and 2 are the queue, and who wakes whom in it; Level 3 is what the scheduler takes to be true; Level 4 decides on
 * one pod; Level 5 tells the API, and puts things right when that fails; Level 6 is the loop that never ends.
 *
 * This is the only file that you edit. Signatures are what the tests use; inside, do as you like. Objects that come from
 * a client or a cache are shared and frozen: copy before you change. A pod is who its `uid` says it is: another one of the
 * same name is another pod.
 */
import {
  type Client,
  type Clock,
  type Component,
  type EventRecorder,
  type framework,
  type Node,
  type ObjectKey,
  type Pod,
  type Random,
  todo,
} from '#harness';

const KATA = '33-bind';

// Level 1 · The queue

/** @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go DefaultPodInitialBackoffDuration */
export const POD_INITIAL_BACKOFF_MS = 1_000;

/** @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go DefaultPodMaxBackoffDuration */
export const POD_MAX_BACKOFF_MS = 10_000;

/**
 * After so long among the unschedulable a pod is tried again, whatever has happened.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go
 * DefaultPodMaxInUnschedulablePodsDuration
 */
export const POD_MAX_IN_UNSCHEDULABLE_PODS_MS = 300_000;

/** How long a pod waits after it failed: `initialMs` the first time, `maxMs` at most. */
export interface BackoffLimits {
  /** @defaultValue {@link POD_INITIAL_BACKOFF_MS} */
  readonly initialMs?: number;
  /** @defaultValue {@link POD_MAX_BACKOFF_MS} */
  readonly maxMs?: number;
}

/**
 * @param count how often it has failed: a whole number, from 0
 * @returns in ms: 0 for a count of 0; otherwise `initialMs`, doubled for every failure after the first, and `maxMs` at most,
 * however large the count
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/backoff_queue.go
 * backoffQueue.calculateBackoffDuration
 */
export function backoffDurationMs(count: number, limits: BackoffLimits = {}): number {
  return todo(KATA, 'backoffDurationMs', 'Level 1');
}

/**
 * A pod that waits or is being scheduled, and what became of it so far. A value: what changes it gives another one.
 *
 * @see Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go QueuedPodInfo
 */
export interface QueuedPodInfo {
  readonly pod: Pod;
  /** When it was added to the queue, or came back to it last: ms since 1970. To be moved from one part to another does not count. */
  readonly timestampMs: number;
  /** How often it was popped. */
  readonly attempts: number;
  /** How often it was turned away by plugins. */
  readonly unschedulableCount: number;
  /** How often it came back last, one time after the other, because something went wrong. */
  readonly consecutiveErrorsCount: number;
  /** The plugins that turned it away last. Empty: none did. */
  readonly unschedulablePlugins: ReadonlySet<string>;
}

/**
 * Who goes first?
 *
 * @returns true when `a` goes before `b`: its `spec.priority` is higher (absent: 0), or the same and its `timestampMs` is
 * earlier
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/queuesort/priority_sort.go PrioritySort.Less
 */
export function less(
  a: Pick<QueuedPodInfo, 'pod' | 'timestampMs'>,
  b: Pick<QueuedPodInfo, 'pod' | 'timestampMs'>,
): boolean {
  return todo(KATA, 'less', 'Level 1');
}

/** What a queue needs to know of a plugin: its name, and what could make it change its mind. */
export type QueueingPlugin = Pick<framework.FilterPlugin, 'name' | 'eventsToRegister'>;

/** What a queue needs to be given. */
export interface SchedulingQueueOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly limits?: BackoffLimits;
  /** Those that may turn pods away (Level 2). They say the same whenever they are asked. @defaultValue none */
  readonly plugins?: readonly QueueingPlugin[];
}

/**
 * The pods that wait for a node. A pod is in one place at most:
 *
 * - *active*: whoever is first by {@link less} is popped next.
 * - *backing off*: it failed, and waits for its backoff to end.
 * - *unschedulable*: plugins have turned it away, and nothing has happened since that could help; or it is *gated*: its
 *   `spec.schedulingGates` are not empty.
 * - *in flight*: popped, and neither {@link done} nor back.
 *
 * How long it backs off follows from its count: `consecutiveErrorsCount`, or when that is 0, `unschedulableCount`. Its
 * backoff ends {@link backoffDurationMs} of that count after `timestampMs`; at that very ms it is *not* over yet. With a count
 * of 0 there is none.
 *
 * Sentences marked (Level 2) are for later. Thousands of pods may wait: upstream keeps the first two places in heaps. Tests do
 * not measure it.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go PriorityQueue, active_queue.go
 * activeQueue, backoff_queue.go backoffQueue, unschedulable_pods.go unschedulablePods
 *
 * Differs: upstream pops from those that back off while none is active (`SchedulerPopFromBackoffQ`), and knows pods by their
 * names except while they are in flight.
 */
export class SchedulingQueue {
  constructor(options: SchedulingQueueOptions) {
    todo(KATA, 'SchedulingQueue', 'Level 1');
  }

  /**
   * A pod that has no node yet has come. It becomes active, or unschedulable when it is gated. All counts are 0,
   * `timestampMs` is now. One that is there already, or in flight, stays where and what it is.
   */
  add(pod: Pod): void {
    todo(KATA, 'SchedulingQueue.add', 'Level 1');
  }

  /**
   * A pod that has no node yet has changed.
   *
   * - Active or backing off: it stays where it is, and the queue has the new version.
   * - Gated: the new version stays among the unschedulable; without gates it becomes active.
   * - Unschedulable and not gated: the new version stays there, unless (Level 2) one of the events of the change,
   *   {@link podSchedulingPropertiesChange}, makes it {@link isPodWorthRequeuing}: then it backs off if its backoff is not
   *   over, otherwise it becomes active.
   * - In flight: the version that was popped is what is being scheduled. (Level 2) The events of the change are remembered
   *   for this pod, as those of {@link moveAllToActiveOrBackoffQueue} are.
   * - Unknown: it is added.
   *
   * @param oldPod of the same uid as `newPod`
   */
  update(oldPod: Pod, newPod: Pod): void {
    todo(KATA, 'SchedulingQueue.update', 'Level 1');
  }

  /**
   * The pod is gone, or has a node: it waits no more. One in flight stays in flight: whoever has it looks, before it comes
   * back, whether it is still there. Unknown: nothing.
   */
  delete(pod: Pod): void {
    todo(KATA, 'SchedulingQueue.delete', 'Level 1');
  }

  /**
   * Takes the first of the active, or waits until there is one. From then on it is in flight.
   *
   * @returns its `attempts` one more, its `unschedulablePlugins` empty. Several who wait are served in the order in which they
   * came. `undefined` when the queue is closed, also for those who wait already
   */
  async pop(): Promise<QueuedPodInfo | undefined> {
    return todo(KATA, 'SchedulingQueue.pop', 'Level 1');
  }

  /** The pod of this uid is not in flight any more; what was remembered for it is forgotten. Unknown: nothing. */
  done(uid: string): void {
    todo(KATA, 'SchedulingQueue.done', 'Level 1');
  }

  /**
   * A pod that was popped comes back: it could not be scheduled. It is {@link done}; its `timestampMs` is now.
   *
   * - Without `unschedulablePlugins` something went wrong: `consecutiveErrorsCount` is one more, and it backs off.
   * - With, they turned it away: `unschedulableCount` is one more, `consecutiveErrorsCount` 0, and it is unschedulable. (Level
   *   2) But when something has happened since it was popped that makes it {@link isPodWorthRequeuing}, it backs off. So it
   *   does when it was not in flight: nobody knows what has happened.
   *
   * One that waits in the queue already stays where and what it is.
   *
   * @param info what {@link pop} gave, but for `pod`, which may be a newer version, and `unschedulablePlugins`
   */
  addUnschedulableIfNotPresent(info: QueuedPodInfo): void {
    todo(KATA, 'SchedulingQueue.addUnschedulableIfNotPresent', 'Level 1');
  }

  /** All whose backoff is over become active. Whoever runs a queue calls this every second. */
  flushBackoffQCompleted(): void {
    todo(KATA, 'SchedulingQueue.flushBackoffQCompleted', 'Level 1');
  }

  /**
   * Those that have been unschedulable for *more* than {@link POD_MAX_IN_UNSCHEDULABLE_PODS_MS}, by `timestampMs`, and are not
   * gated, are tried again: they back off if their backoff is not over, otherwise they become active. Whoever runs a queue
   * calls this every 30 seconds.
   */
  flushUnschedulablePodsLeftover(): void {
    todo(KATA, 'SchedulingQueue.flushUnschedulablePodsLeftover', 'Level 1');
  }

  /** Nothing is popped any more. To close twice does no harm. Differs: upstream still gives out what is active. */
  close(): void {
    todo(KATA, 'SchedulingQueue.close', 'Level 1');
  }

  /** @returns the active ones, in any order; for those who look on */
  podsInActiveQ(): Pod[] {
    return todo(KATA, 'SchedulingQueue.podsInActiveQ', 'Level 1');
  }

  /** @returns those that back off, in any order; for those who look on */
  podsInBackoffQ(): Pod[] {
    return todo(KATA, 'SchedulingQueue.podsInBackoffQ', 'Level 1');
  }

  /** @returns the unschedulable, gated ones among them, in any order; for those who look on */
  unschedulablePods(): Pod[] {
    return todo(KATA, 'SchedulingQueue.unschedulablePods', 'Level 1');
  }

  /** @returns those in flight as they were when they were popped, in any order; for those who look on */
  inFlightPods(): Pod[] {
    return todo(KATA, 'SchedulingQueue.inFlightPods', 'Level 1');
  }

  /**
   * (Level 2) Something has happened. Of the unschedulable pods, without the gated, those that {@link isPodWorthRequeuing} back
   * off if their backoff is not over; otherwise they become active. The others stay.
   *
   * Pods that are in flight were decided upon before it happened: it is remembered, and looked at for those that come back
   * turned away ({@link addUnschedulableIfNotPresent}).
   *
   * An event that no plugin has registered for is nobody's business, but `*` of `All` is everybody's.
   *
   * @param oldObject what it was, `undefined` for `Add`
   * @param newObject what it is, `undefined` for `Delete`
   * @param preCheck when given, only pods for which it holds are looked at; it is not asked about those in flight
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

// Level 2 · Who wakes whom

/**
 * What has happened to a node that may matter to a pod. Each of these is an event of the resource `Node`:
 *
 * | action | when |
 * |---|---|
 * | `UpdateNodeTaint` | it was `spec.unschedulable` and is not any more |
 * | `UpdateNodeAllocatable` | `status.allocatable` is not the same amounts |
 * | `UpdateNodeLabel` | labels are not the same |
 * | `UpdateNodeTaint` | `spec.taints` are not the same |
 * | `UpdateNodeCondition` | the statuses of `status.conditions`, by type, are not the same; times and messages do not count |
 * | `UpdateNodeAnnotation` | annotations are not the same |
 *
 * Absent and empty are the same. Quantities are the same when the amounts are: `1` and `1000m`.
 *
 * @returns those that apply, in this order; `UpdateNodeTaint` twice when both do. Empty when nothing that matters has changed
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/events.go NodeSchedulingPropertiesChange
 */
export function nodeSchedulingPropertiesChange(newNode: Node, oldNode: Node): framework.ClusterEvent[] {
  return todo(KATA, 'nodeSchedulingPropertiesChange', 'Level 2');
}

/**
 * What has happened to a pod that may matter to a pod, be it itself. Each of these is an event of the resource `AssignedPod`
 * when the *new* pod has a node, of `Pod` when it has none (or an empty one):
 *
 * | action | when |
 * |---|---|
 * | `UpdatePodLabel` | labels are not the same; absent and empty are |
 * | `UpdatePodScaleDown` | of any resource it asks for less than before, or not at all any more; `podInfoOf(pod).requests` has the sums |
 * | `UpdatePodSchedulingGatesEliminated` | it had `spec.schedulingGates` and has none any more |
 * | `UpdatePodToleration` | it has another *number* of `spec.tolerations`: they can only be added |
 *
 * @returns those that apply, in this order; empty when none does
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/events.go PodSchedulingPropertiesChange. Differs: when
 * none applies, upstream gives one that says `Update`, which no plugin of ours registers for
 */
export function podSchedulingPropertiesChange(newPod: Pod, oldPod: Pod): framework.ClusterEvent[] {
  return todo(KATA, 'podSchedulingPropertiesChange', 'Level 2');
}

/**
 * Could what has happened help this pod? Only the plugins that turned it away are asked: what the others think has not
 * changed for the worse.
 *
 * @param plugins all there are; those that the pod does not name in `unschedulablePlugins` have no say
 * @returns
 * - true when nobody turned it away: something went wrong, and may go right the next time;
 * - true when the event is `*` of `All`, whoever turned it away;
 * - true when a plugin that turned it away has registered for the event (`framework.matches`), and its `queueingHintFn` says
 *   `Queue`, throws, or is not there. It is asked about `info.pod`. A plugin may have registered for one event several times:
 *   one `Queue` is enough;
 * - false otherwise
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go
 * PriorityQueue.isPodWorthRequeuing
 */
export function isPodWorthRequeuing(
  info: Pick<QueuedPodInfo, 'pod' | 'unschedulablePlugins'>,
  event: framework.ClusterEvent,
  oldObject: Pod | Node | undefined,
  newObject: Pod | Node | undefined,
  plugins: readonly QueueingPlugin[],
): boolean {
  return todo(KATA, 'isPodWorthRequeuing', 'Level 2');
}

// Level 3 · The cache

/**
 * What the scheduler takes to be true: which nodes there are, and which pods are on them. It is ahead of the informers: a pod
 * is *assumed* to be on the node that was chosen for it from the moment it was chosen, until an informer shows it there, or
 * it is forgotten because that came to nothing. Whoever did not assume would give the same room away twice.
 *
 * Pods of nodes that are not there (not yet, or not any more) are known, and count as soon as their node comes.
 *
 * Differs: upstream knows when a binding was finished (`FinishBinding`), for a time after which an assumed pod expired; that
 * time is "never" since 1.23, so there is none here.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/cache/cache.go cacheImpl
 */
export class SchedulerCache {
  constructor() {
    todo(KATA, 'SchedulerCache', 'Level 3');
  }

  /** A node has come. One of its name that is there already is replaced; its pods stay. */
  addNode(node: Node): void {
    todo(KATA, 'SchedulerCache.addNode', 'Level 3');
  }

  /** A node has changed; as {@link addNode}. */
  updateNode(oldNode: Node, newNode: Node): void {
    todo(KATA, 'SchedulerCache.updateNode', 'Level 3');
  }

  /**
   * A node has gone: it is in no snapshot any more. Its pods are remembered, because what becomes of them is told
   * separately, and may be told later. Unknown: nothing.
   */
  removeNode(node: Node): void {
    todo(KATA, 'SchedulerCache.removeNode', 'Level 3');
  }

  /**
   * An informer shows this pod on the node that it names. If it was assumed it is not any more, be it on that node or on
   * another one, where it is not then. One that is known already is replaced by this version.
   *
   * @param pod has `spec.nodeName`
   */
  addPod(pod: Pod): void {
    todo(KATA, 'SchedulerCache.addPod', 'Level 3');
  }

  /** A pod that has a node has changed; as {@link addPod} of the new one. Both are of the same uid. */
  updatePod(oldPod: Pod, newPod: Pod): void {
    todo(KATA, 'SchedulerCache.updatePod', 'Level 3');
  }

  /** The pod is gone, or has ended: it takes no room any more, assumed or not, whatever node `pod` names. Unknown: nothing. */
  removePod(pod: Pod): void {
    todo(KATA, 'SchedulerCache.removePod', 'Level 3');
  }

  /**
   * From now on the pod takes room on this node.
   *
   * @returns the pod as it will be when it is bound: a copy with this `spec.nodeName`
   * @throws Error that names the pod when it is in the cache already, assumed or not; then nothing has changed
   */
  assumePod(pod: Pod, nodeName: string): Pod {
    return todo(KATA, 'SchedulerCache.assumePod', 'Level 3');
  }

  /**
   * It came to nothing: the pod takes no room any more. But one that an informer has shown on its node in the meantime is
   * there, whatever we thought: nothing is forgotten then.
   *
   * @returns whether it was assumed, and is forgotten now
   */
  forgetPod(pod: Pod): boolean {
    return todo(KATA, 'SchedulerCache.forgetPod', 'Level 3');
  }

  /** @returns true from {@link assumePod} until an informer shows it, or it is forgotten or removed */
  isAssumedPod(pod: Pod): boolean {
    return todo(KATA, 'SchedulerCache.isAssumedPod', 'Level 3');
  }

  /** @returns the pod of this uid as the cache has it, with its node; `undefined` when it does not know it */
  getPod(pod: Pod): Pod | undefined {
    return todo(KATA, 'SchedulerCache.getPod', 'Level 3');
  }

  /**
   * Everything at this moment: each node that is there, with the pods on it, assumed ones included. What happens to the
   * cache later does not change it. A node that has not changed since the last snapshot is the same `NodeInfo` object in
   * both: plugins rely on that to be fast.
   *
   * Nodes are in any order, but in the same from one snapshot to the next as long as none comes or goes. Differs: upstream
   * goes round the zones.
   *
   * @param namespaces goes into the snapshot as it is
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/cache/cache.go cacheImpl.UpdateSnapshot
   */
  snapshot(namespaces?: framework.Snapshot['namespaces']): framework.Snapshot {
    return todo(KATA, 'SchedulerCache.snapshot', 'Level 3');
  }
}

// Level 4 · One cycle

/**
 * No node can run the pod. Written already.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/types.go FitError
 */
export class FitError extends Error {
  override readonly name = 'FitError';
  readonly pod: Pod;
  readonly numAllNodes: number;
  readonly diagnosis: framework.Diagnosis;

  /** @param options.message the sentence of {@link framework.Filtering.fitErrorMessage} */
  constructor(options: {
    readonly pod: Pod;
    readonly numAllNodes: number;
    readonly diagnosis: framework.Diagnosis;
    readonly message: string;
  }) {
    super(options.message);
    this.pod = options.pod;
    this.numAllNodes = options.numAllNodes;
    this.diagnosis = options.diagnosis;
  }
}

/**
 * There are no nodes at all, so no plugin has turned the pod away. Written already.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/scheduler.go ErrNoNodesAvailable
 */
export class NoNodesAvailableError extends Error {
  override readonly name = 'NoNodesAvailableError';

  constructor() {
    super('no nodes available to schedule pods');
  }
}

/**
 * Need nobody look for a node for this pod?
 *
 * @param cache where the pod may be assumed: its update came in between, and put it into the queue once more
 * @returns true when it is being deleted (it has a `deletionTimestamp`) or is assumed; false otherwise
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.skipPodSchedule
 */
export function skipPodSchedule(pod: Pod, cache: Pick<SchedulerCache, 'isAssumedPod'>): boolean {
  return todo(KATA, 'skipPodSchedule', 'Level 4');
}

/** What {@link schedulePod} needs to be given. */
export interface SchedulePod {
  readonly profile: Pick<framework.Profile, 'filtering' | 'scoring'>;
  /** Of this cycle, and no other. */
  readonly state: framework.CycleState;
  readonly pod: Pod;
  readonly snapshot: framework.Snapshot;
  readonly random: Pick<Random, 'int'>;
  /** Where in the snapshot to begin. @defaultValue 0 */
  readonly startIndex?: number;
}

/**
 * Where a pod goes.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go ScheduleResult
 */
export interface ScheduleResult {
  /** The name of the node. */
  readonly suggestedHost: string;
  /** How many nodes could have run it, of those that were looked at. */
  readonly feasibleNodes: number;
  /** Where the next pod begins: what `findNodesThatFit` gave. */
  readonly nextStartIndex: number;
}

/**
 * Finds the best node for a pod: asks `filtering.findNodesThatFit` with the profile's own plugins, then
 * `scoring.prioritizeNodes` with the profile's own plugins, then `scoring.selectHost`. When only one node can run the pod, the
 * scores are not asked for.
 *
 * @throws NoNodesAvailableError when the snapshot has no node; FitError when none of its nodes can run the pod, with the number
 * of nodes in the snapshot; whatever a plugin throws
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.schedulePod
 */
export function schedulePod(request: SchedulePod): ScheduleResult {
  return todo(KATA, 'schedulePod', 'Level 4');
}

// Level 5 · Binding

/** What the pieces below work with, and what Level 6 puts together. */
export interface Scheduler {
  readonly profile: framework.Profile;
  readonly client: Pick<Client, 'get' | 'bind' | 'patch'>;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  /** Aborted when the scheduler is to stop: then nothing is asked, written or recorded any more. */
  readonly signal: AbortSignal;
  readonly queue: SchedulingQueue;
  readonly cache: SchedulerCache;
  /** What the informer has under this key: perhaps another pod of that name. */
  getPod(key: ObjectKey): Pod | undefined;
  /** Writes a line into the trace. */
  log(message: string): void;
}

/** What plugins said together. */
export interface Decision {
  readonly status: framework.Status;
  /** The name of the one that said it; absent when they were of one mind. */
  readonly plugin?: string;
}

/**
 * Asks the plugins, in their order, to set something aside for the pod.
 *
 * @returns `success`, and no plugin, when all said `Success`; otherwise what the first said that did not, and its name. The
 * ones after it were not asked then, and it has been undone: {@link runReservePluginsUnreserve} of *all*
 * @throws what a plugin threw, undone as well
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/runtime/framework.go
 * frameworkImpl.RunReservePluginsReserve; there the caller undoes
 */
export function runReservePluginsReserve(
  plugins: readonly framework.ReservePlugin[],
  state: framework.CycleState,
  pod: Pod,
  nodeName: string,
): Decision {
  return todo(KATA, 'runReservePluginsReserve', 'Level 5');
}

/**
 * Asks all plugins, the last one first, to undo what they set aside.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/runtime/framework.go
 * frameworkImpl.RunReservePluginsUnreserve
 */
export function runReservePluginsUnreserve(
  plugins: readonly framework.ReservePlugin[],
  state: framework.CycleState,
  pod: Pod,
  nodeName: string,
): void {
  todo(KATA, 'runReservePluginsUnreserve', 'Level 5');
}

/**
 * The plugin that binds a pod as usual: by the API's `bind`, of this incarnation of the pod only. Its name is `DefaultBinder`.
 * It says `Success` when the server has done it, and throws what the client rejects with.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/defaultbinder/default_binder.go
 * DefaultBinder.Bind
 */
export function defaultBinder(client: Pick<Client, 'bind'>): framework.BindPlugin {
  return todo(KATA, 'defaultBinder', 'Level 5');
}

/**
 * Asks the plugins, in their order, to bind the pod; the first that does not say `Skip` has decided.
 *
 * @returns what it said; `skip` when all did, or there are none
 * @throws what a plugin threw; the ones after it are not asked
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/runtime/framework.go frameworkImpl.RunBindPlugins
 */
export async function runBindPlugins(
  plugins: readonly framework.BindPlugin[],
  state: framework.CycleState,
  pod: Pod,
  nodeName: string,
): Promise<framework.Status> {
  return todo(KATA, 'runBindPlugins', 'Level 5');
}

/**
 * A bind has failed. Could the pod have a node all the same?
 *
 * @returns
 * - true when nobody knows whether it was done: a ConnectionError other than `ECONNREFUSED`, a StatusError whose reason may
 *   have been written (`reasons[…].written`), and whatever is neither of the two;
 * - true for `Conflict`: that it has a node already is one of the reasons for it;
 * - false otherwise
 *
 * Differs: upstream takes every failure for a no.
 */
export function mayBeBound(error: unknown): boolean {
  return todo(KATA, 'mayBeBound', 'Level 5');
}

export type PodCondition = NonNullable<Pod['status']['conditions']>[number];

/**
 * The condition `PodScheduled` that says why a pod has no node.
 *
 * @param reason `Unschedulable` or `SchedulerError`
 * @param nowMs ms since 1970
 * @returns `undefined` when the pod has a condition of this type that says the same: `status`, `reason` and `message`.
 * Otherwise type `PodScheduled`, status `False`, reason and message, and `lastTransitionTime`: that of the condition
 * it has if its status is `False`, too; else now, in the form of the API (`formatTime`)
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go UpdatePodCondition
 */
export function podScheduledCondition(
  pod: Pod,
  reason: string,
  message: string,
  nowMs: number,
): PodCondition | undefined {
  return todo(KATA, 'podScheduledCondition', 'Level 5');
}

/**
 * A pod could not be scheduled.
 *
 * 1. At once, before anything is awaited: if the informer still has this very pod (its uid), without a node and not ended
 *    (`status.phase` neither `Succeeded` nor `Failed`), that version of it goes back into the queue, with the plugins that
 *    turned it away: those of a {@link FitError}, and none for any other error. Otherwise it is done, and nothing else happens.
 * 2. An event tells: `Warning`, `FailedScheduling`, the error's message, cut to 1,024 characters; the last four of one that was
 *    cut are ` ...`.
 * 3. {@link podScheduledCondition}, if there is one, is written by a patch of the status: reason `Unschedulable` for a FitError
 *    and a {@link NoNodesAvailableError}, `SchedulerError` for any other; the whole message. It must not land on a pod that has
 *    been bound in the meantime, nor on another of its name.
 *
 * @param info what was popped
 * @returns when all that is done. Never rejects: that the condition could not be written is logged
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.handleSchedulingFailure, updatePod,
 * truncateMessage. Differs: upstream tells also of pods that are gone or have a node
 */
export async function handleSchedulingFailure(
  scheduler: Scheduler,
  info: QueuedPodInfo,
  error: unknown,
): Promise<void> {
  todo(KATA, 'handleSchedulingFailure', 'Level 5');
}

/** A pod on its way to a node. */
export interface Assignment {
  /** What was popped. */
  readonly info: QueuedPodInfo;
  /** What {@link SchedulerCache.assumePod} gave. */
  readonly assumed: Pod;
  readonly state: framework.CycleState;
}

/**
 * Binds a pod that is assumed and reserved. From here on it is not in the queue's hands: it is done, before anything is
 * awaited.
 *
 * The plugins of the profile are asked, and {@link defaultBinder} after them.
 *
 * - Bound: an event tells, `Normal`, `Scheduled`, `Successfully assigned default/web-1 to node-1`. The pod stays assumed until
 *   the informer shows it.
 * - Failed: when {@link mayBeBound}, the server is asked for the pod as it is now (a `get` without a resourceVersion), again
 *   and again, after a pause of 50 ms at least, else yours, until it gives the pod or says that there is none: any other refusal is no answer.
 *   Meanwhile the pod stays assumed. What it says counts:
 *   - on this node: bound, as above;
 *   - on another node: this pod is taken off ours, and assumed there until the informer shows it, unless the informer does
 *     already or has no such pod any more;
 *   - gone, or another pod of that name: taken off;
 *   - without a node: it was not bound, as for any other error: taken off, and {@link handleSchedulingFailure}.
 *
 *   To take a pod off is: {@link runReservePluginsUnreserve}, {@link SchedulerCache.forgetPod}, and, if that forgot it, to tell the
 *   queue that there is room: an `AssignedPod` was the assumed one, and there was a `Delete`. A status that plugins give that is
 *   not `Success` is a failure, too: an Error with its reasons, joined by `, `.
 *
 * @returns when all that is done. Never rejects. After `signal` is aborted nothing more is done
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.bindingCycle,
 * Scheduler.handleBindingCycleError. Differs: upstream never asks; it takes a bind that was not answered for one that failed,
 * and can give the room away that the pod has
 */
export async function bindingCycle(scheduler: Scheduler, assignment: Assignment): Promise<void> {
  todo(KATA, 'bindingCycle', 'Level 5');
}

// Level 6 · The loop

/**
 * A pod has come, changed or gone: tells the cache and the queue, the cache first.
 *
 * What a pod is to us:
 * - *placed*: it has a `spec.nodeName` and has not ended (`status.phase` neither `Succeeded` nor `Failed`);
 * - *waiting*: it has none, has not ended, and its `spec.schedulerName` is the profile's (absent: `default-scheduler`);
 * - *nothing*: everything else, also that it is not there.
 *
 * | before | now | |
 * |---|---|---|
 * | placed | placed | `cache.updatePod`; the queue is told each of {@link podSchedulingPropertiesChange} |
 * | else | placed | `cache.addPod`; `queue.delete`; the queue is told `Add` of `AssignedPod` |
 * | placed | else | `cache.removePod`; the queue is told `Delete` of `AssignedPod`, of the pod as it was |
 * | waiting | waiting | `queue.update`, unless it is assumed: then nothing |
 * | nothing | waiting | `queue.add`, unless it is in the cache: then nothing |
 * | else | nothing | `queue.delete`; and if it is in the cache, where it was assumed: as a placed one, of the pod as the cache has it |
 *
 * Two of different uids are two pods: the one has gone, then the other has come. Two of the same `resourceVersion` are a
 * resync: nothing.
 *
 * @param previous `undefined` when the pod was added
 * @param current `undefined` when it is gone
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/eventhandlers.go addPod, updatePod, deletePod, handleAssumedPodDeletion;
 * its informer does not see pods that have ended: pkg/scheduler/scheduler.go NewInformerFactory.
 * Differs: there a pod that is marked for deletion while it is assumed gives its room away at once, although it may be bound
 */
export function podChanged(
  scheduler: Pick<Scheduler, 'profile' | 'queue' | 'cache'>,
  previous: Pod | undefined,
  current: Pod | undefined,
): void {
  todo(KATA, 'podChanged', 'Level 6');
}

/**
 * A node has come, changed or gone: tells the cache, then the queue: `Add`, each of {@link nodeSchedulingPropertiesChange}, or
 * `Delete`, of the resource `Node`.
 *
 * @param previous `undefined` when the node was added
 * @param current `undefined` when it is gone
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/eventhandlers.go addNodeToCache, updateNodeInCache,
 * deleteNodeFromCache
 */
export function nodeChanged(
  scheduler: Pick<Scheduler, 'queue' | 'cache'>,
  previous: Node | undefined,
  current: Node | undefined,
): void {
  todo(KATA, 'nodeChanged', 'Level 6');
}

/**
 * The scheduler: gives every pod that names it a node.
 *
 * It follows pods, nodes and namespaces through its informers. Before it schedules anything it asks the server for all pods as
 * they are now (a `list` without a resourceVersion), until it is answered: its informers may begin with a state from before an earlier self of
 * it was stopped. Pods that have a node there, have not ended, and are not in the cache, are assumed on it. The informer may be
 * ahead of that answer, or never see such a pod at all if it goes while nobody watches: of those that it does not show after
 * 30 seconds, the server is asked again, from time to time, until they are shown; those that are gone or have ended are
 * forgotten, and the queue is told as of any pod that goes.
 *
 * Then, one pod at a time: pop; skip those that need none ({@link skipPodSchedule}; of one that is being deleted an event tells,
 * `Warning`, `FailedScheduling`, `skip schedule deleting pod: default/web-1`); take a snapshot; {@link schedulePod}; assume;
 * reserve; and {@link bindingCycle}, which is *not* waited for: the next pod is scheduled meanwhile. What fails before that goes to
 * {@link handleSchedulingFailure}, which is not waited for either, and what was assumed is forgotten, of which the queue is not told: it would wake
 * the pod itself. When a plugin will not
 * reserve, that is a FitError of one node, the chosen one, with that plugin; as it has not said what could change its mind,
 * everything that happens could. No more than 500 pods are being bound at a time: then it waits until one of them is done
 * with, before it takes the next; whether those count of which it is being written why they wait is up to you.
 *
 * Meanwhile the queue is flushed: the backoff every second, the leftover every 30 seconds.
 *
 * It keeps to `context.profile()`, and works until `context.signal` is aborted: then it resolves, and nothing is written any more.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/scheduler.go Scheduler.Run, schedule_one.go Scheduler.ScheduleOne,
 * Scheduler.schedulingCycle. Differs: upstream does not ask the server at the start, and can give room away that pods have
 * which its first list does not show
 */
export const scheduler: Component = async (context) => {
  todo(KATA, 'scheduler', 'Level 6');
};
