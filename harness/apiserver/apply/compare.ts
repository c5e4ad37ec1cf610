import { getOwn } from '../../api/own.ts';
import { equalJson, isList, isObject, type Json, type JsonObject } from '../patch/json-value.ts';
import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { itemElement } from './list-item.ts';
import { formOf, type ListSchema, type MapSchema, type MergeSchema } from './merge-schema.ts';
import { fieldElement, type Path, type PathElement } from './path-element.ts';

/** The differences between two objects. No field is in more than one of the three sets. */
interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/**
 * Compares two objects field by field. For an added or removed field, the maps and items that contained it count, too.
 *
 * Parts that both objects share are recognized by identity.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 typed/compare.go compareWalker
 *
 * @throws Error when an item of a list has no key
 */
export function compare(schema: MergeSchema, left: Json, right: Json): Comparison {
  const walk = new CompareWalk();
  walk.compare(schema, left, right, []);
  return { added: walk.added.set, modified: walk.modified.set, removed: walk.removed.set };
}

type Side = Json | undefined;

class CompareWalk {
  readonly added = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly removed = new FieldSetBuilder();

  compare(schema: MergeSchema, left: Side, right: Side, path: Path): void {
    if (left === right) return;
    const form = formOf(schema, right === undefined ? left : right);
    const former = left === undefined || right === undefined ? form : formOf(schema, left);
    if (former !== form) this.#compareAs(former, schema, left, right, path);
    const isLeaf = this.#compareAs(form, schema, left, right, path);
    if (isLeaf) return;
    if (left === undefined) this.added.insert(path);
    else if (right === undefined) this.removed.insert(path);
  }

  /** Returns whether the value is a leaf. If so, its difference is already recorded. */
  #compareAs(form: keyof MergeSchema, schema: MergeSchema, left: Side, right: Side, path: Path): boolean {
    if (form === 'map') return this.#compareMaps(schema.map as MapSchema, left, right, path);
    if (form === 'list') return this.#compareLists(schema.list as ListSchema, left, right, path);
    return this.#compareLeaves(left, right, path);
  }

  #compareLeaves(left: Side, right: Side, path: Path): true {
    if (left === undefined) this.added.insert(path);
    else if (right === undefined) this.removed.insert(path);
    else if (!equalJson(left, right)) this.modified.insert(path);
    return true;
  }

  /** If both sides are empty, the difference between absent and null is that of a leaf. */
  #compareMaps(schema: MapSchema, left: Side, right: Side, path: Path): boolean {
    const before = isObject(left) ? left : {};
    const after = isObject(right) ? right : {};
    const names = namesIn(before, after);
    if (schema.atomic || names.length === 0) return this.#compareLeaves(left, right, path);
    for (const name of names) {
      const [was, is] = [getOwn(before, name), getOwn(after, name)];
      // Most values are shared; skip them before building a path.
      if (was === is) continue;
      const type = schema.value(name);
      if (!type) throw new Error(`schema error: no type found matching: ${name}`);
      this.compare(type, was, is, [...path, fieldElement(name)]);
    }
    return false;
  }

  #compareLists(schema: ListSchema, left: Side, right: Side, path: Path): boolean {
    const before = itemsByElement(schema, left);
    const after = itemsByElement(schema, right);
    if (schema.type === 'atomic' || (before.size === 0 && after.size === 0)) {
      return this.#compareLeaves(left, right, path);
    }
    for (const element of new Set([...before.keys(), ...after.keys()])) {
      const inner = [...path, element];
      this.#compareItems(schema.item(), before.get(element) ?? [], after.get(element) ?? [], inner);
    }
    return false;
  }

  /** Compares the items with one key. Usually there is one; several are an error and count as one value. */
  #compareItems(item: MergeSchema, before: readonly Json[], after: readonly Json[], path: Path): void {
    if (before.length > 1 && after.length > 1) {
      if (!equalJson(before, after)) this.modified.insert(path);
    } else if (before.length > 1) {
      if (after.length > 0) this.compare(item, undefined, after[0], path);
      this.removed.insert(path);
    } else if (after.length > 1) {
      if (before.length > 0) this.compare(item, before[0], undefined, path);
      this.added.insert(path);
    } else {
      this.compare(item, before[0], after[0], path);
    }
  }
}

/** Returns the names of the fields in either object. */
function namesIn(left: JsonObject, right: JsonObject): readonly string[] {
  const names = Object.keys(left).filter((name) => left[name] !== undefined);
  for (const name of Object.keys(right)) {
    if (right[name] !== undefined && getOwn(left, name) === undefined) names.push(name);
  }
  return names;
}

function itemsByElement(schema: ListSchema, list: Side): ReadonlyMap<PathElement, readonly Json[]> {
  const result = new Map<PathElement, Json[]>();
  if (!isList(list) || schema.type === 'atomic') return result;
  for (const item of list) {
    const element = itemElement(schema, item);
    const same = result.get(element);
    if (same) same.push(item);
    else result.set(element, [item]);
  }
  return result;
}
