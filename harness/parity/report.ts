import type { Outcome } from './run.ts';

type Result = Outcome['result'];

/** The columns of the table of areas. */
const COUNTED: readonly Result[] = ['same', 'different', 'undecided', 'broken', 'known', 'skipped'];

/** Returns a line with counts for each area, in the order of the outcomes, and one for all of them. */
export function countsByArea(outcomes: readonly Outcome[]): readonly string[] {
  const areas = [...new Set(outcomes.map(({ behaviour }) => behaviour.area))];
  const rows: readonly (readonly [string, readonly Outcome[]])[] = [
    ...areas.map((area) => [area, outcomes.filter(({ behaviour }) => behaviour.area === area)] as const),
    ['all', outcomes],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, among]) => {
    const counts = COUNTED.flatMap((result) => {
      const count = among.filter((outcome) => outcome.result === result).length;
      return count > 0 ? [`${count} ${result}`] : [];
    });
    return `${name.padEnd(width)}  ${counts.join(', ')}`;
  });
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
