import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ComponentRow, componentTable } from '../cluster/component-table.ts';
import type { Components } from '../contracts/component.ts';
import { listKatas, listSolutions } from './katas.ts';
import { exportsOf, listSources, root } from './sources.ts';

const { components } = (await import('#components')) as { readonly components: Components };
const rows = Object.entries(componentTable) as [keyof Components, ComponentRow][];

describe('The table of components', () => {
  test('has a row for every kata and for every solution', () => {
    const told = new Set(rows.map(([, { kata }]) => kata));
    const built = [...listKatas(root), ...listSolutions(root)].map(({ id }) => id);
    expect(built.filter((id) => !told.has(id))).toEqual([]);
  });

  test.each(rows)('says of %s whether it is built, and what its kata exports', async (part, row) => {
    const folder = path.join(root, 'solutions', row.kata);
    if (row.subject === undefined) {
      expect(existsSync(folder), `${row.kata} is built: name what it exports as the subject of ${part}`).toBe(
        false,
      );
      expect(components[part], `${part} is built: name what ${row.kata} exports as its subject`).toBe(
        undefined,
      );
      if (!row.process) return;
      expect(row.process.standIn, `${part} is not built, and no script stands in for it`).toBeDefined();
      return;
    }
    const { subject } = row;
    const [source] = listSources(`solutions/${row.kata}`, '.ts').filter(
      (one) => !one.file.includes('/variants/') && exportsOf(one).includes(subject),
    );
    expect(source, `no file of solutions/${row.kata} exports ${subject}`).toBeDefined();
    const module = (await import(path.join(root, source?.file ?? ''))) as Readonly<Record<string, unknown>>;
    expect(components[part], `solutions/components.ts has another ${part}`).toBe(module[subject]);
  });

  test.each(listKatas(root))('finds the subjects of $id in the stub that is edited', ({ id, noun }) => {
    const sources = listSources(`katas/${id}`, `${noun}.ts`);
    const subjects = rows.flatMap(([, { kata, subject }]) => (kata === id ? (subject ?? []) : []));
    expect(sources.flatMap(exportsOf)).toEqual(expect.arrayContaining(subjects));
  });
});
