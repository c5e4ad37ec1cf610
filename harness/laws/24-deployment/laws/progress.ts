import type { Deployment, ReplicaSet } from '../../../api/objects.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { DeploymentHistory, StatusWrite } from '../history.ts';
import {
  COMPLETE,
  conditionOf,
  DESIRED,
  isGoing,
  isOf,
  NEVER,
  newest,
  sameTemplate,
} from '../oracle/truth.ts';
import type { Law } from './budget.ts';

type Status = Deployment['status'];

/**
 * The tolerance of times in a status: it is computed before it is written, and timestamps omit fractions of a second.
 */
const MOMENT_MS = 3_000;

/**
 * Safety, under every fault. Each step of a roll-out restarts the deadline: a status with more new, ready or available pods, or fewer
 * old pods, sets `lastUpdateTime` to now. Nothing else does.
 */
export const progressCounts: Law = (history) => [...isCounted(history), ...isNothingElse(history)];

const isNothingElse: Law = (history) =>
  history.statuses.flatMap(({ entry, observed }): Violation[] => {
    const { previous, object, revision, atMs } = entry;
    const [before, after] = [previous, object].map((each) => each && conditionOf(each.status, 'Progressing'));
    if (after?.reason !== 'ReplicaSetUpdated' || after.lastUpdateTime === before?.lastUpdateTime) return [];
    const known =
      history.deployments.of(object.metadata.uid)?.statesBetween(observed.deployments, revision - 1) ?? [];
    if (known.length === 0 || known.some(({ status }) => isStep(status, object.status))) return [];
    const message =
      'the controller renewed lastUpdateTime of Progressing, but the roll-out made no progress: no more new pods, no more ready pods, no fewer old pods';
    return [{ atMs, message }];
  });

const isCounted: Law = (history) =>
  history.statuses.flatMap((write): Violation[] => {
    const { entry } = write;
    const { previous, object } = entry;
    if (!previous || !isStep(previous.status, object.status) || !isRollOut(history, write)) return [];
    const [before, after] = [previous, object].map(({ status }) => conditionOf(status, 'Progressing'));
    if (!before || before.reason === COMPLETE || after?.reason === COMPLETE) return [];
    // A new generation may change the counts.
    if (previous.status.observedGeneration !== object.status.observedGeneration) return [];
    const lateMs = history.epochMs + entry.atMs - Date.parse(after?.lastUpdateTime ?? '');
    if (lateMs < MOMENT_MS) return [];
    const message = `the roll-out made progress, but lastUpdateTime of Progressing (${after?.reason}) is ${Math.round(lateMs / 1_000)} s old; progress must renew it, because the deadline counts from there`;
    return [{ atMs: entry.atMs, message }];
  });

/** Tests whether the roll-out made progress between two statuses. */
export function isStep(before: Status, after: Status): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: Status): number => replicas - updatedReplicas;
  const more = (field: 'updatedReplicas' | 'readyReplicas' | 'availableReplicas'): boolean =>
    (after[field] ?? 0) > (before[field] ?? 0);
  return (
    more('updatedReplicas') || old(after) < old(before) || more('readyReplicas') || more('availableReplicas')
  );
}

/** Tests whether a roll-out with a deadline is in progress: not paused, not being deleted, and not scaled. */
function isRollOut({ replicaSets }: DeploymentHistory, { entry, observed }: StatusWrite): boolean {
  const { previous, object } = entry;
  if (!previous || isGoing(previous)) return false;
  const { paused, progressDeadlineSeconds, replicas } = previous.spec;
  if (paused || progressDeadlineSeconds === NEVER) return false;
  return replicaSets.all
    .flatMap((each) => each.statesBetween(observed.replicasets, entry.revision - 1))
    .filter((each) => isOf(each, object) && each.spec.replicas > 0)
    .every(({ metadata }) => Number(metadata.annotations?.[DESIRED] ?? replicas) === replicas);
}

/**
 * Safety, under every fault. A complete roll-out stays complete, whatever happens to its pods, until the spec of the Deployment changes.
 */
export const staysOver: Law = (history) =>
  history.statuses.flatMap(({ entry, observed }): Violation[] => {
    const { previous, object, revision, atMs } = entry;
    const [before, after] = [previous, object].map((each) => each && conditionOf(each.status, 'Progressing'));
    if (before?.reason !== COMPLETE || after?.reason === COMPLETE) return [];
    const complete = history.statuses.findLast(
      (write) =>
        write.entry.revision < revision && reportsComplete(write) && isSame(write.entry.object, object),
    );
    if (!complete) return [];
    const since = complete.observed;
    const [first, ...versions] =
      history.deployments
        .of(object.metadata.uid)
        ?.statesBetween(Math.min(since.deployments, observed.deployments), revision - 1) ?? [];
    if (!first || versions.some((version) => version.metadata.generation !== first.metadata.generation))
      return [];
    if (!isOnlyOne(history, first, Math.min(since.replicasets, observed.replicasets), revision - 1))
      return [];
    const message = `the controller changed the reason of Progressing from ${before?.reason} to ${after?.reason ?? 'nothing'}, although the spec has not changed since the roll-out was complete`;
    return [{ atMs, message }];
  });

function reportsComplete({ entry }: StatusWrite): boolean {
  return (
    conditionOf(entry.object.status, 'Progressing')?.reason === COMPLETE &&
    (!entry.previous || conditionOf(entry.previous.status, 'Progressing')?.reason !== COMPLETE)
  );
}

function isSame(a: Deployment, b: Deployment): boolean {
  return a.metadata.uid === b.metadata.uid;
}

/** Tests whether the ReplicaSet of the template was the only one with pods all the time. */
function isOnlyOne(
  { replicaSets }: DeploymentHistory,
  deployment: Deployment,
  from: number,
  to: number,
): boolean {
  const { template } = deployment.spec;
  const isMine = (each: ReplicaSet): boolean => isOf(each, deployment);
  const mine = replicaSets.all.filter((each) => each.statesBetween(from, to).some(isMine));
  const current = newest(
    deployment,
    mine.flatMap((each) => each.statesBetween(from, to).filter(isMine).slice(0, 1)),
  );
  return mine.every((each) => {
    const states = each.between(from, to);
    if (each.id === current?.metadata.uid) return states.every((state) => state && isMine(state));
    return each
      .statesBetween(from, to)
      .every(
        ({ spec, status }) =>
          spec.replicas === 0 && status.replicas === 0 && !sameTemplate(spec.template, template),
      );
  });
}

/** Safety, under every fault. `lastTransitionTime` of a condition changes exactly when its status changes. */
export const transitionsInTime: Law = (history) =>
  history.statuses.flatMap(({ entry, observed }): Violation[] => {
    const { object, revision, atMs } = entry;
    const known =
      history.deployments.of(object.metadata.uid)?.statesBetween(observed.deployments, revision - 1) ?? [];
    const nowMs = history.epochMs + atMs;
    return ['Available', 'Progressing'].flatMap((type): Violation[] => {
      const condition = conditionOf(object.status, type);
      if (!condition || known.length === 0) return [];
      const { status, lastTransitionTime } = condition;
      const isNow = Math.abs(nowMs - Date.parse(lastTransitionTime ?? '')) < MOMENT_MS;
      const isRight = known.some((version) => {
        const before = conditionOf(version.status, type);
        return before?.status === status ? before.lastTransitionTime === lastTransitionTime : isNow;
      });
      if (isRight) return [];
      const message = `the condition ${type} is ${status} with lastTransitionTime ${lastTransitionTime}; it must be the time at which the status of the condition changed`;
      return [{ atMs, message }];
    });
  });
