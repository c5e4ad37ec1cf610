import type { MergeSchema } from '../../../contracts/apply/index.ts';
import type { Json, JsonMap } from '../scenario/fields.ts';
import { isMap, same } from './json.ts';

/** A field with another value than the right one. */
export interface Difference {
  /** `spec.template.spec.containers[main].image` */
  readonly path: string;
  /**
   * - `manifest`: the manifest has a value for the field
   * - `removed`: only the last manifest has the field
   * - `foreign`: neither has it
   */
  readonly of: 'manifest' | 'removed' | 'foreign';
  readonly right: Json | undefined;
  readonly actual: Json | undefined;
  /** The value in the manifest. */
  readonly wanted: Json | undefined;
}

/** The two states that decide whose a field is. */
interface Owners {
  readonly modified: Json | undefined;
  readonly original: Json | undefined;
}

/** Returns the fields that differ between two objects. Lists that merge by key have no order here. */
export function differences(
  right: Json | undefined,
  actual: Json | undefined,
  owners: Owners,
  schema: MergeSchema | undefined,
): readonly Difference[] {
  return compare(right, actual, owners, schema, '');
}

function compare(
  right: Json | undefined,
  actual: Json | undefined,
  { modified, original }: Owners,
  schema: MergeSchema | undefined,
  path: string,
): readonly Difference[] {
  if (same(right, actual)) return [];
  if (isMap(right) && isMap(actual)) {
    return [...new Set([...Object.keys(right), ...Object.keys(actual)])].flatMap((key) => {
      const field = schema?.[key];
      const inner = path === '' ? key : `${path}.${key}`;
      const owners = { modified: inMap(modified, key), original: inMap(original, key) };
      const [a, b] = [right[key], actual[key]];
      const isMerged = field?.patchStrategy?.includes('merge') && (Array.isArray(a) || Array.isArray(b));
      if (!isMerged) return compare(a, b, owners, field?.schema, inner);
      return compareLists(Array.isArray(a) ? a : [], Array.isArray(b) ? b : [], owners, field, inner);
    });
  }
  const of = modified !== undefined ? 'manifest' : original !== undefined ? 'removed' : 'foreign';
  return [{ path, of, right, actual, wanted: modified }];
}

function compareLists(
  right: readonly Json[],
  actual: readonly Json[],
  { modified, original }: Owners,
  field: MergeSchema[string] | undefined,
  path: string,
): readonly Difference[] {
  const named = (list: Json | undefined | readonly Json[], name: string): Json | undefined =>
    Array.isArray(list) ? list.find((item: Json) => nameOf(item, field) === name) : undefined;
  const names = new Set([...right, ...actual].map((item) => nameOf(item, field)));
  return [...names].flatMap((name) => {
    const owners = { modified: named(modified, name), original: named(original, name) };
    return compare(named(right, name), named(actual, name), owners, field?.schema, `${path}[${name}]`);
  });
}

/** Names an item of a list that merges. */
const nameOf = (item: Json, field: MergeSchema[string] | undefined): string =>
  String(field?.patchMergeKey !== undefined && isMap(item) ? item[field.patchMergeKey] : item);

const inMap = (value: Json | undefined, key: string): Json | undefined =>
  isMap(value) ? (value as JsonMap)[key] : undefined;
