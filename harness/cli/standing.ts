import path from 'node:path';
import { levelsNotTaken } from '../workbook/free-way.ts';
import { type GroupVerdict, hashOfKata, isDone, readVerdict, type Verdict } from '../workbook/verdict.ts';
import type { Progress } from './stub.ts';

/** Where a learner is in a kata. */
export interface Standing {
  readonly state: 'not begun' | 'begun' | 'red' | 'done';
  /**
   * `not begun`, `Level 3 of 6`, `written, red: Level 2`, `levels green, laws red`, `done`, `done, without ★`,
   * `done, the free way`
   */
  readonly text: string;
  /** Whether the learner takes the free way: no function that is left need be written. */
  readonly free: boolean;
  /** Whether the code has changed since the run that this is from. */
  readonly stale: boolean;
}

/**
 * Where a learner is: by the last run of the kata's tests, or, before the first one, by what the stub says is left.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 */
export function standingOf(root: string, kata: string, progress: Progress): Standing {
  const verdict = readVerdict(root, kata);
  const free = progress.left > 0 && levelsNotTaken(path.join(root, 'katas', kata)).length > 0;
  if (!verdict) return { ...unrun(progress, free), free, stale: false };
  return { ...byVerdict(verdict, progress, free), free, stale: verdict.at !== hashOfKata(root, kata) };
}

function unrun({ state }: Progress, free: boolean): Pick<Standing, 'state' | 'text'> {
  if (free) return { state: 'begun', text: 'the free way, not run yet' };
  if (state === 'to do') return { state: 'not begun', text: 'not begun' };
  if (state === 'done') return { state: 'begun', text: 'written, not run yet' };
  return { state: 'begun', text: 'begun, not run yet' };
}

/** What a run showed. */
function byVerdict(verdict: Verdict, progress: Progress, free: boolean): Pick<Standing, 'state' | 'text'> {
  if (isDone(verdict)) {
    // What is still to be written then is marked ★, or nothing calls it.
    const text = free ? 'done, the free way' : progress.left > 0 ? 'done, without ★' : 'done';
    return { state: 'done', text };
  }
  const core = verdict.levels.filter(({ optional }) => !optional);
  // On the free way a level that was not run is not taken, or waits for one that is red.
  const at = core.find((level) => (free ? level.failed > 0 : !isGreen(level)));
  if (at) {
    if (progress.state === 'to do' && !free) return { state: 'not begun', text: 'not begun' };
    if (at.failed > 0 && at.todo === 0) return { state: 'red', text: `written, red: ${levelOf(at)}` };
    return { state: 'begun', text: `${levelOf(at)} of ${verdict.levels.length}` };
  }
  const red = verdict.laws.some(({ failed, optional }) => failed > 0 && !optional);
  return {
    state: red ? 'red' : 'begun',
    text: `${free ? 'the free way' : 'levels green'}, laws ${red ? 'red' : 'not run yet'}`,
  };
}

/** What a run showed of one group of tests: `green`, `3 of 12 red`, `not run`. */
export function verdictOf({ passed, failed, notRun }: GroupVerdict): string {
  if (failed > 0) return `${failed} of ${passed + failed + notRun} red`;
  return notRun > 0 ? (passed > 0 ? 'green as far as it was run' : 'not run') : 'green';
}

const isGreen = ({ failed, notRun }: GroupVerdict): boolean => failed + notRun === 0;

const levelOf = ({ name }: GroupVerdict): string => /^Level \d+/.exec(name)?.[0] ?? name;
