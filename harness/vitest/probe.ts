import { NotImplemented } from '../contracts/todo.ts';
import { configureProperties, defaultRuns, defaultSeed, type ReplayedInput } from '../testing/property.ts';
import type { Kata } from '../workbook/katas.ts';
import type { KataModules, Subject } from './judge-modules.ts';
import { collectTests, isLawFile, type JudgedCase, runCase } from './judge-run.ts';

/** One test of a kata on one input. */
export interface Probe {
  /** The full name of a law or an end-to-end test. */
  readonly test: string;
  readonly seed: number;
  /** Absent if the test generates no input. */
  readonly input?: ReplayedInput;
}

/**
 * The result of a probe: {@link PASSED}, {@link ENDLESS}, {@link UNKNOWN}, or the failure, without the names and numbers
 * of this run.
 */
export type Outcome = string;

/** The test passes on this input. */
export const PASSED = '.';

/** The code never ends. */
export const ENDLESS = 'o';

/** No result: the code reaches a function that is still `todo`, or the test is absent or undecided. */
export const UNKNOWN = '-';

/** Options of {@link probe}. */
interface ProbeOptions {
  /**
   * CPU time in ms. The inputs after that get no result, because a learner waits for them. @defaultValue 20,000
   */
  readonly cpuMsMax?: number;
  /** Called after each probe that ran. */
  readonly onOutcome?: (probe: Probe) => void;
}

/** After this many runs that never end, the other probes get no result: each costs two seconds. */
const ENDLESS_MAX = 3;

/**
 * Runs probes against one subject of a kata in this process. Probes of one input share its run.
 *
 * @returns the outcomes, in the order of the probes
 * @throws Error when the subject cannot be loaded
 */
export async function probe(
  modules: KataModules,
  kata: Kata,
  subject: Subject,
  probes: readonly Probe[],
  { cpuMsMax = 20_000, onOutcome = () => {} }: ProbeOptions = {},
): Promise<readonly Outcome[]> {
  const collect = (): Promise<readonly JudgedCase[]> =>
    collectTests(modules, kata, subject, kata.tests.filter(isLawFile));
  let cases = await collect();
  let endless = 0;
  const outcomes: Outcome[] = Array.from(probes, () => UNKNOWN);
  const begun = process.cpuUsage();
  for (const indexes of byInput(probes)) {
    const { user, system } = process.cpuUsage(begun);
    if (user + system > cpuMsMax * 1_000) break;
    // The laws of one input share its run, and so an unwritten function that only the first of them reaches.
    let isUnwritten = false;
    NotImplemented.onMade = () => {
      isUnwritten = true;
    };
    for (const index of indexes) {
      const asked = probes[index] as Probe;
      const { test, seed, input } = asked;
      const one = cases.find(({ fullName }) => fullName === test);
      if (!one || isUnwritten || endless >= ENDLESS_MAX) continue;
      configureProperties({ seed, runs: defaultRuns, ...(input && { replay: input }) });
      const verdict = await runCase(one);
      const isEndless = verdict.outcome === 'failed' && verdict.abandoned;
      if (isUnwritten) outcomes[index] = UNKNOWN;
      else if (verdict.outcome === 'passed') outcomes[index] = PASSED;
      else if (isEndless) outcomes[index] = ENDLESS;
      else if (verdict.outcome === 'failed' && (!input || verdict.input))
        outcomes[index] = templateOf(verdict.error);
      onOutcome(asked);
      if (verdict.outcome === 'passed' || !verdict.abandoned) continue;
      // The code may still be running, in its own modules.
      endless++;
      cases = await collect();
    }
  }
  NotImplemented.onMade = () => {};
  configureProperties({ seed: defaultSeed, runs: defaultRuns });
  return outcomes;
}

/**
 * Returns the first line of a failure, without the parts that change from run to run: numbers, quoted names, words with
 * a digit or a hyphen, which are names of objects, and the items that a law generates, such as single letters.
 */
export function templateOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  const [line = ''] = message.split('\n');
  return line
    .replace(/^(LawBroken|AssertionError): (Scenario "[^"]*", at|At) [\d.]+ ms: /, '')
    .replace(/ \(and \d+ more\)$/, '')
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '#')
    .replace(/[^\s#,;:()[\]{}]*[\d/-][^\s#,;:()[\]{}]*/g, '#')
    .replace(/\b([a-z]|true|false|null|undefined|NaN|constructor|toString|__proto__)\b/g, '#')
    .replace(/#([,\s]+#)+/g, '#')
    .slice(0, 80);
}

/** Returns the indexes of the probes, in groups with the same seed and input. */
function byInput(probes: readonly Probe[]): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  for (const [index, { seed, input }] of probes.entries()) {
    const key = JSON.stringify([seed, input?.workload, input?.path]);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  return [...groups.values()];
}
