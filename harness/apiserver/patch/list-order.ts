import { getOwn } from '../../api/own.ts';
import { isDeleteDirective, PATCH } from './directives.ts';
import { isList, isObject, type Json, type JsonList, type JsonType, typeOf } from './json-value.ts';
import { badType, noMergeKey, unmapped, unprocessable } from './patch-error.ts';

/**
 * Orders the elements of a merged list. The elements in `order` get that order. The others keep the order of
 * `serverOrder` and, as far as both orders allow, their position relative to the former. An element that is new to the
 * server precedes them.
 *
 * Differs: elements in neither order come last; upstream leaves their position to its sort.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go normalizeElementOrder,
 * mergeSortedSlice
 *
 * @param mergeKey - identifies objects; undefined for a list of scalars
 */
export function arrange(
  merged: JsonList,
  { order, serverOrder, mergeKey }: { order: JsonList; serverOrder: JsonList; mergeKey: string | undefined },
): JsonList {
  const wanted = new Ranks(order, mergeKey);
  const served = new Ranks(serverOrder, mergeKey);
  const patched = wanted.sort(merged.filter((item) => wanted.has(item)));
  const serverOnly = served.sort(merged.filter((item) => !wanted.has(item)));

  const result: Json[] = [];
  let next = 0;
  for (const item of patched) {
    while (next < serverOnly.length && served.less(serverOnly[next] as Json, item)) {
      result.push(serverOnly[next++] as Json);
    }
    result.push(item);
  }
  return result.concat(serverOnly.slice(next));
}

/** The positions of elements in a list, by merge key or, for scalars, by value. */
class Ranks {
  readonly #ranks = new Map<Json, number>();
  readonly #mergeKey: string | undefined;

  constructor(list: JsonList, mergeKey: string | undefined) {
    this.#mergeKey = mergeKey;
    for (const [index, item] of list.entries()) {
      const identity = identityOf(item, mergeKey);
      if (!this.#ranks.has(identity)) this.#ranks.set(identity, index);
    }
  }

  /** Reports whether the list has an element with the same identity. */
  has(item: Json): boolean {
    return this.#ranks.has(identityOf(item, this.#mergeKey));
  }

  /** Reports whether the list has both, and `left` before `right`. */
  less(left: Json, right: Json): boolean {
    return this.has(right) && this.#rank(left) < this.#rank(right);
  }

  /** Sorts `items` in the order of the list: unknown items after the known ones, delete directives last. */
  sort(items: JsonList): JsonList {
    const kept = items.filter((item) => !isDeleteDirective(item));
    const sorted = kept.toSorted((left, right) => {
      const [a, b] = [this.#rank(left), this.#rank(right)];
      return a < b ? -1 : Number(a > b);
    });
    return [...sorted, ...items.filter(isDeleteDirective)];
  }

  #rank(item: Json): number {
    return this.#ranks.get(identityOf(item, this.#mergeKey)) ?? Number.POSITIVE_INFINITY;
  }
}

/**
 * Returns the identity of `item` in its list: the value of its merge key, or a scalar itself.
 *
 * @throws {PatchError} 500 if it lacks the merge key, or is not an object although the list has a merge key.
 */
export function identityOf(item: Json, mergeKey: string | undefined): Json {
  if (mergeKey === undefined) {
    if (isObject(item) || isList(item)) throw unmapped('cannot merge lists without merge key');
    return item;
  }
  if (!isObject(item)) throw badType('map[string]interface {}', item);
  const identity = getOwn(item, mergeKey);
  if (identity === undefined) throw noMergeKey(item, mergeKey);
  return identity;
}

/**
 * Returns the JSON type that all elements of `lists` have in common; undefined without elements.
 *
 * @throws {PatchError} 422 for lists of lists, 500 if the types differ.
 */
export function elementTypeOf(...lists: readonly JsonList[]): JsonType | undefined {
  const types = new Set(lists.flat().map(typeOf));
  if (types.has('list')) throw unprocessable('lists of lists are not supported');
  if (types.size > 1) throw unmapped(`list element types are not identical: ${JSON.stringify(lists)}`);
  const [type] = types;
  return type;
}

/**
 * Checks a list in a patch against its `$setElementOrder`: the order must name every element, in the same relative
 * order. Elements with a directive are exempt.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go
 * validatePatchWithSetOrderList
 *
 * @throws {PatchError} 500 if they contradict each other.
 */
export function checkAgainstOrder(patchList: JsonList, order: JsonList, mergeKey: string | undefined): void {
  // Upstream accepts an empty list on either side.
  if (order.length === 0) return;
  const identities = order.map((item) => identityOf(item, mergeKey));
  let from = 0;
  for (const item of patchList) {
    if (isObject(item) && Object.hasOwn(item, PATCH)) continue;
    const found = identities.indexOf(identityOf(item, mergeKey), from);
    if (found < 0) {
      throw unmapped(
        `The order in patch list:\n${JSON.stringify(patchList)}\n` +
          ` doesn't match $setElementOrder list:\n${JSON.stringify(order)}\n`,
      );
    }
    from = found + 1;
  }
}

/** Checks that a parallel or patched list is a list. @throws {PatchError} 500 if it is not */
export function expectList(value: Json): JsonList {
  if (!isList(value)) throw badType('[]interface {}', value);
  return value;
}
