import type { Replay } from '../../../workbook/replay.ts';
import type { EntryRef, PlacedEntry, ReplayLayout, RunName } from './replay-layout.ts';

/** Returns the entries that part the runs; if the runs act at different times, only the earlier one. */
export function partingEntries(replay: Replay): readonly EntryRef[] {
  const { parting } = replay;
  const parts = (['mine', 'reference'] as const).flatMap((run): readonly EntryRef[] => {
    const index = parting?.[run];
    return index === undefined ? [] : [{ run, index }];
  });
  const msOf = ({ run, index }: EntryRef): number => replay[run][index]?.atMs ?? 0;
  const firstMs = Math.min(...parts.map(msOf));
  return parts.filter((entry) => msOf(entry) === firstMs);
}

/** Returns the entry to read first: an entry that parts the runs, else the last before the violation. */
export function firstEntry(replay: Replay): EntryRef | undefined {
  const [first] = partingEntries(replay);
  if (first) return first;
  const { mine, reference } = replay;
  const before = violatedEntry({ mine });
  return before ?? (reference.length > 0 ? { run: 'reference', index: 0 } : undefined);
}

/** Returns the last entry of the learner's run before the violation. */
export function violatedEntry({ mine }: Pick<Replay, 'mine'>): EntryRef | undefined {
  const violation = mine.findIndex(({ kind }) => kind === 'violation');
  return violation > 0 ? { run: 'mine', index: violation - 1 } : undefined;
}

/**
 * Returns the entry that a key leads to: left and right follow one run, up and down go to the other run, Home and End to
 * the ends of a run.
 *
 * @param key as in a keyboard event
 * @returns undefined for another key, or if no entry lies there
 */
export function entryFor(
  key: string,
  chosen: EntryRef | undefined,
  { entries }: Pick<ReplayLayout, 'entries'>,
): EntryRef | undefined {
  const run = chosen?.run ?? 'mine';
  const own = entries.filter((entry) => entry.run === run);
  const at = own.findIndex(({ index }) => index === chosen?.index);
  switch (key) {
    case 'ArrowRight':
      return asRef(own[at + 1] ?? own[at]);
    case 'ArrowLeft':
      return asRef(own[at < 0 ? 0 : Math.max(0, at - 1)]);
    case 'Home':
      return asRef(own[0]);
    case 'End':
      return asRef(own.at(-1));
    case 'ArrowUp':
      return nearest(entries, 'mine', own[at]);
    case 'ArrowDown':
      return nearest(entries, 'reference', own[at]);
    default:
      return undefined;
  }
}

/** Returns the entry of a run that is nearest to another entry. */
function nearest(
  entries: readonly PlacedEntry[],
  run: RunName,
  from: PlacedEntry | undefined,
): EntryRef | undefined {
  if (!from || from.run === run) return asRef(from);
  const [best] = entries
    .filter((entry) => entry.run === run)
    .sort((a, b) => Math.abs(a.x - from.x) - Math.abs(b.x - from.x));
  return asRef(best);
}

function asRef(entry: PlacedEntry | undefined): EntryRef | undefined {
  return entry && { run: entry.run, index: entry.index };
}
