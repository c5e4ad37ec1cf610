import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { judgedKata, type Kata } from '../workbook/katas.ts';
import { mistakes } from './fixtures/judged/solutions/01-counter/mistakes.ts';
import { KataModules, type Subject } from './judge-modules.ts';
import { ENDLESS, type Outcome, PASSED, probe, UNKNOWN } from './probe.ts';

const root = path.join(import.meta.dirname, 'fixtures/judged');
const kata = judgedKata(root, '01-counter') as Kata;
const modules = new KataModules(root, (what) => import(what));
const LAW = 'Lossless: what goes in comes out';

// Probes change the settings of all properties in this process.
const settings = fc.readConfigureGlobal();
afterAll(() => fc.configureGlobal(settings));

async function outcomesOf(subject: Subject, tests: readonly string[] = [LAW]): Promise<readonly Outcome[]> {
  const probes = tests.flatMap((name) =>
    ['0', '1'].map((input) => ({ test: name, seed: 7, input: { path: input } })),
  );
  return await probe(modules, kata, subject, probes);
}

const mistake = (wanted: string): Subject => {
  const change = mistakes.find(({ id }) => id === wanted);
  return change ? { kind: 'mistake', change } : expect.fail(`The fixture has no mistake ${wanted}.`);
};

describe('A probe', () => {
  test('passes on the reference', async () => {
    expect(await outcomesOf({ kind: 'reference' })).toEqual([PASSED, PASSED]);
  });

  test('has the same outcome for each failure of the same kind', async () => {
    const [first, second] = await outcomesOf(mistake('adds-one'));
    expect(first).toBe('AssertionError: expected # to be # Object.is equality');
    expect(second).toBe(first);
  });

  test('has a separate outcome for code that never ends', async () => {
    expect(await outcomesOf(mistake('never-settles'))).toEqual([ENDLESS, ENDLESS]);
  });

  test('has no result for an unwritten function, or for a test that does not exist', async () => {
    expect(await outcomesOf({ kind: 'stub' })).toEqual([UNKNOWN, UNKNOWN]);
    expect(await outcomesOf({ kind: 'reference' }, ['Gone'])).toEqual([UNKNOWN, UNKNOWN]);
  });
});
