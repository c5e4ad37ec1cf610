import { without } from '../copy-on-write.ts';

/**
 * Returns `object` with `field` set to `value`, or the object itself if the field has this very value. So a kind keeps
 * parts of the old object: the old status in an update, all except the status in an update through `/status`.
 */
export function withField<T extends object, K extends keyof T>(object: T, field: K, value: T[K]): T {
  return object[field] === value ? object : { ...object, [field]: value };
}

/** Returns `object` with `fields` as they are in `old`; without those that `old` lacks. */
export function withOld<T extends object, K extends keyof T>(object: T, old: T, ...fields: readonly K[]): T {
  let result = object;
  for (const field of fields) {
    result = old[field] === undefined ? (without(result, field) as T) : withField(result, field, old[field]);
  }
  return result;
}
