import { type KubeObject, keyOf, type List } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { isNotFound } from '../../api/status.ts';
import type { DeleteOptions, ListOptions } from '../../contracts/client.ts';
import { remove } from './delete.ts';
import { list } from './list.ts';
import type { Registry } from './registry.ts';

/**
 * Lists the objects, then deletes them one by one. Ignores objects that disappear in between.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go Store.DeleteCollection
 */
export async function deleteCollection<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  options: DeleteOptions & ListOptions,
): Promise<List<T>> {
  const selected = await list(registry, resource, options);
  for (const object of selected.items) {
    try {
      await remove(registry, resource, keyOf(object), options);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return selected;
}
