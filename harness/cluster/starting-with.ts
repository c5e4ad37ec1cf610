import { groupResource, type Resource } from '../api/resource.ts';
import type { Storage } from '../apiserver/storage/storage.ts';
import type { Component } from '../contracts/component.ts';

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
  const names = new Set(resources.map(groupResource));
  let isNeeded = resources.some((resource) => storage.list(resource).length > 0);
  const waiting = new Set<() => void>();
  if (!isNeeded) {
    const end = storage.follow({
      wrote: ({ resource }) => {
        if (!names.has(groupResource(resource))) return;
        isNeeded = true;
        end();
        for (const wake of waiting) wake();
        waiting.clear();
      },
    });
  }
  return async (context) => {
    const { signal } = context;
    if (!isNeeded) {
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    if (!signal.aborted) await component(context);
  };
}
