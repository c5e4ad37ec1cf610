import type { Replay, ReplayEntry } from '../../../workbook/replay.ts';

/** One of the two runs. */
export type RunName = 'mine' | 'reference';

/** An entry of one of the runs. */
export interface EntryRef {
  readonly run: RunName;
  /** Its index in `replay.mine` or `replay.reference`. */
  readonly index: number;
}

/** The place of an entry: the column of its center, in px. */
export interface PlacedEntry extends EntryRef {
  readonly x: number;
}

/** A silence that takes less room than its time. */
export interface Fold {
  readonly x: number;
  readonly width: number;
  readonly ms: number;
}

/** The horizontal places of both runs on one axis. */
export interface ReplayLayout {
  readonly width: number;
  /** The shown entries in order of place, without the violation. */
  readonly entries: readonly PlacedEntry[];
  readonly folds: readonly Fold[];
  /** The times to print; empty on the axis `order`. */
  readonly ticks: readonly { readonly x: number; readonly ms: number }[];
  /** The line of the violation; absent if the learner's run has no entry beside it. */
  readonly violationX?: number;
  /** The line of the parting. */
  readonly partingX?: number;
  /** The first place of the reference, if it is left out before. */
  readonly referenceX?: number;
  /** The place of a time, in px. */
  readonly xAt: (ms: number) => number;
}

/** The width of an entry, in px. */
export const STEP = 14;

/** The space before the first entry and after the last one, in px. */
const MARGIN = 26;

/** A silence of this length is folded. */
const FOLD_MS = 1_000;

/** The width of a fold, in px. */
const FOLD_WIDTH = 52;

/** Two times are printed at least this far apart, in px. */
const TICK_DISTANCE = 84;

/**
 * Places the entries of both runs on one axis. Entries of one moment stand side by side, in their order; the space between
 * two moments grows with the logarithm of the time, and a long silence is folded.
 *
 * @param isShown hides entries of some kinds. The violation is always shown.
 */
export function layoutOf(replay: Replay, isShown: (entry: ReplayEntry) => boolean): ReplayLayout {
  const { reference: from } = partingStarts(replay);
  const shown = (run: RunName, start: number): readonly EntryRef[] =>
    replay[run].flatMap((entry, index) =>
      index >= start && (entry.kind === 'violation' || isShown(entry)) ? [{ run, index }] : [],
    );
  const moments = momentsOf(replay, shown('mine', 0), shown('reference', from));
  const entries: PlacedEntry[] = [];
  const folds: Fold[] = [];
  const ticks: { readonly x: number; readonly ms: number }[] = [];
  const starts: { readonly ms: number; readonly x: number; readonly end: number }[] = [];
  let [x, lastMs] = [MARGIN, moments[0]?.ms ?? 0];
  for (const { ms, mine, reference } of moments) {
    const silentMs = ms - lastMs;
    if (replay.axis === 'time' && silentMs >= FOLD_MS) {
      folds.push({ x, width: FOLD_WIDTH, ms: silentMs });
      x += FOLD_WIDTH;
    } else if (replay.axis === 'time' && silentMs > 0) x += gapOf(silentMs);
    const columns = Math.max(mine.length, reference.length);
    for (const refs of [mine, reference])
      refs.forEach((ref, column) => {
        entries.push({ ...ref, x: x + (column + 0.5) * STEP });
      });
    const lastTick = ticks.at(-1);
    if (replay.axis === 'time' && (!lastTick || x - lastTick.x >= TICK_DISTANCE)) ticks.push({ x, ms });
    starts.push({ ms, x, end: x + columns * STEP });
    x += columns * STEP;
    lastMs = ms;
  }
  const placeOf = (run: RunName, index: number | undefined): number | undefined =>
    entries.find((entry) => entry.run === run && entry.index === index)?.x;
  const violation = replay.mine.findIndex(({ kind }) => kind === 'violation');
  const { parting } = replay;
  const partingX = [placeOf('mine', parting?.mine), placeOf('reference', parting?.reference)].filter(
    (place) => place !== undefined,
  );
  return {
    width: x + MARGIN,
    entries: entries
      .filter(({ run, index }) => run !== 'mine' || index !== violation)
      .sort((a, b) => a.x - b.x || (a.run < b.run ? -1 : 1)),
    folds,
    ticks,
    ...(replay.mine.length > 1 && { violationX: placeOf('mine', violation) ?? x }),
    ...(partingX.length > 0 && { partingX: Math.min(...partingX) - STEP / 2 }),
    ...(from > 0 && {
      referenceX:
        Math.min(...entries.filter(({ run }) => run === 'reference').map((entry) => entry.x), x) - STEP / 2,
    }),
    xAt: (ms) => {
      const next = starts.findIndex((start) => start.ms > ms);
      const before = starts.at(next < 0 ? -1 : next - 1);
      const after = next < 0 ? undefined : starts[next];
      if (!before) return MARGIN;
      if (!after) return before.ms === ms ? before.end : x;
      return before.end + ((after.x - before.end) * (ms - before.ms)) / (after.ms - before.ms);
    },
  };
}

/**
 * Returns the index in each run where the comparison starts: the first entry of the moment when the runs part. Before it,
 * the reference does the same as the learner's code.
 */
export function partingStarts({ parting, mine, reference, axis }: Replay): Readonly<Record<RunName, number>> {
  if (!parting) return { mine: 0, reference: 0 };
  if (axis === 'order') return { mine: parting.mine ?? 0, reference: parting.reference ?? parting.mine ?? 0 };
  const [own, other] = [mine[parting.mine ?? -1], reference[parting.reference ?? -1]];
  const fromMs = Math.min(own?.atMs ?? Number.POSITIVE_INFINITY, other?.atMs ?? Number.POSITIVE_INFINITY);
  return { mine: firstFrom(mine, fromMs), reference: firstFrom(reference, fromMs) };
}

function firstFrom(entries: readonly ReplayEntry[], ms: number): number {
  const found = entries.findIndex(({ atMs = 0 }) => atMs >= ms);
  return found < 0 ? entries.length : found;
}

interface Moment {
  readonly ms: number;
  readonly mine: readonly EntryRef[];
  readonly reference: readonly EntryRef[];
}

/** Returns the entries of both runs by time; calls by their number. */
function momentsOf(
  replay: Replay,
  mine: readonly EntryRef[],
  reference: readonly EntryRef[],
): readonly Moment[] {
  const moments = new Map<number, { mine: EntryRef[]; reference: EntryRef[] }>();
  for (const ref of [...mine, ...reference]) {
    const ms = replay.axis === 'order' ? ref.index : (replay[ref.run][ref.index]?.atMs ?? 0);
    const moment = moments.get(ms) ?? { mine: [], reference: [] };
    moments.set(ms, moment);
    moment[ref.run].push(ref);
  }
  return [...moments].map(([ms, refs]) => ({ ms, ...refs })).sort((a, b) => a.ms - b.ms);
}

function gapOf(ms: number): number {
  return 4 + 7 * Math.log10(1 + ms);
}
