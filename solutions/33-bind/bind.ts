/**
 * The scheduling loop. From the inside out: the {@link SchedulingQueue}, in which pods wait until there is hope; the
 * {@link SchedulerCache}, which is ahead of the informers; {@link schedulePod}, which decides on one pod and one snapshot;
 * {@link bindingCycle}, which tells the API and puts things right when that fails; and the {@link SchedulingLoop}.
 *
 * Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler
 */
import {
  type Client,
  type Clock,
  type Component,
  type ComponentContext,
  ConnectionError,
  DeletedFinalStateUnknown,
  deepEqual,
  type EventRecorder,
  formatTime,
  framework,
  isConflict,
  isConnectionRefused,
  isNotFound,
  type KubeObject,
  keyOf,
  keyToString,
  type Namespace,
  type Node,
  namespaces,
  nodes,
  type ObjectKey,
  type Pod,
  pods,
  type Random,
  type ResourceEventHandler,
  type ResourceEventHandlerRegistration,
  reasons,
  type SharedInformer,
  StatusError,
  semanticEqual,
} from '#harness';

// Level 1 · The queue

export const POD_INITIAL_BACKOFF_MS = 1_000;
export const POD_MAX_BACKOFF_MS = 10_000;
export const POD_MAX_IN_UNSCHEDULABLE_PODS_MS = 300_000;

export interface BackoffLimits {
  readonly initialMs?: number;
  readonly maxMs?: number;
}

/** Every limit is reached long before, and 2 to the power of more is infinite, of which 0 times is nothing. */
const DOUBLINGS_MAX = 1_000;

export function backoffDurationMs(count: number, limits: BackoffLimits = {}): number {
  const { initialMs = POD_INITIAL_BACKOFF_MS, maxMs = POD_MAX_BACKOFF_MS } = limits;
  if (count === 0) return 0;
  return Math.min(initialMs * 2 ** Math.min(count - 1, DOUBLINGS_MAX), maxMs);
}

/** A pod that waits or is being scheduled, and what became of it so far. A value: what changes it gives another one. */
export interface QueuedPodInfo {
  readonly pod: Pod;
  readonly timestampMs: number;
  readonly attempts: number;
  readonly unschedulableCount: number;
  readonly consecutiveErrorsCount: number;
  readonly unschedulablePlugins: ReadonlySet<string>;
}

export function less(
  a: Pick<QueuedPodInfo, 'pod' | 'timestampMs'>,
  b: Pick<QueuedPodInfo, 'pod' | 'timestampMs'>,
): boolean {
  const [priorityA, priorityB] = [a.pod.spec.priority ?? 0, b.pod.spec.priority ?? 0];
  return priorityA > priorityB || (priorityA === priorityB && a.timestampMs < b.timestampMs);
}

export type QueueingPlugin = Pick<framework.FilterPlugin, 'name' | 'eventsToRegister'>;

export interface SchedulingQueueOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly limits?: BackoffLimits;
  readonly plugins?: readonly QueueingPlugin[];
}

/** Something that happened while a pod was in flight. */
interface InFlightEvent {
  readonly event: framework.ClusterEvent;
  readonly oldObject: Pod | Node | undefined;
  readonly newObject: Pod | Node | undefined;
  /** The uid of the only pod that it concerns, if it is a change of that pod. */
  readonly onlyFor?: string;
}

/** A pod that was popped. Of {@link InFlightEvent}s, those from number `since` on happened after that. */
interface InFlight {
  readonly pod: Pod;
  readonly since: number;
}

const nobody: ReadonlySet<string> = new Set();

export class SchedulingQueue {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #limits: BackoffLimits;
  readonly #plugins: readonly QueueingPlugin[];
  // A pod is in at most one of these four, under its uid.
  readonly #active = new Heap(less);
  readonly #backoff: Heap;
  readonly #unschedulable = new UnschedulablePods();
  /** In the order in which they were popped, so that the first has seen the most events. */
  readonly #inFlight = new Map<string, InFlight>();
  /** What happened since the first of {@link #inFlight} was popped; {@link #eventsGone} more were there before. */
  readonly #events: InFlightEvent[] = [];
  #eventsGone = 0;
  readonly #waiters: ((info: QueuedPodInfo | undefined) => void)[] = [];
  readonly #registeredFor = new Map<string, readonly QueueingPlugin[]>();
  #closed = false;

  constructor({ clock, limits = {}, plugins = [] }: SchedulingQueueOptions) {
    this.#clock = clock;
    this.#limits = limits;
    // They are asked once: an event is looked up for every sleeper.
    this.#plugins = plugins.map((plugin) => {
      const events = plugin.eventsToRegister();
      return { name: plugin.name, eventsToRegister: () => events };
    });
    this.#backoff = new Heap((a, b) => this.#backoffEndsMs(a) < this.#backoffEndsMs(b));
  }

  add(pod: Pod): void {
    const { uid } = pod.metadata;
    if (this.#isWaiting(uid) || this.#inFlight.has(uid)) return;
    const counts = { attempts: 0, unschedulableCount: 0, consecutiveErrorsCount: 0 };
    const info = { pod, timestampMs: this.#clock.now(), ...counts, unschedulablePlugins: nobody };
    if (isGated(pod)) this.#unschedulable.add(info);
    else this.#active.put(info);
    this.#serve();
  }

  update(oldPod: Pod, newPod: Pod): void {
    const { uid } = newPod.metadata;
    const heap = [this.#active, this.#backoff].find((each) => each.has(uid));
    const known = heap?.get(uid) ?? this.#unschedulable.get(uid);
    if (this.#inFlight.has(uid)) {
      this.#rememberOwnChange(oldPod, newPod);
    } else if (!known) {
      this.add(newPod);
    } else {
      const info = { ...known, pod: newPod };
      if (heap) heap.put(info);
      else if (this.#hasHope(info, oldPod)) this.#requeue(info);
      else this.#unschedulable.add(info);
    }
    this.#serve();
  }

  delete({ metadata: { uid } }: Pod): void {
    this.#active.delete(uid);
    this.#backoff.delete(uid);
    this.#unschedulable.delete(uid);
  }

  pop(): Promise<QueuedPodInfo | undefined> {
    return new Promise((resolve) => {
      if (this.#closed) return resolve(undefined);
      this.#waiters.push(resolve);
      this.#serve();
    });
  }

  done(uid: string): void {
    this.#inFlight.delete(uid);
    const [first] = this.#inFlight.values();
    // What happened before the first of those that are left was popped, nobody needs any more.
    const needless = first ? first.since - this.#eventsGone : this.#events.length;
    this.#events.splice(0, needless);
    this.#eventsGone += needless;
  }

  addUnschedulableIfNotPresent(info: QueuedPodInfo): void {
    const { uid } = info.pod.metadata;
    if (!this.#isWaiting(uid)) {
      const rejected = info.unschedulablePlugins.size > 0;
      const back = {
        ...info,
        timestampMs: this.#clock.now(),
        unschedulableCount: info.unschedulableCount + (rejected ? 1 : 0),
        consecutiveErrorsCount: rejected ? 0 : info.consecutiveErrorsCount + 1,
      };
      if (rejected && !this.#missedSomething(back)) this.#unschedulable.add(back);
      else this.#requeue(back);
    }
    this.done(uid);
    this.#serve();
  }

  flushBackoffQCompleted(): void {
    for (
      let first = this.#backoff.peek();
      first && !this.#isBackingOff(first);
      first = this.#backoff.peek()
    ) {
      this.#backoff.delete(first.pod.metadata.uid);
      this.#active.put(first);
    }
    this.#serve();
  }

  flushUnschedulablePodsLeftover(): void {
    const now = this.#clock.now();
    for (const info of this.#unschedulable.list()) {
      if (isGated(info.pod) || now - info.timestampMs <= POD_MAX_IN_UNSCHEDULABLE_PODS_MS) continue;
      this.#requeue(info);
    }
    this.#serve();
  }

  close(): void {
    this.#closed = true;
    for (const resolve of this.#waiters.splice(0)) resolve(undefined);
  }

  podsInActiveQ(): Pod[] {
    return this.#active.list().map(podOf);
  }

  podsInBackoffQ(): Pod[] {
    return this.#backoff.list().map(podOf);
  }

  unschedulablePods(): Pod[] {
    return this.#unschedulable.list().map(podOf);
  }

  inFlightPods(): Pod[] {
    return [...this.#inFlight.values()].map(podOf);
  }

  moveAllToActiveOrBackoffQueue(
    event: framework.ClusterEvent,
    oldObject: Pod | Node | undefined,
    newObject: Pod | Node | undefined,
    preCheck: (pod: Pod) => boolean = () => true,
  ): void {
    const interested = isWildcard(event) ? this.#plugins : this.#pluginsRegisteredFor(event);
    if (interested.length === 0 && !isWildcard(event)) return;
    // Whom other plugins turned away, the event cannot help: of thousands who sleep only a few need be asked.
    const candidates = isWildcard(event)
      ? this.#unschedulable.list()
      : this.#unschedulable.rejectedBy(interested.map(({ name }) => name));
    for (const info of candidates) {
      if (isGated(info.pod) || !preCheck(info.pod)) continue;
      if (isPodWorthRequeuing(info, event, oldObject, newObject, interested)) this.#requeue(info);
    }
    if (this.#inFlight.size > 0) this.#events.push({ event, oldObject, newObject });
    this.#serve();
  }

  #isWaiting(uid: string): boolean {
    return this.#active.has(uid) || this.#backoff.has(uid) || this.#unschedulable.get(uid) !== undefined;
  }

  #backoffEndsMs({ timestampMs, unschedulableCount, consecutiveErrorsCount }: QueuedPodInfo): number {
    return timestampMs + backoffDurationMs(consecutiveErrorsCount || unschedulableCount, this.#limits);
  }

  #isBackingOff(info: QueuedPodInfo): boolean {
    const { unschedulableCount, consecutiveErrorsCount } = info;
    if (consecutiveErrorsCount + unschedulableCount === 0) return false;
    return this.#backoffEndsMs(info) >= this.#clock.now();
  }

  /** There is hope for it: as soon as its backoff is over, that is. */
  #requeue(info: QueuedPodInfo): void {
    this.#unschedulable.delete(info.pod.metadata.uid);
    (this.#isBackingOff(info) ? this.#backoff : this.#active).put(info);
  }

  /** Hands out what is active, as long as somebody waits for it. */
  #serve(): void {
    while (this.#waiters.length > 0) {
      const first = this.#active.peek();
      if (!first) return;
      const { pod } = first;
      this.#active.delete(pod.metadata.uid);
      this.#inFlight.set(pod.metadata.uid, { pod, since: this.#eventsGone + this.#events.length });
      this.#waiters.shift()?.({ ...first, attempts: first.attempts + 1, unschedulablePlugins: nobody });
    }
  }

  #rememberOwnChange(oldPod: Pod, newPod: Pod): void {
    for (const event of podSchedulingPropertiesChange(newPod, oldPod)) {
      this.#events.push({ event, oldObject: oldPod, newObject: newPod, onlyFor: newPod.metadata.uid });
    }
  }

  /** Does its own change help it? */
  #hasHope(info: QueuedPodInfo, oldPod: Pod): boolean {
    if (isGated(info.pod)) return false;
    if (isGated(oldPod)) return true;
    return podSchedulingPropertiesChange(info.pod, oldPod).some((event) =>
      isPodWorthRequeuing(info, event, oldPod, info.pod, this.#plugins),
    );
  }

  /** Has something happened, since it was popped, that could have changed the verdict? */
  #missedSomething(info: QueuedPodInfo): boolean {
    const { uid } = info.pod.metadata;
    const flight = this.#inFlight.get(uid);
    if (!flight) return true;
    return this.#events
      .slice(flight.since - this.#eventsGone)
      .some(
        ({ event, oldObject, newObject, onlyFor = uid }) =>
          onlyFor === uid && isPodWorthRequeuing(info, event, oldObject, newObject, this.#plugins),
      );
  }

  #pluginsRegisteredFor(event: framework.ClusterEvent): readonly QueueingPlugin[] {
    const label = `${event.resource}/${event.actionType}`;
    const known = this.#registeredFor.get(label);
    if (known) return known;
    const found = this.#plugins.filter((plugin) =>
      plugin.eventsToRegister().some((registered) => framework.matches(registered.event, event)),
    );
    this.#registeredFor.set(label, found);
    return found;
  }
}

/**
 * Pods by uid, the least of them at hand, and of those that are equal the one that came first: a binary heap that knows where
 * each pod is, so that any one can be replaced or taken out. Whatever is done takes the logarithm of their number.
 *
 * Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/backend/heap/heap.go Heap
 */
class Heap {
  readonly #less: (a: QueuedPodInfo, b: QueuedPodInfo) => boolean;
  /** None goes before the one at half its index. */
  readonly #items: HeapItem[] = [];
  readonly #indexes = new Map<string, number>();
  #came = 0;

  constructor(less: (a: QueuedPodInfo, b: QueuedPodInfo) => boolean) {
    this.#less = less;
  }

  has(uid: string): boolean {
    return this.#indexes.has(uid);
  }

  get(uid: string): QueuedPodInfo | undefined {
    const index = this.#indexes.get(uid);
    return index === undefined ? undefined : this.#items[index]?.info;
  }

  peek(): QueuedPodInfo | undefined {
    return this.#items[0]?.info;
  }

  list(): readonly QueuedPodInfo[] {
    return this.#items.map(({ info }) => info);
  }

  /** Adds it, or replaces the one of its uid. */
  put(info: QueuedPodInfo): void {
    const index = this.#indexes.get(info.pod.metadata.uid) ?? this.#items.length;
    this.#settle({ info, order: this.#items[index]?.order ?? this.#came++ }, index);
  }

  delete(uid: string): void {
    const index = this.#indexes.get(uid);
    if (index === undefined) return;
    this.#indexes.delete(uid);
    const last = this.#items.pop() as HeapItem;
    if (index < this.#items.length) this.#settle(last, index);
  }

  /** Puts it where it belongs, beginning at an index that is free for it. */
  #settle(item: HeapItem, start: number): void {
    let index = start;
    for (;;) {
      const parent = (index - 1) >> 1;
      const above = this.#items[parent];
      if (index === 0 || !above || !this.#goesBefore(item, above)) break;
      this.#place(above, index);
      index = parent;
    }
    for (;;) {
      const child = this.#firstChild(index);
      const below = this.#items[child];
      if (!below || !this.#goesBefore(below, item)) break;
      this.#place(below, index);
      index = child;
    }
    this.#place(item, index);
  }

  #firstChild(index: number): number {
    const left = 2 * index + 1;
    const [a, b] = [this.#items[left], this.#items[left + 1]];
    return a && b && this.#goesBefore(b, a) ? left + 1 : left;
  }

  #goesBefore(a: HeapItem, b: HeapItem): boolean {
    return this.#less(a.info, b.info) || (!this.#less(b.info, a.info) && a.order < b.order);
  }

  #place(item: HeapItem, index: number): void {
    this.#items[index] = item;
    this.#indexes.set(item.info.pod.metadata.uid, index);
  }
}

interface HeapItem {
  readonly info: QueuedPodInfo;
  /** How many came before it. */
  readonly order: number;
}

/** Pods by uid, and by the plugins that turned them away. */
class UnschedulablePods {
  readonly #infos = new Map<string, QueuedPodInfo>();
  readonly #byPlugin = new Map<string, Set<string>>();

  get(uid: string): QueuedPodInfo | undefined {
    return this.#infos.get(uid);
  }

  list(): readonly QueuedPodInfo[] {
    return [...this.#infos.values()];
  }

  rejectedBy(plugins: readonly string[]): readonly QueuedPodInfo[] {
    const uids = new Set(plugins.flatMap((name) => [...(this.#byPlugin.get(name) ?? [])]));
    return [...uids].map((uid) => this.#infos.get(uid) as QueuedPodInfo);
  }

  add(info: QueuedPodInfo): void {
    const { uid } = info.pod.metadata;
    this.delete(uid);
    this.#infos.set(uid, info);
    for (const plugin of info.unschedulablePlugins) {
      const uids = this.#byPlugin.get(plugin) ?? new Set();
      this.#byPlugin.set(plugin, uids.add(uid));
    }
  }

  delete(uid: string): void {
    for (const plugin of this.#infos.get(uid)?.unschedulablePlugins ?? []) {
      this.#byPlugin.get(plugin)?.delete(uid);
    }
    this.#infos.delete(uid);
  }
}

function isGated({ spec }: Pod): boolean {
  return (spec.schedulingGates ?? []).length > 0;
}

function podOf({ pod }: { readonly pod: Pod }): Pod {
  return pod;
}

// Level 2 · Who wakes whom

export function nodeSchedulingPropertiesChange(newNode: Node, oldNode: Node): framework.ClusterEvent[] {
  const [now, before] = [newNode, oldNode];
  const changes: readonly [framework.ActionType, boolean][] = [
    ['UpdateNodeTaint', before.spec.unschedulable === true && !now.spec.unschedulable],
    ['UpdateNodeAllocatable', !semanticEqual(allocatableOf(now), allocatableOf(before))],
    ['UpdateNodeLabel', !same(now.metadata.labels, before.metadata.labels)],
    ['UpdateNodeTaint', !semanticEqual(now.spec.taints, before.spec.taints)],
    ['UpdateNodeCondition', !deepEqual(conditionStatuses(now), conditionStatuses(before))],
    ['UpdateNodeAnnotation', !same(now.metadata.annotations, before.metadata.annotations)],
  ];
  return changes.flatMap(([actionType, applies]) => (applies ? [{ resource: 'Node', actionType }] : []));
}

/** By its name semanticEqual knows that what is in there are quantities. */
function allocatableOf({ status }: Node): Pick<Node['status'], 'allocatable'> {
  return status.allocatable ? { allocatable: status.allocatable } : {};
}

export function podSchedulingPropertiesChange(newPod: Pod, oldPod: Pod): framework.ClusterEvent[] {
  const resource = newPod.spec.nodeName ? 'AssignedPod' : 'Pod';
  const [now, before] = [newPod.spec, oldPod.spec];
  const changes: readonly [framework.ActionType, boolean][] = [
    ['UpdatePodLabel', !same(newPod.metadata.labels, oldPod.metadata.labels)],
    ['UpdatePodScaleDown', now !== before && asksForLess(newPod, oldPod)],
    ['UpdatePodSchedulingGatesEliminated', !isGated(newPod) && isGated(oldPod)],
    ['UpdatePodToleration', (now.tolerations ?? []).length !== (before.tolerations ?? []).length],
  ];
  return changes.flatMap(([actionType, applies]) => (applies ? [{ resource, actionType }] : []));
}

export function isPodWorthRequeuing(
  info: Pick<QueuedPodInfo, 'pod' | 'unschedulablePlugins'>,
  event: framework.ClusterEvent,
  oldObject: Pod | Node | undefined,
  newObject: Pod | Node | undefined,
  plugins: readonly QueueingPlugin[],
): boolean {
  if (info.unschedulablePlugins.size === 0 || isWildcard(event)) return true;
  return plugins.some(
    (plugin) =>
      info.unschedulablePlugins.has(plugin.name) &&
      plugin
        .eventsToRegister()
        .some(
          ({ event: registered, queueingHintFn }) =>
            framework.matches(registered, event) && couldHelp(info.pod, oldObject, newObject, queueingHintFn),
        ),
  );
}

function couldHelp(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
  queueingHintFn: framework.QueueingHintFn = () => 'Queue',
): boolean {
  try {
    return queueingHintFn(pod, oldObject, newObject) === 'Queue';
  } catch {
    // To try in vain costs little; to let it sleep on could cost five minutes.
    return true;
  }
}

function isWildcard({ resource, actionType }: framework.ClusterEvent): boolean {
  return resource === '*' && actionType === 'All';
}

function same(a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean {
  return deepEqual(a, b);
}

function conditionStatuses({ status }: Node): Record<string, string> {
  return Object.fromEntries((status.conditions ?? []).map((condition) => [condition.type, condition.status]));
}

function asksForLess(newPod: Pod, oldPod: Pod): boolean {
  const { requests: now } = framework.podInfoOf(newPod);
  const { requests: before } = framework.podInfoOf(oldPod);
  return (
    now.milliCPU < before.milliCPU ||
    now.memory < before.memory ||
    now.ephemeralStorage < before.ephemeralStorage ||
    [...before.scalar].some(([name, amount]) => (now.scalar.get(name) ?? 0) < amount)
  );
}

// Level 3 · The cache

const noNamespaces: framework.Snapshot['namespaces'] = new Map();

/** A pod in the cache. */
interface PodState {
  /** Has a node. */
  readonly pod: Pod;
  readonly assumed: boolean;
}

export class SchedulerCache {
  /** By uid. */
  readonly #pods = new Map<string, PodState>();
  /** The nodes that are there, by name, with all of their {@link #pods}. */
  readonly #nodes = new Map<string, framework.NodeInfo>();
  /** Those of {@link #pods} whose nodes are not there: by the name of the node, then by uid. */
  readonly #homeless = new Map<string, Map<string, Pod>>();
  #last = new framework.Snapshot([]);
  /** Where in the last snapshot each node is; `undefined` when nodes have come or gone since. */
  #positions: Map<string, number> | undefined;
  /** The nodes that are not as they were in the last snapshot. */
  readonly #changed = new Set<string>();

  addNode(node: Node): void {
    const { name } = node.metadata;
    const known = this.#nodes.get(name);
    if (known) {
      this.#put(known.withNode(node));
      return;
    }
    this.#nodes.set(name, framework.NodeInfo.of(node, this.#homeless.get(name)?.values()));
    this.#homeless.delete(name);
    this.#positions = undefined;
  }

  updateNode(_oldNode: Node, newNode: Node): void {
    this.addNode(newNode);
  }

  removeNode({ metadata: { name } }: Node): void {
    const known = this.#nodes.get(name);
    if (!known) return;
    this.#nodes.delete(name);
    this.#positions = undefined;
    if (known.pods.length === 0) return;
    this.#homeless.set(name, new Map(known.pods.map(({ pod }) => [pod.metadata.uid, pod])));
  }

  addPod(pod: Pod): void {
    this.removePod(pod);
    this.#addPod({ pod, assumed: false });
  }

  updatePod(_oldPod: Pod, newPod: Pod): void {
    this.addPod(newPod);
  }

  removePod({ metadata: { uid } }: Pod): void {
    const known = this.#pods.get(uid);
    if (!known) return;
    this.#pods.delete(uid);
    const { nodeName = '' } = known.pod.spec;
    const info = this.#nodes.get(nodeName);
    const homeless = this.#homeless.get(nodeName);
    if (info) this.#put(info.withoutPod(known.pod));
    homeless?.delete(uid);
    if (homeless?.size === 0) this.#homeless.delete(nodeName);
  }

  assumePod(pod: Pod, nodeName: string): Pod {
    const known = this.#pods.get(pod.metadata.uid);
    if (known) {
      throw new Error(
        `Failed to assume pod ${keyToString(keyOf(pod))}: it is in the cache already, on ${known.pod.spec.nodeName}.`,
      );
    }
    const assumed = { ...pod, spec: { ...pod.spec, nodeName } };
    this.#addPod({ pod: assumed, assumed: true });
    return assumed;
  }

  forgetPod(pod: Pod): boolean {
    if (!this.isAssumedPod(pod)) return false;
    this.removePod(pod);
    return true;
  }

  isAssumedPod({ metadata: { uid } }: Pod): boolean {
    return this.#pods.get(uid)?.assumed ?? false;
  }

  getPod({ metadata: { uid } }: Pod): Pod | undefined {
    return this.#pods.get(uid)?.pod;
  }

  snapshot(among: framework.Snapshot['namespaces'] = noNamespaces): framework.Snapshot {
    const nothingNew = this.#positions !== undefined && this.#changed.size === 0;
    if (nothingNew && among === this.#last.namespaces) return this.#last;
    this.#last = new framework.Snapshot(this.#nodeInfos(), { namespaces: among, previous: this.#last });
    this.#changed.clear();
    return this.#last;
  }

  #nodeInfos(): readonly framework.NodeInfo[] {
    if (!this.#positions) {
      this.#positions = new Map([...this.#nodes.keys()].map((name, index) => [name, index]));
      return [...this.#nodes.values()];
    }
    const nodeInfos = this.#last.nodeInfos.slice();
    for (const name of this.#changed) {
      nodeInfos[this.#positions.get(name) as number] = this.#nodes.get(name) as framework.NodeInfo;
    }
    return nodeInfos;
  }

  #addPod(state: PodState): void {
    const { pod } = state;
    const { nodeName = '' } = pod.spec;
    this.#pods.set(pod.metadata.uid, state);
    const info = this.#nodes.get(nodeName);
    if (info) {
      this.#put(info.withPod(pod));
      return;
    }
    const homeless = this.#homeless.get(nodeName) ?? new Map<string, Pod>();
    this.#homeless.set(nodeName, homeless.set(pod.metadata.uid, pod));
  }

  #put(info: framework.NodeInfo): void {
    this.#nodes.set(info.name, info);
    this.#changed.add(info.name);
  }
}

// Level 4 · One cycle

export class FitError extends Error {
  override readonly name = 'FitError';
  readonly pod: Pod;
  readonly numAllNodes: number;
  readonly diagnosis: framework.Diagnosis;

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

export class NoNodesAvailableError extends Error {
  override readonly name = 'NoNodesAvailableError';

  constructor() {
    super('no nodes available to schedule pods');
  }
}

export function skipPodSchedule(pod: Pod, cache: Pick<SchedulerCache, 'isAssumedPod'>): boolean {
  return pod.metadata.deletionTimestamp !== undefined || cache.isAssumedPod(pod);
}

export interface SchedulePod {
  readonly profile: Pick<framework.Profile, 'filtering' | 'scoring'>;
  readonly state: framework.CycleState;
  readonly pod: Pod;
  readonly snapshot: framework.Snapshot;
  readonly random: Pick<Random, 'int'>;
  readonly startIndex?: number;
}

export interface ScheduleResult {
  readonly suggestedHost: string;
  readonly feasibleNodes: number;
  readonly nextStartIndex: number;
}

export function schedulePod(request: SchedulePod): ScheduleResult {
  const { profile, state, pod, snapshot, random, startIndex = 0 } = request;
  const { filtering, scoring } = profile;
  const numAllNodes = snapshot.nodeInfos.length;
  if (numAllNodes === 0) throw new NoNodesAvailableError();
  const { plugins } = filtering;
  const found = filtering.findNodesThatFit({ plugins, state, pod, snapshot, startIndex });
  const { feasible, diagnosis, nextStartIndex } = found;
  const [first] = feasible;
  if (!first) {
    const message = filtering.fitErrorMessage(numAllNodes, diagnosis);
    throw new FitError({ pod, numAllNodes, diagnosis, message });
  }
  // The only one is the best one.
  if (feasible.length === 1) return { suggestedHost: first.name, feasibleNodes: 1, nextStartIndex };
  const scores = scoring.prioritizeNodes({ plugins: scoring.plugins, state, pod, feasible, snapshot });
  const suggestedHost = scoring.selectHost(scores, random);
  return { suggestedHost, feasibleNodes: feasible.length, nextStartIndex };
}

// Level 5 · Binding

export interface Scheduler {
  readonly profile: framework.Profile;
  readonly client: Pick<Client, 'get' | 'bind' | 'patch'>;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly signal: AbortSignal;
  readonly queue: SchedulingQueue;
  readonly cache: SchedulerCache;
  getPod(key: ObjectKey): Pod | undefined;
  log(message: string): void;
}

export interface Decision {
  readonly status: framework.Status;
  readonly plugin?: string;
}

export function runReservePluginsReserve(
  plugins: readonly framework.ReservePlugin[],
  state: framework.CycleState,
  pod: Pod,
  nodeName: string,
): Decision {
  try {
    for (const plugin of plugins) {
      const status = plugin.reserve(state, pod, nodeName);
      if (status.code === 'Success') continue;
      runReservePluginsUnreserve(plugins, state, pod, nodeName);
      return { status, plugin: plugin.name };
    }
  } catch (error) {
    runReservePluginsUnreserve(plugins, state, pod, nodeName);
    throw error;
  }
  return { status: framework.success };
}

export function runReservePluginsUnreserve(
  plugins: readonly framework.ReservePlugin[],
  state: framework.CycleState,
  pod: Pod,
  nodeName: string,
): void {
  for (const plugin of [...plugins].reverse()) plugin.unreserve(state, pod, nodeName);
}

export function defaultBinder(client: Pick<Client, 'bind'>): framework.BindPlugin {
  return {
    name: 'DefaultBinder',
    async bind(_state, pod, nodeName) {
      await client.bind(keyOf(pod), nodeName, { uid: pod.metadata.uid });
      return framework.success;
    },
  };
}

export async function runBindPlugins(
  plugins: readonly framework.BindPlugin[],
  state: framework.CycleState,
  pod: Pod,
  nodeName: string,
): Promise<framework.Status> {
  for (const plugin of plugins) {
    const status = await plugin.bind(state, pod, nodeName);
    if (status.code !== 'Skip') return status;
  }
  return framework.skip;
}

export function mayBeBound(error: unknown): boolean {
  if (isConflict(error)) return true;
  if (error instanceof StatusError) return reasons[error.reason].written === 'unknown';
  return !(error instanceof ConnectionError) || !isConnectionRefused(error);
}

export type PodCondition = NonNullable<Pod['status']['conditions']>[number];

export function podScheduledCondition(
  pod: Pod,
  reason: string,
  message: string,
  nowMs: number,
): PodCondition | undefined {
  const old = pod.status.conditions?.find(({ type }) => type === 'PodScheduled');
  const wasFalse = old?.status === 'False';
  if (wasFalse && old.reason === reason && old.message === message) return undefined;
  const lastTransitionTime = (wasFalse && old.lastTransitionTime) || formatTime(nowMs);
  return { type: 'PodScheduled', status: 'False', reason, message, lastTransitionTime };
}

export async function handleSchedulingFailure(
  scheduler: Scheduler,
  info: QueuedPodInfo,
  error: unknown,
): Promise<void> {
  const { queue, recorder, signal } = scheduler;
  const current = scheduler.getPod(keyOf(info.pod));
  if (!isUnbound(info.pod, current)) {
    queue.done(info.pod.metadata.uid);
    return;
  }
  const unschedulablePlugins = error instanceof FitError ? error.diagnosis.unschedulablePlugins : nobody;
  queue.addUnschedulableIfNotPresent({ ...info, pod: current, unschedulablePlugins });
  if (signal.aborted) return;
  const message = messageOf(error);
  recorder.event(current, 'Warning', 'FailedScheduling', truncateMessage(message));
  const unschedulable = error instanceof FitError || error instanceof NoNodesAvailableError;
  try {
    await updatePodCondition(scheduler, current, unschedulable ? 'Unschedulable' : 'SchedulerError', message);
  } catch (failure) {
    if (signal.aborted) return;
    scheduler.log(`Failed to write why pod ${keyToString(keyOf(current))} waits: ${messageOf(failure)}`);
  }
}

/** Whoever is overtaken more often has nothing to add. */
const CONDITION_TRIES_MAX = 5;

/**
 * Compares and swaps: the next attempt may have succeeded before this arrives, and then it is not true any more.
 *
 * Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/schedule_one.go updatePod; there the loop waits for it
 */
async function updatePodCondition(
  { client, clock, signal }: Pick<Scheduler, 'client' | 'clock' | 'signal'>,
  pod: Pod,
  reason: string,
  message: string,
): Promise<void> {
  let live = pod;
  for (let tries = 1; ; tries++) {
    const condition = podScheduledCondition(live, reason, message, clock.now());
    if (!condition) return;
    const { uid, resourceVersion } = live.metadata;
    const body = { metadata: { uid, resourceVersion }, status: { conditions: [condition] } };
    const options = { subresource: 'status', signal } as const;
    try {
      await client.patch(pods, keyOf(live), { type: 'strategic', body }, options);
      return;
    } catch (error) {
      if (!isConflict(error) || tries === CONDITION_TRIES_MAX) throw error;
    }
    live = await client.get(pods, keyOf(pod), { signal });
    if (!isUnbound(pod, live)) return;
  }
}

export interface Assignment {
  readonly info: QueuedPodInfo;
  readonly assumed: Pod;
  readonly state: framework.CycleState;
}

export async function bindingCycle(scheduler: Scheduler, assignment: Assignment): Promise<void> {
  const { queue, recorder, signal } = scheduler;
  const { info, assumed } = assignment;
  const { namespace, name, uid } = assumed.metadata;
  const { nodeName } = assumed.spec;
  // No event is of interest any more: the pod has a node, unless something goes wrong, and then it is tried again.
  queue.done(uid);
  try {
    const { live, error } = await bind(scheduler, assignment);
    if (signal.aborted) return;
    if (live?.spec.nodeName === nodeName) {
      recorder.event(
        assumed,
        'Normal',
        'Scheduled',
        `Successfully assigned ${namespace}/${name} to ${nodeName}`,
      );
      return;
    }
    takeOff(scheduler, assignment);
    if (live?.spec.nodeName) assumeElsewhere(scheduler, live);
    else if (live) await handleSchedulingFailure(scheduler, info, error);
  } catch (error) {
    if (!signal.aborted)
      scheduler.log(`Failed to bind pod ${keyToString(keyOf(assumed))}: ${messageOf(error)}`);
  }
}

/** What came of a bind: the pod as it is then, and what went wrong. `undefined`: it is gone. */
interface Outcome {
  readonly live: Pod | undefined;
  readonly error?: unknown;
}

/** @throws only when the scheduler is stopped meanwhile */
async function bind(scheduler: Scheduler, { info, assumed, state }: Assignment): Promise<Outcome> {
  const { profile, client } = scheduler;
  try {
    const plugins = [...profile.bind, defaultBinder(client)];
    const status = await runBindPlugins(plugins, state, assumed, assumed.spec.nodeName ?? '');
    if (status.code !== 'Success') throw new Error(status.reasons.join(', '));
    return { live: assumed };
  } catch (error) {
    if (!mayBeBound(error)) return { live: info.pod, error };
    // Until we know, the room is taken: to give it away twice is the worse mistake.
    return { live: await askServer(scheduler, assumed), error };
  }
}

const ASK_AGAIN_MS = 100;
const ASK_AGAIN_MS_MAX = 5_000;

/** The pod as it is, however long it takes to be told. `undefined` when it is gone. @throws when the scheduler is stopped */
async function askServer(
  { client, clock, signal }: Pick<Scheduler, 'client' | 'clock' | 'signal'>,
  pod: Pod,
): Promise<Pod | undefined> {
  for (let delayMs = ASK_AGAIN_MS; ; delayMs = Math.min(2 * delayMs, ASK_AGAIN_MS_MAX)) {
    try {
      const live = await client.get(pods, keyOf(pod), { signal });
      return isSame(pod, live) ? live : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      await clock.sleep(delayMs, signal);
    }
  }
}

/** It will not run there. Whoever waits for the room may have it. */
function takeOff({ profile, cache, queue }: Scheduler, { assumed, state }: Assignment): void {
  runReservePluginsUnreserve(profile.reserve, state, assumed, assumed.spec.nodeName ?? '');
  if (cache.forgetPod(assumed)) {
    queue.moveAllToActiveOrBackoffQueue(ASSIGNED_POD_DELETE, assumed, undefined);
  }
}

/** Somebody else has bound it. What the informer has seen, or has seen go, it has told. */
function assumeElsewhere(scheduler: Scheduler, live: Pod): void {
  const { cache } = scheduler;
  const seen = scheduler.getPod(keyOf(live));
  if (hasEnded(live) || !isUnbound(live, seen) || cache.getPod(live)) return;
  cache.assumePod(live, live.spec.nodeName ?? '');
}

/** Is it still the same pod, and does it still wait for a node? */
function isUnbound(pod: Pod, now: Pod | undefined): now is Pod {
  return isSame(pod, now) && !now.spec.nodeName && !hasEnded(now);
}

function isSame(pod: Pod, other: Pod | undefined): other is Pod {
  return pod.metadata.uid === other?.metadata.uid;
}

function hasEnded({ status }: Pod): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed';
}

/** Upstream: kubernetes/kubernetes@v1.34.0 pkg/apis/core/validation/validation.go NoteLengthLimit */
const NOTE_LENGTH_LIMIT = 1_024;

function truncateMessage(message: string): string {
  const suffix = ' ...';
  if (message.length <= NOTE_LENGTH_LIMIT) return message;
  return message.slice(0, NOTE_LENGTH_LIMIT - suffix.length) + suffix;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Level 6 · The loop

const ASSIGNED_POD_ADD: framework.ClusterEvent = { resource: 'AssignedPod', actionType: 'Add' };
const ASSIGNED_POD_DELETE: framework.ClusterEvent = { resource: 'AssignedPod', actionType: 'Delete' };

export function podChanged(
  scheduler: Pick<Scheduler, 'profile' | 'queue' | 'cache'>,
  previous: Pod | undefined,
  current: Pod | undefined,
): void {
  if (previous && current && !isSame(previous, current)) {
    podChanged(scheduler, previous, undefined);
    podChanged(scheduler, undefined, current);
    return;
  }
  if (previous?.metadata.resourceVersion === current?.metadata.resourceVersion) return;
  const { profile, queue, cache } = scheduler;
  const before = standingOf(previous, profile);
  const now = standingOf(current, profile);
  // Where it is `placed` or `waiting`, it is there.
  const [was, is] = [previous as Pod, current as Pod];
  if (now === 'placed' && before === 'placed') {
    cache.updatePod(was, is);
    for (const event of podSchedulingPropertiesChange(is, was)) {
      queue.moveAllToActiveOrBackoffQueue(event, was, is);
    }
  } else if (now === 'placed') {
    cache.addPod(is);
    queue.delete(is);
    queue.moveAllToActiveOrBackoffQueue(ASSIGNED_POD_ADD, undefined, is);
  } else if (now === 'waiting' && before === 'waiting') {
    if (!cache.isAssumedPod(is)) queue.update(was, is);
  } else if (now === 'waiting') {
    if (!cache.getPod(is)) queue.add(is);
  } else {
    const last = previous ?? is;
    queue.delete(last);
    const placed = cache.getPod(last);
    if (!placed) return;
    cache.removePod(placed);
    queue.moveAllToActiveOrBackoffQueue(ASSIGNED_POD_DELETE, placed, undefined);
  }
}

type Standing = 'placed' | 'waiting' | 'nothing';

function standingOf(pod: Pod | undefined, { schedulerName }: framework.Profile): Standing {
  if (!pod || hasEnded(pod)) return 'nothing';
  if (pod.spec.nodeName) return 'placed';
  return (pod.spec.schedulerName ?? 'default-scheduler') === schedulerName ? 'waiting' : 'nothing';
}

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

const FLUSH_BACKOFF_MS = 1_000;
const FLUSH_LEFTOVER_MS = 30_000;
/** How often it is asked whether the handlers have been told everything. */
const SYNCED_POLL_MS = 100;
/** So many pods are on their way at once. A server has better things to do than to answer thousands at a time. */
const ON_THEIR_WAY_MAX = 500;

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
  readonly #strangers = new Map<string, Pod>();
  #nextStartIndex = 0;
  #onTheirWay = 0;
  /** Called whenever a pod is done with, and when the scheduler is to stop. */
  #oneLess = (): void => {};

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
      this.#oneLess();
    };
    signal.addEventListener('abort', stop, { once: true });
    informers.start();
    await informers.waitForCacheSync();
    await this.#waitForHandlersSync();
    await this.#assumeBound();
    void this.#every(FLUSH_BACKOFF_MS, () => queue.flushBackoffQCompleted());
    void this.#every(FLUSH_LEFTOVER_MS, () => {
      queue.flushUnschedulablePodsLeftover();
      this.#askForStrangers();
    });
    while (!signal.aborted) {
      const info = await queue.pop();
      if (!info || signal.aborted) return;
      this.#scheduleOne(info);
      while (this.#onTheirWay >= ON_THEIR_WAY_MAX && !signal.aborted) await this.#untilOneLess();
    }
  }

  /** Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/eventhandlers.go addAllEventHandlers */
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
   * Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/eventhandlers.go Scheduler.WaitForHandlersSync
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
      if (!isSame(pod, getPod(keyOf(pod)))) this.#strangers.set(pod.metadata.uid, pod);
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

  /** A pod that came and went while nobody watched, nobody will tell of: it would be assumed for ever. */
  #askForStrangers(): void {
    const { queue, cache, getPod, log, signal } = this.#scheduler;
    for (const [uid, pod] of this.#strangers) {
      this.#strangers.delete(uid);
      if (!cache.isAssumedPod(pod) || isSame(pod, getPod(keyOf(pod)))) continue;
      const ask = async (): Promise<void> => {
        const live = await askServer(this.#scheduler, pod);
        if (live && !hasEnded(live)) this.#strangers.set(uid, pod);
        else if (cache.forgetPod(pod)) {
          queue.moveAllToActiveOrBackoffQueue(ASSIGNED_POD_DELETE, pod, undefined);
        }
      };
      ask().catch((error) => {
        if (!signal.aborted) log(messageOf(error));
      });
    }
  }

  /** Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/schedule_one.go Scheduler.ScheduleOne */
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
      this.#onItsWay(bindingCycle(this.#scheduler, { info, assumed, state }));
    } catch (error) {
      this.#onItsWay(handleSchedulingFailure(this.#scheduler, info, error));
    }
  }

  /**
   * Finds a node, and takes the room there. Nothing is awaited, so that the next pod finds it taken.
   *
   * Upstream: kubernetes/kubernetes@v1.34.0 pkg/scheduler/schedule_one.go Scheduler.schedulingCycle
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

  #onItsWay(work: Promise<void>): void {
    this.#onTheirWay++;
    void work.then(() => {
      this.#onTheirWay--;
      this.#oneLess();
    });
  }

  #untilOneLess(): Promise<void> {
    return new Promise((resolve) => {
      this.#oneLess = resolve;
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
