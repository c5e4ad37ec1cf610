import type * as core from '#api/core/v1';
import { formatDuration } from '../api/duration.ts';
import type { Pod } from '../api/objects.ts';
import type { Clock } from '../sim/index.ts';
import { formatPod } from './containers.ts';
import type { BackoffError, BackoffOptions } from './decisions.ts';

/** What a back-off remembers of one key. */
export interface BackoffEntry {
  /** How long the key has to wait. */
  readonly backoffMs: number;
  /** When that was written down, in ms since 1970. */
  readonly lastUpdateMs: number;
}

/**
 * What a back-off remembers, by key. How long a key waits, and when it is forgotten, is up to its heir.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff
 */
export abstract class BackoffTable {
  protected readonly options: Required<BackoffOptions>;
  readonly #entries = new Map<string, BackoffEntry>();

  constructor(options: BackoffOptions) {
    this.options = { expiryMs: 2 * options.maxMs, ...options };
  }

  /** Whether the key counts as one that has never failed, for an event at this time (ms since 1970). */
  abstract hasExpired(key: string, eventTimeMs: number): boolean;

  /** How long a key has to wait, in ms; 0 for one that is not known. */
  get(key: string): number {
    return this.#entries.get(key)?.backoffMs ?? 0;
  }

  /** Forgets the keys that have expired by now. */
  gc(): void {
    const nowMs = this.options.clock.now();
    for (const key of [...this.#entries.keys()]) if (this.hasExpired(key, nowMs)) this.#entries.delete(key);
  }

  /** What is known of a key; undefined when nothing is. */
  protected entry(key: string): BackoffEntry | undefined {
    return this.#entries.get(key);
  }

  /** Writes down how long a key has to wait, and that this was now. */
  protected set(key: string, backoffMs: number): void {
    this.#entries.set(key, { backoffMs, lastUpdateMs: this.options.clock.now() });
  }
}

/**
 * How the containers of a node back off: 10 s, doubled up to 5 minutes, and forgotten after 10 minutes of health.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go newCrashLoopBackOff
 *
 * @param maxContainerRestartPeriodMs as the kubelet is configured
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
 * By which a container is counted: its pod's namespace, name and uid, and its own name, image and resources. With another image
 * or other resources it begins anew: they may be what it takes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/helpers.go GetBackoffKey
 *
 * Differs: it is a text and no hash.
 */
export function backOffKey({ metadata }: Pod, container: core.Container): string {
  const { namespace, name, uid } = metadata;
  return JSON.stringify([namespace, name, uid, container.name, container.image, container.resources]);
}

/**
 * Why a container is not started again yet.
 *
 * @param finishedAtMs when its newest instance ended, in ms since 1970
 * @param backoffMs how long it waits from then on
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
