import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readFailedLaws } from '../workbook/failed-laws.ts';
import { readVerdict } from '../workbook/verdict.ts';
import { type FixtureRun, runFixture } from './fixtures/run-fixture.ts';

describe('A run', () => {
  let run: FixtureRun;
  beforeAll(async () => {
    run = await runFixture('levels', [], { KATA_STALL_MS: '1000', KATA_CPU_MS: '2000' });
  });

  /** The screen of one kata of the run. */
  const screenOf = (kata: string): string =>
    run.output
      .split(/\n(?= \d\d-)/)
      .find((screen) => screen.trim().startsWith(kata))
      ?.trim() ?? '';

  test.each([
    ['ends with the first level that has a failure', '01-begun'],
    ['has the laws of a component that does without its levels', '02-free'],
    ['has optional levels last, and waits for none of them', '03-optional'],
    ['keeps the results when its process ends, and says what ended it', '04-ends'],
    ['skips a level whose stub throws where nothing catches it', '05-escapes'],
    ['has no law that does without a function which it needs', '06-hidden'],
    [
      'names the function to write where nothing caught it, and where a design of your own begins',
      '07-callbacks',
    ],
    ['is not about a function of a later level that a loop meets', '08-later'],
    ['runs the optional laws of another design, and says which of them it does not keep', '09-own-design'],
    ['says first what a law found, and then which laws never met their situation', '10-not-met'],
    ['says which scenario does not end, and blames no law', '11-spins'],
    ['has its own mark for a test that used up its CPU time', '12-slow'],
    ['says where a module waits that never finishes loading', '13-never-loads'],
  ])('%s', async (_, kata) => {
    await expect(screenOf(kata)).toMatchFileSnapshot(`fixtures/levels/${kata.slice(3)}.txt`);
  });

  test('is recorded as a verdict', () => {
    const root = path.join(import.meta.dirname, 'fixtures/levels');
    expect(run.exitCode).toBe(1);
    expect(readVerdict(root, '01-begun')?.levels).toMatchObject([
      { name: 'Level 1 · One', passed: 1, failed: 0, notRun: 0, todo: 0 },
      { name: 'Level 2 · Two', passed: 1, failed: 1, notRun: 0, todo: 0 },
      { name: 'Level 3 · Three', passed: 0, failed: 0, notRun: 1, todo: 0 },
    ]);
    expect(
      readVerdict(root, '01-begun')?.levels.map(({ tests }) => tests?.map(({ state }) => state)),
    ).toEqual([['passed'], ['failed', 'passed'], ['notRun']]);
    expect(readVerdict(root, '12-slow')?.laws).toMatchObject([
      {
        passed: 0,
        failed: 0,
        undecided: 1,
        notRun: 1,
        tests: [
          { name: 'Long: a law may take its time', state: 'undecided' },
          { name: 'Next: the law after it does not run', state: 'notRun' },
        ],
      },
    ]);
  });

  test('notes the failed laws in the order of the screen, with the smallest input of a property, but no undecided one', () => {
    const root = path.join(import.meta.dirname, 'fixtures/levels');
    expect(readFailedLaws(root, '10-not-met')?.laws).toEqual([
      {
        test: 'The laws of sums > Whole: nothing is left out',
        input: { seed: 20_240, path: '0:0:1', workload: 'few numbers' },
      },
      {
        test: 'The laws of sums > Whole again: nothing is left out',
        input: { seed: 20_240, path: '0:0:1' },
      },
      { test: 'The laws of sums > Large: sums grow' },
    ]);
    expect(readFailedLaws(root, '12-slow')?.laws).toEqual([]);
  });

  test('blocks nothing when a law runs by name', async () => {
    const { output } = await runFixture('levels', ['katas/01', '-t', 'Whole']);
    expect(output).toMatch(/The laws of sums +✓ {2}1\/1/);
  });

  test('skips the laws when a level runs by name', async () => {
    const { output } = await runFixture('levels', ['katas/01', '-t', 'Level 1']);
    expect(output).toMatch(/Level 1 · One +✓ {2}1\/1/);
    expect(output).toMatch(/Level 2 · Two +·· {2}not run/);
    expect(output).toMatch(/Laws +not run/);
    expect(output).toMatch(/These tests pass\. The laws did not run\./);
    expect(output).toMatch(/^1 passed, 0 failed, 3 skipped$/m);
  });
});
