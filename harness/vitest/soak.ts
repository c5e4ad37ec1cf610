import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { listKatas, listKatasWithoutCode } from '../workbook/katas.ts';
import { runCommandLine } from '../workbook/run-command-line.ts';
import { subjectsOf } from './judge-subjects.ts';
import type { SoakReport, SoakTask } from './soak-worker.ts';

/**
 * `npm run soak -- --minutes 10 [24 33 …]`: runs the laws of all katas, or of the given ones, on fresh seeds for 10
 * minutes. Each kata gets the same time, which its reference and variants share. Prints the number of runs of each,
 * and how to replay each failure. Exits with 1 if a law failed. A test that used up its CPU time is undecided, not
 * failed.
 */

/** One subject of one kata, and its totals. */
interface Soaked {
  readonly kata: string;
  readonly subject: string;
  seeds: number;
  lives: number;
  elapsedMs: number;
  reds: number;
  /** Seeds in progress. Each counts with the mean time of the finished seeds. */
  underWay: number;
}

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '10' } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
if (!(minutes >= 0)) throw new Error(`Failed to read --minutes: "${values.minutes}" is no number.`);

const root = process.cwd();
const all: Soaked[] = [];
for (const kata of [...listKatas(root), ...listKatasWithoutCode(root)]) {
  if (positionals.length > 0 && !positionals.some((name) => kata.id.startsWith(name))) continue;
  for (const subject of (await subjectsOf(kata)).keys()) {
    all.push({ kata: kata.id, subject, seeds: 0, lives: 0, elapsedMs: 0, reds: 0, underWay: 0 });
  }
}
if (all.length === 0) throw new Error(`Failed to soak: no kata begins with ${positionals.join(' or ')}.`);

const endsAtMs = performance.now() + minutes * 60_000;
await Promise.all(Array.from({ length: os.availableParallelism() }, work));
process.stdout.write(`${table().join('\n')}\n`);
process.exitCode = all.some(({ reds }) => reds > 0) ? 1 : 0;

/** Lets one process try seed after seed. Every subject gets at least one seed, however short the time. */
async function work(): Promise<void> {
  let worker = start();
  for (
    let next = nextOf();
    next.seeds + next.underWay === 0 || performance.now() < endsAtMs;
    next = nextOf()
  ) {
    const task = { kata: next.kata, subject: next.subject, seed: randomInt(2 ** 31) };
    next.underWay += 1;
    const report = await ask(worker, task);
    next.underWay -= 1;
    next.seeds += 1;
    next.lives += report.lives;
    next.elapsedMs += report.elapsedMs;
    next.reds += report.reds.length;
    for (const found of report.reds) tell('failing', task, found);
    for (const found of report.undecided) tell('undecided', task, found);
    if (!report.soiled) continue;
    worker.kill();
    worker = start();
  }
  worker.disconnect();
}

function start() {
  return fork(path.join(import.meta.dirname, 'soak-worker.ts'), {
    execArgv: [...process.execArgv, '--no-force-async-hooks-checks'],
  });
}

/** Returns the subject with the least time, of the kata with the least time. */
function nextOf(): Soaked {
  const had = (some: readonly Soaked[]): number =>
    some.reduce((sum, one) => sum + one.elapsedMs + one.underWay * meanMs(one), 0);
  const katas = [...new Set(all.map(({ kata }) => kata))].map((id) => all.filter(({ kata }) => kata === id));
  const byTime = (a: readonly Soaked[], b: readonly Soaked[]): number =>
    Number(isNew(b)) - Number(isNew(a)) || had(a) - had(b);
  const isNew = (some: readonly Soaked[]): boolean =>
    some.some(({ seeds, underWay }) => seeds + underWay === 0);
  const [kata = []] = katas.sort(byTime);
  const [next] = kata.map((one) => [one]).sort(byTime);
  return next?.[0] as Soaked;
}

function meanMs({ elapsedMs, seeds }: Soaked): number {
  return seeds === 0 ? 1 : elapsedMs / seeds;
}

/** Sends a task to a worker. A worker that dies instead of answering counts as a failure, too. */
function ask(worker: ReturnType<typeof start>, task: SoakTask): Promise<SoakReport> {
  const startedAtMs = performance.now();
  return new Promise((resolve) => {
    const died = (code: number | null, signal: string | null): void => {
      const message = `the process ended with ${signal ?? code}`;
      const elapsedMs = performance.now() - startedAtMs;
      resolve({ lives: 0, elapsedMs, reds: [{ test: '', message }], undecided: [], soiled: true });
    };
    worker.once('exit', died);
    worker.once('message', (report) => {
      worker.off('exit', died);
      resolve(report as SoakReport);
    });
    worker.send(task);
  });
}

function tell(
  how: 'failing' | 'undecided',
  { kata, subject, seed }: SoakTask,
  { test, message }: SoakReport['reds'][number],
): void {
  const replay = runCommandLine({
    kata: kata.slice(0, 2),
    only: test === '' ? undefined : test.replaceAll(' > ', ' '),
    seed,
    solutions: true,
    variant: subject === 'reference' ? undefined : subject,
  });
  const lines = [
    `${how}: ${kata}, ${subject}: ${test}`,
    ...message.split('\n').map((line) => `  ${line}`),
    `  replay  ${replay}`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function table(): readonly string[] {
  const rows = all.map(({ kata, subject, seeds, lives, elapsedMs, reds }) => [
    kata,
    subject,
    `${lives} runs`,
    `${seeds} seeds`,
    `${Math.round(elapsedMs / 1_000)} s`,
    reds === 0 ? '' : `${reds} failing`,
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
