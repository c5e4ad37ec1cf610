import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { derivedFiles, INDEX_COMMAND, rowsFileOf, staleFiles } from '../workbook/derived.ts';
import { writeWhole } from '../workbook/whole-file.ts';
import { Failure } from './failure.ts';
import { skeletonOf } from './skeleton.ts';

/**
 * Writes a new kata that runs as it is, and adds it to the derived files.
 *
 * @param root the workbook's folder
 * @param id `41-kubelet`
 * @returns the lines to print
 * @throws Failure when the name is not a kata's, or when the kata exists: then it writes nothing
 */
export function newKata(root: string, id: string): readonly string[] {
  const [, number, noun = ''] = /^(\d\d)-([a-z][a-z0-9-]*)$/.exec(id) ?? [];
  if (number === undefined) {
    throw new Failure(
      `make kata ${id}`,
      'that is not a valid name',
      'Type two digits and a noun: 41-kubelet.',
    );
  }
  const taken = placesOf(id).find((place) => existsSync(path.join(root, place)));
  if (taken !== undefined) throw new Failure(`make kata ${id}`, `${taken} exists`, 'Nothing was written.');
  const files = skeletonOf({ id, noun });
  for (const [file, text] of files) writeWhole(path.join(root, file), text);
  return [
    `Kata ${id} is a small controller that runs as it is. Replace it, file by file; AUTHOR: marks the places:`,
    ...[...files.keys()].map((file) => `  ${file}`),
    ...writeDerived(root),
    '',
    `npm run kata -- check ${number}          checks this kata alone, and says what is missing`,
    `npm run judge -- --record ${number}      records how each mistake is killed`,
    `npm run judge -- ${number}               judges mistakes and variants, and writes missing golden screens`,
    `npm run kata -- remove ${id}  deletes all of it`,
  ];
}

/**
 * Deletes the files of a kata that git does not track.
 *
 * @param isTracked whether git tracks a file in one of these places
 * @returns the lines to print
 * @throws Failure when the kata does not exist, or when git tracks files of it
 */
export function removeKata(
  root: string,
  id: string,
  isTracked: (place: string) => boolean,
): readonly string[] {
  const places = placesOf(id).filter((place) => existsSync(path.join(root, place)));
  if (!/^\d\d-[a-z][a-z0-9-]*$/.test(id) || places.length === 0)
    throw new Failure(`remove kata ${id}`, 'no kata has that name', 'Type the full name: 99-lease-keeper.');
  const tracked = places.find(isTracked);
  if (tracked !== undefined)
    throw new Failure(
      `remove kata ${id}`,
      `git tracks ${tracked}`,
      `Delete it with git rm -r, then run ${INDEX_COMMAND}.`,
    );
  for (const place of places) rmSync(path.join(root, place), { recursive: true });
  return [...places.map((place) => `Deleted ${place}`), ...writeDerived(root)];
}

/**
 * Writes the derived files that are stale.
 *
 * @returns the lines to print
 * @throws Failure when a solution does not export the subject of its row
 */
export function writeDerived(root: string): readonly string[] {
  let files: ReadonlyMap<string, string>;
  try {
    files = derivedFiles(root);
  } catch (error) {
    throw new Failure('write the derived files', (error as Error).message, `Then run ${INDEX_COMMAND}.`);
  }
  return staleFiles(root).map((file) => {
    writeWhole(path.join(root, file), files.get(file) ?? '');
    return `Wrote ${file}`;
  });
}

/** Returns the folders of a kata, and the file with its rows in the table of components. */
function placesOf(id: string): readonly string[] {
  return [`katas/${id}`, `harness/laws/${id}`, `solutions/${id}`, rowsFileOf(id)];
}
