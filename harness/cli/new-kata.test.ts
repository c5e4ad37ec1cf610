import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { leftToAuthors } from '../workbook/authors.ts';
import { staleFiles } from '../workbook/derived.ts';
import { listKatas, listSolutions, solutionProblems } from '../workbook/katas.ts';
import { entryPointViolations, layerViolations } from '../workbook/layers.ts';
import { exportsOf } from '../workbook/sources.ts';
import { todosIn } from '../workbook/stub.ts';
import { skeletonOf } from './skeleton.ts';
import { SmallWorkbook } from './workbook.fixture.ts';

const ID = '99-lease-keeper';
const files = skeletonOf({ id: ID, noun: 'lease-keeper' });
const listed = (workbook: SmallWorkbook) => workbook.read('README.md').includes(`| [${ID}]`);

/** A workbook whose README has a table of katas. */
function workbookWithTable(): SmallWorkbook {
  const workbook = new SmallWorkbook();
  workbook.write('README.md', '<!-- katas -->\n<!-- /katas -->\n');
  return workbook;
}

describe('kata new', () => {
  test('writes the files of a kata, and lists it', async () => {
    using workbook = workbookWithTable();
    const { code, out, err } = await workbook.kata('new', ID);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const file of files.keys()) {
      expect(existsSync(path.join(workbook.root, file)), file).toBe(true);
      expect(out).toContain(`  ${file}`);
    }
    expect(listKatas(workbook.root).find(({ id }) => id === ID)?.noun).toBe('lease-keeper');
    expect(listSolutions(workbook.root).flatMap(solutionProblems)).toEqual([]);
    expect(staleFiles(workbook.root)).toEqual([]);
    expect(listed(workbook)).toBe(true);
    expect(workbook.read('harness/contracts/components/index.ts')).toContain(
      `import { leaseKeeper } from './${ID}.ts';`,
    );
    expect(workbook.read('solutions/components.ts')).toContain(
      `import { leaseKeeper } from './${ID}/lease-keeper.ts';`,
    );
    expect((await workbook.kata('99')).out).toContain('2 functions to write');
  });

  test.each(['kubelet', '4-kubelet', '41', '41-Kubelet', '../41-kubelet'])(
    'rejects the name %s',
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
      'Failed to make kata 21-counter: katas/21-counter exists. Nothing was written.',
    );
  });
});

describe('kata remove', () => {
  test('deletes a new kata, and removes it from the lists', async () => {
    using workbook = workbookWithTable();
    await workbook.kata('new', ID);
    const { code, out } = await workbook.kata('remove', ID);
    expect({ code, removed: out.match(/^Deleted /gm)?.length }).toEqual({ code: 0, removed: 4 });
    expect([...files.keys()].filter((file) => existsSync(path.join(workbook.root, file)))).toEqual([]);
    expect(staleFiles(workbook.root)).toEqual([]);
    expect(listed(workbook)).toBe(false);
  });

  test('keeps a kata that git tracks', async () => {
    using workbook = new SmallWorkbook();
    expect((await workbook.kata('remove', '21-counter')).err).toMatch(
      /^Failed to remove kata 21-counter: git tracks katas\/21-counter\. /,
    );
    expect(existsSync(path.join(workbook.root, 'katas/21-counter'))).toBe(true);
  });

  test.each(['99-none', '..', 'katas'])('rejects the name %s', async (name) => {
    using workbook = new SmallWorkbook();
    expect((await workbook.kata('remove', name)).err).toMatch(/no kata has that name/);
  });
});

describe('kata index', () => {
  test('names the row whose subject no solution exports', async () => {
    using workbook = workbookWithTable();
    await workbook.kata('new', ID);
    workbook.write(`solutions/${ID}/lease-keeper.ts`, 'export const other = 1;\n');
    expect((await workbook.kata('index')).err).toContain(
      `no file of solutions/${ID} exports leaseKeeper, the subject of leaseKeeper`,
    );
  });
});

describe('The skeleton', () => {
  const sources = [...files].map(([file, text]) => ({ file, text }));

  test('marks every file that its author replaces, except the lists', () => {
    const marked = new Set(sources.flatMap(leftToAuthors).map((place) => place.replace(/:\d+ .*/, '')));
    expect([...files.keys()].filter((file) => !marked.has(file))).toEqual([
      `harness/laws/${ID}/golden/screens.json`,
      `harness/laws/${ID}/index.ts`,
    ]);
  });

  test('has a value for each of its placeholders', () => {
    const left = sources.filter(({ file, text }) => /\{\{|NN-name|^undefined/m.test(file + text));
    expect(left.map(({ file }) => file)).toEqual([]);
  });

  test('exports the same names from its stub and its solution, and leaves the stub unwritten', () => {
    const of = (file: string) => ({ file, text: files.get(file) ?? '' });
    const stub = of(`katas/${ID}/lease-keeper.ts`);
    const exported = ['leaseKeeper', 'leaseKeeperAnnotation'];
    expect(exportsOf(stub)).toEqual(exported);
    expect(exportsOf(of(`solutions/${ID}/lease-keeper.ts`))).toEqual(exported);
    expect(
      todosIn(stub.text)
        .map(({ symbol }) => symbol)
        .toSorted(),
    ).toEqual(exported);
  });

  test('imports the harness only by its entry points, and imports only lower layers', () => {
    const outside = sources.filter(({ file }) => file.endsWith('.ts') && !file.startsWith('harness/'));
    expect(outside.flatMap(entryPointViolations)).toEqual([]);
    const inside = sources.filter(({ file }) => file.endsWith('.ts') && file.startsWith('harness/'));
    expect(inside.flatMap(layerViolations)).toEqual([]);
  });
});
