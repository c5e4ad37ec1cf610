import type { Paint } from './colours.ts';
import { Failure } from './failure.ts';
import { findFunction, functionsOf, helpersOf } from './kata-functions.ts';
import { findKataWithCode } from './katas-without-code.ts';

/** A request for a part of the reference. */
interface SolutionRequest {
  /** The workbook's folder. */
  readonly root: string;
  /** The kata: `24`. */
  readonly kata: string;
  /** The function: `proportionOf`, `Queue.add`. @defaultValue a list of all functions and their places */
  readonly symbol: string | undefined;
  readonly paint: Paint;
}

/**
 * Shows a function of the reference, or where the reference has each function.
 *
 * @returns the lines to print
 * @throws Failure when the kata or the function does not exist, or when the reference does not have the function
 */
export function solution({ root, kata: meant, symbol, paint }: SolutionRequest): readonly string[] {
  const kata = findKataWithCode(root, meant);
  const { id } = kata;
  const all = functionsOf(root, kata);
  if (symbol === undefined) {
    const [wide, names] = [
      widthOf(all.map(({ heading }) => heading)),
      widthOf(all.map((each) => each.symbol)),
    ];
    return [
      paint('bold', `The reference of ${id}:`),
      '',
      ...all.map(
        (each) =>
          `${each.heading.padEnd(wide)}  ${each.symbol.padEnd(names)}  ${each.reference?.place ?? 'not in the reference'}`,
      ),
      '',
      `solutions/${id}/README.md maps them to the source of Kubernetes.`,
    ];
  }
  const found = findFunction(all, { kata: id, symbol, command: 'show' });
  if (!found.reference)
    throw new Failure(`show ${symbol}`, 'the reference does not have it', `Read solutions/${id}/README.md.`);
  return [
    paint('bold', `${symbol} of the reference, in ${found.reference.place}:`),
    '',
    ...found.reference.code.split('\n'),
    '',
    ...helpersOf(root, kata, found).flatMap(({ place, code }) => [
      paint('dim', `Its helper, in ${place}:`),
      '',
      ...code.split('\n'),
      '',
    ]),
    'This is one correct implementation. Yours may differ: the tests decide.',
  ];
}

const widthOf = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));
