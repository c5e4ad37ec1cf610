import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { applyEdits, type Variant } from '../testing/mistakes.ts';
import { type Kata, readReference } from '../workbook/katas.ts';
import type { Subject } from './judge-modules.ts';

/** Returns the subjects that every law must accept: the reference, as `reference`, and each variant, by its id. */
export async function subjectsOf(kata: Kata): Promise<ReadonlyMap<string, Subject>> {
  const variants = await variantsOf(kata);
  return new Map<string, Subject>([
    ['reference', { kind: 'reference' }],
    ...variants.map((change) => [change.id, { kind: 'variant', change }] as const),
  ]);
}

/** Returns the kata's variants; empty without a `variants.ts`. */
export async function variantsOf({ solution }: Kata): Promise<readonly Variant[]> {
  const file = path.join(solution, 'variants.ts');
  if (!existsSync(file)) return [];
  const { variants } = (await import(/* @vite-ignore */ file)) as { readonly variants: readonly Variant[] };
  return variants;
}

/**
 * Returns the files, with their text, that a variant's own mistakes may edit.
 *
 * @param variant with a `file`: that file and its sibling files that it imports; otherwise the reference with its
 * `edits`
 */
export function readVariant(kata: Kata, variant: Variant): ReadonlyMap<string, string> {
  const reference = readReference(kata);
  if (variant.file === undefined) return new Map([...reference, ...applyEdits(reference, variant)]);
  const sources = new Map<string, string>();
  const found = [path.join(kata.solution, variant.file)];
  for (let file = found.pop(); file !== undefined; file = found.pop()) {
    if (sources.has(file)) continue;
    const text = readFileSync(file, 'utf8');
    sources.set(file, text);
    const folder = path.dirname(file);
    found.push(...[...text.matchAll(/ from '\.\/([^']+)'/g)].map(([, name = '']) => path.join(folder, name)));
  }
  return sources;
}
