import { freezeObject } from '../../api/freeze.ts';
import { type KubeObject, keyOf, keyToString, type List } from '../../api/objects.ts';
import { groupVersion, type Resource } from '../../api/resource.ts';
import { errors, type StatusError } from '../../api/status.ts';
import type { ListOptions } from '../../contracts/client.ts';
import { mustBeValidOptions, validateListOptions } from '../validation/list-options.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import type { Registry } from './registry.ts';
import { parseResourceVersion } from './resource-version.ts';
import { parseSelection, type SelectionPredicate } from './selection.ts';

/** What is listed: the state of all objects at one revision, from the key after `after`. */
interface Snapshot {
  readonly objects: readonly KubeObject[];
  readonly revision: number;
  readonly after?: string;
  /** Does the limit count? A list from the watch cache gives all it has. */
  readonly paged: boolean;
}

/** Upstream: kubernetes/apiserver@v0.30.0 pkg/storage/cacher/cacher.go Cacher.GetList */
export async function list<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  options: ListOptions,
): Promise<List<T>> {
  mustBeValidOptions('ListOptions', validateListOptions(options));
  const predicate = parseSelection(registry.kindOf(resource), options);
  const snapshot = await read(registry, resource, options, predicate);
  return page(resource, snapshot, options, predicate);
}

/**
 * Three sources, as a real apiserver has them: a continue token goes on at its revision; no resourceVersion, or
 * one with a limit, or an exact one, reads storage; the rest reads this replica, which may be behind. With a limit
 * and no word on how the resourceVersion is to match, it is exact: so it was before there was a word.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/storage/cacher/cacher.go shouldDelegateList, and
 * pkg/storage/etcd3/store.go store.resolveGetListRev
 */
async function read(
  registry: Registry,
  resource: Resource,
  options: ListOptions,
  { namespace }: SelectionPredicate,
): Promise<Snapshot> {
  const { storage, cache } = registry;
  const revision = parseResourceVersion(options.resourceVersion);
  const at = (wanted: number): KubeObject[] =>
    storage.list(resource, { ...(namespace === undefined ? {} : { namespace }), revision: wanted });

  if (options.continue) {
    if (revision) throw errors.badRequest('specifying resource version is not allowed when using continue');
    const token = decodeContinue(options.continue);
    const tokenRevision = token.revision === -1 ? storage.revision : token.revision;
    if (tokenRevision < storage.compactedRevision) throw expiredContinue(token.after);
    return { objects: at(tokenRevision), revision: tokenRevision, after: token.after, paged: true };
  }
  const { resourceVersionMatch: match = options.limit ? 'Exact' : 'NotOlderThan' } = options;
  if (match === 'Exact' && revision) {
    if (revision > storage.revision) throw errors.tooLargeResourceVersion(revision, storage.revision);
    if (revision < storage.compactedRevision)
      throw errors.expired('The resourceVersion for the provided list is too old.');
    return { objects: at(revision), revision, paged: true };
  }
  if (revision === undefined)
    return { objects: at(storage.revision), revision: storage.revision, paged: true };
  if (options.limit && revision > 0) {
    if (revision > storage.revision) throw errors.tooLargeResourceVersion(revision, storage.revision);
    return { objects: at(storage.revision), revision: storage.revision, paged: true };
  }
  await cache.reached(revision);
  return { objects: cache.list(resource, namespace), revision: cache.position, paged: false };
}

function page<T extends KubeObject>(
  resource: Resource<T>,
  { objects, revision, after, paged }: Snapshot,
  { limit = 0 }: ListOptions,
  predicate: SelectionPredicate,
): List<T> {
  const rest = after === undefined ? objects : objects.filter((object) => keyToString(keyOf(object)) > after);
  const selected = predicate.everything ? rest : rest.filter((object) => predicate.matches(object));
  const items = paged && limit > 0 ? selected.slice(0, limit) : selected;
  const last = items.at(-1);
  const more = last !== undefined && items.length < selected.length;
  return freezeObject({
    apiVersion: groupVersion(resource),
    kind: `${resource.kind}List`,
    metadata: {
      resourceVersion: String(revision),
      ...(more ? { continue: encodeContinue({ revision, after: keyToString(keyOf(last)) }) } : {}),
      ...(more && predicate.everything ? { remainingItemCount: selected.length - items.length } : {}),
    },
    items: items as T[],
  });
}

/** A token that is too old comes with a new one, for who would rather have the rest than a consistent whole. */
function expiredContinue(after: string): StatusError {
  const error = errors.expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list ' +
      'without the continue parameter, or use the continue token in this response to retrieve the remainder of ' +
      'the results. Continuing with the provided token results in an inconsistent list - objects that were ' +
      'created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  error.status.metadata = { continue: encodeContinue({ revision: -1, after }) };
  return error;
}
