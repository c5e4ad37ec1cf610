/** Levels 1 and 2 · The queue: the moves of a pod from one place to another. */
import { scheduling } from '#given/33-bind';
import type { framework, Node, Pod } from '#harness';
import { backoffDurationMs } from './backoff.ts';
import { isPodWorthRequeuing } from './requeuing.ts';

export class SchedulingQueue extends scheduling.QueuePlaces {
  constructor(options: scheduling.SchedulingQueueOptions) {
    super(options, (info) => this.#backoffEndsMs(info));
  }

  add(pod: Pod): void {
    const { uid } = pod.metadata;
    if (this.#isWaiting(uid) || this.inFlight.has(uid)) return;
    const counts = { attempts: 0, unschedulableCount: 0, consecutiveErrorsCount: 0 };
    const unschedulablePlugins = scheduling.noPlugins;
    const info = { pod, timestampMs: this.clock.now(), ...counts, unschedulablePlugins };
    if (scheduling.isGated(pod)) this.unschedulable.set(uid, info);
    else this.active.put(info);
  }

  update(oldPod: Pod, newPod: Pod): void {
    const { uid } = newPod.metadata;
    const heap = [this.active, this.backoff].find((each) => each.has(uid));
    const known = heap?.get(uid) ?? this.unschedulable.get(uid);
    const flight = this.inFlight.get(uid);
    if (flight) {
      for (const event of scheduling.podSchedulingPropertiesChange(newPod, oldPod)) {
        flight.events.push({ event, oldObject: oldPod, newObject: newPod });
      }
    } else if (!known) {
      this.add(newPod);
    } else {
      const info = { ...known, pod: newPod };
      if (heap) heap.put(info);
      else if (this.#ownChangeHelps(info, oldPod)) this.#requeue(info);
      else this.unschedulable.set(uid, info);
    }
  }

  protected popped(info: scheduling.QueuedPodInfo): scheduling.QueuedPodInfo {
    const { pod, attempts } = info;
    this.inFlight.set(pod.metadata.uid, { pod, events: [] });
    return { ...info, attempts: attempts + 1, unschedulablePlugins: scheduling.noPlugins };
  }

  addUnschedulableIfNotPresent(info: scheduling.QueuedPodInfo): void {
    const { uid } = info.pod.metadata;
    if (!this.#isWaiting(uid)) {
      const rejected = info.unschedulablePlugins.size > 0;
      const back = {
        ...info,
        timestampMs: this.clock.now(),
        unschedulableCount: info.unschedulableCount + (rejected ? 1 : 0),
        consecutiveErrorsCount: rejected ? 0 : info.consecutiveErrorsCount + 1,
      };
      if (rejected && !this.#missedSomething(back)) this.unschedulable.set(uid, back);
      else this.#requeue(back);
    }
    this.done(uid);
  }

  flushBackoffQCompleted(): void {
    for (let first = this.backoff.peek(); first && !this.isBackingOff(first); first = this.backoff.peek()) {
      this.backoff.delete(first.pod.metadata.uid);
      this.active.put(first);
    }
  }

  flushUnschedulablePodsLeftover(): void {
    const now = this.clock.now();
    for (const info of this.unschedulable.values()) {
      const sleptMs = now - info.timestampMs;
      if (scheduling.isGated(info.pod) || sleptMs <= scheduling.POD_MAX_IN_UNSCHEDULABLE_PODS_MS) continue;
      this.#requeue(info);
    }
  }

  isBackingOff(info: scheduling.QueuedPodInfo): boolean {
    const { unschedulableCount, consecutiveErrorsCount } = info;
    if (consecutiveErrorsCount + unschedulableCount === 0) return false;
    return this.#backoffEndsMs(info) >= this.clock.now();
  }

  moveAllToActiveOrBackoffQueue(
    event: framework.ClusterEvent,
    oldObject: Pod | Node | undefined,
    newObject: Pod | Node | undefined,
    preCheck: (pod: Pod) => boolean = () => true,
  ): void {
    for (const info of this.unschedulable.values()) {
      if (scheduling.isGated(info.pod) || !preCheck(info.pod)) continue;
      if (isPodWorthRequeuing(info, event, oldObject, newObject, this.plugins)) this.#requeue(info);
    }
    for (const { events } of this.inFlight.values()) events.push({ event, oldObject, newObject });
  }

  #isWaiting(uid: string): boolean {
    return this.active.has(uid) || this.backoff.has(uid) || this.unschedulable.has(uid);
  }

  #backoffEndsMs({
    timestampMs,
    unschedulableCount,
    consecutiveErrorsCount,
  }: scheduling.QueuedPodInfo): number {
    return timestampMs + backoffDurationMs(consecutiveErrorsCount || unschedulableCount, this.limits);
  }

  /** Queues the pod to be retried as soon as its back-off is over. */
  #requeue(info: scheduling.QueuedPodInfo): void {
    this.unschedulable.delete(info.pod.metadata.uid);
    (this.isBackingOff(info) ? this.backoff : this.active).put(info);
  }

  #ownChangeHelps(info: scheduling.QueuedPodInfo, oldPod: Pod): boolean {
    if (scheduling.isGated(info.pod)) return false;
    if (scheduling.isGated(oldPod)) return true;
    return scheduling
      .podSchedulingPropertiesChange(info.pod, oldPod)
      .some((event) => isPodWorthRequeuing(info, event, oldPod, info.pod, this.plugins));
  }

  /** Reports whether an event since the pod was popped could have changed the result. */
  #missedSomething(info: scheduling.QueuedPodInfo): boolean {
    const flight = this.inFlight.get(info.pod.metadata.uid);
    if (!flight) return true;
    return flight.events.some(({ event, oldObject, newObject }) =>
      isPodWorthRequeuing(info, event, oldObject, newObject, this.plugins),
    );
  }
}
