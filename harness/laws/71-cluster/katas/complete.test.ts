import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesIn } from '../../../workbook/katas.ts';
import { katasInCluster } from './index.ts';

const laws = path.resolve(import.meta.dirname, '../..');

/** The folders of laws that judge no whole cluster, with the reason. */
const NOT_JUDGING: Readonly<Record<string, string>> = {
  '71-cluster': 'its own laws stand in laws/index.ts',
  scheduling: 'the parts that the katas of scheduling share, without laws',
};

test('the laws of every kata judge a whole cluster, or the reason stands here', () => {
  const folders = filesIn(laws).filter((folder) => NOT_JUDGING[folder] === undefined);
  const judging = katasInCluster.map(({ kata }) => kata);
  expect(folders.filter((folder) => !judging.includes(folder))).toEqual([]);
  expect(judging.filter((kata) => !folders.includes(kata))).toEqual([]);
});

test.each(katasInCluster)('judges by each law of $kata, or says why not', async ({ kata, ...judged }) => {
  const sets = filesIn(path.join(laws, kata)).filter(
    (name) => name !== 'laws' && fileOf(kata, name) !== undefined,
  );
  const own = await namesIn(fileOf(kata) ?? '');
  // A second set of laws has its name before the name of each law: `node heartbeats`.
  const others = await Promise.all(
    sets.map(async (set) => (await namesIn(fileOf(kata, set) ?? '')).map((name) => `${set} ${name}`)),
  );
  const names = [...Object.keys(judged.laws), ...Object.keys(judged.leftOut)];
  expect(names.toSorted()).toEqual([...own, ...others.flat()].toSorted());
});

/** Returns the file of a set of laws; undefined if there is none. */
function fileOf(kata: string, set = ''): string | undefined {
  const files = ['laws/index.ts', 'laws.ts'].map((name) => path.join(laws, kata, set, name));
  return files.find((file) => existsSync(file));
}

/** Returns the names of the laws that a file exports, alone or in a group. */
async function namesIn(file: string): Promise<readonly string[]> {
  const exported = (await import(/* @vite-ignore */ file)) as Readonly<Record<string, object>>;
  return Object.entries(exported).flatMap(([name, value]) =>
    typeof value === 'function' || 'violation' in value ? [name] : Object.keys(value),
  );
}
