import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn } from './katas.ts';
import { listSources, root } from './sources.ts';
import { type NotApplicable, unreadVectors, type VectorRow } from './vector-rows.ts';
import { vectorText } from './vector-text.ts';

const read = (...parts: readonly string[]): string => readFileSync(path.join(root, ...parts), 'utf8');

describe('Benchmarks', () => {
  const benches = listSources('harness', '.bench.ts').map(({ file }) => file);

  test('are listed in docs/benchmarks.md', () => {
    const text = read('docs/benchmarks.md');
    expect(benches.length).toBeGreaterThan(5);
    expect(benches.filter((file) => !text.includes(file))).toEqual([]);
  });
});

describe('docs/release-1.36.md', () => {
  const text = read('docs/release-1.36.md');

  test('names existing files', () => {
    const named = [...text.matchAll(/`((?:harness|katas|solutions)\/[^`*]+)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  test('says of each change whether the workbook follows it', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| What '));
    const here = rows.map((row) => row.split(' | ').at(-1) ?? '').filter((cell) => cell !== 'Here |');
    expect(here.length).toBeGreaterThan(50);
    expect(here.filter((cell) => !/^(now|second edition|not|the server|the same)\b/.test(cell))).toEqual([]);
  });
});

describe("Rows of upstream's tables", () => {
  const folder = path.join(root, 'harness/conformance');
  const tables = filesIn(folder).filter((name) => name.endsWith('.json') && name !== 'not-applicable.json');
  const rows = tables.flatMap((name) => {
    const { cases } = JSON.parse(read('harness/conformance', name)) as {
      cases: (Omit<VectorRow, 'file'> & { input: Record<string, unknown> })[];
    };
    return cases.map(({ op, id, input }) => ({ file: path.basename(name, '.json'), op, id, input }));
  });
  const tests = listSources('', '.test.ts', '.fixture.ts').filter(
    ({ file }) => !file.startsWith('harness/workbook/'),
  );
  const notApplicable = JSON.parse(read('harness/conformance/not-applicable.json')) as NotApplicable[];

  test('are read by a test, or listed with the reason why no test can read them', () => {
    expect(rows.length).toBeGreaterThan(500);
    expect(unreadVectors(rows, tests, notApplicable)).toEqual([]);
  });

  test('that do not apply exist, and have a reason', () => {
    for (const { file, op, ids, reason } of notApplicable) {
      expect(existsSync(path.join(folder, `${file}.json`)), file).toBe(true);
      expect(rows.filter((row) => row.file === file && row.op === op).map(({ id }) => id)).toEqual(
        expect.arrayContaining([...ids]),
      );
      expect(reason).toMatch(/\.$/);
    }
  });

  /** A difference in a release after the table's own. */
  interface Later {
    readonly release: string;
    readonly op: string;
    readonly because: string;
    readonly note: string;
    readonly expect?: Readonly<Record<string, unknown>>;
  }
  interface Table {
    readonly release: string;
    readonly later?: readonly Later[];
    readonly cases: readonly (Omit<VectorRow, 'file'> & { expect: unknown })[];
  }
  const minor = (release: string): number => Number(/^1\.(\d\d)$/.exec(release)?.[1]);

  test.each(tables)('%s names its release, and the differences of later ones', (name) => {
    const { release, later = [], cases } = JSON.parse(read('harness/conformance', name)) as Table;
    expect(minor(release)).toBeLessThanOrEqual(36);
    for (const { op, because, note, expect: expected = {}, ...other } of later) {
      expect(minor(other.release)).toBeGreaterThan(minor(release));
      expect(because).toMatch(/^kubernetes\/kubernetes#\d+/);
      expect(note).toMatch(/[.)]$/);
      const ofThisOp = cases.filter((row) => row.op === op);
      expect(ofThisOp).not.toEqual([]);
      for (const [id, differs] of Object.entries(expected)) {
        const row = ofThisOp.find((each) => each.id === id);
        expect(row, id).toBeDefined();
        expect(row?.expect, id).not.toEqual(differs);
      }
    }
  });

  test('that need a disabled gate are listed, each with the gate and its first release', () => {
    const gated = rows.filter(({ input }) =>
      Object.entries(input).some(([name, on]) => name.endsWith('Gate') && on === true),
    );
    const named = notApplicable.filter(({ gate }) => gate !== undefined);
    expect(named.flatMap(({ ids }) => ids).toSorted()).toEqual(gated.map(({ id }) => id).toSorted());
    expect(named.map(({ op, ids, gate, release }) => `${op}: ${ids.length} for ${gate}, ${release}`)).toEqual(
      [
        'taints: 4 for TaintTolerationComparisonOperators, 1.35',
        'taintScore: 2 for TaintTolerationComparisonOperators, 1.35',
      ],
    );
  });

  test.each([...tables, 'not-applicable.json'])(
    'stand on one line each in %s; -u rewrites the file',
    async (name) => {
      const text = vectorText(JSON.parse(read('harness/conformance', name)));
      await expect(text).toMatchFileSnapshot(path.join(folder, name));
    },
  );

  const two = ['a-1', 'a-2'].map((id) => ({ file: 'table', op: 'sum', id }));
  const inTest = (text: string) => [{ file: 'katas/99-x/x.test.ts', text }];
  test.each([
    ["vectors<A, B>('table', 'sum', 2)", [], 0],
    ["vectors('table', 'sum', 1)", [], 1],
    ["vectors('table', 'sum', 1)", [{ file: 'table', op: 'sum', ids: ['a-2'], reason: 'No.' }], 0],
    ["const table = (op, count) => vectors<I, E>('table', op, count);\ntable<A>('sum', 2)", [], 0],
    ["import v from '../conformance/table.json';\nof('sum')", [], 0],
    ["import v from '../conformance/table.json';\nof('less')", [], 1],
    ['', [], 1],
  ])('are counted as in the tests: %s', (text, excused, problems) => {
    expect(unreadVectors(two, inTest(text), excused)).toHaveLength(problems);
  });
});
