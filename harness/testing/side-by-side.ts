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
  onceByItself(title, async () =>
    printTable(title, tableOf(`${comparison.unit}/s`, await measure(comparison), formatSpeedUp)),
  );
}

/** Costs by name and unit: `CPU, ms`. */
export type Costs = Readonly<Record<string, number>>;

/** A comparison of contenders by their costs. */
interface CostComparison<C> {
  /** The contenders, by name. The first one is the baseline. */
  readonly contenders: Readonly<Record<string, C>>;
  /** Runs the work once, such as in a process of its own, and returns its costs. */
  readonly costsOf: (contender: C) => Promise<Costs>;
  /** Number of turns of each contender. There is no warm-up. @defaultValue 5 */
  readonly rounds?: number;
}

/** Declares a benchmark like {@link sideBySide} for costs: `×0.5` is half of the cost. It prints one line per cost. */
export function costsSideBySide<C>(
  title: string,
  { contenders, costsOf, rounds = 5 }: CostComparison<C>,
): void {
  onceByItself(title, async () => {
    const results = new Map<string, Map<string, number[]>>();
    for (let round = 0; round < rounds; round++) {
      for (const [name, contender] of Object.entries(contenders)) {
        for (const [cost, value] of Object.entries(await costsOf(contender))) {
          const samples = results.get(cost) ?? new Map<string, number[]>();
          results.set(cost, samples.set(name, [...(samples.get(name) ?? []), value]));
        }
      }
    }
    const measured = [...results].map(([measure, samples]) => ({ measure, samples }));
    printTable(title, tableOf('', measured, formatFactor));
  });
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

/** The samples of one measure: a value of each contender for each round. */
interface Measured {
  readonly measure: string;
  readonly samples: ReadonlyMap<string, readonly number[]>;
}

/** Measures rates, per second. */
async function measure<C>({ contenders, measures, rounds = 5 }: Comparison<C>): Promise<readonly Measured[]> {
  const made: [name: string, contender: C][] = [];
  for (const [name, make] of Object.entries(contenders)) made.push([name, await make()]);
  const results: Measured[] = [];
  for (const [measure, prepare] of Object.entries(measures)) {
    const samples = new Map(made.map(([name]) => [name, [] as number[]]));
    for (let round = 0; round <= rounds; round++) {
      for (const [name, contender] of made) {
        const work = await prepare(contender);
        const rate = await rateOf(work);
        if (round > 0) samples.get(name)?.push(rate);
      }
    }
    results.push({ measure, samples });
  }
  return results;
}

async function rateOf(work: Work): Promise<number> {
  const startedMs = performance.now();
  const done = await work();
  return (done / (performance.now() - startedMs)) * 1000;
}

type FormatRatio = (ratio: number) => string;

function tableOf(
  corner: string,
  results: readonly Measured[],
  formatRatio: FormatRatio,
): readonly (readonly string[])[] {
  const names = [...(results[0]?.samples.keys() ?? [])];
  const rows = results.map(({ measure, samples }) => {
    const first = [...samples.values()][0] ?? [];
    const cells = [...samples.values()].map((own, index) => {
      const value = median(own).toLocaleString('en', { maximumSignificantDigits: 3 });
      return index === 0 ? value : `${value}  ${drawRatio(own, first, formatRatio)}`;
    });
    return [measure, ...cells];
  });
  return [[corner, ...names], ...rows];
}

/** Renders a ratio: the median over the rounds, the least and the greatest. */
function drawRatio(own: readonly number[], first: readonly number[], format: FormatRatio): string {
  const ratios = own.map((value, round) => value / (first[round] as number));
  return `${format(median(ratios))} (${format(Math.min(...ratios))} to ${format(Math.max(...ratios))})`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** `×3` is three times as fast, `÷3` a third as fast. */
function formatSpeedUp(ratio: number): string {
  return ratio >= 1 ? formatFactor(ratio) : `÷${formatFactor(1 / ratio).slice(1)}`;
}

function formatFactor(factor: number): string {
  return `×${factor.toLocaleString('en', { maximumSignificantDigits: 2 })}`;
}
