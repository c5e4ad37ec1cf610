import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { LogEntry } from '../../apiserver/storage/storage.ts';
import type { Cluster } from '../../cluster/cluster.ts';

/** The interval between two looks at the time, in virtual ms. */
const LOOK_MS = 100;

/**
 * Waits for the cluster without taking part in it: no task, no request, no trace. A run with an observer and a run
 * without one are the same run.
 */
export class Observer {
  readonly #cluster: Pick<Cluster, 'storage' | 'sim'>;

  constructor(cluster: Pick<Cluster, 'storage' | 'sim'>) {
    this.#cluster = cluster;
  }

  /** Returns an object as it is now. */
  now<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T | undefined {
    return this.#cluster.storage.get(resource, key) as T | undefined;
  }

  /** Calls back after each write to the objects of a resource, until the returned function is called. */
  follow(resource: Resource, wrote: (entry: LogEntry) => void): () => void {
    return this.#cluster.storage.follow({
      wrote: (entry) => {
        if (entry.resource.plural === resource.plural && entry.resource.group === resource.group)
          wrote(entry);
      },
    });
  }

  /**
   * Resolves when the condition holds. It is checked now and after each write.
   *
   * @param withinMs the longest time to wait, in virtual ms. @defaultValue no limit
   * @returns whether it holds: false after the time limit, or when the signal is aborted
   */
  until(condition: () => boolean, signal: AbortSignal, withinMs?: number): Promise<boolean> {
    if (condition()) return Promise.resolve(true);
    if (signal.aborted) return Promise.resolve(false);
    const untilMs =
      withinMs === undefined ? Number.POSITIVE_INFINITY : this.#cluster.sim.elapsedMs + withinMs;
    return new Promise((resolve) => {
      const end = (holds: boolean): void => {
        unfollow();
        stopLooking();
        signal.removeEventListener('abort', giveUp);
        resolve(holds);
      };
      const giveUp = (): void => end(false);
      const unfollow = this.#cluster.storage.follow({
        wrote: () => {
          if (condition()) end(true);
        },
      });
      const stopLooking = this.#cluster.sim.every(LOOK_MS, () => {
        if (this.#cluster.sim.elapsedMs >= untilMs) giveUp();
      });
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Resolves after this time on the cluster's clock, or when the signal is aborted. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    await this.until(() => false, signal, ms);
  }
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
