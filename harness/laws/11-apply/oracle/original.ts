import type { JsonMap } from '../scenario/fields.ts';
import { isMap } from './json.ts';

/** Parses the annotation of apply; without one, nothing was applied. */
export function originalOf(annotation: string | undefined): JsonMap | undefined {
  if (!annotation) return undefined;
  try {
    const value: unknown = JSON.parse(annotation);
    return isMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether an annotation of apply is no JSON object. Nobody knows then which fields were applied. */
export const isCorrupt = (annotation: string | undefined): boolean =>
  Boolean(annotation) && originalOf(annotation) === undefined;
