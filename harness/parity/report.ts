import type { Behaviour } from './behaviour.ts';
import type { Outcome } from './run.ts';

type Result = Outcome['result'];

/** The order of the counts. */
const COUNTED: readonly Result[] = ['same', 'different', 'undecided', 'broken', 'known', 'skipped'];

/** The width of the longest name of an area. */
const WIDTH = 17;

/** Returns a line with the number of outcomes of each result. */
export function countsOf(name: string, outcomes: readonly Outcome[]): string {
  const counts = COUNTED.flatMap((result) => {
    const count = outcomes.filter((outcome) => outcome.result === result).length;
    return count > 0 ? [`${count} ${result}`] : [];
  });
  return `${name.padEnd(WIDTH)}  ${counts.join(', ')}`;
}

/**
 * Collects outcomes, and prints the counts of an area as soon as all its behaviours have one.
 *
 * @param chosen the behaviours of the run
 */
export function countingAreas(
  chosen: readonly Behaviour[],
  print: (line: string) => void,
): (outcome: Outcome) => void {
  const areas = new Map<string, Outcome[]>();
  return (outcome) => {
    const { area } = outcome.behaviour;
    const among = [...(areas.get(area) ?? []), outcome];
    areas.set(area, among);
    if (among.length === chosen.filter((each) => each.area === area).length) print(countsOf(area, among));
  };
}

/**
 * Returns the lines about an outcome: expected and observed values, the source of the expectation, and a command that
 * repeats it. Empty if the cluster behaves the same.
 *
 * @param command the command without `--only`: `npm run parity -- --kubeconfig FILE`
 */
export function explained(outcome: Outcome, command: string): readonly string[] {
  const { behaviour, result, subject, mismatches = [] } = outcome;
  if (result === 'same' || result === 'known') return [];
  const title = `${result}: ${behaviour.name}`;
  if (result === 'skipped') return [`${title} (the cluster lacks ${subject})`];
  return [
    title,
    `  ${subject}`,
    ...mismatches.flatMap(({ path, expected, observed }) => [
      `  ${path}`,
      `    expected ${expected}`,
      `    observed ${observed}`,
    ]),
    `  Upstream: ${behaviour.source}`,
    `  ${command} --only '${behaviour.name.replaceAll("'", `'\\''`)}'`,
  ];
}

/** Returns 1 after a difference or an error, 2 if behaviours stay undecided, and 0 otherwise. */
export function exitCodeOf(outcomes: readonly Outcome[]): number {
  const any = (...results: readonly Result[]): boolean =>
    outcomes.some(({ result }) => results.includes(result));
  if (any('different', 'broken')) return 1;
  return any('undecided') ? 2 : 0;
}
