import { type Der, TAG, valuesOf } from '../der.ts';

/** Returns the values of a sequence from `start` on; the first ones must have these tags. @throws RangeError */
export function fieldsOf<const T extends readonly number[]>(
  { tag, content }: Der,
  tags: T,
  start = 0,
): { readonly [at in keyof T]: Der } {
  const values = tag === TAG.sequence ? valuesOf(content).slice(start) : [];
  if (tags.some((expected, i) => values[i]?.tag !== expected)) {
    throw new RangeError("structure error: tags don't match");
  }
  return values as unknown as { readonly [at in keyof T]: Der };
}
