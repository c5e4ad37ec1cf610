/**
 * How deep a JSON value may be nested: an object in a list in an object is three deep.
 *
 * Differs: upstream takes ten thousand; here functions that call themselves would run out of stack before.
 *
 * Upstream: kubernetes-sigs/json@v0.0.0-20250730193827-2d320260d730 internal/golang/encoding/json/scanner.go
 * maxNestingDepth
 */
export const DEPTH_MAX = 1_000;

/** Is it nested deeper than {@link DEPTH_MAX}? It may be of any depth. */
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
