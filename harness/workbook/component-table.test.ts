import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ComponentRow, componentTable } from '../cluster/component-table.ts';
import type { Components } from '../contracts/component.ts';
import { derivedFiles, INDEX_COMMAND, rowsFileOf, staleFiles } from './derived.ts';
import { filesIn, listKatas, listKatasWithoutCode, listSolutions } from './katas.ts';
import { exportsOf, listSources, root } from './sources.ts';

const rows = Object.entries(componentTable) as [keyof Components, ComponentRow][];

test(`Derived files equal the output of "${INDEX_COMMAND}"`, () => {
  expect([...derivedFiles(root).keys()]).toEqual([
    'harness/contracts/components/index.ts',
    'solutions/components.ts',
    'README.md',
  ]);
  expect(staleFiles(root), `run ${INDEX_COMMAND}`).toEqual([]);
});

describe('The table of components', () => {
  test('has a row for every kata and for every solution', () => {
    const withoutCode = listKatasWithoutCode(root).map(({ id }) => id);
    const solutions = listSolutions(root).filter(({ id }) => !withoutCode.includes(id));
    const built = [...listKatas(root), ...solutions].map(({ id }) => id);
    const named = new Set(rows.map(([, { kata }]) => kata));
    expect(built.filter((id) => !named.has(id))).toEqual([]);
  });

  test("has each kata's rows in the file named after the kata", () => {
    const files = filesIn(path.join(root, path.dirname(rowsFileOf(''))));
    const katas = files.flatMap((file) => /^(\d\d-.*)\.ts$/.exec(file)?.[1] ?? []);
    expect([...new Set(rows.map(([, { kata }]) => kata))]).toEqual(katas);
  });

  test.each(listKatas(root))('has the subjects of $id, which its stub exports', ({ id, noun }) => {
    const sources = listSources(`katas/${id}`, `${noun}.ts`);
    const subjects = rows.flatMap(([, { kata, subject }]) => (kata === id ? subject : []));
    expect(sources.flatMap(exportsOf)).toEqual(expect.arrayContaining(subjects));
  });
});
