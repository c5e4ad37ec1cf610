import { getOwn } from './own.ts';

/**
 * Sharing instead of copying. The store, watchers, caches and clients hold the same object. This is safe because the
 * object is immutable. Code that needs a changed object creates a new one, which shares the unchanged parts.
 */

/** Roots of deeply frozen subtrees, which need no further check. */
const shared = new WeakSet<object>();

/**
 * Freezes an API object deeply, and marks its large parts (the object, metadata, spec, status, the pod template) as
 * {@link isShared}. Returns the same object.
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

/** Returns whether {@link freezeObject} froze this subtree. Such a subtree can be stored without a copy. */
export function isShared(value: object): boolean {
  return shared.has(value);
}

/**
 * Freezes a JSON value deeply. It assumes that a frozen part is deeply frozen, so pass only values made of new parts
 * and deeply frozen ones.
 */
export function deepFreeze<T>(value: T): T {
  if (!isObject(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) deepFreeze(value[key]);
  return value;
}

/**
 * Returns whether two JSON values are equal. Shared subtrees are not traversed. A field that is `undefined` counts as
 * absent.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) {
    const other = b as unknown as readonly unknown[];
    return a.length === other.length && a.every((item, i) => deepEqual(item, other[i]));
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key in left) if (!deepEqual(left[key], getOwn(right, key))) return false;
  for (const key in right) if (right[key] !== undefined && getOwn(left, key) === undefined) return false;
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
