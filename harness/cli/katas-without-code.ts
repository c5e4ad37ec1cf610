import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listKatasWithoutCode } from '../workbook/katas.ts';
import { hashOfKata, isDone, isUndecided, readVerdict } from '../workbook/verdict.ts';
import type { Paint } from './colours.ts';
import { Failure } from './failure.ts';
import { findKata, isNamed, type Kata, readKatas } from './katas.ts';

/** A kata whose laws run the components that the learner has built in other katas. */
export interface KataWithoutCode {
  /** `71-cluster` */
  readonly id: string;
  readonly title: string;
  /** As of the last run with the learner's current code; `not run` before it. */
  readonly state: 'not run' | 'holds' | 'fails' | 'undecided';
}

/** Returns the katas without code, in order. */
export function readKatasWithoutCode(root: string): readonly KataWithoutCode[] {
  return listKatasWithoutCode(root).map(({ id, folder }) => {
    const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
    const verdict = readVerdict(root, id);
    const isCurrent = verdict?.at === hashOfKata(root, id);
    const state = isDone(verdict ?? NONE) ? 'holds' : isUndecided(verdict ?? NONE) ? 'undecided' : 'fails';
    return { id, title: /^# +(.+?) *$/m.exec(readme)?.[1] ?? id, state: isCurrent ? state : 'not run' };
  });
}

const NONE = { levels: [], laws: [], at: '' };

/** Renders one line for each kata without code. */
export function linesOfKatasWithoutCode(
  katas: readonly KataWithoutCode[],
  { paint, width }: { readonly paint: Paint; readonly width: number },
): readonly string[] {
  const mark = { 'not run': '·', holds: paint('green', '✓'), fails: paint('red', '✗'), undecided: '?' };
  return katas.map(
    ({ id, state }) =>
      `${mark[state]} ${id.padEnd(width)}  ${state === 'holds' ? 'done' : state}  ${paint('dim', 'runs your components')}`,
  );
}

/** Returns the ids of the katas without code whose laws do not hold with the learner's current code. */
export function openKatasWithoutCode(root: string): readonly string[] {
  return readKatasWithoutCode(root).flatMap(({ id, state }) => (state === 'holds' ? [] : [id]));
}

/** Returns the lines about one kata without code; undefined if `meant` names another kata. */
export function showKataWithoutCode(
  root: string,
  meant: string,
  paint: Paint,
): readonly string[] | undefined {
  const kata = readKatasWithoutCode(root).find(({ id }) => isNamed(id, meant));
  if (!kata) return undefined;
  return [
    paint('bold', kata.title),
    ...linesOfKatasWithoutCode([kata], { paint, width: kata.id.length }),
    '',
    `Read katas/${kata.id}/README.md, and run`,
    `  ${paint('bold', `npx vitest katas/${kata.id}`)}`,
  ];
}

/** Finds a kata that has code, as {@link findKata}. @throws Failure when there is none */
export function findKataWithCode(root: string, meant: string): Kata {
  const without = listKatasWithoutCode(root).find(({ id }) => isNamed(id, meant));
  if (!without) return findKata(readKatas(root), meant);
  throw new Failure(
    `find the code of ${without.id}`,
    'it has none, and runs the components of the other katas',
    `Run npx vitest katas/${without.id}.`,
  );
}
