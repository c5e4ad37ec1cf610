import type { Node, Pod } from '../../api/objects.ts';
import type { ClusterEvent } from '../framework/index.ts';
import { PodHeap } from './pod-heap.ts';
import {
  less,
  type QueuedPodInfo,
  type QueueingPlugin,
  type SchedulingQueueOptions,
} from './queued-pod-info.ts';

/** An event that happened while a pod was in flight. */
interface QueueEvent {
  readonly event: ClusterEvent;
  /** The object before the event; `undefined` for `Add`. */
  readonly oldObject: Pod | Node | undefined;
  /** The object after the event; `undefined` for `Delete`. */
  readonly newObject: Pod | Node | undefined;
}

/** A popped pod. */
interface InFlightPod {
  /** The pod as it was popped. */
  readonly pod: Pod;
  /** The events since then. */
  readonly events: QueueEvent[];
}

/**
 * The places of a scheduling queue. A pod is in at most one of them, by its uid:
 *
 * - *active*: the first by {@link less} is popped next.
 * - *backing off*: it failed, and waits for its backoff to end.
 * - *unschedulable*: plugins rejected it, and no later event could help it; or it is *gated*: its
 *   `spec.schedulingGates` are not empty.
 * - *in flight*: popped, and neither {@link done} nor queued again.
 *
 * The queue, which extends this class, moves pods from one place to another.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/active_queue.go activeQueue, backoff_queue.go
 * backoffQueue,
 * unschedulable_pods.go unschedulablePods
 */
export abstract class QueuePlaces {
  protected readonly clock: SchedulingQueueOptions['clock'];
  protected readonly limits: NonNullable<SchedulingQueueOptions['limits']>;
  /** The plugins, with their registered events cached, because every event is looked up for every waiting pod. */
  protected readonly plugins: readonly QueueingPlugin[];
  /** If a {@link pop} waits, it gets a pod from here after all pods of the same turn have been added. */
  protected readonly active = new PodHeap(less, () => this.#serveSoon());
  /** Ordered by the end of the backoff. */
  protected readonly backoff: PodHeap;
  /** By uid. */
  protected readonly unschedulable = new Map<string, QueuedPodInfo>();
  /** By uid. */
  protected readonly inFlight = new Map<string, InFlightPod>();
  readonly #waiting: ((info: QueuedPodInfo | undefined) => void)[] = [];
  #closed = false;

  /** @param backoffEndsMs returns the end of a pod's backoff in ms since 1970 */
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

  /** Handles a pod that was taken out of {@link active}. @returns the result of {@link pop} */
  protected abstract popped(info: QueuedPodInfo): QueuedPodInfo;

  /**
   * Takes the first active pod, or waits until a pod is active. The pod is then in flight.
   *
   * @returns the pod. Waiting callers are served in their order. `undefined` if the queue is closed, also for callers
   * that already wait
   */
  pop(): Promise<QueuedPodInfo | undefined> {
    return new Promise((resolve) => {
      if (this.#closed) return resolve(undefined);
      this.#waiting.push(resolve);
      this.#serve();
    });
  }

  /**
   * Removes the pod of this uid from the pods in flight, with its recorded events. For an unknown pod it does nothing.
   */
  done(uid: string): void {
    this.inFlight.delete(uid);
  }

  /**
   * Removes a pod that was deleted or has a node from the waiting pods. A pod in flight stays in flight: the scheduler
   * checks that it still exists before it queues it again. For an unknown pod it does nothing.
   */
  delete({ metadata: { uid } }: Pod): void {
    this.active.delete(uid);
    this.backoff.delete(uid);
    this.unschedulable.delete(uid);
  }

  /**
   * Closes the queue: no pod is popped any more. A second call does nothing. Differs: upstream still pops the active
   * pods.
   */
  close(): void {
    this.#closed = true;
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
  }

  /** @returns the active pods, in any order */
  podsInActiveQ(): Pod[] {
    return this.active.list().map(podOf);
  }

  /** @returns the pods that back off, in any order */
  podsInBackoffQ(): Pod[] {
    return this.backoff.list().map(podOf);
  }

  /** @returns the unschedulable pods, including gated ones, in any order */
  unschedulablePods(): Pod[] {
    return [...this.unschedulable.values()].map(podOf);
  }

  /** @returns the pods in flight as they were popped, in any order */
  inFlightPods(): Pod[] {
    return [...this.inFlight.values()].map(podOf);
  }

  /**
   * Serves the waiting callers after the current turn. One event may wake several pods, and the most important must be
   * popped first, not the first that was added.
   */
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
