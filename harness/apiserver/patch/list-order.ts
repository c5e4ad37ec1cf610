import { isDeleteDirective, PATCH } from './directives.ts';
import { getOwn, isList, isObject, type Json, type JsonList, type JsonType, typeOf } from './json-value.ts';
import { badType, noMergeKey, unmapped, unprocessable } from './patch-error.ts';

/**
 * Orders the elements of a merged list. Those that `order` names stand in that order. The others keep the
 * order of `serverOrder` and stand, as far as both orders allow, where they stood relative to the first; an
 * element new to the server comes before them.
 *
 * Differs: elements that neither order names come last, where upstream leaves their place to its sort.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go normalizeElementOrder,
 * mergeSortedSlice
 *
 * @param mergeKey tells objects apart; undefined for a list of scalars.
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

/** The places of elements in a list, known by merge key or, for scalars, by value. */
export class Ranks {
  readonly #ranks = new Map<Json, number>();
  readonly #mergeKey: string | undefined;

  constructor(list: JsonList, mergeKey: string | undefined) {
    this.#mergeKey = mergeKey;
    for (const [index, item] of list.entries()) {
      const identity = identityOf(item, mergeKey);
      if (!this.#ranks.has(identity)) this.#ranks.set(identity, index);
    }
  }

  /** Whether the list has an element of the same identity. */
  has(item: Json): boolean {
    return this.#ranks.has(identityOf(item, this.#mergeKey));
  }

  /** Whether both are in the list, and `left` before `right`. */
  less(left: Json, right: Json): boolean {
    return this.has(right) && this.#rank(left) < this.#rank(right);
  }

  /** `items` in the order of the list, the unknown after the known, delete directives last. */
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
 * What tells `item` apart in its list: the value of its merge key, or itself in a list of scalars.
 *
 * @throws {PatchError} 500 if it has no such key, or is no object where the list has a merge key.
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
 * The JSON type that all elements of `lists` have in common; undefined if there are none.
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
 * Checks a list in a patch against its `$setElementOrder`: every element must be named there, and in the
 * same relative order. Elements that carry a directive are exempt.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go
 * validatePatchWithSetOrderList
 *
 * @throws {PatchError} 500 if they contradict each other.
 */
export function checkAgainstOrder(patchList: JsonList, order: JsonList, mergeKey: string | undefined): void {
  // Upstream lets either list be empty.
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

/** A parallel or patched list as a list. @throws {PatchError} 500 if it is none. */
export function expectList(value: Json): JsonList {
  if (!isList(value)) throw badType('[]interface {}', value);
  return value;
}
