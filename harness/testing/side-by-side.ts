import { bench } from 'vitest';

/** The measured work. Returns its amount: the number of requests, events or objects. */
export type Work = () => number | Promise<number>;

/** A comparison of contenders by several measures. */
interface Comparison<C> {
  /** The unit of the work: `events`. */
  readonly unit: string;
  /** The contenders, by name. The first one is the baseline. Each is created once. */
  readonly contenders: Readonly<Record<string, () => C | Promise<C>>>;
  /** The measures, by name. Called in each round; preparation before the returned work is not timed. */
  readonly measures: Readonly<Record<string, (contender: C) => Work | Promise<Work>>>;
  /** Number of timed turns of each contender, after a warm-up. @defaultValue 5 */
  readonly rounds?: number;
}

/**
 * Declares a benchmark that compares contenders. A single number depends more on the machine and its load than on the
 * code. So contenders take turns, round by round, and the result is the ratio between contenders of the same round.
 *
 * The output is a table for people to read. Nothing is asserted: no test fails because a machine is busy.
 *
 * `vitest bench` runs it. It prints one line per measure, and one column per contender.
 */
export function sideBySide<C>(title: string, comparison: Comparison<C>): void {
  onceByItself(title, async () => printTable(title, tableOf(comparison.unit, await measure(comparison))));
}

/** Declares a benchmark that measures and prints by itself. It runs once. */
export function onceByItself(title: string, run: () => Promise<void>): void {
  // Vitest calls any other function an extra time, to find out whether it returns a promise.
  const asynchronous = async (): Promise<void> => run();
  // Vitest's own statistics cover a single contender, so let it run the whole comparison, once. It reports a thrown
  // error by itself; with `throws: true` it waits forever (vitest 4.1.12, `runBenchmarkSuite`).
  bench(title, asynchronous, { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 });
}

/** Prints a table in aligned columns. The first row is the head. */
export function printTable(title: string, table: readonly (readonly string[])[]): void {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const lines = table.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('   '),
  );
  // The reporter would print a heading for each line.
  process.stdout.write(`\n${[title, ...lines.map((line) => `  ${line}`)].join('\n')}\n`);
}

/** Repeats `batch` for at least this time. Returns the total amount of work. */
export function forAtLeast(ms: number, batch: Work): Work {
  return async () => {
    const endMs = performance.now() + ms;
    let done = 0;
    do done += await batch();
    while (performance.now() < endMs);
    return done;
  };
}

/** The results of one measure: the rates of each contender, per second, by round. */
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

function tableOf(unit: string, results: readonly Measured[]): readonly (readonly string[])[] {
  const names = [...(results[0]?.rates.keys() ?? [])];
  const rows = results.map(({ measure, rates }) => {
    const first = [...rates.values()][0] ?? [];
    const cells = [...rates.values()].map((own, index) => {
      const rate = formatRate(median(own));
      return index === 0 ? rate : `${rate}  ${drawRatio(own, first)}`;
    });
    return [measure, ...cells];
  });
  return [[`${unit}/s`, ...names], ...rows];
}

/** Renders the speed-up: the median over the rounds, the worst and the best. */
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
