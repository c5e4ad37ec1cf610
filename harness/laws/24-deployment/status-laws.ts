import type { Deployment, ReplicaSet } from '../../api/objects.ts';
import type { Violation } from '../../testing/holds.ts';
import type { Law } from './budget-laws.ts';
import { collision, isPastDeadline, violation } from './end-laws.ts';
import type { DeploymentHistory, StatusWrite } from './history.ts';
import { availableOf, budgetOf, conditionOf, EXCEEDED, isOf } from './truth.ts';

type Status = Deployment['status'];

/** What is counted, and how a ReplicaSet reports it. */
const COUNTS: readonly (readonly [keyof Status & string, (replicaSet: ReplicaSet) => number])[] = [
  ['replicas', ({ status }) => status.replicas],
  ['readyReplicas', ({ status }) => status.readyReplicas ?? 0],
  ['availableReplicas', availableOf],
];

/**
 * Safety, under every fault. A status says what the ReplicaSets reported at a moment that there was, of the generation that
 * it names; and `Available` follows from it.
 */
export const truthful: Law = (history) =>
  history.statuses.flatMap((write): Violation[] => {
    const { entry } = write;
    const { previous, object } = entry;
    if (!previous) return [];
    const bad = (message: string): Violation[] => [{ atMs: entry.atMs, message }];
    const [before, after] = [previous.status, object.status];
    const { observedGeneration = 0 } = after;
    if (observedGeneration < (before.observedGeneration ?? 0)) {
      return bad(`took observedGeneration back from ${before.observedGeneration} to ${observedGeneration}`);
    }
    if (observedGeneration > (previous.metadata.generation ?? 0)) {
      return bad(
        `claims to have observed generation ${observedGeneration} of ${previous.metadata.generation}`,
      );
    }
    for (const [field, of] of COUNTS) {
      const said = Number(after[field] ?? 0);
      if (said === Number(before[field] ?? 0)) continue;
      const possible = sums(history, write, of);
      if (!possible.has(said)) {
        return bad(`says ${field}: ${said}, but the ReplicaSets reported ${[...possible].join(' or ')}`);
      }
    }
    return availableLies(history, write).flatMap(bad);
  });

/** Every sum that can come out when each ReplicaSet is taken as the controller can have known it. */
function sums(
  { replicaSets }: DeploymentHistory,
  { entry, told }: StatusWrite,
  of: (replicaSet: ReplicaSet) => number,
): ReadonlySet<number> {
  let totals = new Set([0]);
  for (const object of replicaSets.all) {
    const known = object.between(told.replicasets, entry.revision - 1);
    const reports = new Set(known.map((each) => (each && isOf(each, entry.object) ? of(each) : 0)));
    totals = new Set([...totals].flatMap((total) => [...reports].map((report) => total + report)));
  }
  return totals;
}

/** `Available` is about the status beside it and the generation that was observed. */
function availableLies({ deployments }: DeploymentHistory, { entry }: StatusWrite): readonly string[] {
  const { status, metadata } = entry.object;
  const condition = conditionOf(status, 'Available');
  const observed = deployments
    .between(metadata.uid, 0, entry.revision - 1)
    .find((version) => version?.metadata.generation === status.observedGeneration);
  if (!condition || !observed) return [];
  const { minAvailable } = budgetOf(observed);
  const needed = observed.spec.strategy.type === 'Recreate' ? observed.spec.replicas : minAvailable;
  const available = status.availableReplicas ?? 0;
  if ((condition.status === 'True') === available >= needed) return [];
  return [`says Available=${condition.status} with ${available} available, where ${needed} are needed`];
}

/** A deadline is kept within that: the second that timestamps leave out, a second against skew, and the way. */
const DEADLINE_SLACK_MS = 4_000;

/**
 * Safety and liveness. `Progressing` turns `False` for want of progress when the deadline has passed since the last, not
 * earlier; and, once faults have stopped, not later and not never, though nothing happens but that time goes by.
 */
export const keepsDeadline: Law = (history) => {
  const early = history.statuses.flatMap(({ entry }): Violation[] => {
    const [before, after] = [entry.previous, entry.object].map((each) =>
      each ? conditionOf(each.status, 'Progressing') : undefined,
    );
    if (after?.reason !== EXCEEDED || before?.reason === EXCEEDED || !before) return [];
    const { progressDeadlineSeconds: seconds } = (entry.previous as Deployment).spec;
    const passedMs = history.epochMs + entry.atMs - Date.parse(before.lastUpdateTime ?? '');
    if (passedMs >= seconds * 1_000) return [];
    const message = `the controller set ProgressDeadlineExceeded ${passedMs / 1_000} s after the last progress; progressDeadlineSeconds is ${seconds}`;
    return [{ atMs: entry.atMs, message }];
  });
  return [...early, ...lateIn(history), ...neverIn(history)];
};

/** What was not noticed in time, after the faults. */
function lateIn(history: DeploymentHistory): readonly Violation[] {
  const { statuses, left, epochMs } = history;
  const gaveUp = statuses.findLast(
    ({ entry }) =>
      conditionOf(entry.object.status, 'Progressing')?.reason === EXCEEDED &&
      entry.previous !== undefined &&
      conditionOf(entry.previous.status, 'Progressing')?.reason !== EXCEEDED,
  );
  if (!gaveUp || gaveUp.entry.object.metadata.uid !== left.deployment.metadata.uid) return [];
  const { previous } = gaveUp.entry;
  const before = previous && conditionOf(previous.status, 'Progressing');
  if (!before || !previous) return [];
  const { progressDeadlineSeconds: seconds } = previous.spec;
  const dueMs = Date.parse(before.lastUpdateTime ?? '') + seconds * 1_000 - epochMs;
  const lateMs = gaveUp.entry.atMs - Math.max(dueMs, wellMs(history));
  if (lateMs <= DEADLINE_SLACK_MS) return [];
  const message = `the controller set ProgressDeadlineExceeded ${(gaveUp.entry.atMs - dueMs) / 1_000} s after the deadline of ${seconds} s had passed; sync again when it passes, because no event comes`;
  return [{ atMs: gaveUp.entry.atMs, message }];
}

/** What was not noticed at all. */
function neverIn(history: DeploymentHistory): readonly Violation[] {
  const { spec, status } = history.left.deployment;
  const { reason } = conditionOf(status, 'Progressing') ?? {};
  if (reason === EXCEEDED || !isPastDeadline(history)) return [];
  const message = `in the end the deadline of ${spec.progressDeadlineSeconds} s has passed, but the reason of Progressing is ${reason ?? 'missing'}; expected ${EXCEEDED}${collision(history)}`;
  return violation(history, message);
}

/** The longest that an informer waits, and a request that is not answered. */
const RECOVER_MS = 130_000;
/** How long a workqueue waits after the first failure of an item, and at the most. */
const BACKOFF_MS = { first: 5, most: 1_000_000 };

/** From when on a controller is as it was before the faults. */
export function wellMs({ healedMs, failedMs }: DeploymentHistory): number {
  return healedMs + RECOVER_MS + Math.min(BACKOFF_MS.first * 2 ** failedMs.length, BACKOFF_MS.most);
}
