import { expect, test } from 'vitest';
import { hashOfKata, readVerdict, writeVerdict } from '../workbook/verdict.ts';
import { SmallWorkbook, STUB } from './workbook.fixture.ts';

const LAWS = 'katas/71-cluster/cluster.properties.test.ts';

/** A workbook whose second kata has only laws. */
function withCluster(): SmallWorkbook {
  const workbook = new SmallWorkbook();
  workbook.write(LAWS, '');
  workbook.write('katas/71-cluster/README.md', '# Kata 71 · Your cluster\n\nAll together.\n');
  return workbook;
}

/** Records that the law of the kata held, or failed, with the current code. */
function ran(workbook: SmallWorkbook, result: 'passed' | 'failed'): void {
  const none = { passed: 0, failed: 0, undecided: 0, notRun: 0, todo: 0 };
  const laws = [{ name: 'The law', optional: false, ...none, [result]: 1 }];
  writeVerdict(workbook.root, '71-cluster', {
    levels: [],
    laws,
    at: hashOfKata(workbook.root, '71-cluster'),
  });
}

test('the list shows a kata without code, with the result of its laws', async () => {
  using workbook = withCluster();
  expect((await workbook.kata()).out).toContain('· 71-cluster  not run  runs your components');
  ran(workbook, 'failed');
  expect((await workbook.kata()).out).toContain('✗ 71-cluster  fails  runs your components');
  ran(workbook, 'passed');
  expect((await workbook.kata()).out).toContain('✓ 71-cluster  done  runs your components');
});

test('a change of any component makes the result out of date', async () => {
  using workbook = withCluster();
  ran(workbook, 'passed');
  workbook.write(STUB, `${workbook.read(STUB)}\n// changed\n`);
  expect(readVerdict(workbook.root, '71-cluster')).toBeDefined();
  expect((await workbook.kata()).out).toContain('· 71-cluster  not run  runs your components');
});

test('the kata has a page, and is found by number and name', async () => {
  using workbook = withCluster();
  const page = [
    'Kata 71 · Your cluster',
    '· 71-cluster  not run  runs your components',
    '',
    'Read katas/71-cluster/README.md, and run',
    '  npx vitest katas/71-cluster',
  ].join('\n');
  expect((await workbook.kata('71')).out).toBe(page);
  expect((await workbook.kata('cluster')).out).toBe(page);
});

test.each([
  ['hint', '71', '2'],
  ['start', '71', '--short'],
  ['solution', '71'],
  ['diff', '71'],
  ['reset', '71'],
])('a command about code explains that the kata has none: %s', async (...words) => {
  using workbook = withCluster();
  const { code, err } = await workbook.kata(...words);
  expect(code).toBe(1);
  expect(err).toBe(
    'Failed to find the code of 71-cluster: it has none, and runs the components of the other katas. Run npx vitest katas/71-cluster.',
  );
});

test('next ends with the kata without code, until its laws hold', async () => {
  using workbook = withCluster();
  finish(workbook);
  const then = 'Then read katas/71-cluster/README.md, and run\n  npx vitest katas/71-cluster';
  expect((await workbook.kata('next')).out).toContain(then);
  ran(workbook, 'passed');
  expect((await workbook.kata('next')).out).not.toContain('71-cluster');
});

/** Records the other kata as done. */
function finish(workbook: SmallWorkbook): void {
  const group = { name: 'Laws', optional: false, passed: 1, failed: 0, undecided: 0, notRun: 0, todo: 0 };
  workbook.write(STUB, 'export {};\n');
  const at = hashOfKata(workbook.root, '21-counter');
  writeVerdict(workbook.root, '21-counter', { levels: [], laws: [group], at });
}
