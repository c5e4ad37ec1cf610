import path from 'node:path';
import type { Source } from './sources.ts';

/** A row of an upstream test table: its file, operation and id. */
export interface VectorRow {
  /** `replicaset`, for `harness/conformance/replicaset.json` */
  readonly file: string;
  readonly op: string;
  readonly id: string;
}

/** Rows that no test can read, with the reason. */
export interface NotApplicable {
  readonly file: string;
  readonly op: string;
  readonly ids: readonly string[];
  readonly reason: string;
  /** The feature gate that the rows need and that is off in the release that we follow, as upstream spells it. */
  readonly gate?: string;
  /** The release that introduced the gate: `1.35`. */
  readonly release?: string;
}

/**
 * Returns the tables with rows that no test reads, as sentences. A test states how many rows it reads:
 * `vectors('replicaset', 'sync', 5)` throws if the number differs, and so does `table('sync', 5)` in the tests of a
 * kata. A test that imports the JSON reads the rows of each `op` that it names.
 */
export function unreadVectors(
  rows: readonly VectorRow[],
  tests: readonly Source[],
  notApplicable: readonly NotApplicable[],
): readonly string[] {
  const read = new Map<string, number>();
  const add = (file: string, op: string, count: number): void => {
    const key = `${file} ${op}`;
    read.set(key, (read.get(key) ?? 0) + count);
  };
  const files = [...new Set(rows.map(({ file }) => file))];
  const definitions = tests.filter(({ text }) => DEFINITION.test(text));
  for (const { file: test, text } of tests) {
    for (const [, file = '', op = '', count] of text.matchAll(/'([\w-]+)',\s*'(\w+)',\s*([\w.]+)/g)) {
      if (!files.includes(file)) continue;
      const all = rows.filter((row) => row.file === file && row.op === op).map(({ id }) => id);
      const named = all.filter((id) => text.includes(`'${id}'`)).length;
      // The count is an expression: it depends on a list of ids, or on two halves of a table.
      add(file, op, /^\d+$/.test(count ?? '') ? Number(count) : named || all.length);
    }
    const table = tableOf(test, text, definitions);
    for (const [, op = '', count] of text.matchAll(/\(\s*'(\w+)',\s*(\d+)/g))
      if (table !== undefined) add(table, op, Number(count));
  }
  const told: string[] = [];
  for (const key of new Set(rows.map(({ file, op }) => `${file} ${op}`))) {
    const [file = '', op = ''] = key.split(' ');
    const all = rows.filter((row) => row.file === file && row.op === op).map(({ id }) => id);
    const excused = notApplicable
      .filter((one) => one.file === file && one.op === op)
      .flatMap(({ ids }) => ids.filter((id) => all.includes(id)));
    const whole = tests.some(({ text }) => text.includes(`conformance/${file}.json'`) && namesOp(text, op));
    const count = whole ? all.length : (read.get(key) ?? 0) + excused.length;
    if (count < all.length) {
      told.push(
        `harness/conformance/${file}.json: tests read ${count} of ${all.length} rows with op "${op}"`,
      );
    }
  }
  return told;
}

const DEFINITION = /vectors(?:<I, E>)?\('([\w-]+)', op, count/;

/** Returns the file of vectors for `table` in a test: defined in the test, or in a fixture in its folder. */
function tableOf(test: string, text: string, definitions: readonly Source[]): string | undefined {
  const fixture = definitions.find(({ file }) => path.dirname(file) === path.dirname(test));
  return (DEFINITION.exec(text) ?? DEFINITION.exec(fixture?.text ?? ''))?.[1];
}

/** Returns whether a test names an op: as a string or as the key of an object. */
function namesOp(text: string, op: string): boolean {
  return text.includes(`'${op}'`) || new RegExp(`^\\s+(?:async )?${op}(?:[:,(]| =)`, 'm').test(text);
}
