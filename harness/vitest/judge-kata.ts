import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { applyEdits, type Mistake, speaksOf, type Variant } from '../testing/mistakes.ts';
import { configureProperties, defaultRuns, defaultSeed } from '../testing/property.ts';
import { judgedKata, type Kata, readReference } from '../workbook/katas.ts';
import { screensOf } from '../workbook/screens.ts';
import { KataModules, type Subject } from './judge-modules.ts';
import { judgeByReplay } from './judge-replay.ts';
import { askedOf, captureUncaught, collectTests, isOfLaws, type JudgedCase, runCase } from './judge-run.ts';
import { drawScreen } from './judge-screens.ts';
import {
  type Culprit,
  culpritOf,
  type Draft,
  draftOf,
  type Includes,
  mutantOf,
  Trial,
} from './judge-trial.ts';
import { type Kill, readKillRecord, writeKillRecord } from './kill-record.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Of a mistake: whether the laws and the end-to-end test alone kill it. */
    ofLaws?: 'dies' | 'survives' | 'hidden';
  }
}

/** The first is the learner's default. There are several, because a kill on a single seed may be luck. */
const seeds = [defaultSeed, defaultSeed + 1, defaultSeed + 2];

/**
 * The extent of a run of the judge.
 *
 * - `replay`: the mode of `npm test`. Repeats one recorded kill of each mistake that shows in a cluster.
 * - `thorough`: the mode of `npm run judge`. Judges everything on each seed, and records the kills.
 * - `once`: like `thorough`, but on the first seed only, and without a record.
 * - `record`: only kills every mistake on each seed, and records the kills and the golden screens.
 * - `laws`: only finds which mistakes the laws and the end-to-end test kill, on the first seed.
 */
export type JudgeMode = 'replay' | 'thorough' | 'once' | 'record' | 'laws';

/** Returns the mode of a kata: `once` if `KATA_JUDGE_ONCE` lists it, otherwise the mode in `KATA_JUDGE`. */
function modeOf(id: string): JudgeMode {
  const { KATA_JUDGE: mode = 'replay', KATA_JUDGE_ONCE: once = '' } = process.env;
  return once.split(',').includes(id) ? 'once' : (mode as JudgeMode);
}

/** A kata's `mistakes.ts` and `variants.ts`. */
export interface Bank {
  readonly mistakes: readonly Mistake[];
  /** Whether the laws and the end-to-end test alone must kill every mistake that is not hidden. */
  readonly lawsSuffice: boolean;
  readonly variants: readonly Variant[];
}

/** One kata that is being judged. */
interface Case {
  readonly kata: Kata;
  readonly mode: JudgeMode;
  /** The tests must kill each mistake on each of these seeds. */
  readonly seeds: readonly number[];
  readonly trial: Trial;
  readonly collect: (subject: Subject) => Promise<readonly JudgedCase[]>;
}

/**
 * Defines the tests that test a kata's tests. The stub fails, and the reference and the variants pass. The law that a
 * mistake names kills it, and each law and level kills a mistake. A reference without a kata has no stub and no
 * screens, and needs no variants.
 *
 * @param root the workbook's folder
 * @param entryPoints replacements of files, by absolute path
 * @throws Error when the kata does not exist, collects no tests, or has no mistakes
 */
export async function judgeKata(
  root: string,
  id: string,
  bank: Bank,
  entryPoints: Readonly<Record<string, string>>,
): Promise<void> {
  const kata = judgedKata(root, id);
  if (!kata) throw new Error(`Failed to judge ${id}: there is neither a katas/${id} nor a solutions/${id}.`);
  if (bank.mistakes.length === 0)
    throw new Error(`Failed to judge ${id}: its mistakes.ts lists no mistake, so nothing tests its tests.`);
  captureUncaught();
  const mode = modeOf(id);
  const modules = new KataModules(root, (what) => import(/* @vite-ignore */ entryPoints[what] ?? what));
  const judged: Case = {
    kata,
    mode,
    seeds: mode === 'thorough' || mode === 'record' ? seeds : [defaultSeed],
    trial: new Trial(kata, modules, readKillRecord(kata).kills),
    collect: (subject) => collectTests(modules, kata, subject),
  };
  const { mistakes, lawsSuffice, variants } = bank;
  const hasKata = kata.folder !== kata.solution;
  const draft = draftOf(kata);
  if (mode === 'replay') judgeByReplay(kata, mistakes, draft, judged.trial);
  if (mode !== 'laws' && mode !== 'record' && hasKata) judgeStub(judged);
  if (mode === 'thorough' || mode === 'once') {
    judgeReference(judged);
    if (variants.length > 0) judgeVariants(judged, variants);
  }
  // A recorded kill chooses the scenario of a screen.
  if (hasKata && mode !== 'replay' && mode !== 'laws') judgeScreens(root, judged, mistakes);
  if (mode !== 'laws' && mode !== 'replay') {
    judgeMutants(judged, variants);
    judgeMistakes(judged, mistakes);
    if (draft) judgeFirstDraft(judged, draft);
    judgeLawsAndLevels(judged, mistakes, await judged.collect({ kind: 'reference' }));
  }
  if (mode === 'laws' || (mode !== 'replay' && lawsSuffice)) judgeLawsAlone(judged, bank);
  if (mode === 'record' || mode === 'thorough')
    recordKills(judged, [
      ...mistakes.map(culpritOf),
      ...variants.flatMap(mutantsOf),
      ...(draft ? [draft.culprit] : []),
    ]);
}

function judgeStub({ kata, collect }: Case): void {
  describe(`${kata.id}, untouched`, () => {
    test.skipIf(isEdited(kata))('fails every test', async () => {
      configureProperties({ seed: defaultSeed, runs: defaultRuns });
      const passing = await passed(await collect({ kind: 'stub' }));
      expect(passing, 'these pass although nothing is written; when you have begun, they should').toEqual([]);
    });
  });
}

function judgeReference({ kata, seeds, collect }: Case): void {
  describe(`${kata.id}, the reference`, () => {
    test.each(seeds)('passes every test on seed %i', async (seed) => {
      configureProperties({ seed, runs: defaultRuns });
      expect(await complaints(await collect({ kind: 'reference' }))).toEqual([]);
    });
  });
}

function judgeVariants({ kata, seeds, collect }: Case, variants: readonly Variant[]): void {
  describe(`${kata.id}, its variants`, () => {
    for (const change of variants) {
      test(`${change.id} passes every test: ${change.why}`, async () => {
        const subject: Subject = { kind: 'variant', change };
        const cases = askedOf(subject, await collect(subject));
        for (const seed of seeds) {
          configureProperties({ seed, runs: defaultRuns });
          expect(await complaints(cases), `seed ${seed}`).toEqual([]);
        }
      });
    }
  });
}

/** Judges the mutants of variants. A freestyle variant has its own mutants, which no level notices. */
function judgeMutants(judged: Case, variants: readonly Variant[]): void {
  const mutants = variants.flatMap((change) => (change.mutants ?? []).map((mutant) => ({ change, mutant })));
  if (mutants.length === 0) return;
  describe(`${judged.kata.id}, the mistakes in its variants`, () => {
    for (const { change, mutant } of mutants) {
      test(`${change.id}, mutated, is killed by "${mutant.law}": ${mutant.why}`, () =>
        mustBeKilled(
          judged,
          mutantOf(change, mutant),
          (one) => isOfLaws(one) && speaksOf(mutant.law, one.fullName),
          mutant.why,
        ));
    }
  });
}

function mutantsOf(change: Variant): readonly Culprit[] {
  return (change.mutants ?? []).map((mutant) => mutantOf(change, mutant));
}

function judgeMistakes(judged: Case, mistakes: readonly Mistake[]): void {
  const { kata } = judged;
  describe(`${kata.id}, its mistakes`, () => {
    for (const mistake of mistakes) {
      test(`${mistake.id} is killed by "${mistake.law}"`, async () => {
        applyEdits(readReference(kata), mistake);
        const includes: Includes = ({ fullName }) => speaksOf(mistake.law, fullName);
        await mustBeKilled(judged, culpritOf(mistake), includes, mistake.why);
      });
    }
  });
}

/** Judges the first draft of the short way: every level passes, and the promised law fails. */
function judgeFirstDraft(judged: Case, { culprit, law }: Draft): void {
  const { kata, collect } = judged;
  describe(`${kata.id}, the first draft of its short way`, () => {
    test('passes every level', async () => {
      configureProperties({ seed: defaultSeed, runs: defaultRuns });
      const cases = await collect(culprit.subject);
      expect(await complaints(cases.filter((one) => !isOfLaws(one)))).toEqual([]);
    });

    test(`is killed by "${law}"`, () =>
      mustBeKilled(
        judged,
        culprit,
        (one) => isOfLaws(one) && speaksOf(law, one.fullName),
        'the law that SHORT.md promises',
      ));
  });
}

async function mustBeKilled(judged: Case, culprit: Culprit, includes: Includes, why: string): Promise<void> {
  const survived = await seedsSurvived(judged, culprit, includes);
  expect(survived, `survives on these seeds: ${why}${limitsReached(judged, culprit)}`).toEqual([]);
}

async function seedsSurvived(
  { trial, seeds }: Case,
  culprit: Culprit,
  includes: Includes,
): Promise<readonly number[]> {
  const survived: number[] = [];
  for (const seed of seeds) if (!(await trial.isKilled(culprit, includes, { seed }))) survived.push(seed);
  return survived;
}

/** Names the tests that did not finish: a mistake may survive because of them. */
function limitsReached({ trial }: Case, culprit: Culprit): string {
  return trial
    .undecidedAbout(culprit)
    .map((test) => `\nNo verdict of ${test}`)
    .join('');
}

function judgeLawsAndLevels(
  { kata: { id }, trial }: Case,
  mistakes: readonly Mistake[],
  reference: readonly JudgedCase[],
): void {
  describe(`${id}, its laws and levels`, () => {
    for (const [name, includes] of questions(reference)) {
      test(`${name} kills a mistake`, async () => {
        const declared = (mistake: Mistake): boolean =>
          reference.some((one) => includes(one) && speaksOf(mistake.law, one.fullName));
        const isRecorded = (mistake: Mistake): boolean => {
          const kills = trial.recorded(mistake);
          return reference.some((one) => includes(one) && kills.some((kill) => kill.test === one.fullName));
        };
        // Tries the most promising mistakes first: mistakes with a recorded kill, then mistakes that name this law or level.
        // After them, a law tries the mistakes that name another law, and a level those of another level.
        const isOfALevel = /^Level/.test(name);
        const promise = (mistake: Mistake): number => {
          if (isRecorded(mistake)) return 3;
          return declared(mistake) ? 2 : Number(isOfALevel === /^Level/.test(mistake.law));
        };
        for (const mistake of [...mistakes].sort((a, b) => promise(b) - promise(a))) {
          // A mistake that cannot be loaded fails its own test.
          const isKilled = trial.isKilled(culpritOf(mistake), includes, { seed: defaultSeed });
          if (await isKilled.catch(() => false)) return;
        }
        expect.fail('it kills no mistake: a test that notices nothing is not a test');
      });
    }
  });
}

/**
 * Judges the laws and the end-to-end test by themselves. They must find every mistake that shows in a cluster,
 * because a learner may skip the levels.
 */
function judgeLawsAlone(judged: Case, { mistakes, lawsSuffice }: Bank): void {
  const { kata, trial } = judged;
  describe(`${kata.id}, its laws alone`, () => {
    for (const [i, mistake] of mistakes.entries()) {
      const { hidden } = mistake;
      test(`${mistake.id} ${hidden === undefined ? 'is killed' : 'is not killed'}`, async ({ task }) => {
        // Laws that find nothing run all of their scenarios, so a mistake that is declared hidden is tried on only
        // one seed.
        const tried = {
          ...judged,
          seeds: hidden === undefined ? judged.seeds : [seeds[i % seeds.length] as number],
        };
        const culprit = culpritOf(mistake);
        const survived = await seedsSurvived(tried, culprit, isOfLaws);
        task.meta.ofLaws = hidden !== undefined ? 'hidden' : survived.length > 0 ? 'survives' : 'dies';
        if (!lawsSuffice) return;
        if (hidden === undefined) {
          expect(
            survived,
            `survives the laws on these seeds: ${mistake.why}${limitsReached(judged, culprit)}`,
          ).toEqual([]);
        } else if (survived.length < tried.seeds.length) {
          expect.fail(`dies of the laws: ${trial.lastError}\nBut it is said to be hidden: ${hidden}`);
        }
      });
    }
  });
}

/** Compares the golden screens: the whole output for some mistakes. */
function judgeScreens(root: string, { kata, collect }: Case, mistakes: readonly Mistake[]): void {
  describe.each(screensOf(root, kata))(`${kata.id}, what a learner sees of $mistake in $tests`, (screen) => {
    const change = mistakes.find(({ id }) => id === screen.mistake);
    let drawn = '';

    beforeAll(async () => {
      if (!change) throw new Error(`Failed to draw "${screen.mistake}": there is no such mistake.`);
      drawn = await drawScreen(root, screen, await collect({ kind: 'mistake', change }));
    });

    test('names the next step, the replay and the section to read', () => {
      expect(drawn).toMatch(new RegExp(`\n next: .*${screen.tests}`));
      expect(drawn).toContain(`\n replay  npm run kata -- run ${kata.id.slice(0, 2)} --only "`);
      expect(drawn).toContain(` --mistake ${screen.mistake}\n`);
      expect(drawn).toContain(`\n read    katas/${kata.id}/README.md, "`);
      expect(drawn).toContain(`\n hint    npm run kata -- hint ${kata.id.slice(0, 2)} `);
    });

    test("fits on one screen, without a library's stack frames", () => {
      expect(drawn.split('\n').length).toBeLessThanOrEqual(50);
      expect(drawn).not.toMatch(/node_modules|\bharness\//);
    });

    test('equals the golden screen', () => expect(drawn).toMatchFileSnapshot(path.join(root, screen.golden)));
  });
}

/**
 * Records the kills of each culprit by seed and by law or level, on a single input if that suffices. Keeps earlier kills unless they
 * no longer happen, because a run may cover only some of the mistakes.
 */
function recordKills({ kata, trial }: Case, culprits: readonly Culprit[]): void {
  test(`${kata.id}, the kills of its mistakes are recorded`, async () => {
    const { judged, kills: before } = readKillRecord(kata);
    const kills: [id: string, kills: readonly Kill[]][] = [];
    for (const culprit of culprits) {
      const kept: Kill[] = [];
      const made = trial.kills.get(culprit.id);
      const known = before[culprit.id] ?? [];
      for (const kill of [...(made ?? []), ...known]) {
        if (kept.some(({ test, seed }) => test === kill.test && seed === kill.seed)) continue;
        trial.forget(culprit);
        const { input: _, ...whole } = kill;
        if (made === undefined || (await trial.killsAgain(culprit, kill))) kept.push(kill);
        else if (!known.includes(kill)) kept.push(whole);
      }
      kills.push([culprit.id, kept]);
    }
    writeKillRecord(kata, { ...(judged && { judged }), kills: Object.fromEntries(kills) });
  });
}

type Question = readonly [name: string, includes: Includes];

/** Returns every level, then every law. */
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

/** Runs the tests and returns a line for each test that fails or does not finish. */
async function complaints(cases: readonly JudgedCase[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const one of cases) {
    const verdict = await runCase(one);
    if (verdict.outcome === 'passed') continue;
    found.push(`${one.fullName}: ${String(verdict.error)}`);
    if (verdict.abandoned) break;
  }
  return found;
}

/** Has the learner edited the kata? The judge does not judge a learner's own work. */
function isEdited({ folder, noun }: Kata): boolean {
  return !readFileSync(path.join(folder, `${noun}.ts`), 'utf8').includes('todo(');
}
