import type { Breach } from '../../testing/holds.ts';
import { breach, indexOfMark, type Law } from './law.ts';

/** How soon a second `run` must have come back. */
const REFUSED_WITHIN_MS = 5_000;

/**
 * Safety. After the abort: no request, no event taken, no handler called, no watch left open; and `run` returns. A handler that was
 * removed is told nothing. A second `run` is over at once.
 */
export const quietAtTheEnd: Law = (history) => {
  const { entries, watchesLeft, returned } = history;
  const abort = indexOfMark(history, 'aborted');
  const noise = entries.slice(abort + 1).flatMap((entry): Breach[] => {
    if (entry.kind === 'asked')
      return [breach(entry, `the informer sent a ${entry.request} after its signal was aborted`)];
    if (entry.kind === 'event') return [breach(entry, 'an event was taken after the abort')];
    if (entry.kind === 'told')
      return [breach(entry, `the informer notified ${entry.handler} after its signal was aborted`)];
    return [];
  });
  const atMs = entries[abort]?.atMs ?? 0;
  if (watchesLeft > 0)
    noise.push({ atMs, message: `the informer left ${watchesLeft} watch open after its signal was aborted` });
  if (!returned) noise.push({ atMs, message: 'run had not returned 5 s after the abort' });
  return [...noise, ...toldAfterRemoval(history), ...runsTwice(history)];
};

const toldAfterRemoval: Law = ({ entries }) => {
  let removedMs = Number.POSITIVE_INFINITY;
  return entries.flatMap((entry) => {
    if (entry.kind === 'removed') removedMs = entry.atMs;
    // What was on its way when it was removed may still come.
    if (entry.kind !== 'told' || entry.handler !== 'leaving' || entry.atMs <= removedMs) return [];
    return [
      breach(entry, `the handler leaving was notified ${entry.atMs - removedMs} ms after it was removed`),
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
    return [breach(entry, 'run was called a second time, and that call went on')];
  });
