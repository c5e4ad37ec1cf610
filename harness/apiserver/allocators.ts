import type { KubeObject } from '../api/objects.ts';
import { groupResource } from '../api/resource.ts';
import type { Allocator, Kind } from './kind.ts';
import type { StoredObjects } from './storage/storage.ts';
import type { Registry } from './verbs/registry.ts';

/**
 * Creates the allocators of one apiserver. Each sees every write of its resource by any replica. So all replicas know
 * the allocated values, and no two of them allocate the same one.
 */
export function allocatorsByResource(
  kinds: readonly Kind[],
  storage: StoredObjects,
): Registry['allocatorOf'] {
  const byName = new Map<string, Allocator<KubeObject>>();
  for (const { newAllocator, resource } of kinds) {
    if (!newAllocator) continue;
    const allocator = newAllocator();
    for (const object of storage.list(resource)) allocator.record(object, undefined);
    byName.set(groupResource(resource), allocator);
  }
  if (byName.size > 0) {
    storage.follow({
      wrote: ({ resource, type, object, previous }) =>
        byName.get(groupResource(resource))?.record(type === 'DELETED' ? undefined : object, previous),
    });
  }
  return (resource) => byName.get(groupResource(resource));
}
