import type { Clock } from '../../sim/index.ts';

/**
 * A token bucket that does not wait: a pull without a token fails.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/helpers.go throttledImageService
 */
export class PullLimiter {
  readonly #clock: Clock;
  readonly #qps: number;
  readonly #burst: number;
  #tokens: number;
  #filledAtMs: number;

  /** @param options `qps`: tokens per second, or 0 for no limit; `burst`: the capacity of the bucket */
  constructor({
    clock,
    qps,
    burst,
  }: { readonly clock: Clock; readonly qps: number; readonly burst: number }) {
    this.#clock = clock;
    this.#qps = qps;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAtMs = clock.now();
  }

  /** Takes a token. @returns false when the bucket is empty */
  tryAccept(): boolean {
    if (this.#qps === 0) return true;
    const now = this.#clock.now();
    const sinceMs = Math.max(0, now - this.#filledAtMs);
    this.#filledAtMs = now;
    this.#tokens = Math.min(this.#burst, this.#tokens + (sinceMs * this.#qps) / 1_000);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
