import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { leftToAuthors } from '../workbook/authors.ts';
import { listKatas, listSolutions, solutionProblems } from '../workbook/katas.ts';
import { doorViolations } from '../workbook/layers.ts';
import { screenProblems } from '../workbook/screens.ts';
import { exportsOf } from '../workbook/sources.ts';
import { skeletonOf } from './skeleton.ts';
import { todosIn } from './stub.ts';
import { SmallWorkbook } from './workbook.fixture.ts';

const files = skeletonOf({ id: '99-lease-keeper', noun: 'lease-keeper' });

describe('kata new', () => {
  test('writes the three folders of a kata, and says which rows to add', async () => {
    using workbook = new SmallWorkbook();
    const { code, out, err } = await workbook.kata('new', '99-lease-keeper');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const file of files.keys()) {
      expect(existsSync(path.join(workbook.root, file)), file).toBe(true);
      expect(out).toContain(`  ${file}`);
    }
    expect(out).toContain(
      "harness/cluster/component-table.ts, { kata: '99-lease-keeper', subject: 'leaseKeeper' }",
    );
    const kata = listKatas(workbook.root).find(({ id }) => id === '99-lease-keeper');
    expect(kata?.noun).toBe('lease-keeper');
    expect(listSolutions(workbook.root).flatMap(solutionProblems)).toEqual([]);
    expect(screenProblems(workbook.root, kata ?? { id: '', noun: '' })).not.toEqual([]);
    expect((await workbook.kata('99')).out).toContain('1 function to write');
  });

  test.each(['kubelet', '4-kubelet', '41', '41-Kubelet', '../41-kubelet'])(
    'takes no other name: %s',
    async (name) => {
      using workbook = new SmallWorkbook();
      expect((await workbook.kata('new', name)).err).toMatch(
        /^Failed to make kata .*Type two digits and a noun/,
      );
    },
  );

  test('overwrites nothing', async () => {
    using workbook = new SmallWorkbook();
    expect((await workbook.kata('new', '21-counter')).err).toBe(
      'Failed to make kata 21-counter: katas/21-counter is there already. Nothing was written.',
    );
  });
});

describe('The skeleton', () => {
  const sources = [...files].map(([file, text]) => ({ file, text }));

  test('says in every file that an author has to fill what to write there', () => {
    const marked = new Set(sources.flatMap(leftToAuthors).map((place) => place.replace(/:\d+ .*/, '')));
    const whole = [...files.keys()].filter((file) => !marked.has(file));
    expect(whole).toEqual([
      'harness/laws/99-lease-keeper/index.ts',
      'harness/laws/99-lease-keeper/golden/screens.json',
    ]);
  });

  test('exports from its stub what its solution exports, and leaves it to be written', () => {
    const of = (file: string) => ({ file, text: files.get(file) ?? '' });
    const stub = of('katas/99-lease-keeper/lease-keeper.ts');
    expect(exportsOf(stub)).toEqual(['leaseKeeper']);
    expect(exportsOf(of('solutions/99-lease-keeper/lease-keeper.ts'))).toEqual(['leaseKeeper']);
    expect(todosIn(stub.text)).toEqual([{ symbol: 'leaseKeeper', heading: 'Level 1' }]);
  });

  test('enters the harness by its doors', () => {
    const outside = sources.filter(({ file }) => file.endsWith('.ts') && !file.startsWith('harness/'));
    expect(outside.flatMap(doorViolations)).toEqual([]);
  });
});
