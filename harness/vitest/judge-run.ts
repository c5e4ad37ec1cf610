import { NotImplemented } from '../contracts/todo.ts';
import { type Evidence, lastCounterexample, resetEvidence, takeEvidence } from '../testing/property.ts';
import { byTeachingOrder, type Kata } from '../workbook/katas.ts';
import type { KataModules, Subject } from './judge-modules.ts';
import { takeOffence } from './real-time-guard.ts';
import { NeverEnded, NeverYielded } from './stall.ts';
import { type Case, collect } from './stand-in.ts';
import { watched } from './watchdog.ts';

/** A test of a kata, and the file it stands in. */
export interface JudgedCase extends Case {
  readonly file: string;
}

/** Whether it is a law or the end to end, and not of a level. */
export function isOfLaws({ file }: JudgedCase): boolean {
  return file.endsWith('.properties.test.ts');
}

/** Which of a kata's tests the subject must pass: laws and the end to end alone if it is free, and nothing ★ if it is of the core. */
export function askedOf(subject: Subject, cases: readonly JudgedCase[]): readonly JudgedCase[] {
  if (subject.kind !== 'variant') return cases;
  const { free = false, core = false } = subject.change;
  return cases.filter((one) => (!free || isOfLaws(one)) && !(core && one.fullName.includes('★')));
}

/** How a judged test ended. */
export type Verdict = { readonly outcome: 'passed' } | Failure;

/** How a judged test went red. */
export interface Failure {
  readonly outcome: 'failed';
  readonly error: unknown;
  /** It never ended: what it was doing may still go on. */
  readonly abandoned: boolean;
  /** Of a property, which input of the seed it failed on first. */
  readonly path?: string;
  /** What a learner would be shown besides the error, if it was asked for. */
  readonly evidence?: Evidence;
}

/**
 * Collects the tests of a kata, with the subject in the place of the reference.
 *
 * @throws Error when a file has none: nothing would pass everything
 */
export async function collectTests(
  modules: KataModules,
  kata: Kata,
  subject: Subject,
): Promise<readonly JudgedCase[]> {
  const files = [...kata.tests].sort(byTeachingOrder);
  const evaluate = await modules.link(kata, subject, files);
  const collected: JudgedCase[] = [];
  for (const file of files) {
    const cases = await collect(async () => evaluate(file));
    if (cases.length === 0) throw new Error(`Failed to collect ${file}: it defines no test.`);
    collected.push(...cases.map((one) => ({ ...one, file })));
  }
  if (collected.length === 0) throw new Error(`Failed to collect ${kata.id}: it has no test file.`);
  return collected;
}

/**
 * Runs one test as a learner's would be run: under the watchdog, and red when it used real time.
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

/** Those of a learner's run, in ms. */
const limits = { cpuMs: 180_000, idleMs: 500 };

async function verdictOf(one: Case): Promise<Verdict> {
  try {
    await watched(one.run, limits);
    // Node reports a rejection that was not handled after the microtasks of this turn.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (uncaught.length > 0) return { outcome: 'failed', error: uncaught[0], abandoned: false };
    const offence = takeOffence();
    if (offence) return { outcome: 'failed', error: offence, abandoned: false };
    return { outcome: 'passed' };
  } catch (error) {
    const abandoned = error instanceof NeverYielded || error instanceof NeverEnded;
    const path = lastCounterexample()?.path;
    return { outcome: 'failed', error, abandoned, ...(path !== undefined && { path }) };
  }
}

const uncaught: unknown[] = [];

/**
 * Takes over what was not caught, for the rest of this process: what a mistake leaves behind kills it, and must not
 * turn the judge red.
 */
export function captureUncaught(): void {
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.removeAllListeners(event);
    process.on(event, (error: unknown) => {
      uncaught.push(error);
    });
  }
}
