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

/** What one manager owns. */
export interface VersionedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** Did the manager apply it? If not, it made it so by updates. */
  readonly applied: boolean;
}

/** What each manager owns. Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 fieldpath/managers.go ManagedFields */
export type Managers = ReadonlyMap<string, VersionedSet>;

/** In what world an object is written. */
export interface Writing {
  readonly schema: MergeSchema;
  readonly apiVersion: string;
  /** Who writes. */
  readonly manager: string;
  /** Leaves out the fields that this way of writing does not change, whatever it is sent. */
  readonly filter: (set: FieldSet) => FieldSet;
}

/** Others own what is applied, and other values. */
export class Conflicts extends Error {
  override readonly name = 'Conflicts';
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('others own what is applied');
    this.conflicts = conflicts;
  }
}

/**
 * Who owns what after an update: the writer owns what it has changed, and no other manager does; what is gone has no owner.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 merge/update.go Updater.Update
 *
 * Differs: what was owned under another schema, where a list or map was one value or is one now, stays as it was told.
 *
 * @throws Error where an item of a list has no key
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

/** What an object becomes by what is applied. */
export interface Applied {
  /** Undefined where the object stays as it is. */
  readonly object: Json | undefined;
  readonly managers: Managers;
}

/**
 * Applies `config`: its fields get its values, and belong to the manager. What the manager applied before, does not
 * apply now and shares with no other manager goes.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 merge/update.go Updater.Apply
 *
 * Differs: as {@link managersAfterUpdate} does.
 *
 * @throws Conflicts unless `force` is set
 * @throws Error where an item of a list has no key
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
  // A set that is the same as before has been encoded already.
  const set = last && sameFields(last.set, applied) ? last.set : applied;
  const withConfig = new Map(managers).set(manager, { set, apiVersion, applied: true });
  const merged = merge(schema, live, config);
  // What goes is what the manager applied before and does not now. Mostly there is nothing of the kind, which is soon seen.
  const appliesAll = last === undefined || difference(last.set, set).size === 0;
  const next = appliesAll ? merged : prune(merged, withConfig, last, writing);
  const { others } = taken(live, next, withConfig, writing, force);
  return { object: equalJson(live, next) ? undefined : next, managers: others };
}

/**
 * What a write takes from all other managers, with what it changes.
 *
 * @throws Conflicts if they own something of it and the write is not forced
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
    // No such version is served any more: it cannot be said what of it is still there.
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
 * @param last what the manager applied before
 */
function prune(merged: Json, managers: Managers, last: VersionedSet, { schema, apiVersion }: Writing): Json {
  if (last.apiVersion !== apiVersion) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(schema, set);
  const lastFields = named(last.set);
  const bare = withoutFields(schema, merged, lastFields);
  const mergedFields = named(fieldsOf(schema, merged));
  // What others own comes back, and what that is in.
  let owned = noFields;
  for (const { set, ...versioned } of managers.values()) {
    if (versioned.apiVersion === apiVersion) owned = union(owned, set);
  }
  const kept = union(named(fieldsOf(schema, bare)), named(owned));
  const pruned = withoutFields(schema, merged, difference(mergedFields, kept));
  // Some of what is below what went has no owner: it goes with that only if the manager had applied it.
  const gone = difference(mergedFields, named(fieldsOf(schema, pruned)));
  return withoutFields(schema, merged, intersection(gone, lastFields));
}

/**
 * The set, with the fields of structs in it that have fields in it below them: they can be removed as a whole.
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
