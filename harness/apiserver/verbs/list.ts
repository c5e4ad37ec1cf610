import { freezeObject } from '../../api/freeze.ts';
import { type KubeObject, keyOf, keyToString, type List } from '../../api/objects.ts';
import { groupVersion, type Resource } from '../../api/resource.ts';
import { errors, isTooLargeResourceVersion, type StatusError } from '../../api/status.ts';
import type { ListOptions } from '../../contracts/client.ts';
import type { Kind } from '../kind.ts';
import { mustBeValidOptions, validateListOptions } from '../validation/list-options.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import type { Registry } from './registry.ts';
import { parseResourceVersion } from './resource-version.ts';
import { parseSelection, type SelectionPredicate } from './selection.ts';

/** What is listed: the state of all objects at one revision. */
interface Snapshot {
  readonly objects: readonly KubeObject[];
  readonly revision: number;
}

/**
 * A page of objects.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator.go CacheDelegator.GetList
 *
 * @throws StatusError BadRequest (a selector, a resourceVersion or a token that cannot be read), Invalid, Expired, Timeout
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
  // Where any state will do, the replica gives all that it has.
  const limit = options.resourceVersion === '0' && !options.continue ? 0 : (options.limit ?? 0);
  return page(resource, { objects, revision }, limit, predicate);
}

/**
 * Every list is read from this replica, which remembers what it has seen. A list of the newest state, or of a certain
 * one, waits until the replica is there. With a limit and no word on how the resourceVersion is to match, it is exact: so it
 * was before there was a word.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator/interface.go ShouldDelegateList, and
 * pkg/storage/cacher/watch_cache.go watchCache.waitUntilFreshAndList
 */
async function read<T extends KubeObject>(
  { storage, cache }: Registry,
  { resource, watchIndex }: Kind<T>,
  options: ListOptions,
  { namespace, scope }: SelectionPredicate,
): Promise<Snapshot> {
  const { resourceVersionMatch: match, limit = 0, signal } = options;
  const at = (revision: number, from?: string): Snapshot => ({
    objects: storage.list(resource, {
      ...(namespace ? { namespace } : {}),
      ...(from ? { from } : {}),
      revision,
    }),
    revision,
  });
  const exactly = async (revision: number, tooOld: () => StatusError, from?: string): Promise<Snapshot> => {
    await cache.reached(revision, signal);
    if (revision < storage.compactedRevision) throw tooOld();
    return at(revision, from);
  };
  /** A replica that does not get there in time is passed over. */
  const newest = async (): Promise<number> => {
    const wanted = storage.revision;
    const late = await cache.reached(wanted, signal).catch((error: unknown) => error);
    if (late === undefined) return cache.position;
    if (isTooLargeResourceVersion(late)) return storage.revision;
    throw late;
  };
  /** The index narrows what is paged through, so that the last page is known to be the last. */
  const indexed = ({ objects, revision }: Snapshot): Snapshot =>
    watchIndex && scope.indexed !== undefined
      ? { objects: objects.filter((object) => watchIndex.value(object as T) === scope.indexed), revision }
      : { objects, revision };

  if (options.continue) {
    const { revision, start } = decodeContinue(options.continue);
    if (options.resourceVersion && options.resourceVersion !== '0') {
      throw errors.badRequest('specifying resource version is not allowed when using continue');
    }
    const from = `${namespace ? `${namespace}/` : ''}${start}`;
    return revision > 0 ? exactly(revision, () => expiredContinue(start), from) : at(await newest(), from);
  }
  const revision = parseResourceVersion(options.resourceVersion, (why) =>
    errors.badRequest(`invalid resource version: ${why}`),
  );
  if (revision === undefined) return indexed(at(await newest()));
  const legacyExact = !match && limit > 0 && options.resourceVersion !== '0';
  if (match === 'Exact' || legacyExact) return exactly(revision, expired);
  await cache.reached(revision, signal);
  return indexed(at(cache.position));
}

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
  // Nothing was looked at behind the page: it may be that there is more, and that none of it matches.
  const more = last !== undefined && seen < objects.length;
  const start = `${last && keyToString(keyOf(last)).slice(namespace ? namespace.length + 1 : 0)}\0`;
  return freezeObject({
    apiVersion: groupVersion(resource),
    kind: `${resource.kind}List`,
    metadata: {
      resourceVersion: String(revision),
      ...(more ? { continue: encodeContinue({ revision, start }) } : {}),
      ...(more && everything ? { remainingItemCount: objects.length - items.length } : {}),
    },
    items: items as T[],
  });
}

const expired = (): StatusError => errors.expired('The resourceVersion for the provided list is too old.');

/** A token that is too old comes with a new one, for who would rather have the rest than a consistent whole. */
function expiredContinue(start: string): StatusError {
  const error = errors.expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list ' +
      'without the continue parameter, or use the continue token in this response to retrieve the remainder of ' +
      'the results. Continuing with the provided token results in an inconsistent list - objects that were ' +
      'created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  error.status.metadata = { continue: encodeContinue({ revision: -1, start }) };
  return error;
}
