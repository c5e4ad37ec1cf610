import { statSync } from 'node:fs';
import path from 'node:path';
import { tsImport } from 'tsx/esm/api';
import type { Plugin } from 'vite';
import { applyEdits, type Mistake } from '../testing/mistakes.ts';
import { filesIn, type Kata, listKatas, readReference } from '../workbook/katas.ts';

/** Makes every `solutions/NN-name/mistakes.ts` a test file: the one that judges its kata. */
export function judged(): Plugin {
  let root = process.cwd();
  return {
    name: 'judged',
    enforce: 'pre',

    configResolved(config) {
      root = config.root;
    },

    transform(code, id) {
      const [, kataId] = /\/solutions\/(\d\d-[^/]+)\/mistakes\.ts$/.exec(id) ?? [];
      if (kataId === undefined) return null;
      const judge = JSON.stringify(path.join(import.meta.dirname, 'judge-kata.ts'));
      const bank = `{ mistakes, lawsSuffice: typeof lawsSuffice !== 'undefined' && lawsSuffice }`;
      const judging = `await judgeKata(${JSON.stringify(root)}, ${JSON.stringify(kataId)}, ${bank});`;
      return `import { judgeKata } from ${judge};\n${code}\n${judging}\n`;
    },
  };
}

/**
 * Lets a mistake take the place of its reference, to see what a learner who makes it is told. Does nothing when
 * `id` is undefined.
 */
export function mistaken(id: string | undefined): Plugin {
  let root = process.cwd();
  return {
    name: 'mistaken',
    enforce: 'pre',

    configResolved(config) {
      root = config.root;
    },

    async load(file) {
      if (id === undefined) return null;
      const kata = listKatas(root).find(({ solution }) => path.dirname(file) === solution);
      if (!kata) return null;
      const found = (await mistakesOf(kata)).find((mistake) => mistake.id === id);
      return found ? (applyEdits(readReference(kata), found).get(file) ?? null) : null;
    },
  };
}

const loaded = new Map<
  string,
  { readonly atMs: number; readonly module: Promise<{ mistakes: readonly Mistake[] }> }
>();

/** The kata's mistakes, read anew when one of their files has changed. */
async function mistakesOf(kata: Kata): Promise<readonly Mistake[]> {
  const file = path.join(kata.solution, 'mistakes.ts');
  const folder = path.join(kata.solution, 'mistakes');
  const files = [file, ...filesIn(folder).map((name) => path.join(folder, name))];
  const atMs = Math.max(...files.map((one) => statSync(one).mtimeMs));
  let entry = loaded.get(file);
  if (entry?.atMs !== atMs) {
    entry = { atMs, module: tsImport(file, import.meta.url) };
    loaded.set(file, entry);
  }
  return (await entry.module).mistakes;
}
