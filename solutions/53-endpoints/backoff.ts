import type { RateLimiter } from '#harness';

/**
 * Waits longer than other controllers do: 1 s after the first failure of a Service, twice as long after each that
 * follows, at most 1000 s. One sync can be many writes, each of which goes to every node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpointslice/endpointslice_controller.go defaultSyncBackOff,
 * maxSyncBackOff
 *
 * Differs: the bucket that all Services share (10 retries a second, 100 at once) is left out.
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
