/** Levels 6 and 7 · The value of a label. */
import type { labels } from '#harness';

/** The value of a label; `undefined` where there is none. "constructor" is a valid key, so only own properties count. */
export function labelOf(of: labels.Labels | undefined, key: string): string | undefined {
  return of !== undefined && Object.hasOwn(of, key) ? of[key] : undefined;
}
