import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Variant } from '../testing/mistakes.ts';
import type { Kata } from '../workbook/katas.ts';
import type { Subject } from './judge-modules.ts';

/** What every law must let pass: the reference, as `reference`, and each variant, by its id. */
export async function subjectsOf(kata: Kata): Promise<ReadonlyMap<string, Subject>> {
  const variants = await variantsOf(kata);
  return new Map<string, Subject>([
    ['reference', { kind: 'reference' }],
    ...variants.map((change) => [change.id, { kind: 'variant', change }] as const),
  ]);
}

/** The kata's variants; none where it has no `variants.ts`. */
export async function variantsOf({ solution }: Kata): Promise<readonly Variant[]> {
  const file = path.join(solution, 'variants.ts');
  if (!existsSync(file)) return [];
  const { variants } = (await import(/* @vite-ignore */ file)) as { readonly variants: readonly Variant[] };
  return variants;
}
