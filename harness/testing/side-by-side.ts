import { bench } from 'vitest';

/** The work whose time is taken. Gives how much of it was done: how many requests, events, objects. */
export type Work = () => number | Promise<number>;

/** What is compared, and by what. */
interface Comparison<C> {
  /** What is counted: `events`. */
  readonly unit: string;
  /** The contenders, by name. The first one is what the others are measured against. Each is made once. */
  readonly contenders: Readonly<Record<string, () => C | Promise<C>>>;
  /** What they do, by name. Called anew in each round; whatever it does before it gives the work is not timed. */
  readonly measures: Readonly<Record<string, (contender: C) => Work | Promise<Work>>>;
  /** How often each has a turn, after one to warm up. @defaultValue 5 */
  readonly rounds?: number;
}

/**
 * Benchmarks that compare. A number measured alone says more about the machine, and about what else runs on it,
 * than about the code: so contenders take turns, round by round, and what counts is by how much one of them is
 * faster than another that ran a moment before.
 *
 * What comes out is a table for people to read. Nothing is asserted: no test fails because a machine is busy.
 *
 * Declares a benchmark, to be run by `vitest bench`. It prints a line a measure, a column a contender.
 */
export function sideBySide<C>(title: string, comparison: Comparison<C>): void {
  const run = async (): Promise<void> => {
    const table = drawTable(title, comparison.unit, await measure(comparison));
    // The reporter would give each line a heading of its own.
    process.stdout.write(`\n${table.join('\n')}\n`);
  };
  // Vitest's own statistics are of one contender alone: let it run the whole comparison, once. It reports what is
  // thrown by itself; with `throws: true` it waits forever (vitest 4.1.12, `runBenchmarkSuite`).
  bench(title, run, { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 });
}

/** Repeats `batch`, which gives how much it did, for so long at the least. */
export function forAtLeast(ms: number, batch: Work): Work {
  return async () => {
    const endMs = performance.now() + ms;
    let done = 0;
    do done += await batch();
    while (performance.now() < endMs);
    return done;
  };
}

/** What was measured of one measure: contenders in their order, and of each its rate, per second, in each round. */
interface Measured {
  readonly measure: string;
  readonly rates: ReadonlyMap<string, readonly number[]>;
}

async function measure<C>({ contenders, measures, rounds = 5 }: Comparison<C>): Promise<readonly Measured[]> {
  const made: [name: string, contender: C][] = [];
  for (const [name, make] of Object.entries(contenders)) made.push([name, await make()]);
  const results: Measured[] = [];
  for (const [measure, prepare] of Object.entries(measures)) {
    const rates = new Map(made.map(([name]) => [name, [] as number[]]));
    for (let round = 0; round <= rounds; round++) {
      for (const [name, contender] of made) {
        const work = await prepare(contender);
        const rate = await rateOf(work);
        if (round > 0) rates.get(name)?.push(rate);
      }
    }
    results.push({ measure, rates });
  }
  return results;
}

async function rateOf(work: Work): Promise<number> {
  const startedMs = performance.now();
  const done = await work();
  return (done / (performance.now() - startedMs)) * 1000;
}

function drawTable(title: string, unit: string, results: readonly Measured[]): readonly string[] {
  const names = [...(results[0]?.rates.keys() ?? [])];
  const rows = results.map(({ measure, rates }) => {
    const first = [...rates.values()][0] ?? [];
    const cells = [...rates.values()].map((own, index) => {
      const rate = formatRate(median(own));
      return index === 0 ? rate : `${rate}  ${drawRatio(own, first)}`;
    });
    return [measure, ...cells];
  });
  const table = [[`${unit}/s`, ...names], ...rows];
  const widths = [...names.keys(), names.length].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const lines = table.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('   '),
  );
  return [title, ...lines.map((line) => `  ${line}`)];
}

/** By how much faster, in the median of the rounds; and in the worst and the best of them. */
function drawRatio(own: readonly number[], first: readonly number[]): string {
  const ratios = own.map((rate, round) => rate / (first[round] as number));
  return `${formatRatio(median(ratios))} (${formatRatio(Math.min(...ratios))} to ${formatRatio(Math.max(...ratios))})`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

function formatRate(rate: number): string {
  return rate.toLocaleString('en', { maximumSignificantDigits: 3 });
}

/** `×3` is three times as fast, `÷3` a third as fast. */
function formatRatio(ratio: number): string {
  const format = (factor: number): string => factor.toLocaleString('en', { maximumSignificantDigits: 2 });
  return ratio >= 1 ? `×${format(ratio)}` : `÷${format(1 / ratio)}`;
}
