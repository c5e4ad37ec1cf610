import type { Node, Pod } from '../../api/objects.ts';
import type { ClusterEvent } from '../framework/index.ts';
import { PodHeap } from './pod-heap.ts';
import {
  less,
  type QueuedPodInfo,
  type QueueingPlugin,
  type SchedulingQueueOptions,
} from './queued-pod-info.ts';

/** Something that happened. */
interface QueueEvent {
  readonly event: ClusterEvent;
  /** What the object was, `undefined` for `Add`. */
  readonly oldObject: Pod | Node | undefined;
  /** What it is, `undefined` for `Delete`. */
  readonly newObject: Pod | Node | undefined;
}

/** A pod that was popped. */
interface InFlightPod {
  /** As it was popped. */
  readonly pod: Pod;
  /** What has happened since. */
  readonly events: QueueEvent[];
}

/**
 * The places of a scheduling queue. A pod is in one of them at most, under its uid:
 *
 * - *active*: the first by {@link less} is popped next.
 * - *backing off*: it failed, and waits for its backoff to end.
 * - *unschedulable*: plugins have turned it away, and nothing has happened since that could help; or it is *gated*: its
 *   `spec.schedulingGates` are not empty.
 * - *in flight*: popped, and neither {@link done} nor back.
 *
 * What moves a pod from one to another is the queue's, which extends this.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/active_queue.go activeQueue, backoff_queue.go backoffQueue,
 * unschedulable_pods.go unschedulablePods
 */
export abstract class QueuePlaces {
  protected readonly clock: SchedulingQueueOptions['clock'];
  protected readonly limits: NonNullable<SchedulingQueueOptions['limits']>;
  /** They are asked once what they register for: an event is looked up for every pod that waits. */
  protected readonly plugins: readonly QueueingPlugin[];
  /** To put a pod here is to hand it out, if a {@link pop} waits: as soon as all that is put here in the same turn is here. */
  protected readonly active = new PodHeap(less, () => this.#serveSoon());
  /** First comes the pod whose backoff ends first. */
  protected readonly backoff: PodHeap;
  /** By uid. */
  protected readonly unschedulable = new Map<string, QueuedPodInfo>();
  /** By uid. */
  protected readonly inFlight = new Map<string, InFlightPod>();
  readonly #waiting: ((info: QueuedPodInfo | undefined) => void)[] = [];
  #closed = false;

  /** @param backoffEndsMs when the backoff of a pod ends: ms since 1970 */
  constructor(
    { clock, limits = {}, plugins = [] }: SchedulingQueueOptions,
    backoffEndsMs: (info: QueuedPodInfo) => number,
  ) {
    this.clock = clock;
    this.limits = limits;
    this.plugins = plugins.map((plugin) => {
      const events = plugin.eventsToRegister();
      return { name: plugin.name, eventsToRegister: () => events };
    });
    this.backoff = new PodHeap((a, b) => backoffEndsMs(a) < backoffEndsMs(b));
  }

  /** The pod was taken out of {@link active}, because it is its turn. @returns what {@link pop} gives */
  protected abstract popped(info: QueuedPodInfo): QueuedPodInfo;

  /**
   * Takes the first of the active, or waits until there is one. From then on it is in flight.
   *
   * @returns the pod. Several that wait are served in the order in which they came. `undefined` if the queue is closed, also for those
   * that wait already
   */
  pop(): Promise<QueuedPodInfo | undefined> {
    return new Promise((resolve) => {
      if (this.#closed) return resolve(undefined);
      this.#waiting.push(resolve);
      this.#serve();
    });
  }

  /** The pod of this uid is not in flight any more; what was remembered for it is forgotten. Unknown: nothing. */
  done(uid: string): void {
    this.inFlight.delete(uid);
  }

  /**
   * The pod is gone, or has a node: it waits no more. One in flight stays in flight: before it comes back, it is looked at whether it is
   * still there. Unknown: nothing.
   */
  delete({ metadata: { uid } }: Pod): void {
    this.active.delete(uid);
    this.backoff.delete(uid);
    this.unschedulable.delete(uid);
  }

  /** Nothing is popped any more. To close twice does no harm. Differs: upstream still gives out what is active. */
  close(): void {
    this.#closed = true;
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
  }

  /** @returns the active ones, in any order */
  podsInActiveQ(): Pod[] {
    return this.active.list().map(podOf);
  }

  /** @returns those that back off, in any order */
  podsInBackoffQ(): Pod[] {
    return this.backoff.list().map(podOf);
  }

  /** @returns the unschedulable, gated ones among them, in any order */
  unschedulablePods(): Pod[] {
    return [...this.unschedulable.values()].map(podOf);
  }

  /** @returns those in flight as they were when they were popped, in any order */
  inFlightPods(): Pod[] {
    return [...this.inFlight.values()].map(podOf);
  }

  /** One event may wake several pods, and the most important of them is to be the first: not the first that was put here. */
  #serveSoon(): void {
    if (this.#waiting.length > 0) queueMicrotask(() => this.#serve());
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const first = this.active.peek();
      if (!first) return;
      this.active.delete(first.pod.metadata.uid);
      this.#waiting.shift()?.(this.popped(first));
    }
  }
}

function podOf({ pod }: { readonly pod: Pod }): Pod {
  return pod;
}
