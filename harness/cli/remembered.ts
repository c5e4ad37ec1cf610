import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** For each level and law of a kata, how many of its hints were given. */
type HintsGiven = Readonly<Record<string, number>>;

/**
 * The hints that a learner has been given; none where nothing is remembered.
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

/** Remembers them for the next command, where the folder of caches can be written. */
export function writeHintsGiven(root: string, kata: string, given: HintsGiven): void {
  const file = fileOf(root, kata);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(given));
  } catch {
    // The hint is worth more than the memory of it.
  }
}

/** Beside the verdicts, in the folder of caches, which git ignores and `npm ci` empties. */
function fileOf(root: string, kata: string): string {
  return path.join(root, 'node_modules/.cache/kubernetes-katas/hints', `${kata}.json`);
}
