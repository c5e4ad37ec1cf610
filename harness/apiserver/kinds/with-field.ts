/**
 * `object` with `field` set to `value`; the object itself when it has that very value already. What an update
 * takes over from the old object goes this way: the old status, or, through `/status`, all but that.
 */
export function withField<T extends object, K extends keyof T>(object: T, field: K, value: T[K]): T {
  return object[field] === value ? object : { ...object, [field]: value };
}
