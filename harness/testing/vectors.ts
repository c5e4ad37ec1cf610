import { readFileSync } from 'node:fs';

/** One row of an upstream test table, as data. */
export interface VectorCase<I, E> {
  readonly id: string;
  readonly op: string;
  readonly name: string;
  readonly input: I;
  readonly expect: E;
}

/**
 * Returns the rows of one operation in `harness/conformance/<file>.json`. The file's `note` describes them.
 *
 * @param count the expected number of rows: a table that lost rows must not pass
 * @param where selects rows; other callers read the rest
 * @throws Error when the number of rows differs
 */
export function vectors<I, E>(
  file: string,
  op: string,
  count: number,
  where: (row: VectorCase<I, E>) => boolean = () => true,
): readonly VectorCase<I, E>[] {
  const url = new URL(`../conformance/${file}.json`, import.meta.url);
  const { cases } = JSON.parse(readFileSync(url, 'utf8')) as { cases: VectorCase<I, E>[] };
  const rows = cases.filter((row) => row.op === op && where(row));
  if (rows.length === count) return rows;
  throw new Error(
    `Failed to read vectors: ${file}.json has ${rows.length} rows with op "${op}", not ${count}.`,
  );
}

/**
 * Returns each row with its name: `test.each(named(rows))('agrees with client-go: %s', (_, row) => …)` is a test for
 * each row.
 */
export function named<I, E>(
  rows: readonly VectorCase<I, E>[],
): readonly (readonly [name: string, row: VectorCase<I, E>])[] {
  return rows.map((row) => [row.name, row] as const);
}

/** Longer inputs are cut: a screen has room for the message, too. */
const INPUT_MAX = 400;

/**
 * Writes the message for a row that fails: the rule, and the input of the row.
 *
 *     expect(grown, ruleFor('never more than replicas', input)).toBe(wanted);
 */
export function ruleFor(rule: string, input: unknown): string {
  const text = JSON.stringify(input)
    .replace(/"([A-Za-z_$][\w$]*)":/g, '$1: ')
    .replace(/,(?=[^\s])/g, ', ');
  return `${rule}; the row: ${text.length > INPUT_MAX ? `${text.slice(0, INPUT_MAX)}…` : text}`;
}
