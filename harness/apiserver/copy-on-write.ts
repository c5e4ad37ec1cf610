/**
 * Functions for objects that are shared and frozen: each returns its argument itself when there is nothing to
 * change, so that unchanged subtrees stay shared between versions.
 */

/** `object` with those `defaults` that it lacks; a field that is `null` or `undefined` is lacking. */
export function withDefaults<T extends object>(object: T, defaults: Partial<T>): T {
  let result: T | undefined;
  for (const key of Object.keys(defaults) as (keyof T)[]) {
    if (object[key] !== undefined && object[key] !== null) continue;
    result ??= { ...object };
    result[key] = defaults[key] as T[keyof T];
  }
  return result ?? object;
}

/** `object` with `field` replaced by what `change` makes of it; absent fields stay absent. */
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

/** `list` with every item replaced by what `change` makes of it. */
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

/** `object` without `fields`. */
export function without<T extends object, K extends keyof T>(object: T, ...fields: readonly K[]): T {
  if (!fields.some((field) => field in object)) return object;
  const result = { ...object };
  for (const field of fields) delete result[field];
  return result;
}
