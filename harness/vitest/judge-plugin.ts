import { statSync } from 'node:fs';
import path from 'node:path';
import { tsImport } from 'tsx/esm/api';
import type { Plugin } from 'vite';
import { applyEdits, type Mistake, type Variant } from '../testing/mistakes.ts';
import { filesIn, type Kata, listKatas, readReference } from '../workbook/katas.ts';

/**
 * Loads a kata's tests, and everything below `katas/` and `solutions/` that they import, as a module graph of its
 * own: `import('/katas/…/x.test.ts?as=<what>')`, where `<what>` is one of
 *
 * - `reference`
 * - `stub:<kata>`: the learner's file in the place of the reference
 * - `mistake:<kata>:<id>` or `variant:<kata>:<id>`: the reference with that change
 *
 * and may be followed by `:<n>`, to load it once more. In such a graph `vitest` is the stand-in, so that the tests
 * are collected for the judge instead of run.
 *
 * It also makes every `solutions/NN-name/mistakes.ts` a test file: the one that judges its kata.
 */
export function judged(): Plugin {
  const here = import.meta.dirname;
  let root = process.cwd();
  const kataOf = (id: string): Kata | undefined => listKatas(root).find((kata) => kata.id === id);

  return {
    name: 'judged',
    enforce: 'pre',

    configResolved(config) {
      root = config.root;
    },

    async resolveId(source, importer) {
      const as = asOf(importer);
      if (as === undefined || importer === undefined || asOf(source) !== undefined) return null;
      if (source === 'vitest') return path.join(here, 'stand-in.ts');
      const from = withoutQuery(importer);
      const resolved = await this.resolve(source, from, { skipSelf: true });
      if (!resolved || resolved.external || !isWorkbook(root, resolved.id)) return resolved;
      return `${await subject(withoutQuery(resolved.id), from, as)}?as=${as}`;
    },

    async load(id) {
      const [kind, kataId = '', change] = asOf(id)?.split(':') ?? [];
      if (kind !== 'mistake' && kind !== 'variant') return null;
      const kata = kataOf(kataId);
      const found = kata && (await changesOf(kata, kind)).find((candidate) => candidate.id === change);
      if (!found) throw new Error(`Failed to find ${kind} "${change}" of ${kataId}.`);
      return edited(kata, found, withoutQuery(id));
    },

    transform(code, id) {
      const [, kataId] = /\/solutions\/(\d\d-[^/]+)\/mistakes\.ts$/.exec(id) ?? [];
      if (kataId === undefined) return null;
      const judge = JSON.stringify(path.join(here, 'judge-kata.ts'));
      const judging = `await judgeKata(${JSON.stringify(root)}, ${JSON.stringify(kataId)}, mistakes);`;
      return `import { judgeKata } from ${judge};\n${code}\n${judging}\n`;
    },
  };

  /** The file that stands for `file` in the graph `as`. */
  async function subject(file: string, from: string, as: string): Promise<string> {
    const [kind, kataId = '', change] = as.split(':');
    const kata = kataOf(kataId);
    if (!kata || file !== path.join(kata.solution, `${kata.noun}.ts`)) return file;
    if (kind === 'stub') return path.join(kata.folder, `${kata.noun}.ts`);
    if (kind !== 'variant') return file;
    const variants = (await changesOf(kata, 'variant')) as readonly Variant[];
    const replacement = variants.find(({ id }) => id === change)?.file;
    if (replacement === undefined) return file;
    const target = path.join(kata.solution, replacement);
    // A variant may be built on the reference.
    return target === from ? file : target;
  }
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
      const found = (await changesOf(kata, 'mistake')).find((mistake) => mistake.id === id);
      return found ? edited(kata, found, file) : null;
    },
  };
}

/** What the change makes of `file`; null when it leaves it alone. */
function edited(kata: Kata, change: Mistake | Variant, file: string): string | null {
  return applyEdits(readReference(kata), change).get(file) ?? null;
}

const loaded = new Map<
  string,
  { readonly atMs: number; readonly module: Promise<Record<string, unknown>> }
>();

/** The kata's mistakes or variants, read anew when one of their files has changed. */
async function changesOf(kata: Kata, kind: 'mistake' | 'variant'): Promise<readonly (Mistake | Variant)[]> {
  const file = path.join(kata.solution, `${kind}s.ts`);
  const folder = path.join(kata.solution, `${kind}s`);
  const files = [file, ...filesIn(folder).map((name) => path.join(folder, name))];
  const atMs = Math.max(...files.map((one) => statSync(one).mtimeMs));
  let entry = loaded.get(file);
  if (entry?.atMs !== atMs) {
    entry = { atMs, module: tsImport(file, import.meta.url) };
    loaded.set(file, entry);
  }
  const module = await entry.module;
  return module[`${kind}s`] as readonly (Mistake | Variant)[];
}

function asOf(id: string | undefined): string | undefined {
  return /\?as=([^&]+)$/.exec(id ?? '')?.[1];
}

function withoutQuery(id: string): string {
  return id.replace(/\?.*$/, '');
}

function isWorkbook(root: string, id: string): boolean {
  return ['katas', 'solutions'].some((folder) => id.startsWith(path.join(root, folder) + path.sep));
}
