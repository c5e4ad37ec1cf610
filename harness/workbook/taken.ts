import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { levelsNotTaken } from './free-way.ts';
import { listKatas } from './katas.ts';
import { todosIn } from './stub.ts';
import { hashOfKata, isDone, isUndecided, readVerdict } from './verdict.ts';

/**
 * Returns the learner's files that supply components of a cluster, each with its functions that still call `todo`:
 * `{ "katas/51-ipam/ipam.ts": ["status"] }`.
 *
 * @param root the workbook's folder
 */
export function takenFiles(root: string): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    listKatas(root).flatMap(({ id, noun, folder }) => {
      const file = path.join(folder, `${noun}.ts`);
      if (!existsSync(file)) return [];
      const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
      return isTaken(root, id, text) ? [[`katas/${id}/${noun}.ts`, unwrittenIn(text)]] : [];
    }),
  );
}

/**
 * Returns whether a cluster takes the learner's components of a kata: no `todo` is left in it, or no law fails as it is
 * now. An undecided law does not count.
 *
 * @param text the learner's file
 */
export function isTaken(root: string, id: string, text: string): boolean {
  if (unwrittenIn(text).length === 0) return true;
  const verdict = readVerdict(root, id);
  if (verdict?.at !== hashOfKata(root, id)) return false;
  const core = verdict.levels.filter(({ optional }) => !optional);
  const isOpen = core.some(({ failed, notRun }) => failed + notRun > 0);
  const isFree = levelsNotTaken(path.join(root, 'katas', id)).length > 0;
  return isDone(verdict) || (isUndecided(verdict) && (isFree || !isOpen));
}

/** Returns the functions of a learner's file that still call `todo`. */
export function unwrittenIn(text: string): readonly string[] {
  return todosIn(text).map(({ symbol }) => symbol);
}
