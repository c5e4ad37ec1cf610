import { getOwn } from '../../api/own.ts';
import { isList, isObject, type Json, type JsonList, setOwn } from '../patch/json-value.ts';
import { itemElement } from './list-item.ts';
import { formOf, type ListSchema, type MapSchema, type MergeSchema } from './merge-schema.ts';
import type { PathElement } from './path-element.ts';
import { definedEntries } from './validate.ts';

type Side = Json | undefined;

/**
 * Merges the applied configuration into the live object: every applied leaf has the applied value, and nothing is
 * removed. Common list items get the order of the configuration.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 typed/merge.go mergingWalker
 *
 * @throws Error when an item of a list has no key
 */
export function merge(schema: MergeSchema, live: Json, applied: Json): Json {
  return merged(schema, live, applied) ?? null;
}

function merged(schema: MergeSchema, live: Side, applied: Side): Side {
  if (applied === undefined || live === applied) return live;
  if (live === undefined) return applied;
  switch (formOf(schema, applied)) {
    case 'map':
      return mergedMaps(schema.map as MapSchema, live, applied);
    case 'list':
      return mergedLists(schema.list as ListSchema, live, applied);
    default:
      return applied;
  }
}

function mergedMaps(schema: MapSchema, live: Json, applied: Json): Json {
  const before = isObject(live) ? definedEntries(live) : [];
  const after = isObject(applied) ? definedEntries(applied) : [];
  if (schema.atomic || (before.length === 0 && after.length === 0)) return applied;
  const result: Record<string, Json> = Object.fromEntries(before);
  for (const [name, value] of after) {
    const type = schema.value(name);
    const mergedValue = type ? merged(type, getOwn(result, name), value) : value;
    if (mergedValue !== undefined) setOwn(result, name, mergedValue);
  }
  return result;
}

function mergedLists(schema: ListSchema, live: Json, applied: Json): Json {
  const before = isList(live) ? live : [];
  const after = isList(applied) ? applied : [];
  if (schema.type === 'atomic' || (before.length === 0 && after.length === 0)) return applied;
  return new ListMerge(schema, before, after).run();
}

class ListMerge {
  readonly #schema: ListSchema;
  readonly #live: JsonList;
  readonly #liveElements: readonly PathElement[];
  readonly #appliedElements: readonly PathElement[];
  /** Duplicate keys in the live list cannot be merged: null. */
  readonly #liveItems = new Map<PathElement, Json>();
  readonly #appliedItems: ReadonlyMap<PathElement, Json>;
  readonly #taken = new Set<PathElement>();
  readonly #result: Json[] = [];

  constructor(schema: ListSchema, live: JsonList, applied: JsonList) {
    this.#schema = schema;
    this.#live = live;
    this.#liveElements = live.map((item) => itemElement(schema, item));
    this.#appliedElements = applied.map((item) => itemElement(schema, item));
    for (const [index, element] of this.#liveElements.entries()) {
      this.#liveItems.set(element, this.#liveItems.has(element) ? null : (live[index] as Json));
    }
    this.#appliedItems = new Map(applied.map((item, index) => [this.#appliedElements[index] ?? '', item]));
  }

  /** Merges with one pointer into each list; the pointers synchronize at common items. */
  run(): JsonList {
    const shared = this.#appliedElements.filter((element) => this.#liveItems.has(element));
    let next = shared.shift();
    let ours = 0;
    let theirs = 0;
    while (ours < this.#liveElements.length || theirs < this.#appliedElements.length) {
      const live = this.#liveElements[ours];
      const applied = this.#appliedElements[theirs];
      if (live !== undefined && applied !== undefined) {
        if (live === applied) {
          this.#takeApplied(applied);
          ours++;
          theirs++;
          next = shared.shift();
          continue;
        }
        if (this.#appliedItems.has(live) && next !== undefined && next !== live) {
          ours++;
          continue;
        }
      }
      if (live !== undefined) {
        if (!this.#appliedItems.has(live)) {
          this.#result.push(this.#live[ours] as Json);
          ours++;
          continue;
        }
        if (this.#taken.has(live)) ours++;
      }
      if (applied !== undefined) {
        this.#takeApplied(applied);
        theirs++;
        if (next === applied) next = shared.shift();
      }
    }
    return this.#result;
  }

  #takeApplied(element: PathElement): void {
    this.#taken.add(element);
    const item = merged(this.#schema.item(), this.#liveItems.get(element), this.#appliedItems.get(element));
    if (item !== undefined) this.#result.push(item);
  }
}
