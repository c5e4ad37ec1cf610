import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listKatas } from './katas.ts';
import { runCommandLine } from './run-command-line.ts';
import { hashOfKata } from './verdict.ts';
import { writeWhole } from './whole-file.ts';

/** A law or an end-to-end test that failed. */
export interface FailedLaw {
  /** Its full name. */
  readonly test: string;
  /** Its smallest failing input; absent if it generates none. */
  readonly input?: {
    readonly seed: number;
    /** fast-check's path to the input after shrinking. */
    readonly path: string;
    readonly workload?: string;
  };
}

/** The failed laws of a kata's last run. The reporter writes them; hints and replays read them. */
export interface FailedLaws {
  /** The law that the screen of the last run showed comes first. */
  readonly laws: readonly FailedLaw[];
  /** The hash of the kata's code in that run. */
  readonly at: string;
}

/**
 * Returns the failed laws of the last run; undefined if the kata never ran, or if the file cannot be read.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 */
export function readFailedLaws(root: string, kata: string): FailedLaws | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(root, kata), 'utf8')) as FailedLaws;
  } catch {
    return undefined;
  }
}

/**
 * Records the failed laws of a run. The failures of tests that did not run stay, if the code is the same.
 *
 * @param ran the full names of the tests that ran
 */
export function writeFailedLaws(
  root: string,
  kata: string,
  { laws, at }: FailedLaws,
  ran: ReadonlySet<string>,
): void {
  const earlier = readFailedLaws(root, kata);
  const kept = earlier?.at === at ? earlier.laws.filter(({ test }) => !ran.has(test)) : [];
  writeWhole(fileOf(root, kata), JSON.stringify({ laws: [...laws, ...kept], at }));
}

/**
 * Finds a law that failed in a kata's last run.
 *
 * @param meant `24`, or `24-deployment`
 * @param name the name of the law: `Never too many`. @defaultValue the law that the screen showed
 * @returns the law, or a sentence that says what to do
 */
export function failedLawOf(
  root: string,
  meant: string,
  name?: string,
): { readonly kata: string; readonly law: FailedLaw } | { readonly problem: string } {
  const katas = listKatas(root).map(({ id }) => id);
  const kata = katas.find((id) => id === meant || id.split('-')[0] === meant);
  if (kata === undefined)
    return { problem: `There is no kata ${meant}. The katas are: ${katas.join(', ')}.` };
  const laws = readFailedLaws(root, kata)?.laws ?? [];
  const run = runCommandLine({ kata: kata.slice(0, 2) });
  if (laws.length === 0) return { problem: `No law of ${kata} failed in its last run. To run it: ${run}` };
  const law = name === undefined ? laws[0] : laws.find(({ test }) => isNamed(test, name));
  if (law) return { kata, law };
  const names = laws.map(({ test }) => `"${titleOf(test)}"`).join(', ');
  return { problem: `"${name}" did not fail in the last run of ${kata}. These laws failed: ${names}.` };
}

/**
 * Returns the names of the laws that failed in a kata's last run, in the order of {@link FailedLaws}, and whether the code
 * has changed since.
 */
export function failedLawNames(
  root: string,
  meant: string,
): { readonly laws: readonly string[]; readonly isStale: boolean } {
  const kata = kataOf(
    listKatas(root).map(({ id }) => id),
    meant,
  );
  const failed = kata === undefined ? undefined : readFailedLaws(root, kata);
  if (kata === undefined || !failed) return { laws: [], isStale: false };
  return {
    laws: failed.laws.map(({ test }) => titleOf(test)),
    isStale: failed.at !== hashOfKata(root, kata),
  };
}

function kataOf(katas: readonly string[], meant: string): string | undefined {
  return katas.find((id) => id === meant || id.split('-')[0] === meant);
}

/** Returns whether a test has this name, as a learner types it. */
export function isNamed(test: string, name: string): boolean {
  return test === name || titleOf(test).toLowerCase() === name.toLowerCase();
}

/** Returns the name of a law from the full name of its test. */
function titleOf(test: string): string {
  const [title = ''] = (test.split(' > ').at(-1) ?? '').split(':');
  return title;
}

/** The file lies in the cache folder, which git ignores and `npm ci` empties. */
function fileOf(root: string, kata: string): string {
  return path.join(root, 'node_modules/.cache/kubernetes-katas/failed-laws', `${kata}.json`);
}
