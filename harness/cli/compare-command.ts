import path from 'node:path';
import { declarationsIn, membersOf } from '../workbook/declarations.ts';
import { listKatas, readReference } from '../workbook/katas.ts';
import { todosIn } from '../workbook/stub.ts';
import type { Paint } from './colours.ts';
import { Failure } from './failure.ts';
import { findKata, levelsOf, readKatas } from './katas.ts';

/** A request for a comparison. */
interface CompareRequest {
  /** The workbook's folder. */
  readonly root: string;
  /** The kata: `24`. */
  readonly kata: string;
  /** The function: `proportionOf`, `Queue.add`. */
  readonly symbol: string;
  readonly paint: Paint;
}

/**
 * Shows a function of the learner, and below it the reference's.
 *
 * @returns the lines to print
 * @throws Failure when the function does not exist, or when the tests of its level have not passed: the reference is an
 *   answer
 */
export function compare({ root, kata: meant, symbol, paint }: CompareRequest): readonly string[] {
  const kata = findKata(readKatas(root), meant);
  const { id, stub, text = '', pristine = text } = kata;
  const functions = todosIn(pristine);
  const known = functions.find((each) => each.symbol === symbol);
  const fail = (why: string, next: string): never => {
    throw new Failure(`compare ${symbol}`, why, next);
  };
  if (!known) {
    const names = [...new Set(functions.map((each) => each.symbol))].join(', ');
    return fail(`${id} has no such function`, `Its functions: ${names}.`);
  }
  const { heading } = known;
  const level = levelsOf(root, kata).find(({ title }) => title.startsWith(`${heading} `));
  if (level?.verdict !== 'passes') {
    const next = `Write it, and run npx vitest katas/${id}.`;
    return fail(`the tests of ${heading} have not passed for this code`, next);
  }
  const own = codeOf(text, symbol) ?? fail(`${stub} does not have it any more`, `Read solutions/${id}.`);
  const solution = listKatas(root).find((each) => each.id === id);
  for (const [file, reference] of solution ? readReference(solution) : []) {
    const theirs = codeOf(reference, symbol);
    if (theirs === undefined) continue;
    const place = path.relative(root, file).replaceAll(path.sep, '/');
    return [
      paint('bold', `Yours, in ${stub}:`),
      '',
      own,
      '',
      paint('bold', `The reference, in ${place}:`),
      '',
      theirs,
    ];
  }
  return fail('the reference does not have it', `Read solutions/${id}/README.md.`);
}

/**
 * Returns the code of a declaration or of a class's member, without its comment; undefined if it does not exist. The
 * member of an object is shown with the whole object.
 */
function codeOf(text: string, symbol: string): string | undefined {
  const [name, member] = symbol.split('.');
  const found = declarationsIn(text).find((each) => each.name === name);
  const members = found ? membersOf(found) : [];
  return members.length === 0 ? found?.code : members.find((each) => each.name === member)?.code;
}
