import { recordCalls } from '../testing/calls.ts';
import {
  configureProperties,
  defaultRuns,
  defaultSeed,
  type History,
  lastCounterexample,
  lastHistory,
  resetEvidence,
} from '../testing/property.ts';
import type { FailedLaw } from '../workbook/failed-laws.ts';
import type { Kata } from '../workbook/katas.ts';
import type { KataModules, Subject } from './judge-modules.ts';
import { collectTests, isLawFile } from './judge-run.ts';
import { watched } from './watchdog.ts';

/** One run of a law with its recorded input. */
export interface Replayed {
  /** The error of the law; absent if the law holds. */
  readonly error?: unknown;
  readonly history: History;
  /** The smallest failing input as text; absent if the law holds, or generates no input. */
  readonly input?: string;
}

/** The limits of one run, in ms. A test without a recorded input may need all of its runs. */
const LIMITS = { cpuMs: 10_000, idleMs: 500 };
const LIMITS_OF_ALL_RUNS = { ...LIMITS, cpuMs: 60_000 };

/**
 * Runs a law again on its smallest failing input, or as a whole if it has none. The code may still run afterwards.
 *
 * @returns undefined if the kata has no such law
 */
export async function replayed(
  modules: KataModules,
  kata: Kata,
  subject: Subject,
  { test, input }: FailedLaw,
): Promise<Replayed | undefined> {
  const cases = await collectTests(modules, kata, subject, kata.tests.filter(isLawFile));
  const one = cases.find(({ fullName }) => fullName === test);
  if (!one) return undefined;
  configureProperties({
    seed: input?.seed ?? defaultSeed,
    runs: defaultRuns,
    ...(input && { replay: input }),
  });
  resetEvidence();
  recordCalls(true);
  const failure: { error?: unknown } = {};
  await watched(one.run, input ? LIMITS : LIMITS_OF_ALL_RUNS).catch((error: unknown) => {
    failure.error = error;
  });
  recordCalls(false);
  const text = lastCounterexample()?.input;
  const history = lastHistory();
  resetEvidence();
  return { ...failure, history, ...(text !== undefined && { input: text }) };
}
