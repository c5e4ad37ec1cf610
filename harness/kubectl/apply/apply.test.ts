import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { courseOfApply } from './component-apply.ts';
import { differences } from './differences.ts';
import { GOLDEN, goldenFile, goldenText } from './golden.ts';
import type { ApplyRow } from './row.ts';
import { otherRows, recordedRows } from './rows.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** Returns the requests and the words of the component, and those of kubectl. */
async function both(row: ApplyRow): Promise<{ readonly ours: string; readonly kubectl: string }> {
  const ours = goldenText(row, await courseOfApply(components.apply, row));
  return { ours, kubectl: readFileSync(goldenFile(row), 'utf8') };
}

/** Returns the lines that only one of two texts has. */
function differing({
  ours,
  kubectl,
}: {
  readonly ours: string;
  readonly kubectl: string;
}): readonly string[] {
  const only = (text: string, other: string): readonly string[] =>
    text.split('\n').filter((line) => !other.split('\n').includes(line));
  return [
    ...only(kubectl, ours).map((line) => `kubectl: ${line}`),
    ...only(ours, kubectl).map((line) => `here:    ${line}`),
  ];
}

const isEqual = ({ name }: ApplyRow): boolean => !(name in differences);

describe('An apply sends the recorded requests of kubectl, with its words', () => {
  test.each(recordedRows.filter(isEqual))('for $name', async (row) => {
    const { ours, kubectl } = await both(row);
    expect(ours).toBe(kubectl);
  });
});

test('Every other difference from kubectl has a reason', async () => {
  const said: string[] = [];
  for (const row of recordedRows.filter((each) => !isEqual(each))) {
    const lines = differing(await both(row));
    expect(lines, `${row.name} is equal: remove its reason.`).not.toEqual([]);
    said.push(`# ${row.name}: ${differences[row.name]}`, ...lines, '');
  }
  await expect(said.join('\n')).toMatchFileSnapshot(path.join(import.meta.dirname, 'differences.txt'));
});

test('Every row has a unique name, and every recorded row has a file', () => {
  const names = [...recordedRows, ...otherRows].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const files = readdirSync(GOLDEN).filter((file) => file.endsWith('.txt'));
  expect(files.sort()).toEqual(recordedRows.map(({ name }) => `${name}.txt`).sort());
  expect(Object.keys(differences).filter((name) => !names.includes(name))).toEqual([]);
});
