import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.ts';
import { rowsToAdd, skeletonOf } from './skeleton.ts';

/**
 * Writes the skeleton of a new kata: its three folders.
 *
 * @param root the workbook's folder
 * @param id `41-kubelet`
 * @returns what to print
 * @throws Failure when the name is none, or a folder of that kata is there already: then nothing is written
 */
export function newKata(root: string, id: string): readonly string[] {
  const [, number, noun = ''] = /^(\d\d)-([a-z][a-z0-9-]*)$/.exec(id) ?? [];
  if (number === undefined) {
    throw new Failure(
      `make kata ${id}`,
      'that is no name of a kata',
      'Type two digits and a noun: 41-kubelet.',
    );
  }
  const folders = ['katas', 'harness/laws', 'solutions'].map((folder) => `${folder}/${id}`);
  const taken = folders.find((folder) => existsSync(path.join(root, folder)));
  if (taken !== undefined)
    throw new Failure(`make kata ${id}`, `${taken} is there already`, 'Nothing was written.');
  const files = skeletonOf({ id, noun });
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return [
    `Kata ${id} is begun. What is to be written is marked AUTHOR: in`,
    ...[...files.keys()].map((file) => `  ${file}`),
    '',
    'Then add',
    ...rowsToAdd({ id, noun }).map((row) => `- ${row}`),
    '',
    'npx vitest run --project harness harness/workbook says what is missing.',
  ];
}
