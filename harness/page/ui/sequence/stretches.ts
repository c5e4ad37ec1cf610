import type { Moment } from '../../protocol/message.ts';
import type { TimedAction } from '../../protocol/recipe.ts';
import { sayAct } from '../act/act.ts';

/** A moment at which a diagram can begin: an action of the user, or the end of a fault. */
export interface Start {
  readonly atMs: number;
  readonly text: string;
}

/** Where a diagram ends: a while after its start or at the next start if that is earlier, at the next start, or now. */
export type End = 'soon' | 'next' | 'now';

/** The virtual time that a diagram shows at first, in ms. */
export const SOON_MS = 20_000;

/** Returns the moments at which a diagram can begin, oldest first. Lines for a running program do not count. */
export function startsOf(actions: readonly TimedAction[], moments: readonly Moment[]): readonly Start[] {
  const acts = actions
    .filter((action) => action.do !== 'type' && action.do !== 'interrupt')
    .map((action) => ({ atMs: action.atMs, text: sayAct({ action }, actions) }));
  const ends = moments.filter(({ kind }) => kind === 'fault-ended');
  return [...acts, ...ends.map(({ atMs, text }) => ({ atMs, text }))].sort((a, b) => a.atMs - b.atMs);
}

/** Returns the index of the last start that the run has reached; undefined before the first. */
export function latestStart(starts: readonly Start[], nowMs: number): number | undefined {
  const index = starts.findLastIndex(({ atMs }) => atMs <= nowMs);
  return index < 0 ? undefined : index;
}

/** Returns the time at which a diagram ends. It never lies after the present. */
export function endOf(end: End, starts: readonly Start[], index: number, nowMs: number): number {
  const fromMs = starts[index]?.atMs ?? 0;
  // Actions of one instant happen together.
  const nextMs = starts.slice(index + 1).find(({ atMs }) => atMs > fromMs)?.atMs ?? Number.POSITIVE_INFINITY;
  const wantedMs = {
    soon: Math.min(nextMs, fromMs + SOON_MS),
    next: nextMs,
    now: Number.POSITIVE_INFINITY,
  }[end];
  return Math.min(wantedMs, nowMs);
}
