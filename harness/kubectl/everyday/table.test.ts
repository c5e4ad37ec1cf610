import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { everyday } from './index.ts';
import { not, partly, prepare, works } from './row.ts';
import { kubectlTable } from './table.ts';

const file = path.resolve(import.meta.dirname, '../../../docs/kubectl.md');

test('docs/kubectl.md is the output of npm run kubectl', async () => {
  expect(kubectlTable(everyday)).toBe(await readFile(file, 'utf8'));
});

test('The table lists most everyday commands', () => {
  expect(everyday.flatMap(({ rows }) => rows).filter(({ hidden }) => !hidden).length).toBeGreaterThan(150);
});

test('The table has the result of each command, without preparations', () => {
  const rows = [works('kubectl a | b'), partly('kubectl c', 'no d'), not('kubectl e', 'no f'), prepare('g')];
  const table = kubectlTable([{ title: 'Letters', rows }]);
  expect(table).toContain(
    'With `npm run cluster`, 1 work as on a real cluster,\n1 partly, and 1 not at all.',
  );
  expect(table.slice(table.indexOf('## '))).toBe(
    [
      '## Letters',
      '',
      '| command | here |',
      '|---|---|',
      '| `kubectl a \\| b` | works |',
      '| `kubectl c` | partly: no d |',
      '| `kubectl e` | not: no f |',
      '',
    ].join('\n'),
  );
});
