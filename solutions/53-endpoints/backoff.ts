import type { RateLimiter } from '#harness';

/**
 * The back-off of a Service: 1 s after its first failure, doubled after each further one, at most 1000 s. It is longer
 * than in other controllers, because one sync can send many writes, and each of them reaches every node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpointslice/endpointslice_controller.go defaultSyncBackOff,
 * maxSyncBackOff
 *
 * Differs: the token bucket that all Services share (10 retries a second, 100 at once) is left out.
 */
export class SlowBackoff implements RateLimiter<string> {
  readonly #failures = new Map<string, number>();

  when(key: string): number {
    const failures = this.numRequeues(key);
    this.#failures.set(key, failures + 1);
    return Math.min(1_000 * 2 ** failures, 1_000_000);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  numRequeues(key: string): number {
    return this.#failures.get(key) ?? 0;
  }
}
