import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../workbook/sources.ts';

describe('A soak', () => {
  test.concurrent('tries the reference and each variant, and prints the number of runs of each', async () => {
    const { exitCode, output } = await soak('judged');
    expect(output.split('\n').map((line) => line.replace(/ +\d+ s$/, ''))).toEqual([
      '01-counter  reference  100 runs  1 seeds',
      '01-counter  subtracts  100 runs  1 seeds',
      '01-counter  remembers  100 runs  1 seeds',
    ]);
    expect(exitCode).toBe(0);
  });

  test.concurrent('prints failures, and the command that repeats each of them', async () => {
    const { exitCode, output } = await soak('misjudged');
    expect(output.replace(/--seed \d+/, '--seed N')).toContain(
      [
        'failing: 01-counter, off-by-chance: Vacuous: a counter is a counter',
        '  RealTimeUsed: Date.now() is real: a run that uses it cannot be replayed. Use the `clock` argument instead.',
        '  replay  npm run kata -- run 01 --only "Vacuous: a counter is a counter" --seed N --variant off-by-chance',
      ].join('\n'),
    );
    expect(output).toMatch(/off-by-chance +100 runs +1 seeds +\d+ s +1 failing/);
    expect(exitCode).toBe(1);
  });
});

/** Soaks a fixture just long enough to run everything once. */
async function soak(fixture: string) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '-C', 'solution', path.join(import.meta.dirname, 'soak.ts'), '--minutes', '0'],
    { cwd: path.join(root, 'harness/vitest/fixtures', fixture), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const exitCode = await new Promise((resolve) => child.once('close', resolve));
  return { exitCode, output: output.trim() };
}
