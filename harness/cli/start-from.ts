import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listKatas, readReference } from '../workbook/katas.ts';
import type { Paint } from './colours.ts';
import { Failure } from './failure.ts';
import { Git } from './git.ts';
import { givenUpTo } from './given.ts';
import { commandFor, findKata, levelsOf, readKatas } from './katas.ts';
import { replaceStub } from './replace-stub.ts';

/** A request to start in the middle. */
interface StartFromRequest {
  /** The workbook's folder. */
  readonly root: string;
  /** The kata: `24`. */
  readonly kata: string;
  /** The first level that the learner writes: `5`. */
  readonly from: string;
  readonly paint: Paint;
}

/**
 * Fills the reference's bodies into the levels before the given one, wherever a `todo` is left. Keeps the learner's lines, and saves the
 * old file.
 *
 * @returns the lines to print
 * @throws Failure when the kata or the level does not exist, when a class is half written, or when the file cannot be saved or written.
 * Then nothing is changed
 */
export function startFrom({ root, kata: meant, from, paint }: StartFromRequest): readonly string[] {
  const kata = findKata(readKatas(root), meant);
  const { id, stub, text, pristine } = kata;
  const short = id.split('-')[0];
  const levels = levelsOf(root, kata).map(({ number }) => number);
  const level = Number(from);
  const last = levels.at(-1) ?? 0;
  if (!levels.includes(level) || level === levels[0]) {
    const next = last > 1 ? `Type a level from 2 to ${last}.` : 'It has one level.';
    throw new Failure(`start ${id} from "${from}"`, 'that is not a level after the first one', next);
  }
  if (text === undefined) {
    const next = `npm run kata -- reset ${short} restores it.`;
    throw new Failure(`start ${id} from level ${level}`, `${stub} does not exist`, next);
  }
  const bytes = readFileSync(path.join(root, stub));
  const original = bytes.toString();
  const command = `start ${id} from level ${level}`;
  if (!Buffer.from(original).equals(bytes))
    throw new Failure(command, `${stub} is not valid UTF-8`, 'Save it as UTF-8. Nothing was changed.');
  const files = listKatas(root)
    .filter((one) => one.id === id)
    .map(readReference);
  const reference = new Map(files.flatMap((found) => [...found]));
  const filled = givenUpTo({
    stub: text,
    reference,
    fromLevel: level,
    ...(pristine === undefined ? {} : { pristine }),
  });
  if (filled.inTheWay.length > 0) {
    const those = filled.inTheWay.join(' and ');
    throw new Failure(
      `start ${id} from level ${level}`,
      `you have written a part of ${those}, which the reference's code would replace`,
      `Finish it, or restore its todo calls: git diff ${stub} shows your changes. Nothing was changed.`,
    );
  }
  const all = given(filled.given);
  if (filled.given.length === 0)
    return [`The levels before ${level} are already written: nothing was changed.`];
  const written = text === original ? filled.text : filled.text.replaceAll('\n', '\r\n');
  const git = new Git(root);
  const kept = replaceStub({ root, git, stub, text: written, pristine, command });
  return [
    `${stub}: ${all} of the levels before ${level} now ${filled.given.length === 1 ? 'has' : 'have'} the reference's code, marked "Given".`,
    ...(kept === undefined ? [] : [`Your own lines are still there. The previous file: ${kept}`]),
    `Read katas/${id}/README.md, "Level ${level}", and run`,
    `  ${paint('bold', commandFor(kata))}`,
  ];
}

const given = ({ length }: readonly string[]): string =>
  length === 1 ? '1 function' : `${length} functions`;
