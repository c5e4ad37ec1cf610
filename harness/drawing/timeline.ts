import type { TraceEntry } from '../sim/index.ts';

/** Options of {@link drawTimeline}. */
interface TimelineOptions {
  /**
   * Draws only the `count` entries nearest to `atMs`, with the numbers of omitted entries before and after.
   *
   * @defaultValue all entries
   */
  readonly around?: { readonly atMs: number; readonly count: number };
  /** The entry of a violation: its line begins with `✗`. @defaultValue none */
  readonly violation?: TraceEntry;
}

/**
 * Draws one line per entry, oldest first: the time, the actor, its action, and the result.
 *
 *     t=3ms  kubectl   create deployments/default/web  ok · revision 5
 *     t=4ms  informer  ADDED deployments/default/web   revision 5
 *
 * No line contains a line break or ends with a space, whatever the entries contain.
 */
export function drawTimeline(entries: readonly TraceEntry[], options: TimelineOptions = {}): string[] {
  const { start, end } = windowOf(entries, options.around);
  const rows = entries.slice(start, end).map(cellsOf);
  const widthOf = (cell: (cells: Cells) => string): number =>
    rows.reduce((width, cells) => {
      const { length } = cell(cells);
      return length > WIDTH_MAX ? width : Math.max(width, length);
    }, 0);
  const [whenWidth, whoWidth, whatWidth] = [
    widthOf(([when]) => when),
    widthOf(([, who]) => who),
    widthOf(([, , what]) => what),
  ];
  const gutter = (entry: TraceEntry | undefined): string =>
    options.violation === undefined ? '' : entry === options.violation ? '✗ ' : '  ';
  const lines = rows.map(([when, who, what, outcome], index) => {
    const columns = [when.padStart(whenWidth), who.padEnd(whoWidth), what.padEnd(whatWidth), outcome];
    return `${gutter(entries[start + index])}${columns.join('  ')}`.trimEnd();
  });
  const omitted = (count: number, where: string): string[] =>
    count === 0 ? [] : [`${gutter(undefined)}… ${count} ${where}`];
  const drawn = [...omitted(start, 'earlier'), ...lines, ...omitted(entries.length - end, 'later')];
  if (end - start === entries.length) entriesOfLines.set(drawn, entries);
  return drawn;
}

/** The entries of whole timelines: histories keep only their lines, and laws of any kata may draw one. */
const entriesOfLines = new WeakMap<readonly string[], readonly TraceEntry[]>();

/** Returns the entries of a timeline, one for each line; undefined if {@link drawTimeline} did not draw all of it. */
export function entriesOf(timeline: readonly string[]): readonly TraceEntry[] | undefined {
  return entriesOfLines.get(timeline);
}

/** A longer cell shifts only its own line. */
const WIDTH_MAX = 56;

type Cells = readonly [when: string, who: string, what: string, outcome: string];

function cellsOf({ atMs, actor, verb, object, revision, outcome, note }: TraceEntry): Cells {
  const results = [outcome, revision === undefined ? undefined : `revision ${revision}`, note];
  return [
    `t=${formatMs(atMs)}`,
    oneLine(actor),
    oneLine([verb, object].filter(Boolean).join(' ')),
    oneLine(results.filter(Boolean).join(' · ')),
  ];
}

/** A back-off with jitter has fractions of a millisecond; three digits distinguish them. */
function formatMs(ms: number): string {
  return `${Number(ms.toFixed(3))}ms`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns the range of entries to show. Entries are in order of time. */
function windowOf(
  entries: readonly TraceEntry[],
  around: TimelineOptions['around'],
): { readonly start: number; readonly end: number } {
  const all = entries.length;
  if (!around || around.count >= all) return { start: 0, end: all };
  const count = Math.max(0, around.count);
  const distance = (index: number): number => {
    const entry = entries[index];
    return entry ? Math.abs(entry.atMs - around.atMs) : Number.POSITIVE_INFINITY;
  };
  let start = entries.findIndex(({ atMs }) => atMs >= around.atMs);
  if (start < 0) start = all;
  let end = start;
  // Earlier events explain a time better than later ones, so at equal distance the earlier one wins.
  while (end - start < count) {
    if (distance(start - 1) <= distance(end)) start--;
    else end++;
  }
  return { start, end };
}
