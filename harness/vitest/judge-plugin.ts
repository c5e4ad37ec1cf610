import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { tsImport } from 'tsx/esm/api';
import type { Plugin } from 'vite';
import { applyEdits, type Mistake, type Variant } from '../testing/mistakes.ts';
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
      const bank = "{ mistakes, lawsSuffice: typeof lawsSuffice !== 'undefined' && lawsSuffice }";
      const judging = `await judgeKata(${JSON.stringify(root)}, ${JSON.stringify(kataId)}, ${bank});`;
      return `import { judgeKata } from ${judge};\n${code}\n${judging}\n`;
    },
  };
}

/**
 * What takes the place of a reference in a run of its kata's tests. Where several katas have one of the same id, `free@52` means that
 * of kata 52 alone.
 */
export interface Impostors {
  /** The id of a mistake: to see what a learner who makes it is told. */
  readonly mistake?: string | undefined;
  /** The id of a variant: to see what a soak found again. */
  readonly variant?: string | undefined;
}

/** Lets a mistake or a variant take the place of its reference. Does nothing when none is named. */
export function mistaken(impostors: Impostors): Plugin {
  let root = process.cwd();
  const wanted = Object.entries(impostors).filter(([, id]) => id !== undefined);

  /** The changes of this kata that are wanted. */
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

    configResolved(config) {
      root = config.root;
    },

    async resolveId(source, importer) {
      if (wanted.length === 0 || importer === undefined) return null;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      const kata = listKatas(root).find(
        ({ solution, noun }) => resolved?.id === path.join(solution, `${noun}.ts`),
      );
      // A variant that is built on the reference means the reference.
      if (!kata || importer.startsWith(kata.solution + path.sep)) return resolved;
      const [whole] = (await changesOf(kata)).flatMap((change) =>
        'file' in change ? (change.file ?? []) : [],
      );
      return whole === undefined ? resolved : path.join(kata.solution, whole);
    },

    async load(file) {
      if (wanted.length === 0) return null;
      const kata = listKatas(root).find(({ solution }) => path.dirname(file) === solution);
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

/** The kata's mistakes or variants, read anew when one of their files has changed; none where it has no such file. */
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
