import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { GetOptions } from '../../contracts/client.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';
import { parseResourceVersion } from './resource-version.ts';

/**
 * Without a resourceVersion, returns the newest state from storage. With one, returns this replica's state once it is
 * at least as new.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator.go CacheDelegator.Get
 */
export async function get<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  key: ObjectKey,
  options: GetOptions,
): Promise<T> {
  registry.kindOf(resource);
  const checked = checkedKey(resource, key);
  const revision = parseResourceVersion(options.resourceVersion);
  if (revision === undefined) return readNewest(registry, resource, checked);
  await registry.cache.reached(revision, options.signal);
  const object = registry.storage.get(resource, checked, registry.cache.position);
  if (!object) throw errors.notFound(resource, key.name);
  return object as T;
}
