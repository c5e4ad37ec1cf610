import { readFileSync } from 'node:fs';
import path from 'node:path';
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

/** The failed laws of a kata's last run. The reporter writes them; a hint reads them. */
export interface FailedLaws {
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
  writeWhole(fileOf(root, kata), JSON.stringify({ laws: [...kept, ...laws], at }));
}

/** The file lies in the cache folder, which git ignores and `npm ci` empties. */
function fileOf(root: string, kata: string): string {
  return path.join(root, 'node_modules/.cache/kubernetes-katas/failed-laws', `${kata}.json`);
}
