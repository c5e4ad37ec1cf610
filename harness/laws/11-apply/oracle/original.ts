import type { JsonMap } from '../scenario/fields.ts';

/** Parses the annotation of apply; without one, nothing was applied. */
export function originalOf(annotation: string | undefined): JsonMap | undefined {
  if (!annotation) return undefined;
  try {
    return JSON.parse(annotation) as JsonMap;
  } catch {
    return undefined;
  }
}
