import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fromLevel, giveRest, type Own, only } from '../workbook/given.ts';
import { readReference } from '../workbook/katas.ts';
import { writeBegunShort } from '../workbook/remembered.ts';
import { readFirstDraft, shortWayOf } from '../workbook/short-way.ts';
import { todosIn } from '../workbook/stub.ts';
import type { Paint } from './colours.ts';
import { Failure } from './failure.ts';
import { Git } from './git.ts';
import { commandFor, type Kata, levelsOf } from './katas.ts';
import { findKataWithCode } from './katas-without-code.ts';
import { replaceStub } from './replace-stub.ts';

/** A request to start a kata with a part of the reference. */
interface StartRequest {
  /** The workbook's folder. */
  readonly root: string;
  /** The kata: `24`. */
  readonly kata: string;
  readonly paint: Paint;
}

/**
 * Fills the reference's bodies into the levels before the given one, wherever a `todo` is left. Keeps the learner's
 * lines, and saves the old file.
 *
 * @param request.from the first level that the learner writes: `5`
 * @returns the lines to print
 * @throws Failure when the kata or the level does not exist, when a class is half written, or when the file cannot be
 * saved or written. Then nothing is changed
 */
export function startFrom({
  root,
  kata: meant,
  from,
  paint,
}: StartRequest & { readonly from: string }): readonly string[] {
  const kata = findKataWithCode(root, meant);
  const { id } = kata;
  const levels = levelsOf(root, kata).map(({ number }) => number);
  const level = Number(from);
  const last = levels.at(-1) ?? 0;
  if (!levels.includes(level) || level === levels[0]) {
    const next = last > 1 ? `Type a level from 2 to ${last}.` : 'It has one level.';
    throw new Failure(`start ${id} from "${from}"`, 'that is not a level after the first one', next);
  }
  const filled = fillIn({ root, kata, own: fromLevel(level), command: `start ${id} from level ${level}` });
  if (filled.given.length === 0)
    return [`The levels before ${level} are already written: nothing was changed.`];
  return [
    `${kata.stub}: ${numbered(filled.given)} of the levels before ${level} now ${filled.given.length === 1 ? 'has' : 'have'} the reference's code, marked "Given".`,
    ...filled.kept,
    `Read katas/${id}/README.md, "Level ${level}", and run`,
    `  ${paint('bold', commandFor(kata))}`,
  ];
}

/**
 * Fills the reference's bodies into every function that does not belong to the short way, wherever a `todo` is left.
 * Keeps the learner's lines, and saves the old file.
 *
 * @param request.draft whether the functions of the short way get the bodies of the first draft, as a leader shows it
 * @returns the lines to print
 * @throws Failure as {@link startFrom}, and when the kata has no short way
 */
export function startShort({
  root,
  kata: meant,
  draft = false,
  paint,
}: StartRequest & { readonly draft?: boolean }): readonly string[] {
  const kata = findKataWithCode(root, meant);
  const { id, stub } = kata;
  const command = `start ${id} by its short way`;
  const short = shortWayOf({ folder: path.join(root, 'katas', id) });
  if (!short)
    throw new Failure(command, `katas/${id}/SHORT.md does not exist`, `Read katas/${id}/README.md.`);
  const own = draft ? only([]) : only(short.functions);
  const filled = fillIn({ root, kata, own, command, ...(draft && { draft }) });
  if (draft && filled.given.length === 0)
    return [`${stub}: every function is already written: nothing was changed.`];
  if (draft) {
    return [
      `${stub}: the functions of the short way now have the code of solutions/${id}/first-draft.ts.`,
      ...filled.kept,
      `Its levels pass, and "${short.law}" fails. See it:`,
      `  ${paint('bold', commandFor(kata))}`,
    ];
  }
  writeBegunShort(root, id, true);
  const left = todosIn(filled.text);
  const changed =
    filled.given.length === 0
      ? [`${stub}: the other functions are already written: nothing was changed.`]
      : [
          `${stub}: ${numbered(filled.given)} now ${filled.given.length === 1 ? 'has' : 'have'} the reference's code, marked "Given".`,
        ];
  return [
    ...changed,
    ...filled.kept,
    left.length === 0 ? 'You have written the rest.' : 'You write the rest:',
    ...left.map(({ symbol }) => `  ${`${stub}:${lineOf(filled.text, symbol)}`}  ${symbol}`),
    `Read katas/${id}/SHORT.md, and run`,
    `  ${paint('bold', commandFor(kata))}`,
  ];
}

/** A stub after {@link fillIn}. */
interface FilledStub {
  readonly text: string;
  /** The functions that now have the reference's code. If there are none, the file is unchanged. */
  readonly given: readonly string[];
  /** A line that says where the previous file is; empty if none had to be saved. */
  readonly kept: readonly string[];
}

/**
 * Writes the reference's code into the `todo` functions of a stub, except the learner's own.
 *
 * @param options.command verb and object, for a {@link Failure}: `start 24-deployment from level 5`
 * @param options.draft whether the first draft's functions come instead of the reference's. @defaultValue false
 * @throws Failure when the stub is missing, a class is half written, or the file cannot be saved or written. Then
 * nothing is changed
 */
export function fillIn({
  root,
  kata: { id, stub, text, pristine },
  own,
  command,
  draft = false,
}: {
  readonly root: string;
  readonly kata: Kata;
  readonly own: Own;
  readonly command: string;
  readonly draft?: boolean;
}): FilledStub {
  if (text === undefined) {
    const next = `npm run kata -- reset ${id.split('-')[0]} restores it.`;
    throw new Failure(command, `${stub} does not exist`, next);
  }
  const bytes = readFileSync(path.join(root, stub));
  const original = bytes.toString();
  if (!Buffer.from(original).equals(bytes))
    throw new Failure(command, `${stub} is not valid UTF-8`, 'Save it as UTF-8. Nothing was changed.');
  const solution = path.join(root, 'solutions', id);
  const first = draft ? readFirstDraft({ solution }) : undefined;
  if (draft && !first) {
    const next = `Write the functions yourself: npm run kata -- start ${id.split('-')[0]} --short`;
    throw new Failure(
      `start ${id} with the first draft`,
      `solutions/${id}/first-draft.ts does not exist`,
      next,
    );
  }
  const reference = new Map([...(first ? [first] : []), ...readReference({ solution })]);
  const short = shortWayOf({ folder: path.join(root, 'katas', id) })?.functions ?? [];
  const levels = new Set(todosIn(pristine ?? text).map(({ heading }) => Number(/\d+/.exec(heading)?.[0])));
  const filled = giveRest({
    stub: text,
    reference,
    own,
    earlier: [only(short), ...[...levels].map(fromLevel)],
    ...(pristine === undefined ? {} : { pristine }),
  });
  if (filled.inTheWay.length > 0) {
    const those = filled.inTheWay.join(' and ');
    throw new Failure(
      command,
      `you have written a part of ${those}, which the reference's code would replace`,
      `Finish it, or restore its todo calls: git diff ${stub} shows your changes. Nothing was changed.`,
    );
  }
  if (filled.given.length === 0) return { text, given: [], kept: [] };
  const written = text === original ? filled.text : filled.text.replaceAll('\n', '\r\n');
  const kept = replaceStub({ root, git: new Git(root), stub, text: written, pristine, command });
  return {
    text: filled.text,
    given: filled.given,
    kept: kept === undefined ? [] : [`Your own lines are still there. The previous file: ${kept}`],
  };
}

/** Returns the line of a `todo` call in a file, counted from 1. */
function lineOf(text: string, symbol: string): number {
  return text.slice(0, text.indexOf(`'${symbol}'`)).split('\n').length;
}

const numbered = ({ length }: readonly string[]): string =>
  length === 1 ? '1 function' : `${length} functions`;
