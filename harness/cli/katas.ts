import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { levelsNotTaken } from '../workbook/free-way.ts';
import { filesIn, levelsIn, listKatas, readReference } from '../workbook/katas.ts';
import { readCaughtUp } from '../workbook/remembered.ts';
import { type Progress, progressOf, todosIn } from '../workbook/stub.ts';
import { hashOfKata, readVerdict, verdictMs } from '../workbook/verdict.ts';
import type { Paint } from './colours.ts';
import { Failure } from './failure.ts';
import { Git } from './git.ts';
import { type Standing, standingOf, verdictOf } from './standing.ts';

/** One kata and its progress. */
export interface Kata {
  /** `21-informer` */
  readonly id: string;
  /** The README's first heading; the id if there is no README. */
  readonly title: string;
  /** Path of the stub, relative to the workbook. It is the only file that a learner edits. */
  readonly stub: string;
  /** The text of the stub; absent if the learner has deleted it. */
  readonly text?: string;
  /** The original text of the stub, if git knows it. */
  readonly pristine?: string;
  /** Whether it has a short way: `SHORT.md`. */
  readonly hasShortWay: boolean;
  readonly progress: Progress;
  /** The learner's progress, as of the last run. */
  readonly standing: Standing;
  /** Whether `catch-up` filled in this exact code, which has not run. */
  readonly caughtUp: boolean;
  /** When the learner last saved the stub or ran the tests, in ms since 1970; 0 if the kata is not started. */
  readonly lastMs: number;
}

/**
 * Returns every kata, in order. Leaves out folders without tests, and folders whose stub is missing and cannot be
 * restored.
 */
export function readKatas(root: string): readonly Kata[] {
  const found = listKatas(root).flatMap(({ id, folder }) => {
    const names = filesIn(folder);
    const test = names.find((name) => /^[^.]+\.test\.ts$/.test(name));
    const hasOneFile = names.filter((name) => /(?<!\.test)\.ts$/.test(name)).length === 1;
    return test ? [{ id, stub: `katas/${id}/${path.basename(test, '.test.ts')}.ts`, hasOneFile }] : [];
  });
  const references = new Map(
    listKatas(root).map((kata) => [kata.id, [...readReference(kata).values()].join('\n')]),
  );
  // A stub is of an earlier edition if it has a `todo` for a function that the reference no longer declares.
  const pristine = new Git(root).pristine(
    found.map(({ stub }) => stub),
    (stub, symbol) => declares(references.get(stub.split('/')[1] ?? '') ?? '', symbol),
  );
  return found.flatMap(({ id, stub, hasOneFile }) => {
    const text = textOf(root, stub);
    const original = pristine.get(stub);
    if (text === undefined && original === undefined) return [];
    const title = /^# +(.+?) *$/m.exec(textOf(root, `katas/${id}/README.md`) ?? '')?.[1] ?? id;
    const progress = progressOf(text ?? original ?? '', original);
    const standing = standingOf(root, id, progress, hasOneFile && text === original);
    return {
      id,
      title,
      stub,
      hasShortWay: existsSync(path.join(root, 'katas', id, 'SHORT.md')),
      progress,
      standing,
      caughtUp: isCaughtUp(root, id),
      lastMs: standing.state === 'not begun' ? 0 : Math.max(savedMs(root, stub), verdictMs(root, id) ?? 0),
      ...(text === undefined ? {} : { text }),
      ...(original === undefined ? {} : { pristine: original }),
    };
  });
}

function isCaughtUp(root: string, id: string): boolean {
  const filled = readCaughtUp(root, id);
  return filled !== undefined && filled === hashOfKata(root, id) && readVerdict(root, id)?.at !== filled;
}

/**
 * Returns whether a reference declares a function, a class or a constant. Without a reference, everything counts as
 * declared.
 */
function declares(reference: string, symbol: string): boolean {
  const [name = ''] = symbol.split('.');
  return reference === '' || new RegExp(`\\b(?:function|class|const) ${name}\\b`).test(reference);
}

/**
 * Finds a kata by `21`, `informer`, `21-informer` or `katas/21-informer/`.
 *
 * @throws Failure when no kata matches
 */
export function findKata(katas: readonly Kata[], meant: string): Kata {
  const found = kataNamed(katas, meant);
  if (found) return found;
  const ids = katas.map(({ id }) => id).join(', ');
  throw new Failure(
    `find kata ${meant}`,
    'no kata has that number or name',
    ids === '' ? 'There are no katas yet.' : `The katas are: ${ids}.`,
  );
}

/** Returns the kata that {@link findKata} finds, or undefined. */
export function kataNamed(katas: readonly Kata[], meant: string): Kata | undefined {
  return katas.find(({ id }) => isNamed(id, meant));
}

/** Returns whether a learner can call the kata so: `21`, `informer`, `21-informer`, `katas/21-informer/`. */
export function isNamed(id: string, meant: string): boolean {
  const name = meant.replace(/^(\.\/)?katas\//, '').replace(/\/+$/, '');
  return id === name || id.split('-')[0] === name || id.replace(/^\d+-/, '') === name;
}

/** Renders one line for each kata: id, progress, and how much is left. */
export function listLines(katas: readonly Kata[], paint: Paint): readonly string[] {
  const width = Math.max(0, ...katas.map(({ id }) => id.length));
  const shown = katas.map((kata) =>
    kata.text === undefined
      ? {
          id: kata.id,
          mark: paint('red', '✗'),
          text: 'deleted',
          details: `npm run kata -- reset ${kata.id.split('-')[0]} restores the stub`,
        }
      : {
          id: kata.id,
          mark: MARKS[kata.standing.state](paint),
          text: kata.caughtUp ? 'filled in, not run yet' : kata.standing.text,
          details: detailsOf(kata),
        },
  );
  const wide = Math.max(0, ...shown.map(({ text }) => text.length));
  return shown.map(({ id, mark, text, details }) =>
    `${mark} ${id.padEnd(width)}  ${text.padEnd(wide)}  ${paint('dim', details)}`.trimEnd(),
  );
}

const MARKS: Readonly<Record<Standing['state'], (paint: Paint) => string>> = {
  'not begun': () => '·',
  begun: (paint) => paint('yellow', '…'),
  failing: (paint) => paint('red', '✗'),
  done: (paint) => paint('green', '✓'),
};

function detailsOf({ caughtUp, progress: { left, total }, standing: { free, stale } }: Kata): string {
  const much =
    left === 0 || free ? [] : [left < total ? `${left} of ${total} functions left` : functions(left)];
  return [...much, ...(stale && !caughtUp ? ['changed since its last run'] : [])].join(', ');
}

/** Returns the command that runs a kata's tests. */
export function commandFor({ id }: Kata): string {
  return `npx vitest katas/${id}`;
}

/** One level, and how many of its functions are still unwritten. */
interface Level {
  /** Counts from 1. */
  readonly number: number;
  /** `Level 2 · DeltaFIFO` */
  readonly title: string;
  /** Absent when the stub does not group its functions by level. */
  readonly left?: number;
  /** Whether the learner's own design skips this level. */
  readonly notTaken: boolean;
  /** The result of the last run of this exact code; absent if this code has not run. */
  readonly verdict?: string;
}

/** Returns the levels of a kata, from its tests, with their progress, from its stub. */
export function levelsOf(root: string, { id, stub, text, pristine }: Kata): readonly Level[] {
  const verdict = readVerdict(root, id);
  const notTaken = levelsNotTaken(path.join(root, path.dirname(stub)));
  const groups = verdict?.at === hashOfKata(root, id) ? verdict.levels : [];
  return levelsIn(path.join(root, stub.replace(/\.ts$/, '.test.ts'))).map((title) => {
    const number = /\d+/.exec(title)?.[0];
    const belongs = (from: string | undefined): number =>
      todosIn(from ?? '').filter(({ heading }) => new RegExp(`^Level ${number}\\b`).test(heading)).length;
    const left = belongs(text);
    const known = left > 0 || belongs(pristine) > 0;
    const group = groups.find(({ name }) => name === title);
    return {
      number: Number(number),
      title,
      notTaken: notTaken.includes(title),
      ...(known ? { left } : {}),
      ...(group ? { verdict: verdictOf(group) } : {}),
    };
  });
}

/** Renders the levels. It runs no test: a level that is written but not run may still fail. */
export function levelLines(levels: readonly Level[], paint: Paint): readonly string[] {
  const width = Math.max(0, ...levels.map(({ title }) => title.length));
  return levels.map(({ title, left, notTaken, verdict }) => {
    const written =
      left === undefined ? 'unknown until you run its tests' : left > 0 ? functions(left) : 'written';
    if (notTaken) return `${title.padEnd(width)}  ${paint('dim', 'skipped')}`;
    const state = left !== undefined && left > 0 ? written : (verdict ?? written);
    return `${title.padEnd(width)}  ${paint(state === 'passes' ? 'green' : 'dim', state)}`;
  });
}

/** Renders the laws of a kata as of the last run of this exact code; none before. */
export function lawLines(root: string, { id }: Kata, paint: Paint): readonly string[] {
  const verdict = readVerdict(root, id);
  const laws = verdict?.at === hashOfKata(root, id) ? verdict.laws : [];
  const width = Math.max(0, ...laws.map(({ name }) => name.length));
  return laws.map((group) => {
    const state = verdictOf(group);
    return `${group.name.padEnd(width)}  ${paint(state === 'passes' ? 'green' : 'dim', state)}`;
  });
}

/** Returns when a file was last saved, in ms since 1970; 0 if it does not exist. */
function savedMs(root: string, file: string): number {
  return statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

const functions = (count: number): string =>
  count === 1 ? '1 function to write' : `${count} functions to write`;

/** Returns a file's text with `\n` line ends; undefined if the file does not exist. */
export function textOf(root: string, file: string): string | undefined {
  const absolute = path.join(root, file);
  return existsSync(absolute) ? readFileSync(absolute, 'utf8').replaceAll('\r\n', '\n') : undefined;
}
