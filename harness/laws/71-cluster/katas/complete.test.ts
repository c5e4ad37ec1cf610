import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { katasInCluster } from './index.ts';

const folder = path.resolve(import.meta.dirname, '../..');

/** Returns the file with the laws of a kata; undefined for a folder without such a file. */
function lawsFile(kata: string): string | undefined {
  return ['laws/index.ts', 'laws.ts'].map((file) => path.join(folder, kata, file)).find(existsSync);
}

const judged = katasInCluster.map(({ kata }) => kata);
/** The folders whose laws are those of the whole cluster itself, or shared by other folders. */
const SHARED = ['71-cluster', 'scheduling'];

test('A whole cluster is judged by the laws of every kata', () => {
  const withLaws = readdirSync(folder).filter((kata) => lawsFile(kata) && !SHARED.includes(kata));
  expect(judged).toEqual(expect.arrayContaining(withLaws));
});

describe('A whole cluster is judged by each law of a kata, or the reason why not is named', () => {
  test.each(judged)('%s', async (kata) => {
    const file = lawsFile(kata);
    const all = file ? ((await import(pathToFileURL(file).href)) as object) : {};
    const { laws = {}, leftOut = {} } = katasInCluster.find((each) => each.kata === kata) ?? {};
    expect([...Object.keys(laws), ...Object.keys(leftOut)].toSorted()).toEqual(Object.keys(all).toSorted());
  });
});
