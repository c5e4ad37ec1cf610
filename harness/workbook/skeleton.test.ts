import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { listKatasWithoutCode } from './katas.ts';
import { root } from './sources.ts';

/** The names that CONTRIBUTING.md explains. Each is a file, or a folder with several. */
const NAMES = [
  'environment',
  'golden',
  'history',
  'laws',
  'levels',
  'operations',
  'oracle',
  'real',
  'render',
  'scenario',
  'simulation',
  'workloads',
];

const laws = path.join(root, 'harness/laws');
const katas = readdirSync(laws);
const withoutCode = listKatasWithoutCode(root).map(({ id }) => id);

/** Sets of laws about a second subject, with the same names. */
const SETS = ['12-store/objects', '13-access/aggregation', '41-kubelet/eviction', '41-kubelet/node'];

/** The other parts of a kata without code: its laws run the components of all katas, and name the culprit. */
const OF_CLUSTER = ['culprit', 'holds-in-cluster', 'judged', 'katas', 'kept-scenarios', 'objects', 'traffic'];

describe.each([...katas, ...SETS])('The laws of %s', (id) => {
  const files = readdirSync(path.join(laws, id));
  const isShared = (file: string): boolean =>
    [...NAMES, ...(withoutCode.includes(id) ? OF_CLUSTER : [])].includes(
      file.replace(/(\.nightly)?(\.test)?\.ts$/, ''),
    ) || /^(index|.*\.bench)\.ts$|^README\.md$/.test(file);

  test('stand under the names that all katas share', () => {
    expect(files.filter((file) => !isShared(file) && !SETS.includes(`${id}/${file}`))).toEqual([]);
  });
});

test.each(katas)('The laws of %s have an entry point', (id) => {
  expect(readdirSync(path.join(laws, id))).toContain('index.ts');
});
