import {
  type BackoffError,
  BackoffTable,
  backOffError,
  backOffKey,
  type RuntimePodStatus,
} from '#given/41-kubelet';
import type { core, Pod } from '#harness';

/** Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff */
export class Backoff extends BackoffTable {
  /** The healthy time counts: from the last start to this event. */
  hasExpired(key: string, eventTimeMs: number): boolean {
    const entry = this.entry(key);
    return entry === undefined || eventTimeMs - entry.lastUpdateMs > this.options.expiryMs;
  }

  /** Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff.Next */
  next(key: string, eventTimeMs: number): void {
    const { initialMs, maxMs } = this.options;
    this.set(key, this.hasExpired(key, eventTimeMs) ? initialMs : Math.min(2 * this.get(key), maxMs));
  }

  /** Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff.IsInBackOffSince */
  isInBackOffSince(key: string, eventTimeMs: number): boolean {
    const elapsedMs = this.options.clock.now() - eventTimeMs;
    return !this.hasExpired(key, eventTimeMs) && elapsedMs < this.get(key);
  }
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go doBackOff */
export function doBackOff(
  pod: Pod,
  container: core.Container,
  podStatus: RuntimePodStatus,
  backOff: Backoff,
): BackoffError | undefined {
  const own = podStatus.containerStatuses.filter(({ name }) => name === container.name);
  const exited = own.find(({ state }) => state === 'exited');
  if (!exited) return undefined;
  const { finishedAtMs } = exited;
  const key = backOffKey(pod, container);
  if (backOff.isInBackOffSince(key, finishedAtMs))
    return backOffError(pod, container, { finishedAtMs, backoffMs: backOff.get(key) });
  backOff.next(key, finishedAtMs);
  return undefined;
}
