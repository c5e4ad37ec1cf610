import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import type { Plugin } from 'vite';
import { applyEdits, type Mistake, type Variant } from '../testing/mistakes.ts';
import { filesIn, judgedKata, type Kata, listSolutions, readReference } from '../workbook/katas.ts';
import { type Bundle, entryPointsOf } from './bundle.ts';

/**
 * Makes every `solutions/NN-name/mistakes.ts` a test file that judges its kata.
 *
 * @param bundle the source of the judge and of the harness that the tests of katas use. @defaultValue their own files
 */
export function judged(bundle?: Bundle): Plugin {
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
      const hasVariants = existsSync(path.join(path.dirname(id), 'variants.ts'));
      const judge = bundle
        ? pathToFileURL(bundle.judge).href
        : path.join(import.meta.dirname, 'judge-kata.ts');
      const lawsSuffice = "typeof lawsSuffice !== 'undefined' && lawsSuffice";
      const bank = `{ mistakes, lawsSuffice: ${lawsSuffice}, variants: ${hasVariants ? 'variants' : '[]'} }`;
      const given = [root, kataId].map((text) => JSON.stringify(text));
      return [
        `import { judgeKata } from ${JSON.stringify(judge)};`,
        ...(hasVariants ? ["import { variants } from './variants.ts';"] : []),
        code,
        `await judgeKata(${[...given, bank, JSON.stringify(bundle ? entryPointsOf(root, bundle) : {})].join(', ')});`,
      ].join('\n');
    },
  };
}

/**
 * The replacement of a reference in a run of its kata's tests. If several katas have the same id, `free@52` means the
 * one of kata 52.
 */
export interface Impostors {
  /** The id of a mistake: shows the messages that a learner with this mistake gets. */
  readonly mistake?: string | undefined;
  /** The id of a variant: shows a failure that a soak found. */
  readonly variant?: string | undefined;
}

/**
 * Replaces a reference by a mistake or a variant. Does nothing when neither is named.
 *
 * @throws Error, as Vitest starts, when no bank has a change with that id: the untouched reference would show nothing
 */
export function mistaken(impostors: Impostors): Plugin {
  let katas: readonly Kata[] = [];
  const wanted = Object.entries(impostors).filter(([, id]) => id !== undefined);

  /** Returns the requested changes of this kata. */
  const changesOf = async (kata: Kata): Promise<readonly (Mistake | Variant)[]> => {
    const changes = await Promise.all(
      wanted.map(async ([kind, name]) => {
        const [id, digits = ''] = (name as string).split('@');
        return kata.id.startsWith(digits)
          ? (await bankOf(kata, `${kind}s`)).find((change) => change.id === id)
          : undefined;
      }),
    );
    return changes.filter((change) => change !== undefined);
  };

  return {
    name: 'mistaken',
    enforce: 'pre',

    async configResolved({ root }) {
      if (wanted.length === 0) return;
      katas = listSolutions(root).flatMap(({ id }) => judgedKata(root, id) ?? []);
      const changes = await Promise.all(katas.map(changesOf));
      if (changes.flat().length >= wanted.length) return;
      const names = wanted.map(([kind, id]) => `the ${kind} ${id}`).join(' and ');
      throw new Error(
        `Failed to put ${names} in the place of a reference: there is no such id. Look it up in solutions/NN-name/mistakes.ts or variants.ts.`,
      );
    },

    async resolveId(source, importer) {
      if (wanted.length === 0 || importer === undefined) return null;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      const kata = katas.find(({ solution, noun }) => resolved?.id === path.join(solution, `${noun}.ts`));
      // A variant that is built on the reference imports the reference itself.
      if (!kata || importer.startsWith(kata.solution + path.sep)) return resolved;
      const [whole] = (await changesOf(kata)).flatMap((change) =>
        'file' in change ? (change.file ?? []) : [],
      );
      return whole === undefined ? resolved : path.join(kata.solution, whole);
    },

    async load(file) {
      if (wanted.length === 0) return null;
      const kata = katas.find(({ solution }) => path.dirname(file) === solution);
      const [change] = kata ? await changesOf(kata) : [];
      return kata && change ? (applyEdits(readReference(kata), change).get(file) ?? null) : null;
    },
  };
}

const loaded = new Map<
  string,
  {
    readonly atMs: number;
    readonly module: Promise<{ readonly [bank: string]: readonly (Mistake | Variant)[] }>;
  }
>();

/**
 * Returns the kata's mistakes or variants, loaded again after one of their files changes; empty if the file is
 * absent.
 */
async function bankOf(kata: Kata, bank: string): Promise<readonly (Mistake | Variant)[]> {
  const file = path.join(kata.solution, `${bank}.ts`);
  if (!existsSync(file)) return [];
  const folder = path.join(kata.solution, bank);
  const files = [file, ...filesIn(folder).map((name) => path.join(folder, name))];
  const atMs = Math.max(...files.map((one) => statSync(one).mtimeMs));
  let entry = loaded.get(file);
  if (entry?.atMs !== atMs) {
    entry = { atMs, module: tsImport(file, import.meta.url) };
    loaded.set(file, entry);
  }
  return (await entry.module)[bank] ?? [];
}
