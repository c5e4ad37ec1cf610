/**
 * Zero values: for most fields the API cannot tell "" and 0 from absent, because Go has no pointer there.
 * What is defaulted then is the zero value, whether it was sent or not.
 */

/**
 * `object` with those `defaults` whose field is absent, `""` or `0`. For fields where 0 is an answer of its
 * own (`terminationGracePeriodSeconds`, `replicas`) take `withDefaults` instead.
 */
export function withZeroDefaults<T extends object>(object: T, defaults: Partial<T>): T {
  let result: T | undefined;
  for (const key of Object.keys(defaults) as (keyof T)[]) {
    if (object[key]) continue;
    result ??= { ...object };
    result[key] = defaults[key] as T[keyof T];
  }
  return result ?? object;
}
