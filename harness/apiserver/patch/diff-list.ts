import { PATCH } from './directives.ts';
import { equalJson, type Json, type JsonList, type JsonObject } from './json-value.ts';
import { elementTypeOf, identityOf, Ranks } from './list-order.ts';

/** The differences that a diff reports. */
export interface DiffOptions {
  /** Emit `$setElementOrder` for merging lists that changed. */
  readonly setElementOrder?: boolean;
  /** Report deletions only. */
  readonly ignoreChangesAndAdditions?: boolean;
  /** Report changes and additions only. */
  readonly ignoreDeletions?: boolean;
}

/** The difference of one merging list, as in a patch. Empty lists are not sent. */
interface ListDifference {
  /** The list itself: additions, changed elements and, for objects, delete directives. */
  readonly list: JsonList;
  /** The `$deleteFromPrimitiveList` of a list of scalars. */
  readonly deletions: JsonList;
  /** The `$setElementOrder`: all elements of the modified list, objects by their merge key only. */
  readonly order: JsonList;
}

interface ListDiffOptions {
  readonly mergeKey: string | undefined;
  readonly options: DiffOptions;
  /** Returns the difference between two objects with the same merge key. */
  readonly diffItem: (original: JsonObject, modified: JsonObject) => JsonObject;
}

const nothing: ListDifference = { list: [], deletions: [], order: [] };

/**
 * Returns the difference between two merging lists.
 *
 * Differs: upstream sorts the scalars of `original` in place and then reports that as a change of order. We compare the
 * unsorted lists.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go diffLists
 *
 * @throws {PatchError} 422 for lists of lists, 500 for elements of mixed types or without merge key.
 */
export function diffLists(original: JsonList, modified: JsonList, using: ListDiffOptions): ListDifference {
  if (original.length === 0) {
    return using.options.ignoreChangesAndAdditions ? nothing : { ...nothing, list: modified };
  }
  return elementTypeOf(original, modified) === 'object'
    ? diffObjects(original, modified, using)
    : diffScalars(original, modified, using.options);
}

function diffObjects(
  original: JsonList,
  modified: JsonList,
  { mergeKey, options, diffItem }: ListDiffOptions,
): ListDifference {
  const key = mergeKey ?? '';
  const { setElementOrder, ignoreChangesAndAdditions, ignoreDeletions } = options;
  const changes: Json[] = [];
  const deletions: Json[] = [];
  for (const [before, after] of pair(original, modified, key)) {
    if (before === undefined) {
      if (!ignoreChangesAndAdditions) changes.push(after as Json);
    } else if (after === undefined) {
      if (!ignoreDeletions) deletions.push({ [PATCH]: 'delete', [key]: identityOf(before, key) });
    } else {
      const difference = diffItem(before as JsonObject, after as JsonObject);
      if (Object.keys(difference).length > 0) changes.push({ ...difference, [key]: identityOf(after, key) });
    }
  }
  const list = [...new Ranks(modified, key).sort(changes), ...deletions];
  const sameOrder =
    original.length === modified.length &&
    original.every((item, index) => identityOf(item, key) === identityOf(modified[index] as Json, key));
  const changed = !ignoreChangesAndAdditions && (list.length > 0 || !sameOrder);
  const deleted = !ignoreDeletions && list.length > 0;
  const order = modified.map((item) => ({ [key]: identityOf(item, key) }));
  return { list, deletions: [], order: setElementOrder && (changed || deleted) ? order : [] };
}

function diffScalars(original: JsonList, modified: JsonList, options: DiffOptions): ListDifference {
  const { setElementOrder, ignoreChangesAndAdditions, ignoreDeletions } = options;
  const additions: Json[] = [];
  const deletions = new Set<Json>();
  for (const [before, after] of pair(original, modified, undefined)) {
    if (before === undefined && !ignoreChangesAndAdditions) additions.push(after as Json);
    if (after === undefined && !ignoreDeletions) deletions.add(before as Json);
  }
  const changed = !ignoreChangesAndAdditions && !equalJson(original, modified);
  const deleted = !ignoreDeletions && deletions.size > 0;
  return {
    list: new Ranks(modified, undefined).sort(additions),
    deletions: [...deletions],
    order: setElementOrder && (changed || deleted) ? modified : [],
  };
}

type Pair = readonly [before: Json | undefined, after: Json | undefined];

/** Pairs the elements of two lists by identity, in the order of their identities as text. */
function pair(original: JsonList, modified: JsonList, mergeKey: string | undefined): readonly Pair[] {
  const identity = (item: Json): string => String(identityOf(item, mergeKey));
  const byIdentity = (left: Json, right: Json): number => {
    const [a, b] = [identity(left), identity(right)];
    return a < b ? -1 : Number(a > b);
  };
  const before = original.toSorted(byIdentity);
  const after = modified.toSorted(byIdentity);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [left, right] = [before[i], after[j]];
    const order = left === undefined ? 1 : right === undefined ? -1 : byIdentity(left, right);
    pairs.push([order <= 0 ? left : undefined, order >= 0 ? right : undefined]);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return pairs;
}
