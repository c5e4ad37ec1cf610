import type { Deployment, ReplicaSet } from '../../../api/objects.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { DeploymentHistory, StatusWrite } from '../history.ts';
import { PROCESS } from '../operations.ts';
import { availableOf, budgetOf, COMPLETE, conditionOf, EXCEEDED, isOf } from '../oracle/truth.ts';
import type { Law } from './budget.ts';
import { collision, isPastDeadline, violation } from './end.ts';

type Status = Deployment['status'];

/** The counts of a status, and the values that a ReplicaSet reports. */
const COUNTS: readonly (readonly [keyof Status & string, (replicaSet: ReplicaSet) => number])[] = [
  ['replicas', ({ status }) => status.replicas],
  ['readyReplicas', ({ status }) => status.readyReplicas ?? 0],
  ['availableReplicas', availableOf],
];

/**
 * Safety, under every fault. The counts of a status are sums that the ReplicaSets reported at some moment, `observedGeneration` never
 * goes back, and `Available` follows from the counts.
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
      return bad(
        `the controller set observedGeneration from ${before.observedGeneration} back to ${observedGeneration}`,
      );
    }
    if (observedGeneration > (previous.metadata.generation ?? 0)) {
      return bad(
        `the controller set observedGeneration to ${observedGeneration}, but metadata.generation is only ${previous.metadata.generation}`,
      );
    }
    for (const [field, of] of COUNTS) {
      const said = Number(after[field] ?? 0);
      if (said === Number(before[field] ?? 0)) continue;
      const possible = sums(history, write, of);
      if (!possible.has(said)) {
        return bad(
          `the controller set status.${field} to ${said}; expected ${[...possible].join(' or ')}, by the statuses of the ReplicaSets`,
        );
      }
    }
    return availableLies(history, write).flatMap(bad);
  });

/** All sums over the states of the ReplicaSets that the controller can have observed. */
function sums(
  { replicaSets }: DeploymentHistory,
  { entry, observed }: StatusWrite,
  of: (replicaSet: ReplicaSet) => number,
): ReadonlySet<number> {
  let totals = new Set([0]);
  for (const object of replicaSets.all) {
    const known = object.between(observed.replicasets, entry.revision - 1);
    const reports = new Set(known.map((each) => (each && isOf(each, entry.object) ? of(each) : 0)));
    totals = new Set([...totals].flatMap((total) => [...reports].map((report) => total + report)));
  }
  return totals;
}

/** Violations: `Available` contradicts the counts of the same status and the observed generation. */
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
  return [
    `the controller set Available to ${condition.status} with ${available} available pods; the condition is True if at least ${needed} are available`,
  ];
}

/** The tolerance of a deadline: timestamps omit fractions of a second, clocks are skewed by up to a second, and messages take time. */
const DEADLINE_SLACK_MS = 4_000;

/**
 * Safety and liveness. `Progressing` turns `False` when the deadline since the last progress has passed, and not earlier; a complete
 * roll-out never times out. Once faults have stopped, it also turns `False` on time, although no event comes.
 */
export const keepsDeadline: Law = (history) => {
  const early = history.statuses.flatMap(({ entry }): Violation[] => {
    const [before, after] = [entry.previous, entry.object].map((each) =>
      each ? conditionOf(each.status, 'Progressing') : undefined,
    );
    if (after?.reason !== EXCEEDED || before?.reason === EXCEEDED || !before) return [];
    if (before.reason === COMPLETE) {
      const message = `the controller set ProgressDeadlineExceeded, but the roll-out before was complete (${COMPLETE}, at ${before.lastUpdateTime}): a deadline counts from the start of a roll-out, so report its start first`;
      return [{ atMs: entry.atMs, message }];
    }
    const { progressDeadlineSeconds: seconds } = (entry.previous as Deployment).spec;
    const passedMs = history.epochMs + entry.atMs - Date.parse(before.lastUpdateTime ?? '');
    if (passedMs >= seconds * 1_000) return [];
    const message = `the controller set ProgressDeadlineExceeded ${passedMs / 1_000} s after the last progress; progressDeadlineSeconds is ${seconds}`;
    return [{ atMs: entry.atMs, message }];
  });
  return [...early, ...lateIn(history), ...neverIn(history)];
};

/** Violations: a deadline that the controller noticed too late, after the faults. */
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
  const condition = previous && conditionOf(previous.status, 'Progressing');
  if (!condition || !previous) return [];
  const { progressDeadlineSeconds: seconds } = previous.spec;
  const dueMs = Date.parse(condition.lastUpdateTime ?? '') + seconds * 1_000 - epochMs;
  const lateMs = gaveUp.entry.atMs - Math.max(dueMs, wellMs(history));
  if (lateMs <= DEADLINE_SLACK_MS) return [];
  const before = history.journal.findLast(({ actor, atMs }) => actor === PROCESS && atMs < gaveUp.entry.atMs);
  const idle = before
    ? `. Before that it had written nothing for ${Math.round((gaveUp.entry.atMs - before.atMs) / 1_000)} s, since ${before.atMs} ms`
    : '';
  const message = `the controller set ProgressDeadlineExceeded ${(gaveUp.entry.atMs - dueMs) / 1_000} s after the deadline of ${seconds} s had passed${idle}. No event comes when a deadline passes: schedule the next sync after the remaining time, not later`;
  return [{ atMs: gaveUp.entry.atMs, message }];
}

/** Violations: a deadline that the controller never noticed. */
function neverIn(history: DeploymentHistory): readonly Violation[] {
  const { spec, status } = history.left.deployment;
  const { reason } = conditionOf(status, 'Progressing') ?? {};
  if (reason === EXCEEDED || !isPastDeadline(history)) return [];
  const message = `in the end the deadline of ${spec.progressDeadlineSeconds} s has passed, but the reason of Progressing is ${reason ?? 'missing'}; expected ${EXCEEDED}${collision(history)}`;
  return violation(history, message);
}

/** The longest wait of an informer, plus the time-out of a request without a response. */
const RECOVER_MS = 130_000;
/** The first and the longest back-off of a workqueue. */
const BACKOFF_MS = { first: 5, most: 1_000_000 };

/** The time from which the controller must have recovered from the faults. */
export function wellMs({ healedMs, failedMs }: DeploymentHistory): number {
  return healedMs + RECOVER_MS + Math.min(BACKOFF_MS.first * 2 ** failedMs.length, BACKOFF_MS.most);
}
