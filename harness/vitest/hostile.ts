import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Verdict } from './fixtures/hostile/verdict-reporter.ts';
import { runFixture } from './fixtures/run-fixture.ts';

/** The kinds of hostile code: one folder each. */
const kinds = readdirSync(path.join(import.meta.dirname, 'fixtures/hostile/katas'));

/** Runs every kind of hostile code once. @throws Error with the output, when a verdict is missing */
async function runHostile(): Promise<readonly Verdict[]> {
  const { output } = await runFixture('hostile');
  const verdicts = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Verdict);
  const missing = kinds.filter((kind) => !verdicts.some((verdict) => verdict.kind === kind));
  if (missing.length > 0)
    throw new Error(`Failed to run hostile code: no verdict on ${missing.join(', ')}.\n${output}`);
  return verdicts;
}

/**
 * `npm run hostile -- --times 20 --busy 2`: runs every kind of hostile code 20 times, in parallel with two busy
 * loops. Prints how often the report was right, wrong or missing, and how long it took.
 *
 * @returns whether every report was right
 */
async function measureHostile(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: { times: { type: 'string', default: '1' }, busy: { type: 'string', default: '0' } },
  });
  const busy = Array.from({ length: Number(values.busy) }, () =>
    spawn(process.execPath, ['-e', 'for (;;);']),
  );
  const verdicts: Verdict[] = [];
  try {
    for (let run = 1; run <= Number(values.times); run++) {
      const told = await runHostile();
      verdicts.push(...told);
      const wrong = told
        .filter(({ verdict }) => verdict !== 'right')
        .map(({ kind, told }) => `${kind}: ${told}`);
      process.stderr.write(`run ${run}: ${[`${told.length - wrong.length} right`, ...wrong].join('; ')}\n`);
    }
  } finally {
    for (const loop of busy) loop.kill();
  }
  process.stdout.write(`${tableOf(verdicts).join('\n')}\n`);
  return verdicts.every(({ verdict }) => verdict === 'right');
}

function tableOf(verdicts: readonly Verdict[]): readonly string[] {
  const kinds = [...new Set(verdicts.map(({ kind }) => kind))];
  return [
    '| kind | right | wrong | lost | median ms | longest ms | told |',
    '|---|---|---|---|---|---|---|',
    ...kinds.map((kind) => {
      const own = verdicts.filter((each) => each.kind === kind);
      const count = (verdict: Verdict['verdict']): number =>
        own.filter((each) => each.verdict === verdict).length;
      const ms = own.map((each) => each.ms).sort((a, b) => a - b);
      const told = [...new Set(own.map((each) => each.told))].join('; ');
      const times = `${ms[Math.floor(ms.length / 2)]} | ${ms.at(-1)}`;
      return `| ${kind} | ${count('right')} | ${count('wrong')} | ${count('lost')} | ${times} | ${told} |`;
    }),
  ];
}

if (!(await measureHostile(process.argv.slice(2)))) process.exitCode = 1;
