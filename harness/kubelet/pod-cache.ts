import type { PodIdentity } from './labels.ts';
import type { RuntimePodStatus } from './pod-status.ts';

/** What was seen of a pod, or why nothing could be seen. */
interface Entry {
  readonly status: RuntimePodStatus;
  readonly error?: unknown;
  readonly stamp: number;
}

interface Waiter {
  readonly pod: PodIdentity;
  readonly after: number;
  readonly resolve: (status: RuntimePodStatus) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * What the runtime was last seen to have of each pod. A pod's worker does not decide before it sees what its last decision came
 * to: it waits here for what was observed after that.
 *
 * What is before and what is after is counted, not read from a clock: clocks are set back.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/cache.go Cache
 */
export class PodCache {
  readonly #entries = new Map<string, Entry>();
  #waiters: Waiter[] = [];
  #allSeen = 0;
  #stamp = 0;

  /** Now, in the order of events. Take it before you look, and after you have acted. */
  stamp(): number {
    return ++this.#stamp;
  }

  /** What was last seen of the pod; undefined when nothing was. @throws what went wrong when it was looked at */
  get(uid: string): RuntimePodStatus | undefined {
    const entry = this.#entries.get(uid);
    if (entry?.error !== undefined) throw entry.error;
    return entry?.status;
  }

  /** What was seen of the pod when it could last be looked at; undefined when it never could. */
  last(uid: string): RuntimePodStatus | undefined {
    return this.#entries.get(uid)?.status;
  }

  /**
   * Resolves with what was seen of the pod in a look that began after the stamp. A pod of which the runtime has nothing is seen
   * by a look at all.
   *
   * @throws what went wrong in that look; `signal.reason` when aborted
   */
  getNewerThan(pod: PodIdentity, after: number, signal?: AbortSignal): Promise<RuntimePodStatus> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        this.#waiters = this.#waiters.filter((each) => each !== waiter);
        reject(signal?.reason);
      };
      const settled = (): void => signal?.removeEventListener('abort', abort);
      const waiter: Waiter = {
        pod,
        after,
        resolve: (status) => {
          settled();
          resolve(status);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
      if (this.#settle(waiter)) return;
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiters.push(waiter);
    });
  }

  /** Takes what was seen of a pod. What is older than what is known is dropped. */
  set(uid: string, status: RuntimePodStatus, stamp: number, error?: unknown): void {
    if ((this.#entries.get(uid)?.stamp ?? -1) > stamp) return;
    this.#entries.set(uid, { status, stamp, ...(error === undefined ? {} : { error }) });
    this.#wake();
  }

  /** All pods were looked at: those that were not set since are as they were. */
  seenAll(stamp: number): void {
    this.#allSeen = Math.max(this.#allSeen, stamp);
    this.#wake();
  }

  /** Has all that there is been seen once? */
  get hasSeenAll(): boolean {
    return this.#allSeen > 0;
  }

  /** Forgets a pod of which the runtime has nothing any more. */
  delete(uid: string): void {
    this.#entries.delete(uid);
  }

  #wake(): void {
    this.#waiters = this.#waiters.filter((waiter) => !this.#settle(waiter));
  }

  #settle({ pod, after, resolve, reject }: Waiter): boolean {
    const entry = this.#entries.get(pod.uid);
    if (Math.max(entry?.stamp ?? 0, this.#allSeen) <= after) return false;
    if (entry?.error !== undefined) reject(entry.error);
    else resolve(entry?.status ?? nothingOf(pod));
    return true;
  }
}

/** A pod of which the runtime has nothing. */
export function nothingOf({ uid, name, namespace }: PodIdentity): RuntimePodStatus {
  return {
    uid,
    name,
    namespace,
    ips: [],
    sandboxStatuses: [],
    containerStatuses: [],
    activeContainerStatuses: [],
    observedMs: 0,
  };
}
