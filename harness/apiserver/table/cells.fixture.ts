import { formatTime } from '../../sim/index.ts';
import { agoAt } from './ago.ts';
import type { Cell, Column } from './column.ts';

/** The current time of the tests: 2024-04-17T00:00:00Z. */
export const NOW = Date.UTC(2024, 3, 17);

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;

/** Returns the timestamp of a time this many seconds ago. */
export const secondsAgo = (seconds: number): string => formatTime(NOW - seconds * SECOND);

/** Returns the timestamp of a time this many days ago. */
export const daysAgo = (days: number): string => formatTime(NOW - days * DAY);

/** Returns the cells of an object by the names of its columns. */
export function cells<T>(columns: readonly Column<T>[], object: T): Record<string, Cell> {
  const ago = agoAt(NOW);
  return Object.fromEntries(columns.map(({ name, cell }) => [name, cell(object, ago)]));
}

/** Returns the cells of an object in order. */
export function row<T>(columns: readonly Column<T>[], object: T): readonly Cell[] {
  return Object.values(cells(columns, object));
}
