import type { Paint } from '../colours.ts';
import type { Row } from './room.ts';
import { fitted } from './text.ts';

/** The size of a screen and its colours. */
interface ScreenOptions {
  readonly columns: number;
  /** The lines of the screen. The result has fewer, so that the terminal does not scroll. */
  readonly lines: number;
  readonly paint: Paint;
}

/** Widths of the parts of a row, in terminal columns. */
interface Widths {
  readonly name: number;
  readonly kata: number;
  readonly place: number;
}

const WIDE: Widths = { name: 24, kata: 18, place: 24 };
/** Two rows beside each other in 100 columns. */
const NARROW: Widths = { name: 11, kata: 12, place: 11 };
const LAWS = 5;
const MINUTES = 4;
const GAP = '  ';

/**
 * Draws the participants of a room: one row each, in two columns if they do not fit in one. If they do not fit in two
 * columns, the rows that have waited longest for a change are shown.
 *
 * @param title the first line
 */
export function roomLines(
  title: string,
  rows: readonly Row[],
  { columns, lines, paint }: ScreenOptions,
): readonly string[] {
  // The title, the heads of the columns, and the line of the cursor.
  const height = Math.max(1, lines - 3);
  const isOne = rows.length <= height && columns >= widthOf(WIDE);
  const widths = isOne ? WIDE : NARROW;
  const across = isOne ? 1 : Math.max(1, Math.floor((columns + GAP.length) / (widthOf(widths) + GAP.length)));
  const room = rows.length <= height * across ? height : height - 1;
  const shown = rows.length <= height * across ? rows : rows.toSorted(byWaiting).slice(0, room * across);
  const used = Math.min(Math.max(1, Math.ceil(shown.length / across)), room);
  const heads = Array.from({ length: Math.min(across, Math.ceil(shown.length / used)) }, () =>
    headOf(widths),
  );
  const rest = rows.length - shown.length;
  return [
    paint('bold', fitted(title, columns).trimEnd()),
    ...(rows.length === 0 ? ['Nobody has reported yet.'] : [paint('dim', heads.join(GAP).trimEnd())]),
    ...Array.from({ length: shown.length === 0 ? 0 : used }, (_, line) =>
      shown
        .filter((_, index) => index % used === line)
        .map((row) => lineOf(row, widths, paint))
        .join(GAP)
        .trimEnd(),
    ),
    ...(rest > 0 ? [`… and ${rest} more, who have waited less`] : []),
  ];
}

/** Draws one row as a line of a log: `ada  23-replicaset  Level 3  0/15 laws  0 min`. */
export function rowLine({ name, kata, place, laws, minutes }: Row): string {
  const parts = [
    name,
    kata,
    place,
    ...(laws.all > 0 ? [`${laws.hold}/${laws.all} laws`] : []),
    `${minutes} min`,
  ];
  return parts.filter((part) => part !== '').join('  ');
}

function headOf({ name, kata, place }: Widths): string {
  return [
    `${GAP}${fitted('name', name)}`,
    fitted('kata', kata),
    fitted('place', place),
    'laws'.padStart(LAWS),
    'min'.padStart(MINUTES),
  ].join(' ');
}

function lineOf(row: Row, widths: Widths, paint: Paint): string {
  const { name, kata, place, laws, minutes, isStuckLongest } = row;
  const text = [
    `${isStuckLongest ? '▶' : ' '} ${fitted(name, widths.name)}`,
    fitted(kata, widths.kata),
    fitted(place, widths.place),
    (laws.all > 0 ? `${laws.hold}/${laws.all}` : '').padStart(LAWS),
    (minutes > 999 ? '999+' : String(minutes)).padStart(MINUTES),
  ].join(' ');
  if (isStuckLongest) return paint('red', text);
  return place === 'done' ? paint('green', text) : text;
}

function widthOf({ name, kata, place }: Widths): number {
  return 2 + name + kata + place + LAWS + MINUTES + 4;
}

/** Those at work come first, the longest wait before the others. */
function byWaiting(a: Row, b: Row): number {
  const rank = ({ kata, place }: Row): number => (kata === '' || place === 'done' ? 1 : 0);
  return rank(a) - rank(b) || b.minutes - a.minutes;
}
