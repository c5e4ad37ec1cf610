/**
 * Returns `next`, but with each part of it that equals its counterpart in `before` replaced by that counterpart. A view
 * arrives from the worker as a copy: afterwards equal parts are identical, so that components can skip them.
 *
 * Items of a list meet by their `uid`, `name` or position.
 */
export function keepEqual<T>(before: unknown, next: T): T {
  if (Object.is(before, next)) return next;
  if (Array.isArray(next)) return keepList(before, next) as T;
  if (isRecord(next)) return keepRecord(before, next) as T;
  return next;
}

function keepList(before: unknown, next: readonly unknown[]): readonly unknown[] {
  if (!Array.isArray(before)) return next;
  const byKey = new Map(before.map((item, index) => [keyOf(item, index), item]));
  let isSame = before.length === next.length;
  const kept = next.map((item, index) => {
    const one = keepEqual(byKey.get(keyOf(item, index)), item);
    if (one !== before[index]) isSame = false;
    return one;
  });
  return isSame ? before : kept;
}

function keepRecord(
  before: unknown,
  next: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (!isRecord(before)) return next;
  const keys = Object.keys(next);
  let isSame = keys.length === Object.keys(before).length;
  const kept: Record<string, unknown> = {};
  for (const key of keys) {
    kept[key] = keepEqual(before[key], next[key]);
    if (kept[key] !== before[key]) isSame = false;
  }
  return isSame ? before : kept;
}

function keyOf(item: unknown, index: number): unknown {
  return isRecord(item) ? (item.uid ?? item.name ?? index) : index;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
