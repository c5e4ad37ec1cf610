import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ComponentRow, componentTable } from '../cluster/component-table.ts';
import type { Components } from '../contracts/component.ts';
import { derivedFiles, INDEX_COMMAND, rowsFileOf, staleFiles } from './derived.ts';
import { filesIn, listKatas, listSolutions } from './katas.ts';
import { exportsOf, listSources, root } from './sources.ts';

const rows = Object.entries(componentTable) as [keyof Components, ComponentRow][];

test(`Derived files are as "${INDEX_COMMAND}" writes them`, () => {
  expect([...derivedFiles(root).keys()]).toEqual([
    'harness/contracts/components/index.ts',
    'solutions/components.ts',
    'README.md',
  ]);
  expect(staleFiles(root), `run ${INDEX_COMMAND}`).toEqual([]);
});

describe('The table of components', () => {
  test('has a row for every kata and for every solution', () => {
    const built = [...listKatas(root), ...listSolutions(root)].map(({ id }) => id);
    const named = new Set(rows.map(([, { kata }]) => kata));
    expect(built.filter((id) => !named.has(id))).toEqual([]);
  });

  test('has the rows of a kata in the file that is named after it', () => {
    const files = filesIn(path.join(root, path.dirname(rowsFileOf(''))));
    const katas = files.flatMap((file) => /^(\d\d-.*)\.ts$/.exec(file)?.[1] ?? []);
    expect([...new Set(rows.map(([, { kata }]) => kata))]).toEqual(katas);
  });

  test.each(listKatas(root))('finds the subjects of $id in the stub', ({ id, noun }) => {
    const sources = listSources(`katas/${id}`, `${noun}.ts`);
    const subjects = rows.flatMap(([, { kata, subject }]) => (kata === id ? subject : []));
    expect(sources.flatMap(exportsOf)).toEqual(expect.arrayContaining(subjects));
  });
});
