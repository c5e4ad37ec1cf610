import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../workbook/run-command-line.ts';
import { root } from '../workbook/sources.ts';
import { vitestRun } from './run-command.ts';
import { failureOf } from './screen.fixture.ts';

describe('kata run', () => {
  test('runs the tests of one kata once, or after each save', () => {
    expect(vitestRun(root, ['41'])).toEqual({ args: ['run', 'katas/41-kubelet/'], env: {} });
    expect(vitestRun(root, ['41-kubelet', '--watch']).args).toEqual(['watch', 'katas/41-kubelet/']);
  });

  test('passes seed, runs and names to Vitest', () => {
    const words = ['33', '--seed', '7', '--runs', '1000', '--only', 'Never (twice)? [x]'];
    expect(vitestRun(root, words)).toEqual({
      args: ['run', 'katas/33-bind/', '-t', 'Never \\(twice\\). \\[x\\]'],
      env: { KATA_SEED: '7', KATA_RUNS: '1000' },
    });
  });

  test('runs the reference, with a mistake or a variant', () => {
    const args = ['run', 'katas/51-ipam/', '--project', 'solutions'];
    expect(vitestRun(root, ['51', '--solutions'])).toEqual({ args, env: {} });
    expect(vitestRun(root, ['51', '--mistake', 'no-undo'])).toEqual({
      args,
      env: { KATA_MISTAKE: 'no-undo' },
    });
    expect(vitestRun(root, ['51', '--variant', 'odd']).env).toEqual({ KATA_VARIANT: 'odd' });
    expect(vitestRun(root, ['44']).args).toEqual(['run', 'solutions/44-volumes/', '--project', 'solutions']);
  });

  test("passes the files of the learner's components", () => {
    expect(JSON.parse(vitestRun(root, ['24', '--mine']).env.KATA_MINE ?? '')).toEqual({});
  });

  test('rejects unknown katas and options, and prints the valid ones', () => {
    expect(failureOf(() => vitestRun(root, ['99']))).toMatch(
      /^Failed to run 99: that kata does not exist\. The katas are: 11-apply, 12-store, 13-/,
    );
    expect(failureOf(() => vitestRun(root, ['51', '--sed', '1']))).toContain('--seed 7');
    expect(failureOf(() => vitestRun(root, ['51', '--seed', 'x']))).toContain(
      '--seed takes a whole number, not "x"',
    );
    expect(failureOf(() => vitestRun(root, []))).toContain('it takes one kata');
  });

  test('is printed in a form that every shell passes on unchanged', () => {
    const command = runCommandLine({ kata: '03', only: 'costs "$5" & 100%', seed: 7, mistake: 'dear' });
    expect(command).toBe('npm run kata -- run 03 --only "costs ??5? & 100?" --seed 7 --mistake dear');
  });
});
