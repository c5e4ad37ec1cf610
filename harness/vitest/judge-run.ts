import { readFileSync } from 'node:fs';
import { NotImplemented } from '../contracts/todo.ts';
import {
  type Evidence,
  lastCounterexample,
  type ReplayedInput,
  resetEvidence,
  takeEvidence,
} from '../testing/property.ts';
import { byTeachingOrder, type Kata, levelFilesOf } from '../workbook/katas.ts';
import type { KataModules, Subject } from './judge-modules.ts';
import { takeOffence } from './real-time-guard.ts';
import { NeverEnded, NeverYielded, Undecided } from './stall.ts';
import { type Case, collect } from './stand-in.ts';
import { watched } from './watchdog.ts';

/** A test of a kata, and its file. */
export interface JudgedCase extends Case {
  readonly file: string;
}

/** Is it a law or the end-to-end test, and not a test of a level? */
export function isOfLaws({ file }: JudgedCase): boolean {
  return isLawFile(file);
}

/** Does the file hold the laws and the end-to-end test of a kata? */
export function isLawFile(file: string): boolean {
  return file.endsWith('.properties.test.ts');
}

/**
 * Returns the kata's tests that the subject must pass: only laws and the end-to-end test if it is freestyle, and
 * nothing ★ if it is a core variant.
 */
export function askedOf(subject: Subject, cases: readonly JudgedCase[]): readonly JudgedCase[] {
  if (subject.kind !== 'variant') return cases;
  const { free = false, core = false } = subject.change;
  return cases.filter((one) => (!free || isOfLaws(one)) && !(core && one.fullName.includes('★')));
}

/** How a judged test ended. */
export type Verdict = { readonly outcome: 'passed' } | Failure | Undecidable;

/** The test failed on its subject. */
export interface Failure {
  readonly outcome: 'failed';
  readonly error: unknown;
  /** Whether its code may still be running. */
  readonly abandoned: boolean;
  /** Whether only the watchdog found a fault: the code computed for too long without yielding. */
  readonly spun: boolean;
  /** The first failing input of the seed, if the test is a property. */
  readonly input?: ReplayedInput;
  /** The details that a learner sees besides the error, if they were requested. */
  readonly evidence?: Evidence;
}

/** The test did not finish within its limit of CPU time, which proves nothing about its subject. Its code may still be running. */
interface Undecidable {
  readonly outcome: 'undecided';
  readonly error: Undecided;
  readonly abandoned: true;
}

/**
 * Collects the tests of a kata, with the subject in place of the reference.
 *
 * @param files the test files to load. @defaultValue all test files of the kata
 * @throws Error when a file defines no test, because every subject would pass it
 */
export async function collectTests(
  modules: KataModules,
  kata: Kata,
  subject: Subject,
  files: readonly string[] = kata.tests,
): Promise<readonly JudgedCase[]> {
  const ordered = [...files].sort(byTeachingOrder);
  const evaluate = await modules.link(kata, subject, ordered);
  const collected: JudgedCase[] = [];
  for (const file of ordered) {
    const cases = await collect(async () => evaluate(file));
    if (cases.length === 0) throw new Error(`Failed to collect ${file}: it defines no test.`);
    collected.push(...cases.map((one) => ({ ...one, file })));
  }
  if (collected.length === 0) throw new Error(`Failed to collect ${kata.id}: it has no test file.`);
  return collected;
}

/**
 * Finds the smallest test file that defines a test: loading one level is cheaper than loading all.
 *
 * @param test the full name of the test
 * @returns the file that contains the title of its outermost `describe`; undefined if no file or several files do
 */
export function fileOfTest(kata: Kata, test: string): string | undefined {
  const [group = ''] = test.split(' > ');
  const files = kata.tests.flatMap((file) => [file, ...levelFilesOf(file)]);
  const [found, ...others] = files.filter((file) => readFileSync(file, 'utf8').includes(`'${group}'`));
  return others.length === 0 ? found : undefined;
}

/**
 * Runs one test as in a learner's run: under the watchdog, and failing when it uses real time.
 *
 * @param options.evidence whether a failure comes with its evidence, which takes time to draw
 */
export async function runCase(one: Case, options: { readonly evidence?: boolean } = {}): Promise<Verdict> {
  resetEvidence();
  takeOffence();
  uncaught.length = 0;
  try {
    const verdict = await verdictOf(one);
    return verdict.outcome === 'failed' && options.evidence
      ? { ...verdict, evidence: takeEvidence() }
      : verdict;
  } finally {
    resetEvidence();
    takeOffence();
    NotImplemented.last = undefined;
  }
}

/** The limits of a learner's run, in ms. */
const limits = { cpuMs: 180_000, idleMs: 500 };

async function verdictOf(one: Case): Promise<Verdict> {
  const failed = (error: unknown): Failure => ({ outcome: 'failed', error, abandoned: false, spun: false });
  try {
    await watched(one.run, limits);
    // Node reports an unhandled rejection after the microtasks of this turn.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (uncaught.length > 0) return failed(uncaught[0]);
    const offence = takeOffence();
    return offence ? failed(offence) : { outcome: 'passed' };
  } catch (error) {
    if (error instanceof Undecided) return { outcome: 'undecided', error, abandoned: true };
    const spun = error instanceof NeverYielded;
    const { path, workload } = lastCounterexample() ?? {};
    const input = path === undefined ? {} : { input: { path, ...(workload !== undefined && { workload }) } };
    return { ...failed(error), abandoned: spun || error instanceof NeverEnded, spun, ...input };
  }
}

const uncaught: unknown[] = [];

/**
 * Captures uncaught errors for the rest of this process: an error that a mistake leaves behind kills the mistake, and
 * must not fail the judge.
 */
export function captureUncaught(): void {
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.removeAllListeners(event);
    process.on(event, (error: unknown) => {
      uncaught.push(error);
    });
  }
}
