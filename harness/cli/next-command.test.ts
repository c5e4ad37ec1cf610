import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { listKatas } from '../workbook/katas.ts';
import { root } from '../workbook/sources.ts';
import { hashOfKata, writeVerdict } from '../workbook/verdict.ts';
import { readKatas } from './katas.ts';
import { findPath, PATHS } from './paths.ts';
import { HALF, ORIGINAL, SmallWorkbook, STUB } from './workbook.fixture.ts';

/** Returns a workbook with kata 21-counter and these katas, which have short ways. */
function withKatas(...ids: readonly string[]): SmallWorkbook {
  const workbook = new SmallWorkbook();
  for (const id of ids) {
    workbook.write(`katas/${id}/counter.ts`, ORIGINAL.replaceAll('21-counter', id));
    workbook.write(`katas/${id}/counter.test.ts`, '');
    workbook.write(`katas/${id}/SHORT.md`, '');
  }
  workbook.commit();
  return workbook;
}

function finish({ root }: SmallWorkbook, ...ids: readonly string[]): void {
  const laws = [{ name: 'The laws', optional: false, passed: 1, failed: 0, notRun: 0, todo: 0 }];
  for (const id of ids) writeVerdict(root, id, { levels: [], laws, at: hashOfKata(root, id) });
}

const lines = async (workbook: SmallWorkbook, ...words: readonly string[]): Promise<readonly string[]> =>
  (await workbook.kata('next', ...words)).out.split('\n');

const INDEPENDENT =
  'Or begin with any other kata: the reference plays every component that you have not built.';
const beginWith = (id: string): readonly string[] => [
  `Begin with katas/${id}/README.md, and run`,
  `  npx vitest katas/${id}`,
  INDEPENDENT,
];
const beginShortly = (id: string): readonly string[] => [
  `Begin with ${id}, by its short way:`,
  `  npm run kata -- start ${id.slice(0, 2)} --short`,
];

describe('npm run kata -- next', () => {
  test('goes through all katas, if no path was chosen', async () => {
    using workbook = withKatas('22-workqueue', '24-deployment');
    expect(await lines(workbook)).toEqual(['Kata 1 of 3', ...beginWith('21-counter')]);
    finish(workbook, '21-counter', '22-workqueue');
    expect(await lines(workbook)).toEqual(['Kata 3 of 3', ...beginWith('24-deployment')]);
    finish(workbook, '24-deployment');
    expect(await lines(workbook)).toEqual([
      'Every kata is done. Run your own cluster:',
      '  npm start -- --mine',
    ]);
  });

  test('begins with kata 21, and goes on to the katas before it at the end', async () => {
    using workbook = withKatas('13-access', '22-workqueue');
    expect(await lines(workbook)).toEqual(['Kata 1 of 3', ...beginWith('21-counter')]);
    expect((await workbook.kata()).out).toContain('Begin with katas/21-counter/README.md');
    finish(workbook, '21-counter', '22-workqueue');
    expect(await lines(workbook)).toEqual(['Kata 3 of 3', ...beginWith('13-access')]);
  });

  test('follows a path by the short ways of its katas', async () => {
    using workbook = withKatas('22-workqueue', '23-replicaset', '24-deployment');
    const header = (kata: number) => `Kata ${kata} of 2 on the path "afternoon"`;
    expect(await lines(workbook, 'afternoon')).toEqual([header(1), ...beginShortly('22-workqueue')]);
    workbook.write('katas/22-workqueue/counter.ts', HALF.replaceAll('21-counter', '22-workqueue'));
    expect(await lines(workbook)).toEqual([
      header(1),
      'You left off at 22-workqueue:',
      '  npx vitest katas/22-workqueue',
    ]);
    finish(workbook, '22-workqueue');
    expect(await lines(workbook)).toEqual([header(2), ...beginShortly('23-replicaset')]);
    finish(workbook, '23-replicaset');
    expect(await lines(workbook)).toEqual([
      'Every kata of the path "afternoon" is done. Run your own cluster:',
      '  npm start -- --mine',
      'Or go on with all katas:',
      '  npm run kata -- next all',
    ]);
  });

  test('begins with a whole kata if it has no short way', async () => {
    using workbook = withKatas('22-workqueue');
    const [header, ...begin] = await lines(workbook, 'two-days');
    expect(header).toBe('Kata 1 of 2 on the path "two-days"');
    expect([...begin, INDEPENDENT]).toEqual(beginWith('21-counter'));
  });

  test('ignores a started kata that is not on the path', async () => {
    using workbook = withKatas('22-workqueue');
    workbook.write(STUB, HALF);
    expect(await lines(workbook, 'afternoon')).toEqual(beginShortly('22-workqueue'));
    expect(await lines(workbook, 'all')).toContain('You left off at 21-counter:');
  });

  test('remembers the path, for the list of katas too', async () => {
    using workbook = withKatas('22-workqueue');
    const chosen = await lines(workbook, 'two-days');
    expect(chosen[0]).toBe('Kata 1 of 2 on the path "two-days"');
    expect(await lines(workbook)).toEqual(chosen);
    expect((await workbook.kata()).out.split('\n\n')[1]).toBe(chosen.join('\n'));
  });

  test('names the command that restores a deleted stub', async () => {
    using workbook = withKatas('22-workqueue');
    workbook.remove(STUB);
    expect(await lines(workbook)).toEqual([
      'Kata 1 of 2',
      'katas/21-counter/counter.ts is deleted. Restore it:',
      '  npm run kata -- reset 21',
    ]);
  });

  test('rejects an unknown path, and keeps the chosen one', async () => {
    using workbook = withKatas('22-workqueue');
    const chosen = await lines(workbook, 'two-days');
    expect(await workbook.kata('next', 'aftenoon')).toEqual({
      code: 1,
      out: '',
      err: 'Failed to find the path "aftenoon": no path has that name. Did you mean "afternoon"? The paths are: afternoon, two-days, all.',
    });
    expect(await lines(workbook)).toEqual(chosen);
  });

  test('goes through all katas if the recorded path no longer exists', async () => {
    using workbook = withKatas('22-workqueue');
    workbook.write('node_modules/.cache/kubernetes-katas/path.json', '"constructor"');
    expect(await lines(workbook)).toContain('Kata 1 of 2');
  });

  test('says so if no katas exist', async () => {
    using workbook = new SmallWorkbook();
    workbook.remove('katas');
    expect(await lines(workbook)).toEqual(['There are no katas yet.']);
  });
});

test('README.md recommends the kata that next begins with', () => {
  const [, recommended] =
    /^npx vitest katas\/(\S+)$/m.exec(readFileSync(path.join(root, 'README.md'), 'utf8')) ?? [];
  expect(findPath('all', readKatas(root)).katas[0]?.id).toBe(recommended);
});

test('Every path names existing katas, in order', () => {
  const all = listKatas(root).map(({ id }) => id);
  for (const [name, { ids = all }] of Object.entries(PATHS)) {
    expect(ids.length, name).toBeGreaterThan(0);
    expect(
      all.filter((id) => ids.includes(id)),
      name,
    ).toEqual(ids);
  }
});
