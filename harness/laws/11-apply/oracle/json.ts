import { deepEqual } from '../../../api/freeze.ts';
import type { Json, JsonMap } from '../scenario/fields.ts';

/** Returns whether a value is a JSON object. */
export const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether two values are equal. */
export const same = (a: Json | undefined, b: Json | undefined): boolean => deepEqual(a, b);

/** Returns the map without some keys. */
export function without(map: JsonMap, keys: readonly string[]): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}
