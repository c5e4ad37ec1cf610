import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { fingerprintOf } from './fingerprint.ts';
import { reportOf } from './report.ts';
import type { Room } from './room.ts';

/** Clones of the workbook that a room reads. A clone is read again only after a save or a run. */
export class Folders {
  readonly #folders: readonly { readonly folder: string; readonly name: string }[];
  readonly #fingerprints = new Map<string, string>();

  /**
   * @param folders absolute
   * @throws Failure when a folder is not a workbook
   */
  constructor(folders: readonly string[]) {
    for (const folder of folders) {
      if (!existsSync(path.join(folder, 'katas')))
        throw new Failure(
          `read ${folder}`,
          'it has no folder katas',
          'Name folders that are clones of the workbook.',
        );
    }
    const real = [...new Set(folders.map((folder) => realpathSync(folder)))];
    const names = namesOf(real);
    this.#folders = real.map((folder, index) => ({ folder, name: names[index] ?? folder }));
  }

  /**
   * Passes the report of each clone that has changed to the room.
   *
   * @param nowMs returns the time, in ms since 1970
   * @param afterEach runs after each clone that was read. Reading one blocks the process for a fraction of a second, so
   * this is the time for other work.
   */
  async read(room: Room, nowMs: () => number, afterEach: () => Promise<void>): Promise<void> {
    for (const { folder, name } of this.#folders) {
      const fingerprint = fingerprintOf(folder);
      if (fingerprint === this.#fingerprints.get(folder)) continue;
      this.#fingerprints.set(folder, fingerprint);
      room.receive({ id: folder, name }, reportOf(folder, nowMs()), nowMs());
      await afterEach();
    }
  }
}

/** Returns the parts of paths that differ: `ada` and `bob` for `/class/ada/katas` and `/class/bob/katas`. */
export function namesOf(folders: readonly string[]): readonly string[] {
  const [first = [], ...others] = folders.map((folder) => folder.split(path.sep));
  const all = [first, ...others];
  if (all.length === 1) return [first.at(-1) ?? ''];
  const shared = (at: (parts: readonly string[], index: number) => string | undefined): number => {
    const length = Math.min(...all.map((parts) => parts.length));
    let count = 0;
    while (count < length && all.every((parts) => at(parts, count) === at(first, count))) count++;
    return count;
  };
  const start = shared((parts, index) => parts[index]);
  const end = shared((parts, index) => parts.at(-1 - index));
  return all.map((parts) => parts.slice(start, parts.length - end).join('/') || (parts.at(-1) ?? ''));
}
