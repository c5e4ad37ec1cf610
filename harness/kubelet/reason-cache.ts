import type { PodSyncResult } from './sync-result.ts';

/** The reason why a container has not started, for its status. */
export interface WaitingReason {
  /** `CrashLoopBackOff`. */
  readonly reason: string;
  readonly message: string;
}

/**
 * The errors of the last attempts to start containers. They are lost when the kubelet restarts: until the next attempt,
 * the status of a container has its exit instead of the reason for the wait.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/reason_cache.go ReasonCache
 */
export class ReasonCache {
  readonly #reasons = new Map<string, Map<string, WaitingReason>>();

  /** Stores the results of the attempted container starts, and keeps those of all other containers. */
  update(uid: string, { results }: PodSyncResult): void {
    for (const { action, target, error } of results) {
      if (action !== 'StartContainer') continue;
      const ofPod = this.#reasons.get(uid) ?? new Map<string, WaitingReason>();
      this.#reasons.set(uid, ofPod);
      if (error) ofPod.set(target, error);
      else ofPod.delete(target);
    }
  }

  get(uid: string, container: string): WaitingReason | undefined {
    return this.#reasons.get(uid)?.get(container);
  }

  /** Deletes all pods except these. */
  retain(uids: ReadonlySet<string>): void {
    for (const uid of this.#reasons.keys()) if (!uids.has(uid)) this.#reasons.delete(uid);
  }
}
