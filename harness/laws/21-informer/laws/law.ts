import type { Violation } from '../../../testing/holds.ts';
import type { HistoryEntry, InformerHistory } from '../history.ts';
import { nameOf, rowName } from '../render/names.ts';

/** A law of an informer: reads one history and returns the violations. */
export type Law = (history: InformerHistory) => readonly Violation[];

/** Returns a violation at an entry. If the entry is a notification, its object is at fault. */
export function violation(entry: HistoryEntry, message: string): Violation {
  return { atMs: entry.atMs, message, ...(entry.kind === 'told' && { object: rowName(nameOf(entry.what)) }) };
}

/** Returns the index of a mark; -1 if the history does not have it. */
export function indexOfMark({ entries }: Pick<InformerHistory, 'entries'>, mark: string): number {
  return entries.findIndex((entry) => entry.kind === 'mark' && entry.mark === mark);
}

/** Returns the time when all faults had ended, in virtual ms. */
export function healedMs(history: Pick<InformerHistory, 'entries'>): number {
  return history.entries[indexOfMark(history, 'healed')]?.atMs ?? 0;
}
