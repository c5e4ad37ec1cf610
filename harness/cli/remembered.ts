import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../workbook/whole-file.ts';

/** Number of hints given, for each level and law of a kata. */
type HintsGiven = Readonly<Record<string, number>>;

/**
 * Returns the hints that a learner has received; empty if no record exists.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 */
export function readHintsGiven(root: string, kata: string): HintsGiven {
  try {
    return JSON.parse(readFileSync(fileOf(root, kata), 'utf8')) as HintsGiven;
  } catch {
    return {};
  }
}

/** Records the hints for the next command, if the cache folder is writable. */
export function writeHintsGiven(root: string, kata: string, given: HintsGiven): void {
  try {
    writeWhole(fileOf(root, kata), JSON.stringify(given));
  } catch {
    // The learner gets the hint even if it cannot be recorded.
  }
}

/** The file lies beside the verdicts in the cache folder, which git ignores and `npm ci` empties. */
function fileOf(root: string, kata: string): string {
  return path.join(root, 'node_modules/.cache/kubernetes-katas/hints', `${kata}.json`);
}
