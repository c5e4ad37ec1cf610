import type { PodSyncResult } from './sync-result.ts';

/** Why a container did not start, for its status. */
export interface WaitingReason {
  /** `CrashLoopBackOff`. */
  readonly reason: string;
  readonly message: string;
}

/**
 * Why containers of pods did not start when that was last tried. It is lost when the kubelet ends: until it has tried again, a
 * container shows how it ended, and not why it waits.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/reason_cache.go ReasonCache
 */
export class ReasonCache {
  readonly #reasons = new Map<string, Map<string, WaitingReason>>();

  /** Takes what became of the containers that were to be started; of all others it keeps what it knows. */
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

  /** Forgets pods, all but these. */
  retain(uids: ReadonlySet<string>): void {
    for (const uid of this.#reasons.keys()) if (!uids.has(uid)) this.#reasons.delete(uid);
  }
}
