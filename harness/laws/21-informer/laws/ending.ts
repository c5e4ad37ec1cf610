import { StatusError } from '../../../api/status.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { HistoryEntry } from '../history.ts';
import { named, requestNames } from '../render/names.ts';
import { indexOfMark, type Law, violation } from './law.ts';

/** The time within which a second `run` must settle. */
const REFUSED_WITHIN_MS = 5_000;

/**
 * Safety. After the abort, the informer sends no request, reads no event, calls no handler and leaves no watch open,
 * and `run` returns. A removed handler gets no notification. A second `run` settles at once.
 */
export const quietAtTheEnd: Law = (history) => {
  const { entries, watchesLeft, returned } = history;
  const abort = indexOfMark(history, 'aborted');
  const noise = entries.slice(abort + 1).flatMap((entry): Violation[] => {
    if (entry.kind === 'asked')
      return [
        violation(entry, `the informer sent a ${requestNames[entry.request]} after its signal was aborted`),
      ];
    if (entry.kind === 'event')
      return [violation(entry, 'the informer read an event from a watch after its signal was aborted')];
    if (entry.kind === 'told')
      return [violation(entry, `the informer notified ${named(entry.handler)} after its signal was aborted`)];
    return [];
  });
  const atMs = entries[abort]?.atMs ?? 0;
  if (watchesLeft > 0)
    noise.push({ atMs, message: `the informer left ${watchesLeft} watch open after its signal was aborted` });
  if (!returned) {
    const message = `run had not returned 5 s after its signal was aborted; ${beforeAbort(entries.slice(0, abort))}`;
    noise.push({ atMs, message });
  }
  return [...noise, ...notifiedAfterRemoval(history), ...runsTwice(history)];
};

/** Describes the last action of the informer before the abort, which it may still wait for. */
function beforeAbort(entries: readonly HistoryEntry[]): string {
  const second = entries.findLast(({ kind }) => kind === 'again');
  if (second?.kind === 'again' && second.what === 'called')
    return `run was called a second time at ${second.atMs} ms, and that call must be refused at once`;
  const last = entries.findLast(({ kind }) => /^(asked|opened|failed|ended|listed|event)$/.test(kind));
  switch (last?.kind) {
    case 'failed':
      return `before, a ${requestNames[last.request]} failed (${last.error instanceof StatusError ? last.error.reason : String(last.error)}), so it waits before it retries: the signal must end each wait`;
    case 'asked':
      return `before, it sent a ${requestNames[last.request]} that had no answer yet: pass the signal to each request`;
    case 'ended':
      return 'before, a watch ended: the signal must end each wait';
    default:
      return 'before, a watch was open: the signal must end it';
  }
}

const notifiedAfterRemoval: Law = ({ entries }) => {
  let removedMs = Number.POSITIVE_INFINITY;
  return entries.flatMap((entry) => {
    if (entry.kind === 'removed') removedMs = entry.atMs;
    // A notification that was under way at the removal may still arrive.
    if (entry.kind !== 'told' || entry.handler !== 'leaving' || entry.atMs <= removedMs) return [];
    return [
      violation(entry, `handler "leaving" was notified ${entry.atMs - removedMs} ms after it was removed`),
    ];
  });
};

const runsTwice: Law = ({ entries }) =>
  entries.flatMap((entry, i) => {
    if (entry.kind !== 'again' || entry.what === 'over') return [];
    const later = entries.slice(i + 1);
    const end = later.find((each) => (each.kind === 'again' && each.what === 'over') || each.kind === 'mark');
    const tookMs = (end?.atMs ?? Number.POSITIVE_INFINITY) - entry.atMs;
    if (tookMs <= REFUSED_WITHIN_MS) return [];
    return [
      violation(
        entry,
        `the second call of run must be refused, but it had not settled ${REFUSED_WITHIN_MS / 1_000} s later`,
      ),
    ];
  });
