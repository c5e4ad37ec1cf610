import {
  type BackoffError,
  type BackoffOptions,
  type Clock,
  type core,
  formatDuration,
  formatPod,
  type Pod,
  type RuntimePodStatus,
} from '#harness';

/** Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff */
export class Backoff {
  readonly #entries = new Map<string, { readonly backoffMs: number; readonly lastUpdateMs: number }>();
  readonly #options: Required<BackoffOptions>;

  constructor(options: BackoffOptions) {
    this.#options = { expiryMs: 2 * options.maxMs, ...options };
  }

  /** Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff.Get */
  get(key: string): number {
    return this.#entries.get(key)?.backoffMs ?? 0;
  }

  /** Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff.Next */
  next(key: string, eventTimeMs: number): void {
    const { clock, initialMs, maxMs } = this.#options;
    const backoffMs = this.#lives(key, eventTimeMs) ? Math.min(2 * this.get(key), maxMs) : initialMs;
    this.#entries.set(key, { backoffMs, lastUpdateMs: clock.now() });
  }

  /** Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff.IsInBackOffSince */
  isInBackOffSince(key: string, eventTimeMs: number): boolean {
    const elapsedMs = this.#options.clock.now() - eventTimeMs;
    return this.#lives(key, eventTimeMs) && elapsedMs < this.get(key);
  }

  /** Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff.GC */
  gc(): void {
    for (const key of this.#entries.keys()) {
      if (!this.#lives(key, this.#options.clock.now())) this.#entries.delete(key);
    }
  }

  /** What counts is how long all went well: from the last start to this event. */
  #lives(key: string, eventTimeMs: number): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && eventTimeMs - entry.lastUpdateMs <= this.#options.expiryMs;
  }
}

/** The back-off of a kubelet's containers. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go newCrashLoopBackOff */
export function newCrashLoopBackOff(
  clock: Pick<Clock, 'now'>,
  maxContainerRestartPeriodMs = 300_000,
): Backoff {
  return new Backoff({
    clock,
    initialMs: Math.min(10_000, maxContainerRestartPeriodMs),
    maxMs: maxContainerRestartPeriodMs,
    expiryMs: 600_000,
  });
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go doBackOff */
export function doBackOff(
  pod: Pod,
  container: core.Container,
  podStatus: RuntimePodStatus,
  backOff: Backoff,
): BackoffError | undefined {
  const exited = podStatus.containerStatuses.find(
    ({ name, state }) => name === container.name && state === 'exited',
  );
  if (!exited) return undefined;
  const { namespace, name, uid } = pod.metadata;
  // Another image or other resources may be what it takes: they begin anew.
  const key = JSON.stringify([namespace, name, uid, container.name, container.image, container.resources]);
  if (!backOff.isInBackOffSince(key, exited.finishedAtMs)) {
    backOff.next(key, exited.finishedAtMs);
    return undefined;
  }
  const backoffMs = backOff.get(key);
  return {
    message: `back-off ${formatDuration(backoffMs)} restarting failed container=${container.name} pod=${formatPod(pod)}`,
    untilMs: exited.finishedAtMs + backoffMs,
  };
}
