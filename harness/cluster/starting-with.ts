import { groupResource, type Resource } from '../api/resource.ts';
import type { Storage } from '../apiserver/storage/storage.ts';
import type { Component } from '../contracts/component.ts';

/** The first object of some resources in a cluster. */
export class FirstObject {
  #exists: boolean;
  readonly #waiting = new Set<() => void>();

  constructor(resources: readonly Resource[], storage: Storage) {
    this.#exists = resources.some((resource) => storage.list(resource).length > 0);
    if (this.#exists) return;
    const names = new Set(resources.map(groupResource));
    const end = storage.follow({
      wrote: ({ resource }) => {
        if (!names.has(groupResource(resource))) return;
        this.#exists = true;
        end();
        for (const wake of this.#waiting) wake();
        this.#waiting.clear();
      },
    });
  }

  /** Whether the cluster has had such an object. It stays true when all objects are deleted. */
  get exists(): boolean {
    return this.#exists;
  }

  /** Resolves when such an object exists, or when the signal is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.#exists) return;
    await new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

/**
 * Returns a component that waits for the first object of these resources, and then runs `component`. A component that
 * restarts later starts at once, also if all objects are deleted.
 *
 * Differs: upstream's controllers start with their manager, and watch kinds without objects.
 */
export function startingWith(
  resources: readonly Resource[],
  { storage, component }: { readonly storage: Storage; readonly component: Component },
): Component {
  const first = new FirstObject(resources, storage);
  return async (context) => {
    await first.wait(context.signal);
    if (!context.signal.aborted) await component(context);
  };
}
