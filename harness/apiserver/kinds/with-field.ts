import { without } from '../copy-on-write.ts';

/**
 * Returns `object` with `field` set to `value`, or the object itself if the field already has this value. Kinds use
 * it to keep parts of the old object: the old status in an update, everything but the status in a status update.
 */
export function withField<T extends object, K extends keyof T>(object: T, field: K, value: T[K]): T {
  return object[field] === value ? object : { ...object, [field]: value };
}

/** Returns `object` with the values of `fields` from `old`; a field that `old` lacks is removed. */
export function withOld<T extends object, K extends keyof T>(object: T, old: T, ...fields: readonly K[]): T {
  let result = object;
  for (const field of fields) {
    result = old[field] === undefined ? (without(result, field) as T) : withField(result, field, old[field]);
  }
  return result;
}
