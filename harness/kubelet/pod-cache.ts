import type { PodIdentity } from './labels.ts';
import type { RuntimePodStatus } from './pod-status.ts';

/** The last status read for a pod, or the error of the read. */
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
 * The last observed status of each pod in the runtime. The worker of a pod decides only after it has seen the result of
 * its last decision: it waits here for a status observed after that.
 *
 * A counter orders the observations, because a clock can be set back.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/cache.go Cache
 */
export class PodCache {
  readonly #entries = new Map<string, Entry>();
  /** By the UID of the pod. */
  readonly #waiters = new Map<string, readonly Waiter[]>();
  #allSeen = 0;
  #stamp = 0;

  /** Returns the next stamp in the order of events. Take it before you read the runtime, and after you have acted. */
  stamp(): number {
    return ++this.#stamp;
  }

  /** Returns the last observed status of the pod; undefined before the first. @throws the error of the last read */
  get(uid: string): RuntimePodStatus | undefined {
    const entry = this.#entries.get(uid);
    if (entry?.error !== undefined) throw entry.error;
    return entry?.status;
  }

  /** Returns the status of the last successful read of the pod; undefined before the first. */
  last(uid: string): RuntimePodStatus | undefined {
    return this.#entries.get(uid)?.status;
  }

  /**
   * Resolves with the status of the pod from a read that began after the stamp. A full relist counts as a read of every
   * pod, also of a pod that the runtime does not have.
   *
   * @throws the error of that read; `signal.reason` when aborted
   */
  getNewerThan(pod: PodIdentity, after: number, signal?: AbortSignal): Promise<RuntimePodStatus> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        this.#keep(pod.uid, (each) => each !== waiter);
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
      this.#waiters.set(pod.uid, [...(this.#waiters.get(pod.uid) ?? []), waiter]);
    });
  }

  /** Stores the status of a pod, unless a newer one is stored. */
  set(uid: string, status: RuntimePodStatus, stamp: number, error?: unknown): void {
    if ((this.#entries.get(uid)?.stamp ?? -1) > stamp) return;
    this.#entries.set(uid, { status, stamp, ...(error === undefined ? {} : { error }) });
    this.#wake(uid);
  }

  /** Marks all pods as read at this stamp: pods without a newer status are unchanged. */
  seenAll(stamp: number): void {
    this.#allSeen = Math.max(this.#allSeen, stamp);
    for (const uid of [...this.#waiters.keys()]) this.#wake(uid);
  }

  /** Whether a full relist has completed. */
  get hasSeenAll(): boolean {
    return this.#allSeen > 0;
  }

  /** Deletes a pod that the runtime no longer has. */
  delete(uid: string): void {
    this.#entries.delete(uid);
  }

  #wake(uid: string): void {
    this.#keep(uid, (waiter) => !this.#settle(waiter));
  }

  #keep(uid: string, isKept: (waiter: Waiter) => boolean): void {
    const left = this.#waiters.get(uid)?.filter(isKept) ?? [];
    if (left.length > 0) this.#waiters.set(uid, left);
    else this.#waiters.delete(uid);
  }

  #settle({ pod, after, resolve, reject }: Waiter): boolean {
    const entry = this.#entries.get(pod.uid);
    if (Math.max(entry?.stamp ?? 0, this.#allSeen) <= after) return false;
    if (entry?.error !== undefined) reject(entry.error);
    else resolve(entry?.status ?? nothingOf(pod));
    return true;
  }
}

/** Returns the status of a pod that the runtime does not have. */
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
