import { readHintsGiven, writeHintsGiven } from '../workbook/remembered.ts';
import { behaviourAt, behaviourLines } from './behaviour.ts';
import type { Paint } from './colours.ts';
import { Failure } from './failure.ts';
import { findLadder, type Ladder, laddersIn } from './hints.ts';
import { textOf } from './katas.ts';
import { findKataWithCode } from './katas-without-code.ts';

/** A request for a hint. */
interface HintRequest {
  /** The workbook's folder. */
  readonly root: string;
  /** The kata: `21`. */
  readonly kata: string;
  /** The level or law, then perhaps a step: `2`, `2 1`, `No ghosts`. */
  readonly words: readonly string[];
  /** Whether to give every step instead of the next one. */
  readonly all: boolean;
  readonly paint: Paint;
  /** Prints a line at once, when the hint takes some seconds. */
  readonly note: (line: string) => void;
}

/**
 * Gives the next hint for a level or a law, and records it. After the last hint it gives the last one again. For a law
 * that failed in the last run, it first compares the code with known mistakes and with the reference.
 *
 * @returns the lines to print
 * @throws Failure when the kata, level, law or step does not exist
 */
export function hint({ root, kata: meant, words, all, paint, note }: HintRequest): readonly string[] {
  const kata = findKataWithCode(root, meant);
  const ladders = laddersIn(textOf(root, `katas/${kata.id}/HINTS.md`) ?? '');
  const { ladder, step: asked } = understood(ladders, words, kata.id);
  const { name, steps, question, see } = ladder;
  const short = kata.id.split('-')[0];
  const again = (which: string): string => `npm run kata -- hint ${short} ${which.replace('Level ', '')}`;
  const behaviour = /^Level \d/.test(name) ? undefined : behaviourAt(root, kata.id, name, note);
  const before = behaviour ? behaviourLines(behaviour, paint) : [];
  if (steps.length === 0) {
    return [
      ...before,
      ...(question === '' ? [] : [...question.split('\n'), '']),
      `The hints of ${see.join(' and ')} cover it:`,
      ...see.map((level) => `  ${again(level)}`),
    ];
  }
  const given = readHintsGiven(root, kata.id);
  const last = steps.length;
  const step = asked ?? Math.min(last, (given[name] ?? 0) + 1);
  if (!steps[step - 1]) throw noStep(name, asked ?? step, last);
  writeHintsGiven(root, kata.id, { ...given, [name]: all ? last : Math.max(given[name] ?? 0, step) });
  const shown = all ? steps : steps.slice(step - 1, step);
  const from = all ? 1 : step;
  const after =
    all || step === last
      ? `That was the last. The reference: solutions/${kata.id}`
      : `Not enough? ${again(name)}`;
  return [
    ...before,
    ...shown.flatMap(({ title, text }, index) => [
      paint('bold', `${name}, hint ${from + index} of ${last}: ${title}`),
      '',
      ...text.split('\n'),
      '',
    ]),
    paint('dim', after),
  ];
}

/** Parses the words into a name and, if the last of several words is a number, a step. */
function understood(
  ladders: readonly Ladder[],
  words: readonly string[],
  kata: string,
): { readonly ladder: Ladder; readonly step: number | undefined } {
  const whole = findLadder(ladders, words.join(' '));
  if (whole) return { ladder: whole, step: undefined };
  const name = words.slice(0, -1).join(' ');
  const ladder = words.length > 1 ? findLadder(ladders, name) : undefined;
  const said = words.at(-1) ?? '';
  if (ladder && /^\d+$/.test(said)) return { ladder, step: Number(said) };
  const names = ladders.map((one) => one.name.replace('Level ', ''));
  throw new Failure(
    `give a hint for "${words.join(' ')}"`,
    `${kata} has no such level or law`,
    names.length > 0 ? `It has hints for: ${names.join(', ')}.` : `Read katas/${kata}/README.md.`,
  );
}

function noStep(name: string, step: number, last: number): Failure {
  const steps = last === 1 ? 'one hint: 1' : `${last} hints: 1 to ${last}`;
  return new Failure(`give hint ${step} for ${name}`, 'that hint does not exist', `${name} has ${steps}.`);
}
