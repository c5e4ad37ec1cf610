import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyEdits, type Mistake, speaksOf, type Variant } from '../testing/mistakes.ts';
import { configureProperties, defaultRuns, defaultSeed } from '../testing/property.ts';
import { type Kata, listKatas, readReference } from '../workbook/katas.ts';
import { captureUncaught, collectAs, type JudgedCase, runCase } from './judge-run.ts';

/** The first is the learner's; a kill that hangs on one seed is luck. */
const seeds = [defaultSeed, defaultSeed + 1, defaultSeed + 2];

/**
 * Whether everything is judged on all of them: `npm run judge`, as CI does, and any soak. Otherwise each has one, by turns, so
 * that who changes a line need not wait for what is hardly ever red on one seed alone.
 */
const thorough = process.env.KATA_JUDGE === 'thorough' || process.env.KATA_SOAK !== undefined;

/** The seeds of the one at this index of a list. */
function seedsOf(index: number): readonly number[] {
  return thorough ? seeds : [seeds[index % seeds.length] as number];
}

/** `KATA_SOAK=1000`: the reference on so many fresh seeds more. Each is in the name of its test, to be run again. */
const soakSeeds = Array.from({ length: Number(process.env.KATA_SOAK ?? 0) }, () => randomInt(2 ** 31));

/**
 * Defines the tests that test a kata's tests: its stub is red, its reference and its variants are green, each
 * mistake is killed by the law it names, and each law and level kills a mistake.
 *
 * @throws Error when the kata does not exist or collects no tests
 */
export async function judgeKata(root: string, id: string, mistakes: readonly Mistake[]): Promise<void> {
  const kata = listKatas(root).find((one) => one.id === id);
  if (!kata) throw new Error(`Failed to judge ${id}: there is no katas/${id}.`);
  captureUncaught();
  const variants = await variantsOf(kata);
  const reference = await collectAs(root, kata, 'reference');

  describe(`${id}, untouched`, () => {
    test.skipIf(isEdited(kata))('fails every test', async () => {
      useSeed(defaultSeed);
      const passing = await passed(await collectAs(root, kata, `stub:${id}`));
      expect(passing, 'these pass although nothing is written; when you have begun, they should').toEqual([]);
    });
  });

  describe(`${id}, the reference`, () => {
    test.each([...(thorough ? seeds : [defaultSeed]), ...soakSeeds])(
      'passes every test on seed %i',
      async (seed) => {
        useSeed(seed);
        expect(await failures(reference)).toEqual([]);
      },
    );
  });

  describe(`${id}, its variants`, () => {
    for (const [i, { id: variant, why }] of variants.entries()) {
      test(`${variant} passes every test: ${why}`, async () => {
        const cases = await collectAs(root, kata, `variant:${id}:${variant}`);
        for (const seed of seedsOf(i)) {
          useSeed(seed);
          expect(await failures(cases), `seed ${seed}`).toEqual([]);
        }
      });
    }
  });

  describe(`${id}, its mistakes`, () => {
    for (const [i, mistake] of mistakes.entries()) {
      test(`${mistake.id} is killed by "${mistake.law}"`, async () => {
        applyEdits(readReference(kata), mistake);
        const survived: number[] = [];
        for (const seed of seedsOf(i)) {
          useSeed(seed);
          if (!(await kills(root, kata, mistake, (one) => speaksOf(mistake.law, one.fullName)))) {
            survived.push(seed);
          }
        }
        expect(survived, `survives on these seeds: ${mistake.why}`).toEqual([]);
      });
    }
  });

  describe(`${id}, its laws and levels`, () => {
    for (const [name, includes] of questions(reference)) {
      test(`${name} kills a mistake`, async () => {
        useSeed(defaultSeed);
        const declared = (mistake: Mistake) =>
          reference.some((one) => includes(one) && speaksOf(mistake.law, one.fullName));
        // Those that name it most likely die of it.
        const ordered = [...mistakes].sort((a, b) => Number(declared(b)) - Number(declared(a)));
        for (const mistake of ordered) {
          // One that cannot be loaded is red under its own name.
          if (await kills(root, kata, mistake, includes).catch(() => false)) return;
        }
        expect.fail('no mistake dies of it: a test that notices nothing is not a test');
      });
    }
  });
}

type Question = readonly [name: string, includes: (one: JudgedCase) => boolean];

/** Every level, then every law. */
function questions(reference: readonly JudgedCase[]): readonly Question[] {
  const levels = new Set(reference.flatMap(({ group }) => /^Level \d+/.exec(group)?.[0] ?? []));
  const laws = reference.filter(({ file }) => file.endsWith('.properties.test.ts'));
  return [
    ...[...levels].map((level): Question => [level, ({ group }) => speaksOf(level, group)]),
    ...laws.map(({ fullName }): Question => [`"${fullName}"`, (one) => one.fullName === fullName]),
  ];
}

const graphs = new Map<string, { load: number; cases: readonly JudgedCase[] }>();

/** The seed in use. */
let currentSeed = defaultSeed;

/** Which tests each mistake has died of, by its id, and on which seeds. */
const deaths = new Map<string, { readonly fullName: string; readonly seed: number }[]>();

/**
 * Whether one of the tests asked for fails on the mistake.
 *
 * @throws Error when no test is asked for
 */
async function kills(
  root: string,
  kata: Kata,
  { id }: Mistake,
  includes: (one: JudgedCase) => boolean,
): Promise<boolean> {
  const died = deaths.get(id) ?? [];
  deaths.set(id, died);
  const as = `mistake:${kata.id}:${id}`;
  let graph = graphs.get(id);
  if (!graph || graph.cases.length === 0) {
    const load = (graph?.load ?? 0) + 1;
    graph = { load, cases: await collectAs(root, kata, `${as}:${load}`) };
    graphs.set(id, graph);
  }
  const asked = graph.cases.filter(includes);
  if (asked.length === 0) throw new Error(`Failed to judge "${id}": no test has the name it asks for.`);
  const isKnown = ({ fullName }: JudgedCase): boolean =>
    died.some((death) => death.seed === currentSeed && death.fullName === fullName);
  if (asked.some(isKnown)) return true;
  // What killed it on one seed most likely does on the next.
  const suspect = (one: JudgedCase): boolean => died.some(({ fullName }) => fullName === one.fullName);
  for (const one of [...asked.filter(suspect), ...asked.filter((each) => !suspect(each))]) {
    const verdict = await runCase(one);
    if (verdict.outcome === 'passed') continue;
    died.push({ fullName: one.fullName, seed: currentSeed });
    // What never ended may still hold the modules of this graph: load them anew the next time.
    if (verdict.abandoned) graph.cases = [];
    return true;
  }
  return false;
}

async function passed(cases: readonly JudgedCase[]): Promise<readonly string[]> {
  const names: string[] = [];
  for (const one of cases) if ((await runCase(one)).outcome === 'passed') names.push(one.fullName);
  return names;
}

async function failures(cases: readonly JudgedCase[]): Promise<readonly string[]> {
  const told: string[] = [];
  for (const one of cases) {
    const verdict = await runCase(one);
    if (verdict.outcome === 'passed') continue;
    told.push(`${one.fullName}: ${String(verdict.error)}`);
    if (verdict.abandoned) break;
  }
  return told;
}

function useSeed(seed: number): void {
  currentSeed = seed;
  configureProperties({ seed, runs: defaultRuns });
}

/** A learner's own work is not ours to judge. */
function isEdited({ folder, noun }: Kata): boolean {
  return !readFileSync(path.join(folder, `${noun}.ts`), 'utf8').includes('todo(');
}

async function variantsOf({ solution }: Kata): Promise<readonly Variant[]> {
  const file = path.join(solution, 'variants.ts');
  if (!existsSync(file)) return [];
  const { variants } = (await import(/* @vite-ignore */ file)) as { readonly variants: readonly Variant[] };
  return variants;
}
