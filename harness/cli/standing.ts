import path from 'node:path';
import { levelsNotTaken } from '../workbook/free-way.ts';
import type { Progress } from '../workbook/stub.ts';
import { type GroupVerdict, hashOfKata, isDone, readVerdict, type Verdict } from '../workbook/verdict.ts';

/** A learner's progress in a kata. */
export interface Standing {
  readonly state: 'not begun' | 'begun' | 'failing' | 'done';
  /**
   * `not started`, `Level 3 of 6`, `written, Level 2 fails`, `levels pass, 9 of 18 laws hold`, `done`, `done, without ★`, `own design, 9
   * of 18 laws hold`, `done, own design`
   */
  readonly text: string;
  /** The next level, or the laws: `Level 3`, `the laws`. Absent before the first run, and when the kata is done. */
  readonly place?: string;
  /** Why the kata is not done, as a clause: `Level 3 is not finished`. Absent when it is done. */
  readonly open?: string;
  /** Whether the learner follows their own design: levels do not count, and the remaining functions can stay unwritten. */
  readonly free: boolean;
  /** Whether no law failed, but at least one did not finish within its CPU time: nothing was found against the code. */
  readonly undecided: boolean;
  /** Whether the code has changed since the last run. */
  readonly stale: boolean;
}

/** The fields of a standing that depend on the verdict. */
type Judged = Pick<Standing, 'state' | 'text' | 'place' | 'open'> & { readonly undecided?: boolean };

/**
 * Returns a learner's progress in a kata: as of the last test run or, before the first run, by the functions left in the stub.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 * @param isUntouched whether the folder's only code is the original stub. Then a design of the learner's own is out of
 * the question; the search for one links code, which takes longer than everything else. @defaultValue false
 */
export function standingOf(root: string, kata: string, progress: Progress, isUntouched = false): Standing {
  const verdict = readVerdict(root, kata);
  const free = !isUntouched && levelsNotTaken(path.join(root, 'katas', kata)).length > 0;
  if (!verdict) return { undecided: false, ...unrun(progress, free), free, stale: false };
  const stale = verdict.at !== hashOfKata(root, kata);
  // `reset` discards finished code, and keeps its verdict.
  if (stale && progress.state === 'to do' && !free)
    return { undecided: false, ...unrun(progress, free), free, stale: false };
  return { undecided: false, ...byVerdict(verdict, progress, free), free, stale };
}

function unrun({ state }: Progress, free: boolean): Judged {
  if (state === 'to do' && !free)
    return { state: 'not begun', text: 'not started', open: 'it is not started' };
  const written = free ? 'own design' : state === 'done' ? 'written' : 'started';
  return { state: 'begun', text: `${written}, not run yet`, open: 'its tests have not run yet' };
}

function byVerdict(verdict: Verdict, progress: Progress, free: boolean): Judged {
  if (isDone(verdict)) {
    // The remaining functions are marked ★, or nothing calls them.
    const text = free ? 'done, own design' : progress.left > 0 ? 'done, without ★' : 'done';
    return { state: 'done', text };
  }
  const core = verdict.levels.filter(({ optional }) => !optional);
  const at = free ? undefined : core.find(({ failed, notRun }) => failed + notRun > 0);
  if (at) {
    const place = levelOf(at);
    if (progress.state === 'to do')
      return { state: 'not begun', text: 'not started', open: 'it is not started' };
    if (at.failed > 0 && at.todo === 0)
      return { state: 'failing', text: `written, ${place} fails`, place, open: `${place} fails` };
    const text = `${place} of ${verdict.levels.length}`;
    return { state: 'begun', text, place, open: `${place} is not finished` };
  }
  const laws = verdict.laws.filter(({ optional }) => !optional);
  const [passed, failed, notRun] = [sum(laws, 'passed'), sum(laws, 'failed'), sum(laws, 'notRun')];
  const undecided = sum(laws, 'undecided');
  const levels = free ? 'own design' : 'levels pass';
  const place = 'the laws';
  if (passed + failed + undecided === 0)
    return { state: 'begun', text: `${levels}, laws not run yet`, place, open: 'its laws have not run yet' };
  const all = passed + failed + notRun + undecided;
  const text = `${levels}, ${passed} of ${all} laws hold`;
  if (failed === 0 && undecided > 0)
    return {
      state: 'begun',
      text,
      place,
      open: `${undecided} of its ${all} laws did not finish`,
      undecided: true,
    };
  if (failed === 0)
    return { state: 'begun', text, place, open: `only ${passed} of its ${all} laws have run` };
  return {
    state: 'failing',
    text,
    place,
    open: `${failed} of its ${all} laws ${failed === 1 ? 'fails' : 'fail'}`,
  };
}

/** Renders the result of one group of tests: `passes`, `3 of 12 fail`, `not run`. */
export function verdictOf({ passed, failed, notRun }: GroupVerdict): string {
  if (failed > 0) return `${failed} of ${passed + failed + notRun} fail`;
  return notRun > 0 ? (passed > 0 ? 'passes so far' : 'not run') : 'passes';
}

function sum(groups: readonly GroupVerdict[], what: 'passed' | 'failed' | 'notRun' | 'undecided'): number {
  return groups.reduce((all, group) => all + (group[what] ?? 0), 0);
}

const levelOf = ({ name }: GroupVerdict): string => /^Level \d+/.exec(name)?.[0] ?? name;
