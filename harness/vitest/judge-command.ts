import { spawn } from 'node:child_process';
import path from 'node:path';

/**
 * `npm run judge`: all mistakes on all three seeds. Takes what Vitest takes, say `24`, and
 *
 * - `--record`: asks nothing of the record, and writes of what the mistakes died on each seed, so that it is tried first from then on
 * - `--laws`: asks only which mistakes die of the laws and the end to end alone, on one seed, and prints the share
 */

const own = ['--laws', '--record'];
const asked = process.argv.slice(2);
const mode = own.find((option) => asked.includes(option))?.slice(2) ?? 'thorough';
const rest = asked.filter((option) => !own.includes(option));
const vitest = path.join(process.cwd(), 'node_modules/vitest/vitest.mjs');
spawn(process.execPath, [vitest, 'run', '--project', 'mistakes', ...rest], {
  env: { ...process.env, KATA_JUDGE: mode },
  stdio: 'inherit',
}).once('exit', (code) => {
  process.exitCode = code ?? 1;
});
