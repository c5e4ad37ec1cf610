import type { KubeObject, Pod, PodDisruptionBudget } from '../../api/objects.ts';
import { statefulSets } from '../../api/plain-resources.ts';
import { deployments, podDisruptionBudgets, pods, type Resource, replicaSets } from '../../api/resource.ts';
import { entriesOf, type JournalEntry, momentsOf } from '../../cluster/journal.ts';
import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import { DRAIN } from './environment.ts';
import { countsOf, isCovered, isHealthy, type Snapshot } from './oracle.ts';
import { PROCESS } from './scenario.ts';
import type { DisruptionHistory } from './simulation.ts';

/** Liveness: in the end the status has the correct counts, and no eviction or condition that is stale. */
export const computes: Law<DisruptionHistory> = ({ restedMs, owed, leftMs }) =>
  restedMs !== undefined
    ? []
    : owed.map((due) => ({ atMs: leftMs, message: `the controller has still to ${due}`, object: due }));

/**
 * Safety: an eviction leaves as many healthy pods as the budget requires. The law stops at the first change that the
 * controller can only observe afterwards: a pod becomes unhealthy by itself, or the budget requires more.
 */
export const safe: Law<DisruptionHistory> = lawAbout(
  {
    name: 'an eviction of a healthy pod',
    isMet: (history) => {
      const budget = budgetOf(history);
      return budget !== undefined && history.journal.some((entry) => isEviction(entry, budget));
    },
  },
  (history) => {
    const { journal, isCurrent } = history;
    if (!isCurrent) return [];
    const violations: Violation[] = [];
    let required = Number.POSITIVE_INFINITY;
    for (const { entry, objects } of momentsOf(journal)) {
      const snapshot = snapshotOf(objects);
      const budget = snapshot.budgets.find(({ metadata }) => metadata.name === history.budget);
      if (!budget || entry.resource.plural === 'events') continue;
      const counts = countsOf(budget, snapshot);
      const isAllowed = isEviction(entry, budget);
      if (!counts || counts.desiredHealthy > required || (isLoss(entry, budget) && !isAllowed)) break;
      required = counts.desiredHealthy;
      if (!isAllowed || counts.currentHealthy >= required) continue;
      const left = `leaves ${counts.currentHealthy} healthy pods, but the budget requires ${required}`;
      violations.push({
        atMs: entry.atMs,
        message: `the eviction of ${entry.key} ${left}`,
        object: entry.key,
      });
    }
    return violations;
  },
);

/** Returns the last state of the budget of a run. */
function budgetOf({ journal, budget }: DisruptionHistory): PodDisruptionBudget | undefined {
  const last = entriesOf(journal, podDisruptionBudgets).findLast(
    ({ object }) => object.metadata.name === budget,
  );
  return last?.object;
}

/** Returns whether a write evicts a covered pod that was healthy. */
function isEviction(entry: JournalEntry, budget: PodDisruptionBudget): boolean {
  return isLoss(entry, budget) && (entry.actor === DRAIN || entry.verb === 'evict');
}

/** Returns whether a write makes a covered pod unhealthy. */
function isLoss({ resource, type, object, previous }: JournalEntry, budget: PodDisruptionBudget): boolean {
  if (resource.plural !== pods.plural || !previous) return false;
  const counted = (each: KubeObject): boolean => isCovered(budget, each as Pod) && isHealthy(each as Pod);
  return counted(previous) && (type === 'DELETED' || !counted(object));
}

function snapshotOf(
  objects: <T extends KubeObject>(resource: Resource<T>) => ReadonlyMap<string, T>,
): Snapshot {
  return {
    budgets: [...objects(podDisruptionBudgets).values()],
    pods: [...objects(pods).values()],
    deployments: [...objects(deployments).values()],
    replicaSets: [...objects(replicaSets).values()],
    statefulSets: [...objects(statefulSets).values()],
  };
}

/** The time in which a pod must be deleted after its eviction. */
const DELETION_TIMEOUT_MS = 120_000;

/**
 * Safety: an eviction of a pod that stays counts for two minutes, and so does its condition DisruptionTarget. The
 * condition that the kubelet has set stays.
 */
export const waits: Law<DisruptionHistory> = (history) => {
  if (!history.isCurrent) return [];
  const violations: Violation[] = [];
  for (const { entry, objects } of momentsOf(history.journal)) {
    if (entry.actor !== PROCESS || !entry.previous) continue;
    const nowMs = entry.atMs + history.epochMs;
    const early = [...evictionsDropped(entry, objects(pods)), ...conditionsReset(entry)].filter(
      ({ sinceMs }) => nowMs - sinceMs < DELETION_TIMEOUT_MS,
    );
    for (const { what } of early) {
      violations.push({ atMs: entry.atMs, message: `the controller ${what} too early`, object: entry.key });
    }
  }
  return violations;
};

interface Reset {
  readonly what: string;
  readonly sinceMs: number;
}

/** Returns the evictions that a write forgets, although the pod is neither deleted nor uncovered. */
function evictionsDropped(entry: JournalEntry, all: ReadonlyMap<string, Pod>): readonly Reset[] {
  if (entry.resource.plural !== podDisruptionBudgets.plural) return [];
  const budget = entry.object as PodDisruptionBudget;
  const { disruptedPods = {} } = budget.status;
  const before = (entry.previous as PodDisruptionBudget).status.disruptedPods ?? {};
  return Object.entries(before).flatMap(([name, at]) => {
    const pod = all.get(`${entry.object.metadata.namespace}/${name}`);
    if (disruptedPods[name] !== undefined || !pod || !isCovered(budget, pod)) return [];
    if (pod.metadata.deletionTimestamp !== undefined) return [];
    return [{ what: `forgets the eviction of ${name}`, sinceMs: Date.parse(at) }];
  });
}

/** Returns the condition that a write resets. */
function conditionsReset({ resource, object, previous }: JournalEntry): readonly Reset[] {
  if (resource.plural !== pods.plural) return [];
  const targetOf = (pod: KubeObject | undefined) =>
    (pod as Pod | undefined)?.status.conditions?.find(({ type }) => type === 'DisruptionTarget');
  const before = targetOf(previous);
  if (before?.status !== 'True' || targetOf(object)?.status === 'True') return [];
  const isKubelets = before.reason === 'TerminationByKubelet';
  const sinceMs = isKubelets ? Number.POSITIVE_INFINITY : Date.parse(before.lastTransitionTime ?? '');
  return [{ what: `resets DisruptionTarget of ${object.metadata.name}`, sinceMs }];
}

/** Liveness: when the status is correct, no write is sent, not even by a controller that restarts. */
export const quiet: Law<DisruptionHistory> = ({ requests, restedMs = Number.POSITIVE_INFINITY }) =>
  requests
    .filter(({ verb, sentMs }) => WRITES.has(verb) && sentMs > restedMs + LATE_MS)
    .map(({ verb, sentMs, name = '' }) => ({
      atMs: sentMs,
      message: `${verb} ${name} is sent, although everything was correct`,
      object: name,
    }));

const WRITES: ReadonlySet<string> = new Set(['update', 'updateStatus', 'patch', 'delete']);

/** Requests from before the rest may still be in flight, and caches may be behind. */
const LATE_MS = 3_000;
