import { equalJson, type Json } from '../patch/json-value.ts';
import { compare } from './compare.ts';
import type { Conflict } from './conflict.ts';
import {
  difference,
  type FieldNode,
  type FieldSet,
  intersection,
  noFields,
  pathsOf,
  sameFields,
  union,
} from './field-set.ts';
import { merge } from './merge.ts';
import type { MergeSchema } from './merge-schema.ts';
import { fieldNameOf, type PathElement } from './path-element.ts';
import { withoutFields } from './remove.ts';
import { fieldsOf } from './to-field-set.ts';

/** The fields of one manager. */
export interface VersionedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** Whether the manager applied the fields; otherwise it set them by updates. */
  readonly applied: boolean;
}

/**
 * The fields of each manager.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 fieldpath/managers.go ManagedFields
 */
export type Managers = ReadonlyMap<string, VersionedSet>;

/** The context of a write. */
interface Writing {
  readonly schema: MergeSchema;
  readonly apiVersion: string;
  /** The manager that writes. */
  readonly manager: string;
  /** Removes the fields that this kind of write never changes. */
  readonly filter: (set: FieldSet) => FieldSet;
}

/** The error of an apply whose fields have other owners and other values. */
export class Conflicts extends Error {
  override readonly name = 'Conflicts';
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('other managers own applied fields');
    this.conflicts = conflicts;
  }
}

/**
 * Returns the owners after an update: the writer becomes the only owner of the changed fields, and removed fields lose
 * their owners.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 merge/update.go Updater.Update
 *
 * Differs: fields that were owned under another schema stay unchanged, even if a list or map has become one value or
 * stopped being one.
 *
 * @throws Error when an item of a list has no key
 */
export function managersAfterUpdate(live: Json, next: Json, managers: Managers, writing: Writing): Managers {
  const { manager, apiVersion, filter } = writing;
  const { others, changed, removed } = taken(live, next, managers, writing, true);
  const own = others.get(manager)?.set ?? noFields;
  const set = filter(union(difference(own, removed), changed));
  const result = new Map(others);
  result.delete(manager);
  if (set.size > 0) result.set(manager, { set, apiVersion, applied: false });
  return result;
}

/** The result of an apply. */
export interface Applied {
  /** Undefined if the object does not change. */
  readonly object: Json | undefined;
  readonly managers: Managers;
}

/**
 * Applies `config`: its fields get its values and belong to the manager. Removes fields that the manager applied
 * before, no longer applies, and shares with no other manager.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 merge/update.go Updater.Apply
 *
 * Differs: in the same way as {@link managersAfterUpdate}.
 *
 * @throws Conflicts unless `force` is set
 * @throws Error when an item of a list has no key
 */
export function applyConfig(
  live: Json,
  config: Json,
  managers: Managers,
  { force, ...writing }: Writing & { readonly force: boolean },
): Applied {
  const { schema, apiVersion, manager, filter } = writing;
  const last = managers.get(manager);
  const applied = filter(fieldsOf(schema, config));
  // An unchanged set is already encoded.
  const set = last && sameFields(last.set, applied) ? last.set : applied;
  const withConfig = new Map(managers).set(manager, { set, apiVersion, applied: true });
  const merged = merge(schema, live, config);
  // Removes fields that the manager no longer applies. Usually there are none, which is quick to detect.
  const appliesAll = last === undefined || difference(last.set, set).size === 0;
  const next = appliesAll ? merged : prune(merged, withConfig, last, writing);
  const { others } = taken(live, next, withConfig, writing, force);
  return { object: equalJson(live, next) ? undefined : next, managers: others };
}

/**
 * Determines the changes of a write, and removes the changed fields from all other managers.
 *
 * @throws Conflicts when another manager owns changed fields and the write is not forced
 */
function taken(
  live: Json,
  next: Json,
  managers: Managers,
  { schema, apiVersion, manager, filter }: Writing,
  force: boolean,
): { readonly others: Managers; readonly changed: FieldSet; readonly removed: FieldSet } {
  const comparison = compare(schema, live, next);
  const changed = filter(union(comparison.modified, comparison.added));
  const removed = filter(comparison.removed);
  const others = new Map<string, VersionedSet>();
  const conflicts: Conflict[] = [];
  for (const [name, versioned] of managers) {
    if (name === manager) {
      if (versioned.set.size > 0) others.set(name, versioned);
      continue;
    }
    // This version is no longer served, so it is unknown which of its fields still exist.
    if (versioned.apiVersion !== apiVersion) continue;
    const lost = intersection(versioned.set, changed);
    for (const path of pathsOf(lost)) conflicts.push({ manager: name, path });
    const set = difference(difference(versioned.set, lost), removed);
    if (set.size > 0) others.set(name, set === versioned.set ? versioned : { ...versioned, set });
  }
  if (!force && conflicts.length > 0) throw new Conflicts(conflicts);
  return { others, changed, removed };
}

/**
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 merge/update.go Updater.prune
 *
 * @param last - the fields that the manager applied before
 */
function prune(merged: Json, managers: Managers, last: VersionedSet, { schema, apiVersion }: Writing): Json {
  if (last.apiVersion !== apiVersion) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(schema, set);
  const lastFields = named(last.set);
  const bare = withoutFields(schema, merged, lastFields);
  const mergedFields = named(fieldsOf(schema, merged));
  // Restores the fields of other managers, and their parents.
  let owned = noFields;
  for (const { set, ...versioned } of managers.values()) {
    if (versioned.apiVersion === apiVersion) owned = union(owned, set);
  }
  const kept = union(named(fieldsOf(schema, bare)), named(owned));
  const pruned = withoutFields(schema, merged, difference(mergedFields, kept));
  // Removes an unowned field below a removed field only if the manager had applied it.
  const gone = difference(mergedFields, named(fieldsOf(schema, pruned)));
  return withoutFields(schema, merged, intersection(gone, lastFields));
}

/**
 * Adds the struct fields that have members below them, because they can be removed as a whole.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 fieldpath/set.go Set.EnsureNamedFieldsAreMembers
 */
function withNamedFields(schema: MergeSchema | undefined, set: FieldSet): FieldSet {
  const result = new Map<PathElement, FieldNode>();
  for (const [element, { isMember, children }] of set) {
    const name = fieldNameOf(element);
    const isNamed = name !== undefined && children.size > 0 && (schema?.map?.fields.has(name) ?? false);
    result.set(element, {
      isMember: isMember || isNamed,
      children: withNamedFields(schemaBelow(schema, element), children),
    });
  }
  return result;
}

function schemaBelow(schema: MergeSchema | undefined, element: PathElement): MergeSchema | undefined {
  const name = fieldNameOf(element);
  if (name !== undefined) return schema?.map?.value(name);
  return element.startsWith('k:') ? schema?.list?.item() : undefined;
}
