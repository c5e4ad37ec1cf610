import type { MergeSchema } from '../../../contracts/apply/index.ts';
import type { Json, JsonMap } from '../scenario/fields.ts';
import { isMap, same } from './json.ts';

/** The three states that decide an apply, and the state that its change meets. */
interface Inputs<T> {
  /** The annotation of `seen`. */
  readonly original: T | undefined;
  readonly modified: T;
  /** The live object that the client has read. */
  readonly seen: T | undefined;
  /** The stored object when the change arrives. */
  readonly stored: T | undefined;
}

/** How to merge. */
export interface Rules {
  /** Undefined for a custom resource: lists are replaced. */
  readonly schema: MergeSchema | undefined;
  /** Also sets fields that had their value when the client read the object. */
  readonly eager: boolean;
  /** Whether removing a null is the client's wish, as in a strategic merge patch. */
  readonly strategic: boolean;
}

/**
 * Returns the object after an apply, before the server adds its defaults. It describes the result, not a patch:
 *
 * - a field of the manifest has its value;
 * - a field of the last manifest that this one lacks is gone;
 * - every other field stays as it is stored.
 */
export function mergeMaps(inputs: Inputs<JsonMap>, rules: Rules): JsonMap {
  const { original = {}, modified, seen = {}, stored = {} } = inputs;
  const result: JsonMap = { ...stored };
  for (const key of Object.keys(original)) if (!(key in modified)) delete result[key];
  for (const [key, wanted] of Object.entries(modified)) {
    const field = rules.schema?.[key];
    if (wanted === null) {
      if (rules.strategic || original[key] !== null) delete result[key];
      continue;
    }
    const own: Rules = { ...rules, schema: field?.schema };
    const [old, read, now] = [original[key], seen[key], stored[key]];
    if (isMap(wanted) && field?.patchStrategy !== 'replace' && (isMap(read) || isMap(now) || isMap(old))) {
      if (!isMap(now) && !isMap(read)) result[key] = pruned(wanted);
      else if (isMap(now) || now === undefined) {
        const inner: Inputs<JsonMap> = {
          original: isMap(old) ? old : undefined,
          modified: wanted,
          seen: isMap(read) ? read : undefined,
          stored: isMap(now) ? now : undefined,
        };
        const merged = mergeMaps(inner, own);
        // Others removed the map meanwhile, and the patch had no reason to name it.
        if (now === undefined && !rules.eager && same(read, wanted)) continue;
        const keeps = field?.patchStrategy?.includes('retainKeys') ?? false;
        result[key] = keeps ? onlyKeysOf(merged, wanted) : merged;
      } else if (rules.eager || !same(read, wanted)) result[key] = pruned(wanted);
      continue;
    }
    if (Array.isArray(wanted) && field?.patchStrategy?.includes('merge') && rules.strategic) {
      const lists = {
        original: Array.isArray(old) ? old : undefined,
        modified: wanted,
        seen: Array.isArray(read) ? read : undefined,
        stored: Array.isArray(now) ? now : undefined,
      };
      const mergeKey = field.patchMergeKey;
      result[key] =
        mergeKey === undefined
          ? mergeScalars(lists, rules)
          : mergeItems(lists, mergeKey, own, field.patchStrategy.includes('retainKeys'));
      continue;
    }
    if (rules.eager || !same(read, wanted)) result[key] = pruned(wanted);
  }
  return result;
}

function onlyKeysOf(map: JsonMap, wanted: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => key in wanted));
}

function mergeScalars(
  { original = [], modified, seen = [], stored = [] }: Inputs<Json[]>,
  rules: Rules,
): Json[] {
  const removed = original.filter((item) => !includes(modified, item));
  const kept = stored.filter((item) => !includes(removed, item));
  const added = modified.filter((item) => !includes(kept, item) && (rules.eager || !includes(seen, item)));
  return [...kept, ...added];
}

const includes = (list: readonly Json[], item: Json): boolean => list.some((each) => same(each, item));

function mergeItems(lists: Inputs<Json[]>, mergeKey: string, rules: Rules, retains: boolean): Json[] {
  const { original = [], modified, seen = [], stored = [] } = lists;
  const find = (list: readonly Json[], item: Json): JsonMap | undefined => {
    const name = (item as JsonMap)[mergeKey];
    return list.find((each) => isMap(each) && same(each[mergeKey] as Json, name as Json)) as
      | JsonMap
      | undefined;
  };
  const kept = stored.filter((item) => find(modified, item) || !find(original, item));
  const result = kept.map((item) => {
    const wanted = find(modified, item);
    if (!wanted) return item;
    const inputs = {
      original: find(original, item),
      modified: wanted,
      seen: find(seen, item),
      stored: item as JsonMap,
    };
    const merged = mergeMaps(inputs, rules);
    return retains ? onlyKeysOf(merged, wanted) : merged;
  });
  const added = modified.filter(
    (item) => !find(kept, item) && (rules.eager || !same(find(seen, item) ?? null, item)),
  );
  return [...result, ...added.map(pruned)];
}

/** Removes the nulls of a value: a null creates nothing. */
export function pruned(value: Json): Json {
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, pruned(inner)]));
}

/** Removes the nulls of a new object, also in the items of lists. Items stay, even if they are null. */
export function created(manifest: JsonMap): JsonMap {
  const bare = (value: Json): Json =>
    Array.isArray(value)
      ? value.map(bare)
      : isMap(value)
        ? Object.fromEntries(
            Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, bare(inner)]])),
          )
        : value;
  return bare(manifest) as JsonMap;
}
