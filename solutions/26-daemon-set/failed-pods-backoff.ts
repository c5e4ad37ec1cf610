/** The delays between the deletions of failed pods. */
import type { Clock } from '#harness';

const INITIAL_MS = 1_000;
const MAX_MS = 15 * 60_000;

/**
 * Delays the replacement of pods that fail again and again on the same node: 1 s, doubled up to 15 minutes. A key
 * expires after 30 minutes without a failure.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff;
 * kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager/app/apps.go startDaemonSetController
 */
export class FailedPodsBackoff {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #delays = new Map<string, { readonly delayMs: number; readonly sinceMs: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /**
   * Records a failure, unless the last one is too recent.
   *
   * @returns the delay in ms if the key has to wait; 0 if the failure was recorded
   */
  next(key: string): number {
    const nowMs = this.#clock.now();
    this.#expire(nowMs);
    const last = this.#delays.get(key);
    if (last && nowMs - last.sinceMs < last.delayMs) return last.delayMs;
    const delayMs = last ? Math.min(2 * last.delayMs, MAX_MS) : INITIAL_MS;
    this.#delays.set(key, { delayMs, sinceMs: nowMs });
    return 0;
  }

  #expire(nowMs: number): void {
    for (const [key, { sinceMs }] of this.#delays) {
      if (nowMs - sinceMs > 2 * MAX_MS) this.#delays.delete(key);
    }
  }
}
