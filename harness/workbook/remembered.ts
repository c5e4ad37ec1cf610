import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from './whole-file.ts';

/** Number of hints given, for each level and law of a kata. */
type HintsGiven = Readonly<Record<string, number>>;

/**
 * Returns the hints that a learner has received; empty if no record exists.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 */
export function readHintsGiven(root: string, kata: string): HintsGiven {
  return (read(root, `hints/${kata}.json`) ?? {}) as HintsGiven;
}

/** Records the hints for the next command, if the cache folder is writable. */
export function writeHintsGiven(root: string, kata: string, given: HintsGiven): void {
  write(root, `hints/${kata}.json`, given);
}

/**
 * Returns the name of the path that a learner has chosen; undefined if no record exists.
 *
 * @param root the workbook's folder
 */
export function readChosenPath(root: string): string | undefined {
  const name = read(root, 'path.json');
  return typeof name === 'string' ? name : undefined;
}

/** Records the path for the next command, if the cache folder is writable. */
export function writeChosenPath(root: string, name: string): void {
  write(root, 'path.json', name);
}

/**
 * Returns the hash of a kata's code after `catch-up`; undefined if it filled in nothing there.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 */
export function readCaughtUp(root: string, kata: string): string | undefined {
  const hash = read(root, `caught-up/${kata}.json`);
  return typeof hash === 'string' ? hash : undefined;
}

/** Records the hash of a kata's code after `catch-up`, if the cache folder is writable. */
export function writeCaughtUp(root: string, kata: string, hash: string): void {
  write(root, `caught-up/${kata}.json`, hash);
}

/**
 * Returns whether a learner has begun a kata by its short way.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 */
export function isBegunShort(root: string, kata: string): boolean {
  return read(root, `short/${kata}.json`) === true;
}

/** Records whether a kata is begun by its short way, if the cache folder is writable. */
export function writeBegunShort(root: string, kata: string, isShort: boolean): void {
  write(root, `short/${kata}.json`, isShort);
}

function read(root: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(placeOf(root, file), 'utf8'));
  } catch {
    return undefined;
  }
}

function write(root: string, file: string, value: unknown): void {
  try {
    writeWhole(placeOf(root, file), JSON.stringify(value));
  } catch {
    // The command does its work even if this cannot be recorded.
  }
}

/** The files lie beside the verdicts in the cache folder, which git ignores and `npm ci` empties. */
function placeOf(root: string, file: string): string {
  return path.join(root, 'node_modules/.cache/kubernetes-katas', file);
}
