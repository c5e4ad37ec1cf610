import { spawn } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { judgedKata, type Kata, listSolutions } from '../workbook/katas.ts';
import { harnessState, judgedState } from './judged-state.ts';
import { readKillRecord, writeKillRecord } from './kill-record.ts';

/**
 * `npm run judge [-- 24 33 …]`: judges the mistakes and variants of all katas, or of the named katas, on three seeds.
 *
 * - `--changed`: only katas that have changed since they were last judged. If only the harness has changed, on one
 *   seed.
 * - `--record`: only kills the mistakes on each seed, and records the kills for `npm test` and for the next judge. It
 *   also renews the golden screens: read their differences before you commit them.
 * - `--laws`: only finds which mistakes the laws and the end-to-end test kill, on one seed; prints their share.
 * - `--signatures`: only records how each mistake behaves in the same probes, for hints (`signatures.json`).
 * - `--misconceptions`: only measures how often the signatures name the right mistake.
 *
 * A judge on three seeds also records the kills that it finds. If it finds no fault, it writes the state that it
 * judged: commit `kills.json`.
 */

const options = {
  changed: { type: 'boolean' },
  record: { type: 'boolean' },
  laws: { type: 'boolean' },
  signatures: { type: 'boolean' },
  misconceptions: { type: 'boolean' },
} as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const root = process.cwd();
const all = listSolutions(root).flatMap(({ id }) => judgedKata(root, id) ?? []);
const unknown = positionals.find((name) => !all.some(({ id }) => id.startsWith(name)));
if (unknown !== undefined) {
  const ids = all.map(({ id }) => id).join(', ');
  throw new Error(`Failed to judge ${unknown}: there is no such kata. There are ${ids}.`);
}
const named = all.filter(
  ({ id }) => positionals.length === 0 || positionals.some((name) => id.startsWith(name)),
);
const harness = harnessState(root);
const states = new Map(named.map((kata) => [kata, judgedState(root, kata, harness)]));
const changed = named.filter((kata) => readKillRecord(kata).judged?.kata !== states.get(kata)?.kata);
const below = named.filter(
  (kata) => !changed.includes(kata) && readKillRecord(kata).judged?.harness !== harness,
);
const judged = values.changed ? [...changed, ...below] : named;
if (values.changed) report();

if (values.signatures || values.misconceptions) {
  process.exitCode = await compareMistakes(values.signatures ? 'record' : 'measure');
} else if (judged.length > 0) {
  const mode = values.record ? 'record' : values.laws ? 'laws' : 'thorough';
  const exitCode = await judge(mode, judged, values.changed ? below : []);
  if (exitCode === 0 && mode === 'thorough') for (const kata of judged) note(kata);
  process.exitCode = exitCode;
}

function report(): void {
  const list = (katas: readonly Kata[]): string => katas.map(({ id }) => id).join(', ') || 'none';
  process.stdout.write(`Changed, judged on three seeds: ${list(changed)}\n`);
  process.stdout.write(`Only the harness below has changed, judged on one seed: ${list(below)}\n`);
}

/** @returns the exit code */
function judge(mode: string, katas: readonly Kata[], once: readonly Kata[]): Promise<number> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const files = katas.map(({ solution }) => path.relative(root, path.join(solution, 'mistakes.ts')));
  // Writes missing golden screens, even where CI=1 is set. A screen that differs is a failure, or recorded.
  const update = mode === 'record' ? '--update=all' : '--update=new';
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'mistakes', update, ...files], {
    env: { ...process.env, KATA_JUDGE: mode, KATA_JUDGE_ONCE: once.map(({ id }) => id).join(',') },
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

/**
 * Records or measures the signatures of the mistakes.
 *
 * @returns the exit code
 */
function compareMistakes(mode: 'record' | 'measure'): Promise<number> {
  const command = path.join(import.meta.dirname, 'signature-command.ts');
  const execArgv = [...process.execArgv, '-C', 'solution', '--no-force-async-hooks-checks'];
  const child = spawn(process.execPath, [...execArgv, command, mode, ...judged.map(({ id }) => id)], {
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

function note(kata: Kata): void {
  const state = states.get(kata);
  if (state) writeKillRecord(kata, { ...readKillRecord(kata), judged: state });
}
