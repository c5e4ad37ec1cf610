import type { Replay, ReplayEntry } from '../../../workbook/replay.ts';
import { partingStarts } from './replay-layout.ts';

/** A row of the table: the entries of both runs side by side. */
export interface ReplayRow {
  /** Index in `replay.mine`. */
  readonly mine?: number;
  /** Index in `replay.reference`. */
  readonly reference?: number;
  /**
   * - `before`: the runs have not parted yet, and only the learner's entry is listed.
   * - `parts`: the runs part here, and each has its own entry.
   * - `same`: both have the entry, with the same answer.
   * - `answer`: both have the entry, with different answers.
   * - `mine`, `reference`: only one of them has the entry.
   * - `violation`: the violation.
   */
  readonly how: 'before' | 'parts' | 'same' | 'answer' | 'mine' | 'reference' | 'violation';
}

/** Returns the rows of both runs in order of time: equal entries of one moment share a row. */
export function rowsOf(replay: Replay): readonly ReplayRow[] {
  const { mine, reference, parting } = replay;
  const starts = partingStarts(replay);
  const before = mine.slice(0, starts.mine).map(
    (entry, index): ReplayRow => ({
      mine: index,
      how: entry.kind === 'violation' ? 'violation' : parting ? 'before' : 'mine',
    }),
  );
  const rows: ReplayRow[] = [];
  let [i, j] = [starts.mine, starts.reference];
  while (i < mine.length || j < reference.length) {
    const [own, other] = [mine[i], reference[j]];
    if (i === parting?.mine && j === parting.reference && isDifferent(own, other))
      rows.push({ mine: i++, reference: j++, how: 'parts' });
    else if (own?.kind === 'violation') rows.push({ mine: i++, how: 'violation' });
    else if (!own) rows.push({ reference: j++, how: 'reference' });
    else if (!other) rows.push({ mine: i++, how: 'mine' });
    else if (isSame(own, other)) {
      rows.push({ mine: i++, reference: j++, how: own.answer === other.answer ? 'same' : 'answer' });
    } else if (momentOf(own) < momentOf(other)) rows.push({ mine: i++, how: 'mine' });
    else if (momentOf(other) < momentOf(own)) rows.push({ reference: j++, how: 'reference' });
    else if (comesLater(own, reference, j)) rows.push({ reference: j++, how: 'reference' });
    else rows.push({ mine: i++, how: 'mine' });
  }
  return [...before, ...rows];
}

/** Calls have no times. */
function momentOf({ atMs = 0 }: ReplayEntry): number {
  return atMs;
}

function isSame(own: ReplayEntry, other: ReplayEntry): boolean {
  return own.actor === other.actor && own.text === other.text && own.atMs === other.atMs;
}

/** Does the reference have the same entry later in the same moment? */
function comesLater(own: ReplayEntry, reference: readonly ReplayEntry[], from: number): boolean {
  for (let at = from; at < reference.length; at++) {
    const other = reference[at];
    if (!other || momentOf(other) > momentOf(own)) return false;
    if (isSame(own, other)) return true;
  }
  return false;
}

/** Do the runs part in one moment, with different acts? */
function isDifferent(own: ReplayEntry | undefined, other: ReplayEntry | undefined): boolean {
  return own?.atMs === other?.atMs && own?.text !== other?.text;
}
