import type { Components } from '../../contracts/component.ts';
import type { Law } from '../../testing/holds.ts';
import type { ClusterViolation } from './culprit.ts';
import type { ClusterHistory } from './history.ts';
import { clusterLaws } from './laws/index.ts';
import type { ClusterScenario } from './scenario.ts';
import { runCluster } from './simulation.ts';

const judged = new WeakMap<ClusterHistory, readonly ClusterViolation[]>();

/** Returns the violations of all laws, oldest first. */
export function violationsIn(history: ClusterHistory): readonly ClusterViolation[] {
  const known = judged.get(history);
  if (known) return known;
  const found = clusterLaws.flatMap(({ kata, name, law }) =>
    law(history).map((violation) => ({ ...violation, kata, law: name })),
  );
  const sorted = found.toSorted((a, b) => a.atMs - b.atMs);
  judged.set(history, sorted);
  return sorted;
}

/** Every law of every kata, as one law. */
export const everyLaw: Law<ClusterHistory> = (history) =>
  violationsIn(history).map((violation) => ({ ...violation, message: describeViolation(violation) }));

/** `23-replicaset, neverTooMany: …` */
export function describeViolation({ kata, law, message }: ClusterViolation): string {
  return `${kata}, ${law}: ${message}`;
}

/** Runs a scenario. Returns its first violation, or the failure of a component; undefined if every law holds. */
export async function firstViolation(
  components: Partial<Components>,
  scenario: ClusterScenario,
): Promise<ClusterViolation | undefined> {
  try {
    return violationsIn(await runCluster(components, scenario))[0];
  } catch (error) {
    return failureOf(error);
  }
}

/** Returns the failure of a run as a violation: a component gave up. */
export function failureOf(error: unknown): ClusterViolation {
  const message = error instanceof Error ? error.message : String(error);
  return { kata: '71-cluster', law: 'runs', atMs: 0, message: `the run failed: ${message}` };
}
