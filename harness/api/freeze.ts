/**
 * Sharing instead of copying. Store, watchers, caches and clients hold the same object; that is safe because
 * it cannot be changed. Code that wants another one makes it, and shares what stays the same.
 */

/** Roots of subtrees that are deeply frozen, so that nothing has to look below them again. */
const shared = new WeakSet<object>();

/**
 * Freezes an object of the API and everything in it, and marks its big parts (itself, metadata, spec, status,
 * the pod template) as {@link isShared}. Returns the same object.
 */
export function freezeObject<T extends object>(object: T): T {
  if (shared.has(object)) return object;
  deepFreeze(object);
  shared.add(object);
  for (const part of ['metadata', 'spec', 'status'] as const) {
    const subtree = (object as Record<string, unknown>)[part];
    if (isObject(subtree)) shared.add(subtree);
  }
  const { spec } = object as { spec?: { template?: { spec?: object } } };
  if (isObject(spec?.template)) {
    shared.add(spec.template);
    if (isObject(spec.template.spec)) shared.add(spec.template.spec);
  }
  return object;
}

/** Is this the root of a subtree that {@link freezeObject} froze? It may be stored as it is. */
export function isShared(value: object): boolean {
  return shared.has(value);
}

/**
 * Freezes a JSON value and everything in it. What is frozen already is taken to be frozen to the bottom, so pass
 * only what was built from fresh parts and from frozen ones.
 */
export function deepFreeze<T>(value: T): T {
  if (!isObject(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) deepFreeze(value[key]);
  return value;
}

/** Are two JSON values equal? Shared subtrees are equal at a glance; `undefined` fields count as absent. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) {
    const other = b as unknown as readonly unknown[];
    return a.length === other.length && a.every((item, i) => deepEqual(item, other[i]));
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key in left) if (!deepEqual(left[key], right[key])) return false;
  for (const key in right) if (right[key] !== undefined && left[key] === undefined) return false;
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
