import type { Violation } from '../../testing/holds.ts';
import type { HistoryEntry, InformerHistory } from './history.ts';
import { nameOf, rowName } from './names.ts';

/** A law of an informer: it reads one history and names every place where it is broken. Empty when it holds. */
export type Law = (history: InformerHistory) => readonly Violation[];

/** What a handler was told of is the object at fault. */
export function violation(entry: HistoryEntry, message: string): Violation {
  return { atMs: entry.atMs, message, ...(entry.kind === 'told' && { object: rowName(nameOf(entry.what)) }) };
}

/** Where a history has this mark. */
export function indexOfMark({ entries }: Pick<InformerHistory, 'entries'>, mark: string): number {
  return entries.findIndex((entry) => entry.kind === 'mark' && entry.mark === mark);
}

/** When all faults had ended. */
export function healedMs(history: Pick<InformerHistory, 'entries'>): number {
  return history.entries[indexOfMark(history, 'healed')]?.atMs ?? 0;
}
