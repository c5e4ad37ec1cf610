import { isList, isObject, type Json, type JsonList } from '../../apiserver/patch/json-value.ts';
import type { MergeField, MergeSchema } from '../../contracts/apply/index.ts';

/** The three versions of an object, of a list, or of any other value. */
export interface Versions<T extends Json> {
  /** In the configuration that was applied last. */
  readonly original?: T | undefined;
  /** In the configuration to apply now. */
  readonly modified: T;
  /** On the server. */
  readonly current?: T | undefined;
}

/** Returns the merge rules of a field: empty if it has no tag, undefined if the kind has no schema. */
export function fieldOf(schema: MergeSchema | undefined, name: string): MergeField | undefined {
  if (!schema) return undefined;
  return (Object.hasOwn(schema, name) && schema[name]) || {};
}

/** Returns whether a patch of this list is merged into the list on the server. Any other list is replaced. */
export function mergesLists(field: MergeField | undefined): field is MergeField {
  return field?.patchStrategy?.split(',').includes('merge') ?? false;
}

/** Returns whether a patch of this object, or of the objects in this list, should have `$retainKeys`. */
export function retainsKeys(field: MergeField | undefined): boolean {
  return field?.patchStrategy?.split(',').includes('retainKeys') ?? false;
}

/**
 * The items of a list that have no partner in another list. Objects are partners if they have the same value of the
 * merge key, scalars if they are equal.
 *
 * A list can have several items with one identity: a Service has port 53 for TCP and UDP. Then the first is the partner
 * of the first, and the second of the second.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go diffListsOfMaps, diffListsOfScalars
 */
export class Unmatched<T extends Json = Json> {
  readonly #items: T[];
  readonly #mergeKey: string | undefined;

  /** @param mergeKey of objects; undefined for scalars */
  constructor(items: JsonList, mergeKey: string | undefined) {
    this.#items = [...items] as T[];
    this.#mergeKey = mergeKey;
  }

  /**
   * Removes the partner of an item, and returns it.
   *
   * @throws Error if an object lacks the merge key
   */
  take(item: Json): T | undefined {
    const identity = this.#identityOf(item);
    const index = this.#items.findIndex((other) => this.#identityOf(other) === identity);
    return index < 0 ? undefined : this.#items.splice(index, 1)[0];
  }

  /** The items without a partner so far, ordered by their identity as a text. */
  get rest(): readonly T[] {
    return this.#items.toSorted((left, right) => {
      const [a, b] = [this.#identityOf(left), this.#identityOf(right)];
      return a < b ? -1 : Number(a > b);
    });
  }

  #identityOf(item: Json): string {
    if (this.#mergeKey === undefined) {
      if (isList(item) || isObject(item)) throw new Error('list element types are not identical');
      return String(item);
    }
    if (!isObject(item) || item[this.#mergeKey] === undefined) {
      throw new Error(`map: ${JSON.stringify(item)} does not contain declared merge key: ${this.#mergeKey}`);
    }
    return String(item[this.#mergeKey]);
  }
}
