import fc from 'fast-check';
import type { Components } from '../../contracts/component.ts';
import { NotImplemented } from '../../contracts/todo.ts';
import { holds } from '../../testing/holds.ts';
import { noteCulprit, shrinkingFor } from '../../testing/property.ts';
import {
  type ClusterViolation,
  culpritOf,
  describeCulprit,
  type OwnComponents,
  substituted,
} from './culprit.ts';
import type { ClusterHistory } from './history.ts';
import { everyLaw, failureOf, firstViolation, violationsIn } from './judged.ts';
import { readable } from './render.ts';
import type { ClusterScenario } from './scenario.ts';
import { runCluster } from './simulation.ts';
import { clusterWorkloads } from './workloads.ts';

/** One history of a whole cluster stands for this number of runs of another kata: it costs about a second of CPU. */
const RUNS_PER_HISTORY = 9;
/** CPU time for shrinking, in ms. A scenario of a whole cluster needs some twenty attempts. */
const SHRINK_MS = 20_000;

/** The components of a cluster. */
interface Owners {
  readonly reference: Partial<Components>;
  readonly own: OwnComponents;
}

/**
 * Asserts that every law holds in generated histories of a cluster with the learner's components. After a failure it
 * names the culprit by substitution.
 */
export async function holdsInCluster({ reference, own }: Owners): Promise<void> {
  const components = substituted(reference, own, own.keys());
  const { numRuns = 100 } = fc.readConfigureGlobal();
  const histories = Math.ceil(numRuns / RUNS_PER_HISTORY);
  // fast-check tries smaller scenarios only after a failure: the last failure is the smallest.
  let failed: { readonly scenario: ClusterScenario; readonly violation: ClusterViolation } | undefined;
  const run = async (scenario: ClusterScenario): Promise<ClusterHistory> => {
    try {
      const history = await runCluster(components, scenario);
      const [violation] = violationsIn(history);
      if (violation) failed = { scenario, violation };
      return history;
    } catch (error) {
      failed = { scenario, violation: failureOf(error) };
      throw error;
    }
  };
  const workloads = mostImportant(histories);
  try {
    await shrinkingFor(SHRINK_MS, () => holds(everyLaw, workloads, run, { numRuns: histories }));
  } catch (error) {
    if (error instanceof NotImplemented || !failed) throw error;
    const { scenario, violation } = failed;
    const rerun = (others: Partial<Components>) => firstViolation(others, scenario);
    noteCulprit(describeCulprit(await culpritOf({ reference, own, violation, rerun })));
    throw error;
  }
}

/** Returns at most `count` scenario classes: with fewer histories than classes, the classes with the most runs. */
function mostImportant(count: number): typeof clusterWorkloads {
  const kept = clusterWorkloads.toSorted((a, b) => (b.runs ?? 0) - (a.runs ?? 0)).slice(0, count);
  const chosen = clusterWorkloads.filter((workload) => kept.includes(workload));
  return chosen.map(({ scenarios, ...others }) => ({ ...others, scenarios: scenarios.map(readable) }));
}
