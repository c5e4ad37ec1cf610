/** Level 1 · The queue. */
import { type Clock, framework, type Node, type Pod } from '#harness';
import { type BackoffLimits, backoffDurationMs } from './backoff.ts';
import { isGated, isPodWorthRequeuing, isWildcard, podSchedulingPropertiesChange } from './events.ts';
import { Heap } from './heap.ts';
import { UnschedulablePods } from './unschedulable-pods.ts';

export const POD_MAX_IN_UNSCHEDULABLE_PODS_MS = 300_000;

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

/** The `unschedulablePlugins` of a pod that no plugin has turned away. */
export const noPlugins: ReadonlySet<string> = new Set();

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
    const info = { pod, timestampMs: this.#clock.now(), ...counts, unschedulablePlugins: noPlugins };
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
      this.#waiters.shift()?.({ ...first, attempts: first.attempts + 1, unschedulablePlugins: noPlugins });
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

function podOf({ pod }: { readonly pod: Pod }): Pod {
  return pod;
}
