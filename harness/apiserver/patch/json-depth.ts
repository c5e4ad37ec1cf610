/**
 * The maximum nesting depth of a JSON value: an object in a list in an object has depth three.
 *
 * Differs: upstream accepts ten thousand, but recursive functions would run out of stack here.
 *
 * Upstream: kubernetes-sigs/json@v0.0.0-20250730193827-2d320260d730 internal/golang/encoding/json/scanner.go
 * maxNestingDepth
 */
export const DEPTH_MAX = 1_000;

/** Reports whether a value is nested deeper than {@link DEPTH_MAX}. Works for any depth. */
export function isTooDeep(value: unknown): boolean {
  let level: object[] = isContainer(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return true;
    const next: object[] = [];
    for (const container of level) {
      for (const item of Object.values(container)) if (isContainer(item)) next.push(item);
    }
    level = next;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
