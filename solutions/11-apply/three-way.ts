import {
  equalJson,
  fieldOf,
  getOwn,
  isList,
  isObject,
  type Json,
  type JsonList,
  type JsonObject,
  type ListPatch,
  type MergeField,
  type MergeSchema,
  mergesLists,
  retainsKeys,
  Unmatched,
  type Versions,
} from '#given/11-apply';
import { optionalSteps } from './optional-steps.ts';

export function patchObject(
  { original = {}, modified, current = {} }: Versions<JsonObject>,
  schema: MergeSchema | undefined,
): JsonObject {
  const fields = Object.entries(modified).map(([name, value]) => {
    const versions = { original: getOwn(original, name), modified: value, current: getOwn(current, name) };
    return patchField(name, versions, fieldOf(schema, name));
  });
  const removed = Object.keys(original).filter((name) => !Object.hasOwn(modified, name));
  return Object.fromEntries([...fields.flatMap(Object.entries), ...removed.map((name) => [name, null])]);
}

/**
 * Returns the part of a patch that changes one field; empty if it needs no change.
 *
 * Differs: in a custom resource, upstream leaves out null fields of objects in lists, and so sends such a list each time.
 */
function patchField(name: string, versions: Versions<Json>, field: MergeField | undefined): JsonObject {
  const { original, modified, current } = versions;
  if (modified === null) return field || original !== null ? { [name]: null } : {};
  if (isObject(modified)) {
    if (field?.patchStrategy === 'replace') return { [name]: modified };
    const patch = patchPart(onlyObjects(original, modified, current), field);
    const isNewAndEmpty = isEmpty(modified) && !isObject(current);
    return isEmpty(patch) && !isNewAndEmpty ? {} : { [name]: patch };
  }
  if (isList(modified) && mergesLists(field)) {
    return patchList(name, onlyLists(original, modified, current), field);
  }
  return equalJson(current, modified) ? {} : { [name]: modified };
}

function onlyObjects(
  original: Json | undefined,
  modified: JsonObject,
  current: Json | undefined,
): Versions<JsonObject> {
  return {
    original: isObject(original) ? original : undefined,
    modified,
    current: isObject(current) ? current : undefined,
  };
}

function onlyLists(
  original: Json | undefined,
  modified: JsonList,
  current: Json | undefined,
): Versions<JsonList> {
  return {
    original: isList(original) ? original : undefined,
    modified,
    current: isList(current) ? current : undefined,
  };
}

const isEmpty = (object: JsonObject): boolean => Object.keys(object).length === 0;

/** Returns the patch of an object inside of another object or of a list. */
export function patchPart(versions: Versions<JsonObject>, field: MergeField | undefined): JsonObject {
  const patch = patchObject(versions, field && (field.schema ?? {}));
  const retained = retainsKeys(field) ? optionalSteps.retainedKeys(versions, patch) : [];
  return retained.length > 0 ? { ...patch, $retainKeys: retained } : patch;
}

/** Returns the part of a patch that changes a merging list, with the lists of directives beside it. */
export function patchList(name: string, versions: Versions<JsonList>, field: MergeField): JsonObject {
  const { patchMergeKey } = field;
  const { list, deletions } =
    patchMergeKey === undefined
      ? patchScalars(versions)
      : { list: patchItems(versions, { ...field, patchMergeKey }), deletions: [] };
  const order = optionalSteps.elementOrder(versions, { list, deletions }, patchMergeKey);
  return {
    ...(list.length > 0 || !versions.current ? { [name]: list } : {}),
    ...(deletions.length > 0 ? { [`$deleteFromPrimitiveList/${name}`]: deletions } : {}),
    ...(order.length > 0 ? { [`$setElementOrder/${name}`]: order } : {}),
  };
}

/**
 * Differs: if several items have one key, upstream adds their other fields to the directive that deletes one of them. The server
 * does not read these fields, and deletes all items with this key.
 */
export function patchItems(
  { original = [], modified, current = [] }: Versions<JsonList>,
  field: MergeField & { readonly patchMergeKey: string },
): JsonList {
  const mergeKey = field.patchMergeKey;
  const [applied, live] = [original, current].map((list) => new Unmatched<JsonObject>(list, mergeKey));
  const items = (modified as readonly JsonObject[]).flatMap((item) => {
    const partner = live?.take(item);
    const patch = patchPart({ original: applied?.take(item), modified: item, current: partner }, field);
    if (!partner) return [patch];
    return isEmpty(patch) ? [] : [{ ...patch, [mergeKey]: item[mergeKey] as Json }];
  });
  const deletions = applied?.rest.map((item) => ({ $patch: 'delete', [mergeKey]: item[mergeKey] as Json }));
  return [...items, ...(deletions ?? [])];
}

/** Differs: upstream sorts `current` in place before it compares the order of both lists. We compare the lists as they are. */
export function patchScalars({ original = [], modified, current = [] }: Versions<JsonList>): ListPatch {
  const [applied, live] = [new Unmatched(original, undefined), new Unmatched(current, undefined)];
  for (const item of modified) applied.take(item);
  const list = modified.filter((item) => live.take(item) === undefined);
  return { list, deletions: [...new Set(applied.rest)] };
}
