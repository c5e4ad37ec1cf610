import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isReady } from '../api/predicates.ts';
import { componentsIn, type Exports } from '../cluster/own-components.ts';
import type { Components } from '../contracts/component.ts';
import type { Variant } from '../testing/mistakes.ts';
import { listKatas } from '../workbook/katas.ts';
import { root } from '../workbook/sources.ts';
import { CoreWorkbook } from './core-workbook.fixture.ts';
import { firstRun } from './first-run.ts';
import { readManifest } from './manifest.ts';
import { type Mine, mine, ownStore } from './mine.ts';

const { components: reference } = (await import('#components')) as { readonly components: Components };
const manifest = readManifest(readFileSync(path.join(root, 'docs/web.yaml')), 'docs/web.yaml');

/** Runs `docs/web.yaml` with these components, on the store of the learner if they have one. */
async function applied(own: Pick<Mine, 'components' | 'yours'>) {
  const { components } = own;
  const { pods, curled } = await firstRun(manifest, { components, store: ownStore(own) });
  return { ready: pods.filter(isReady).length, exitCode: curled?.run.exitCode };
}

test.each(listKatas(root))('the core of $id alone brings a cluster to life', async ({ id }) => {
  using workbook = new CoreWorkbook([id]);
  const own = await mine({ root: workbook.root, reference });
  expect(own.yours.length).toBeGreaterThan(0);
  expect(await applied(own)).toEqual({ ready: 3, exitCode: 0 });
});

test.each(listKatas(root))(
  'a freestyle solution of $id brings a cluster to life',
  async ({ id, solution }) => {
    const list = path.join(solution, 'variants.ts');
    const { variants } = (await import(/* @vite-ignore */ list)) as { readonly variants: readonly Variant[] };
    for (const { free = false, file } of variants) {
      if (!free || file === undefined) continue;
      const exports = (await import(/* @vite-ignore */ path.join(solution, file))) as Exports;
      const own = componentsIn(id, exports, { unwritten: [] });
      expect(Object.keys(own), file).not.toEqual([]);
      const yours = Object.keys(own) as (keyof Components)[];
      expect((await applied({ components: { ...reference, ...own }, yours })).ready, file).toBe(3);
    }
  },
);
