import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { NotMet } from '../testing/holds.ts';
import { applyEdits, type Mistake, speaksOf, type Variant } from '../testing/mistakes.ts';
import { configureProperties, defaultRuns, defaultSeed } from '../testing/property.ts';
import { judgedKata, type Kata, readReference } from '../workbook/katas.ts';
import { screensOf } from '../workbook/screens.ts';
import { KataModules, type Subject } from './judge-modules.ts';
import { type Death, readDeaths, writeDeaths } from './judge-record.ts';
import { askedOf, captureUncaught, collectTests, isOfLaws, type JudgedCase, runCase } from './judge-run.ts';
import { drawScreen } from './judge-screens.ts';
import { variantsOf } from './judge-subjects.ts';
import { Trial } from './judge-trial.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Of a mistake: whether it dies of the laws and the end to end alone. */
    ofLaws?: 'dies' | 'survives' | 'hidden';
  }
}

/** The first is the learner's; a kill that hangs on one seed is luck. */
const seeds = [defaultSeed, defaultSeed + 1, defaultSeed + 2];

/**
 * How much is judged.
 *
 * - `npm test` looks first where the record says that a mistake died. What the record does not know is tried on one of the seeds, in
 *   rotation; so are variants, on fewer runs, as are mistakes that are hidden from laws. The reference is left to the project `solutions`.
 * - `npm run judge` is `thorough`: all on each seed. A mistake must die on each; the record says of what it did. One that is hidden from
 *   laws must survive on one of them.
 * - `record` asks nothing of the record, lets the mistakes die on each seed, and writes of what.
 * - `laws` asks only what dies of the laws, on the first seed.
 */
const mode = process.env.KATA_JUDGE as 'thorough' | 'record' | 'laws' | undefined;
const thorough = mode === 'thorough';

/**
 * The runs of laws in `npm test` on what they have to let pass: a variant, a mistake that is hidden from them. What a law speaks of
 * may not come up in so few: that is no failure there.
 */
const QUICK_RUNS = defaultRuns / 4;

/** The seeds of the one at this index of a list. */
function seedsOf(index: number): readonly number[] {
  if (mode === 'laws') return [defaultSeed];
  return mode === undefined ? [seeds[index % seeds.length] as number] : seeds;
}

/** A kata's `mistakes.ts`. */
export interface Bank {
  readonly mistakes: readonly Mistake[];
  /** Whether every mistake that is not hidden must die of the laws and the end to end alone. */
  readonly lawsSuffice: boolean;
}

/**
 * Defines the tests that test a kata's tests: its stub is red, its reference and its variants are green, each
 * mistake is killed by the law it names, and each law and level kills a mistake. A reference without a kata has no stub
 * and no screens, and need not have variants.
 *
 * @throws Error when the kata does not exist or collects no tests
 */
export async function judgeKata(root: string, id: string, bank: Bank): Promise<void> {
  const kata = judgedKata(root, id);
  if (!kata) throw new Error(`Failed to judge ${id}: there is neither a katas/${id} nor a solutions/${id}.`);
  const hasKata = kata.folder !== kata.solution;
  captureUncaught();
  const modules = new KataModules(root, (what) => import(/* @vite-ignore */ what));
  const collect = (subject: Subject) => collectTests(modules, kata, subject);
  const record = mode === 'record' ? {} : readDeaths(kata);
  const trial = new Trial(kata, modules, record, { anySeed: mode === undefined });
  const { mistakes, lawsSuffice } = bank;
  if (thorough) judgeReference(kata, collect);
  if (mode === undefined || thorough) {
    if (hasKata) judgeStub(kata, collect);
    const variants = await variantsOf(kata);
    if (variants.length > 0) judgeVariants(kata, variants, collect);
    if (hasKata) judgeScreens(root, kata, mistakes, collect);
  }
  if (mode !== 'laws') {
    judgeMistakes(kata, mistakes, trial);
    judgeLawsAndLevels(kata, mistakes, trial, await collect({ kind: 'reference' }));
  }
  if (mode === 'laws' || lawsSuffice) judgeLawsAlone(kata, bank, trial);
  if (mode === 'record') recordDeaths(kata, mistakes, trial);
}

type Collect = (subject: Subject) => Promise<readonly JudgedCase[]>;

function judgeStub(kata: Kata, collect: Collect): void {
  describe(`${kata.id}, untouched`, () => {
    test.skipIf(isEdited(kata))('fails every test', async () => {
      configureProperties({ seed: defaultSeed, runs: defaultRuns });
      const passing = await passed(await collect({ kind: 'stub' }));
      expect(passing, 'these pass although nothing is written; when you have begun, they should').toEqual([]);
    });
  });
}

function judgeReference({ id }: Kata, collect: Collect): void {
  describe(`${id}, the reference`, () => {
    test.each(seeds)('passes every test on seed %i', async (seed) => {
      configureProperties({ seed, runs: defaultRuns });
      expect(await failures(await collect({ kind: 'reference' }))).toEqual([]);
    });
  });
}

function judgeVariants({ id }: Kata, variants: readonly Variant[], collect: Collect): void {
  describe(`${id}, its variants`, () => {
    for (const [i, change] of variants.entries()) {
      test(`${change.id} passes every test: ${change.why}`, async () => {
        const subject: Subject = { kind: 'variant', change };
        const cases = askedOf(subject, await collect(subject));
        for (const seed of seedsOf(i)) {
          configureProperties({ seed, runs: thorough ? defaultRuns : QUICK_RUNS });
          const told = await failures(cases, (error) => !thorough && error instanceof NotMet);
          expect(told, `seed ${seed}`).toEqual([]);
        }
      });

      for (const spoilt of change.spoilt ?? []) {
        test(`${change.id}, spoilt, is killed by "${spoilt.law}": ${spoilt.why}`, async () => {
          const cases = await collect({ kind: 'variant', change, spoilt });
          const asked = cases.filter((one) => isOfLaws(one) && speaksOf(spoilt.law, one.fullName));
          const survived: number[] = [];
          for (const seed of seedsOf(i)) {
            configureProperties({ seed, runs: defaultRuns });
            if ((await failures(asked)).length === 0) survived.push(seed);
          }
          expect(survived, 'survives on these seeds').toEqual([]);
        });
      }
    }
  });
}

function judgeMistakes(kata: Kata, mistakes: readonly Mistake[], trial: Trial): void {
  describe(`${kata.id}, its mistakes`, () => {
    for (const [i, mistake] of mistakes.entries()) {
      test(`${mistake.id} is killed by "${mistake.law}"`, async () => {
        applyEdits(readReference(kata), mistake);
        const survived: number[] = [];
        for (const seed of seedsOf(i)) {
          const dies = await trial.kills(mistake, (one) => speaksOf(mistake.law, one.fullName), {
            seed,
          });
          if (!dies) survived.push(seed);
        }
        expect(survived, `survives on these seeds: ${mistake.why}`).toEqual([]);
      });
    }
  });
}

function judgeLawsAndLevels(
  { id }: Kata,
  mistakes: readonly Mistake[],
  trial: Trial,
  reference: readonly JudgedCase[],
): void {
  describe(`${id}, its laws and levels`, () => {
    for (const [name, includes] of questions(reference)) {
      test(`${name} kills a mistake`, async () => {
        const declared = (mistake: Mistake): boolean =>
          reference.some((one) => includes(one) && speaksOf(mistake.law, one.fullName));
        // Those that the record knows of, and those that name it, most likely die of it; of a law or the end to end, a mistake
        // that some law notices rather than one that only an example does.
        const isOfALevel = /^Level/.test(name);
        const promise = (mistake: Mistake): number => {
          if (trial.isRecorded(mistake, includes, reference)) return 3;
          return declared(mistake) ? 2 : Number(isOfALevel === /^Level/.test(mistake.law));
        };
        for (const mistake of [...mistakes].sort((a, b) => promise(b) - promise(a))) {
          // One that cannot be loaded is red under its own name.
          if (await trial.kills(mistake, includes, { seed: defaultSeed }).catch(() => false)) return;
        }
        expect.fail('no mistake dies of it: a test that notices nothing is not a test');
      });
    }
  });
}

/** What shows in a cluster, laws and end to end notice by themselves: a learner may leave the levels out. */
function judgeLawsAlone({ id }: Kata, { mistakes, lawsSuffice }: Bank, trial: Trial): void {
  describe(`${id}, its laws alone`, () => {
    for (const [i, mistake] of mistakes.entries()) {
      const { hidden } = mistake;
      test(`${mistake.id} ${hidden === undefined ? 'dies' : 'does not die'} of them`, async ({ task }) => {
        // Laws that let it pass look at all of their lives: once is enough for a mistake that is said not to show.
        const tried = hidden === undefined ? seedsOf(i) : [seeds[i % seeds.length] as number];
        const survived: number[] = [];
        const runs = hidden !== undefined && mode === undefined ? QUICK_RUNS : defaultRuns;
        for (const seed of tried)
          if (!(await trial.kills(mistake, isOfLaws, { seed, runs }))) survived.push(seed);
        task.meta.ofLaws = hidden !== undefined ? 'hidden' : survived.length > 0 ? 'survives' : 'dies';
        if (!lawsSuffice) return;
        if (hidden === undefined) {
          expect(survived, `survives the laws on these seeds: ${mistake.why}`).toEqual([]);
        } else if (survived.length < tried.length) {
          expect.fail(`dies of the laws: ${trial.lastWords}\nBut it is said to be hidden: ${hidden}`);
        }
      });
    }
  });
}

/** What a learner is told of some mistakes is kept, word by word. */
function judgeScreens(root: string, kata: Kata, mistakes: readonly Mistake[], collect: Collect): void {
  describe.each(screensOf(root, kata))(`${kata.id}, what a learner sees of $mistake`, (screen) => {
    const change = mistakes.find(({ id }) => id === screen.mistake);
    let drawn = '';

    beforeAll(async () => {
      if (!change) throw new Error(`Failed to draw "${screen.mistake}": there is no such mistake.`);
      drawn = await drawScreen(root, screen, await collect({ kind: 'mistake', change }));
    }, 300_000);

    test('says what is next, how to see it again and what to read', () => {
      expect(drawn).toMatch(new RegExp(`\n next: .*${screen.tests}`));
      expect(drawn).toContain('\n replay  ');
      expect(drawn).toContain(
        `KATA_MISTAKE=${screen.mistake} npx vitest katas/${kata.id} --project solutions -t '`,
      );
      expect(drawn).toContain(`\n read    katas/${kata.id}/README.md, "`);
      expect(drawn).toContain(`\n hint    npm run kata -- hint ${kata.id.slice(0, 2)} `);
    });

    test('is a screenful, without a frame of a library', () => {
      expect(drawn.split('\n').length).toBeLessThanOrEqual(50);
      expect(drawn).not.toMatch(/node_modules|\bharness\//);
    });

    test('is as it was', () =>
      expect(drawn).toMatchFileSnapshot(
        path.join(root, 'harness/laws', kata.id, 'golden', `${screen.mistake}.txt`),
      ));
  });
}

/**
 * Keeps a death for each mistake and seed and for each law and level, on one input alone where that is enough. What was recorded before
 * is kept, too, if it still is so: a record may be made of some of the mistakes.
 */
function recordDeaths(kata: Kata, mistakes: readonly Mistake[], trial: Trial): void {
  test(`${kata.id}, what its mistakes died of, is recorded`, async () => {
    const before = readDeaths(kata);
    const deaths = [];
    for (const mistake of mistakes) {
      const kept: Death[] = [];
      const died = trial.deaths.get(mistake.id);
      const known = before[mistake.id] ?? [];
      for (const death of [...(died ?? []), ...known]) {
        if (kept.some(({ test, seed }) => test === death.test && seed === death.seed)) continue;
        trial.forget(mistake);
        const dies = died === undefined || (await trial.diesAgain(mistake, death));
        const { path: _, ...whole } = death;
        if (dies) kept.push(death);
        else if (!known.includes(death)) kept.push(whole);
      }
      deaths.push([mistake.id, kept] as const);
    }
    writeDeaths(kata, Object.fromEntries(deaths));
  }, 3_600_000);
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

async function passed(cases: readonly JudgedCase[]): Promise<readonly string[]> {
  const names: string[] = [];
  for (const one of cases) if ((await runCase(one)).outcome === 'passed') names.push(one.fullName);
  return names;
}

async function failures(
  cases: readonly JudgedCase[],
  isForgiven: (error: unknown) => boolean = () => false,
): Promise<readonly string[]> {
  const told: string[] = [];
  for (const one of cases) {
    const verdict = await runCase(one);
    if (verdict.outcome === 'passed' || isForgiven(verdict.error)) continue;
    told.push(`${one.fullName}: ${String(verdict.error)}`);
    if (verdict.abandoned) break;
  }
  return told;
}

/** A learner's own work is not ours to judge. */
function isEdited({ folder, noun }: Kata): boolean {
  return !readFileSync(path.join(folder, `${noun}.ts`), 'utf8').includes('todo(');
}
