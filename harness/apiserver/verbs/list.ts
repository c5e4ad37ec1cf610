import { freezeObject } from '../../api/freeze.ts';
import { type KubeObject, keyOf, keyToString, type List } from '../../api/objects.ts';
import { groupVersion, listKindOf, type Resource } from '../../api/resource.ts';
import { errors, isTooLargeResourceVersion, type StatusError } from '../../api/status.ts';
import type { ListOptions } from '../../contracts/client.ts';
import type { Kind } from '../kind.ts';
import type { WatchScope } from '../storage/watch-cache.ts';
import { mustBeValidOptions, validateListOptions } from '../validation/list-options.ts';
import { decodeContinue, encodeContinue, expiredContinue } from './continue-token.ts';
import type { Registry } from './registry.ts';
import { parseResourceVersion } from './resource-version.ts';
import { parseSelection, type SelectionPredicate } from './selection.ts';

/** The state of all listed objects at one revision. */
interface Snapshot {
  readonly objects: readonly KubeObject[];
  readonly revision: number;
}

/**
 * Returns a page of objects.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator.go CacheDelegator.GetList
 *
 * @throws StatusError BadRequest (an invalid selector, resourceVersion or token), Invalid, Expired, Timeout
 */
export async function list<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  options: ListOptions,
): Promise<List<T>> {
  mustBeValidOptions('ListOptions', validateListOptions(options));
  const kind = registry.kindOf(resource);
  const predicate = parseSelection(kind, options);
  const { objects, revision } = await read(registry, kind, options, predicate);
  // If any state is acceptable, the replica returns its whole state, also with a token.
  const limit = options.resourceVersion === '0' ? 0 : (options.limit ?? 0);
  return page(resource, { objects, revision }, limit, predicate);
}

/**
 * Reads the state for a list. Every list reads from this replica, which keeps its history. A list of the newest or an
 * exact state waits until the replica has reached it. A limit without `resourceVersionMatch` means exact, as before
 * that option existed.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator/interface.go ShouldDelegateList, and
 * pkg/storage/cacher/watch_cache.go watchCache.waitUntilFreshAndList
 */
async function read<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  options: ListOptions,
  { namespace, scope, labels }: SelectionPredicate,
): Promise<Snapshot> {
  const { storage, cache } = registry;
  const { resourceVersionMatch: match, limit = 0, signal } = options;
  // The objects after a page show whether it is the last one, so a page needs them all.
  const narrowed = limit === 0 && !options.continue ? labels : [];
  const at = (revision: number, from = ''): Snapshot => ({
    objects: storage.list(kind.resource, { namespace, revision, from, labels: narrowed }),
    revision,
  });

  if (options.continue) {
    const { revision, start } = decodeContinue(options.continue);
    if (options.resourceVersion && options.resourceVersion !== '0') {
      throw errors.badRequest('specifying resource version is not allowed when using continue');
    }
    const isExact = revision > 0;
    const reached = isExact
      ? await exactly(registry, revision, () => expiredContinue(start), signal)
      : await newest(registry, signal);
    return at(reached, `${prefixOf(namespace)}${start}`);
  }
  const revision = parseResourceVersion(options.resourceVersion, (why) =>
    errors.badRequest(`invalid resource version: ${why}`),
  );
  if (revision === undefined) return indexed(kind, scope, at(await newest(registry, signal)));
  const isExact = match ? match === 'Exact' : limit > 0 && options.resourceVersion !== '0';
  if (isExact) return at(await exactly(registry, revision, expired, signal));
  await cache.reached(revision, signal);
  return indexed(kind, scope, at(cache.position));
}

/** Returns the revision once the replica has reached it. @throws StatusError Timeout, or the error from `tooOld` */
async function exactly(
  { storage, cache }: Registry,
  revision: number,
  tooOld: () => StatusError,
  signal: AbortSignal | undefined,
): Promise<number> {
  await cache.reached(revision, signal);
  if (revision < storage.compactedRevision) throw tooOld();
  return revision;
}

/**
 * Returns the newest revision, or a later one that the replica has. If the replica is too slow, the list reads from
 * storage.
 */
async function newest({ storage, cache }: Registry, signal: AbortSignal | undefined): Promise<number> {
  const late = await cache.reached(storage.revision, signal).catch((error: unknown) => error);
  if (late === undefined) return cache.position;
  if (isTooLargeResourceVersion(late)) return storage.revision;
  throw late;
}

/** Narrows the paged objects with the index, so that the last page of the selected objects is known to be the last. */
function indexed<T extends KubeObject>(
  { watchIndex }: Kind<T>,
  scope: WatchScope,
  { objects, revision }: Snapshot,
): Snapshot {
  if (!watchIndex || scope.indexed === undefined) return { objects, revision };
  return { objects: objects.filter((object) => watchIndex.value(object as T) === scope.indexed), revision };
}

const prefixOf = (namespace: string | undefined): string => (namespace ? `${namespace}/` : '');

function page<T extends KubeObject>(
  resource: Resource<T>,
  { objects, revision }: Snapshot,
  limit: number,
  { namespace, everything, matches }: SelectionPredicate,
): List<T> {
  const items: KubeObject[] = [];
  let seen = 0;
  while (seen < objects.length && (limit === 0 || items.length < limit)) {
    const object = objects[seen++] as KubeObject;
    if (everything || matches(object)) items.push(object);
  }
  const last = items.at(-1);
  // The objects after the page are unchecked, so it is possible that none of them matches.
  const more = last !== undefined && seen < objects.length;
  const start = `${last && keyToString(keyOf(last)).slice(prefixOf(namespace).length)}\0`;
  return freezeObject({
    apiVersion: groupVersion(resource),
    kind: listKindOf(resource),
    metadata: {
      resourceVersion: String(revision),
      ...(more ? { continue: encodeContinue({ revision, start }) } : {}),
      ...(more && everything ? { remainingItemCount: objects.length - items.length } : {}),
    },
    items: items as T[],
  });
}

const expired = (): StatusError => errors.expired('The resourceVersion for the provided list is too old.');
