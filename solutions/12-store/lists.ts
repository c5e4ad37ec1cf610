import {
  decodeContinue,
  type Entry,
  type ObjectListOptions,
  type Page,
  parseResourceVersion,
  type Wanted,
} from '#given/12-store';
import { errors, type KubeObject } from '#harness';

// Level 8 · Lists and pages

/**
 * Returns the first page of some objects.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.GetList; pkg/storage/continue.go
 * PrepareContinueToken
 */
export function pageOf(
  entries: readonly Entry[],
  prefix: string,
  { matches, limit = 0 }: Pick<ObjectListOptions, 'matches' | 'limit'>,
): Omit<Page, 'revision'> {
  const items: KubeObject[] = [];
  let seen = 0;
  for (const [, object] of entries) {
    if (limit > 0 && items.length === limit) break;
    seen++;
    if (!matches || matches(object)) items.push(object);
  }
  if (seen === entries.length) return { items };
  const [last] = entries[seen - 1] as Entry;
  return {
    items,
    next: `${last.slice(prefix.length)}\0`,
    remaining: matches ? undefined : entries.length - seen,
  };
}

/**
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator/interface.go ShouldDelegateList; pkg/storage/
 * interfaces.go ValidateListOptions
 */
export function wantedBy(options: ObjectListOptions): Wanted {
  const { resourceVersion, resourceVersionMatch: match, limit = 0 } = options;
  if (options.continue) {
    if (resourceVersion && resourceVersion !== '0')
      throw errors.badRequest('specifying resource version is not allowed when using continue');
    const { revision, start } = decodeContinue(options.continue);
    return revision > 0 ? { state: 'exact', revision, start } : { state: 'newest', start };
  }
  const revision = parseResourceVersion(resourceVersion, (why) =>
    errors.badRequest(`invalid resource version: ${why}`),
  );
  if (revision === undefined) return { state: 'newest' };
  if (revision === 0) return { state: 'any' };
  // Without a match, a limit means exact: so it was before there was a match.
  const isExact = match ? match === 'Exact' : limit > 0;
  return { state: isExact ? 'exact' : 'notOlderThan', revision };
}
