import { describe, expect, test } from 'vitest';
import { Failure } from './failure.ts';
import { nightlyParts, runNightly } from './nightly-command.ts';

const parts = [
  { name: 'judge', command: 'npm run judge' },
  { name: 'soak', command: 'npm run soak', env: { KATA_SEED: '7' } },
  { name: 'fuzz', command: 'npm run fuzz' },
];

/** Runs the parts with these names. Each command takes half a minute, and the `failing` commands exit with 2. */
async function night(names: readonly string[], failing: readonly string[] = []) {
  const printed: string[] = [];
  const ran: string[] = [];
  let nowMs = 0;
  const failure = await runNightly(parts, names, {
    terminal: { print: (line) => printed.push(line), complain: () => {} },
    nowMs: () => nowMs,
    run: async ({ command }) => {
      ran.push(command);
      nowMs += 30_000;
      return failing.includes(command) ? 2 : 0;
    },
  }).catch((error: unknown) => error);
  return { printed, ran, failure };
}

describe('npm run nightly', () => {
  test('runs every part, and prints a line for each at the end', async () => {
    const { printed, failure } = await night([]);
    expect(printed.slice(-3)).toEqual([
      'passed    0.5 min  npm run judge',
      'passed    0.5 min  npm run soak',
      'passed    0.5 min  npm run fuzz',
    ]);
    expect(failure).toBeUndefined();
  });

  test('continues after a failed part, and fails at the end', async () => {
    const { printed, ran, failure } = await night([], ['npm run judge']);
    expect(ran).toEqual(parts.map(({ command }) => command));
    expect(printed.at(-3)).toBe('FAILED    0.5 min  npm run judge');
    expect(failure).toBeInstanceOf(Failure);
    expect((failure as Failure).message).toBe(
      'Failed to pass the nightly run: 1 of 3 parts failed. Run one again with npm run nightly -- judge.',
    );
  });

  test('runs the named parts alone', async () => {
    expect((await night(['soak'])).ran).toEqual(['npm run soak']);
  });

  test('rejects an unknown part before it runs any', async () => {
    const { ran, failure } = await night(['judge', 'moon']);
    expect(ran).toEqual([]);
    expect((failure as Failure).message).toBe(
      'Failed to run moon: the nightly run has no such part. Its parts are judge, soak, fuzz.',
    );
  });

  test('prints each command before it runs, with its settings', async () => {
    const { printed } = await night([]);
    expect(printed.slice(0, 3)).toEqual([
      '\n$ npm run judge',
      '\n$ npm run soak  KATA_SEED=7',
      '\n$ npm run fuzz',
    ]);
  });

  test('gives each part a unique name', () => {
    const names = nightlyParts(1).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
