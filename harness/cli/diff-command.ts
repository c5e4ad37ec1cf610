import { diffLinesUnified2 } from '@vitest/utils/diff';
import { withoutComments } from '../workbook/sources.ts';
import type { Paint } from './colours.ts';
import { Failure } from './failure.ts';
import { findFunction, functionsOf, type KataFunction } from './kata-functions.ts';
import { commandFor, levelsOf } from './katas.ts';
import { findKataWithCode } from './katas-without-code.ts';

/** A request for a diff. */
interface DiffRequest {
  /** The workbook's folder. */
  readonly root: string;
  /** The kata: `24`. */
  readonly kata: string;
  /** The function: `proportionOf`, `Queue.add`. @defaultValue every function that differs */
  readonly symbol: string | undefined;
  /** Whether to show functions whose tests have not passed. */
  readonly givesUp: boolean;
  readonly paint: Paint;
}

/**
 * Shows the differences between the learner's functions and the reference's. Comments and spaces make no difference.
 *
 * @returns the lines to print
 * @throws Failure when the function does not exist, or when the tests of its level have not passed and the learner does
 * not give up: the reference is an answer
 */
export function diff({ root, kata: meant, symbol, givesUp, paint }: DiffRequest): readonly string[] {
  const kata = findKataWithCode(root, meant);
  const { id, stub } = kata;
  const all = functionsOf(root, kata);
  const command = 'show the diff of';
  const named = symbol === undefined ? undefined : findFunction(all, { kata: id, symbol, command });
  const passed = levelsOf(root, kata).filter(({ verdict }) => verdict === 'passes');
  const isOpen = ({ heading }: KataFunction): boolean =>
    passed.some(({ title }) => title.startsWith(`${heading} `));
  const asked = named ? [named] : all;
  const closed = asked.filter((each) => !isOpen(each));
  if (closed.length === asked.length && !givesUp) {
    const tests = named
      ? `the tests of ${named.heading} have not passed`
      : 'the tests of no level have passed';
    const next = `Write ${named ? 'it' : 'a level'}, and run ${commandFor(kata)}. Or add --give-up to see the reference now.`;
    throw new Failure(`${command} ${named?.symbol ?? id}`, `${tests} for this code`, next);
  }
  const shown = givesUp ? asked : asked.filter(isOpen);
  const missing = shown.filter(({ own, reference }) => own === undefined || reference === undefined);
  if (named && missing.length > 0) {
    const place = named.own === undefined ? stub : 'the reference';
    const next = `Read solutions/${id}/README.md.`;
    throw new Failure(`${command} ${named.symbol}`, `${place} does not have it`, next);
  }
  const compared = shown
    .filter((each) => !missing.includes(each))
    .map((each) => ({ ...each, lines: differences(each.own ?? '', each.reference?.code ?? '', paint) }));
  const same = compared.filter(({ lines }) => lines.length === 0);
  const differing = compared.filter(({ lines }) => lines.length > 0);
  const places = differing.map(({ reference }) => reference?.place);
  const sections = [
    ...(givesUp ? note('You give up on functions whose tests have not passed for this code', closed) : []),
    ...differing
      // The methods of one object share its code.
      .filter(({ reference }, index) => places.indexOf(reference?.place) === index)
      .map(({ symbol, reference, lines }) => [
        [paint('bold', symbol), paint('red', `- ${stub}`), paint('green', `+ ${reference?.place}`)].join(
          '  ',
        ),
        '',
        ...lines,
      ]),
    ...note('Equal to the reference, apart from comments and spaces', same),
    ...note(`Missing in ${stub} or in the reference`, missing),
    ...(givesUp ? [] : note('Not shown, because their tests have not passed for this code', closed)),
  ];
  return sections.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

/** Returns a section with the names of functions, or no section for an empty list. */
function note(text: string, functions: readonly KataFunction[]): readonly (readonly string[])[] {
  return functions.length === 0 ? [] : [[`${text}: ${functions.map(({ symbol }) => symbol).join(', ')}.`]];
}

/** Returns the lines of both codes, marked `-`, `+` or unmarked; empty if only comments and spaces differ. */
function differences(own: string, reference: string, paint: Paint): readonly string[] {
  const [mine, theirs] = [linesOf(own), linesOf(reference)];
  if (mine.code.join('\n') === theirs.code.join('\n')) return [];
  const asIs = (text: string): string => text;
  const text = diffLinesUnified2(mine.shown, theirs.shown, mine.code, theirs.code, {
    omitAnnotationLines: true,
    expand: true,
    aColor: (line) => paint('red', line),
    bColor: (line) => paint('green', line),
    commonColor: asIs,
  });
  return text.split('\n');
}

/** Returns the lines that contain code: as they are, and without comments and extra spaces. */
function linesOf(text: string): { readonly shown: string[]; readonly code: string[] } {
  const shown = text.split('\n');
  const code = withoutComments(text)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim());
  const holdsCode = (_: string, index: number): boolean => code[index] !== '';
  return { shown: shown.filter(holdsCode), code: code.filter(Boolean) };
}
