/**
 * Functions for shared, frozen objects. Each returns its argument itself if nothing changes, so that unchanged subtrees
 * stay shared between versions.
 */

/** Returns `object` with the missing `defaults`; a field that is `null` or `undefined` counts as missing. */
export function withDefaults<T extends object>(object: T, defaults: Partial<T>): T {
  let result: T | undefined;
  for (const key of Object.keys(defaults) as (keyof T)[]) {
    if (object[key] !== undefined && object[key] !== null) continue;
    result ??= { ...object };
    result[key] = defaults[key] as T[keyof T];
  }
  return result ?? object;
}

/** Returns `object` with `field` replaced by the result of `change`; absent fields stay absent. */
export function withChanged<T extends object, K extends keyof T>(
  object: T,
  field: K,
  change: (value: NonNullable<T[K]>) => NonNullable<T[K]>,
): T {
  const before = object[field];
  if (before === undefined || before === null) return object;
  const after = change(before);
  return after === before ? object : { ...object, [field]: after };
}

/** Returns `list` with each item replaced by the result of `change`. */
export function mapItems<T>(list: readonly T[], change: (item: T, index: number) => T): T[] {
  let result: T[] | undefined;
  list.forEach((item, index) => {
    const changed = change(item, index);
    if (changed === item) return;
    result ??= [...list];
    result[index] = changed;
  });
  return result ?? (list as T[]);
}

/** Returns `object` without `fields`. */
export function without<T extends object, K extends keyof T>(object: T, ...fields: readonly K[]): T {
  if (!fields.some((field) => Object.hasOwn(object, field))) return object;
  const result = { ...object };
  for (const field of fields) delete result[field];
  return result;
}
