import type * as core from '#api/core/v1';
import { formatDuration } from '../api/duration.ts';
import type { Pod } from '../api/objects.ts';
import type { Clock } from '../sim/index.ts';
import { formatPod } from './containers.ts';
import type { BackoffError, BackoffOptions } from './decisions.ts';

/** The back-off state of one key. */
interface BackoffEntry {
  /** The current delay of the key. */
  readonly backoffMs: number;
  /** The time of the last change, in ms since 1970. */
  readonly lastUpdateMs: number;
}

/**
 * The delays of all keys. Subclasses decide how long a key waits and when it expires.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff
 */
export abstract class BackoffTable {
  protected readonly options: Required<BackoffOptions>;
  readonly #entries = new Map<string, BackoffEntry>();

  constructor(options: BackoffOptions) {
    this.options = { expiryMs: 2 * options.maxMs, ...options };
  }

  /** Returns whether, at the time of this event (in ms since 1970), the key counts as one without failures. */
  abstract hasExpired(key: string, eventTimeMs: number): boolean;

  /** Returns the delay of a key in ms; 0 for an unknown key. */
  get(key: string): number {
    return this.#entries.get(key)?.backoffMs ?? 0;
  }

  /** Deletes the expired keys. */
  gc(): void {
    const nowMs = this.options.clock.now();
    for (const key of [...this.#entries.keys()]) if (this.hasExpired(key, nowMs)) this.#entries.delete(key);
  }

  /** Returns the state of a key; undefined for an unknown key. */
  protected entry(key: string): BackoffEntry | undefined {
    return this.#entries.get(key);
  }

  /** Sets the delay of a key, and its time of change to now. */
  protected set(key: string, backoffMs: number): void {
    this.#entries.set(key, { backoffMs, lastUpdateMs: this.options.clock.now() });
  }
}

/**
 * Returns the back-off of the node's containers: 10 s, doubled up to 5 minutes, and reset after 10 minutes without a
 * failure.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go newCrashLoopBackOff
 *
 * @param maxContainerRestartPeriodMs as in the kubelet's configuration
 */
export function crashLoopBackOff(
  clock: Pick<Clock, 'now'>,
  maxContainerRestartPeriodMs = 300_000,
): BackoffOptions {
  return {
    clock,
    initialMs: Math.min(10_000, maxContainerRestartPeriodMs),
    maxMs: maxContainerRestartPeriodMs,
    expiryMs: 600_000,
  };
}

/**
 * Returns the back-off key of a container: its pod's namespace, name and UID, and its own name, image and resources.
 * Another image or other resources reset the back-off, because they might fix the container.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/helpers.go GetBackoffKey
 *
 * Differs: the key is plain text instead of a hash.
 */
export function backOffKey({ metadata }: Pod, container: core.Container): string {
  const { namespace, name, uid } = metadata;
  return JSON.stringify([namespace, name, uid, container.name, container.image, container.resources]);
}

/**
 * Returns the reason why a container is not restarted yet.
 *
 * @param finishedAtMs end of its newest instance, in ms since 1970
 * @param backoffMs delay after that end
 */
export function backOffError(
  pod: Pod,
  { name }: core.Container,
  { finishedAtMs, backoffMs }: { readonly finishedAtMs: number; readonly backoffMs: number },
): BackoffError {
  const whose = `container=${name} pod=${formatPod(pod)}`;
  return {
    message: `back-off ${formatDuration(backoffMs)} restarting failed ${whose}`,
    untilMs: finishedAtMs + backoffMs,
  };
}
