/**
 * Returns the own property `key` of a map whose keys users choose. An index expression also finds inherited properties:
 * `constructor` is a valid label, and every object inherits a property of that name.
 */
export function getOwn<T>(map: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}
