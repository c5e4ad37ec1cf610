import type { Deployment, Pod, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import type { Obligations } from '../../../testing/rig/obligations.ts';
import {
  availableOf,
  budgetOf,
  conditionOf,
  DESIRED,
  isGoing,
  isOf,
  NEVER,
  newest,
  REVISION,
  revisionOf,
  selects,
  sum,
} from './truth.ts';

/** The state of a cluster at one moment, as far as a Deployment controller needs it. */
export interface Snapshot {
  readonly deployment: Deployment;
  readonly replicaSets: readonly ReplicaSet[];
  readonly pods: readonly Pod[];
  /** In ms since 1970. */
  readonly nowMs: number;
}

/** A snapshot, with its ReplicaSets sorted. */
interface Sorted extends Snapshot {
  /** The ReplicaSet of the template. */
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
  /** ReplicaSets that the Deployment controls and selects. */
  readonly all: readonly ReplicaSet[];
}

/** Lists the obligations of a controller towards a Deployment, by the promises of the API. */
export const coreObligations: Obligations<Snapshot> = (snapshot) => {
  const sorted = sort(snapshot);
  const { deployment } = snapshot;
  if (isGoing(deployment)) return reportObligations(sorted);
  const { paused, strategy } = deployment.spec;
  const rolls = paused
    ? pausedObligations
    : strategy.type === 'Recreate'
      ? recreateObligations
      : rollingObligations;
  return [
    ...claimObligations(snapshot),
    ...currentObligations(sorted),
    ...rolls(sorted),
    ...reportObligations(sorted),
    ...availabilityObligations(sorted),
    ...progressObligations(sorted),
    ...failureObligations(sorted),
  ];
};

/** Lists the obligations after a change of size, during a roll-out or a pause. */
export const sizeObligations: Obligations<Snapshot> = (snapshot) => {
  const { deployment, current, all } = sort(snapshot);
  const { spec } = deployment;
  if (isGoing(deployment)) return [];
  const isRolling = spec.strategy.type !== 'Recreate';
  const active = all.filter((each) => each.spec.replicas > 0);
  const isScaled = active.some(
    ({ metadata }) => Number(metadata.annotations?.[DESIRED] ?? spec.replicas) !== spec.replicas,
  );
  if (isScaled && (isRolling || active.length === 1)) return [`scale to ${spec.replicas}`];
  if (!spec.paused || active.length <= 1) return [];
  const total = sum(all.map((each) => each.spec.replicas));
  const isSaturated =
    current && current.spec.replicas === spec.replicas && availableOf(current) === spec.replicas;
  const wanted = spec.replicas === 0 ? 0 : budgetOf(deployment).max;
  return !isRolling || isSaturated || total === wanted
    ? []
    : [`scale to ${wanted} pods in all, although paused`];
};

/** Lists the obligations about history: no more old ReplicaSets than the limit. */
export const historyObligations: Obligations<Snapshot> = (snapshot) => {
  const { deployment, current, old } = sort(snapshot);
  if (isGoing(deployment)) return [];
  const { spec, status, metadata } = deployment;
  const isComplete =
    current?.spec.replicas === spec.replicas &&
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    [status.replicas, status.updatedReplicas, status.availableReplicas].every(
      (count = 0) => count === spec.replicas,
    );
  if (!isComplete && !spec.paused) return [];
  const extra = tooOld(spec.revisionHistoryLimit, old).filter(isEmpty);
  return extra.map((each) => `delete ${each.metadata.name}, which exceeds revisionHistoryLimit`);
};

/** Combines several kinds of obligations. */
export function together(...kinds: readonly Obligations<Snapshot>[]): Obligations<Snapshot> {
  return (snapshot) => kinds.flatMap((obligations) => obligations(snapshot));
}

function sort(snapshot: Snapshot): Sorted {
  const { deployment, replicaSets } = snapshot;
  const all = replicaSets.filter((each) => isOf(each, deployment) && selects(deployment, each));
  const current = newest(deployment, all);
  return { ...snapshot, all, current, old: all.filter((each) => each !== current) };
}

function claimObligations({ deployment, replicaSets }: Snapshot): readonly string[] {
  return replicaSets.flatMap((each) => {
    const { name } = each.metadata;
    const isFree = controllerOf(each) === undefined && !isGoing(each);
    if (isFree && selects(deployment, each)) return [`adopt ${name}`];
    return isOf(each, deployment) && !selects(deployment, each) ? [`release ${name}`] : [];
  });
}

/** Annotations of the controller or of kubectl. */
const OWN_ANNOTATIONS = /^(deployment\.kubernetes\.io|kubectl\.kubernetes\.io)\//;

function currentObligations({ deployment, current, old }: Sorted): readonly string[] {
  if (!current) return [];
  const { name, annotations = {} } = current.metadata;
  const { [REVISION]: revision } = annotations;
  const highest = Math.max(0, ...old.map(revisionOf));
  const { minReadySeconds = 0 } = deployment.spec;
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key, value]) => !OWN_ANNOTATIONS.test(key) && annotations[key] !== value,
  );
  return [
    ...(revisionOf(current) > highest ? [] : [`set a revision above ${highest} on ${name}`]),
    ...(deployment.metadata.annotations?.[REVISION] === revision
      ? []
      : [`set revision ${revision} on the Deployment`]),
    ...((current.spec.minReadySeconds ?? 0) === minReadySeconds
      ? []
      : [`set minReadySeconds ${minReadySeconds} on ${name}`]),
    ...copied.map(([key]) => `copy the annotation ${key} to ${name}`),
  ];
}

/** The available pods of a report, at most `spec.replicas`. */
function kept(replicaSet: ReplicaSet): number {
  return Math.min(availableOf(replicaSet), replicaSet.spec.replicas);
}

/** Lists the obligations of a paused Deployment, which is scaled if only one ReplicaSet has pods. */
function pausedObligations({ deployment, all }: Sorted): readonly string[] {
  const { replicas } = deployment.spec;
  const active = all.filter((each) => each.spec.replicas > 0);
  if (all.length === 0 || active.length > 1) return [];
  return (active[0]?.spec.replicas ?? 0) === replicas ? [] : [`scale to ${replicas}, although paused`];
}

function rollingObligations({ deployment, current, old, all }: Sorted): readonly string[] {
  if (!current) return ['create a ReplicaSet of the template'];
  const { replicas } = deployment.spec;
  const { max, minAvailable } = budgetOf(deployment);
  const { name } = current.metadata;
  const total = sum(all.map((each) => each.spec.replicas));
  if (current.spec.replicas > replicas) return [`scale ${name} down to ${replicas}`];
  if (current.spec.replicas < replicas && total < max)
    return [`scale ${name} up, because the limit allows more pods`];
  const spare = total - minAvailable - (current.spec.replicas - kept(current));
  if (spare <= 0) return [];
  const sick = old.find((each) => each.spec.replicas > kept(each));
  if (sick) return [`delete the unavailable pods of ${sick.metadata.name}`];
  const some = old.find((each) => each.spec.replicas > 0);
  return some && sum(all.map(kept)) > minAvailable ? [`scale ${some.metadata.name} down`] : [];
}

function recreateObligations({ deployment, current, old, pods }: Sorted): readonly string[] {
  const { replicas } = deployment.spec;
  const left = old.find((each) => each.spec.replicas > 0);
  if (left) return [`scale ${left.metadata.name} down to 0`];
  if (old.some((each) => each.status.replicas > 0)) return [];
  const uids = new Set(old.map(({ metadata }) => metadata.uid));
  const isThere = (pod: Pod): boolean => uids.has(controllerOf(pod)?.uid ?? '') && !hasEnded(pod);
  if (pods.some(isThere)) return [];
  if (!current) return ['create a ReplicaSet of the template'];
  return current.spec.replicas === replicas ? [] : [`scale ${current.metadata.name} to ${replicas}`];
}

function hasEnded({ status: { phase } }: Pod): boolean {
  return phase === 'Failed' || phase === 'Succeeded';
}

function reportObligations({ deployment, current, all }: Sorted): readonly string[] {
  const { status, metadata } = deployment;
  const available = sum(all.map(availableOf));
  const counted = {
    observedGeneration: metadata.generation ?? 0,
    replicas: sum(all.map((each) => each.status.replicas)),
    updatedReplicas: current?.status.replicas ?? 0,
    readyReplicas: sum(all.map((each) => each.status.readyReplicas ?? 0)),
    availableReplicas: available,
    terminatingReplicas: sum(all.map((each) => each.status.terminatingReplicas ?? 0)),
    unavailableReplicas: Math.max(0, sum(all.map((each) => each.spec.replicas)) - available),
  };
  return Object.entries(counted).flatMap(([field, count]) => {
    const said = status[field as keyof typeof counted] ?? 0;
    return said === count ? [] : [`set status.${field} to ${count} (it is ${said})`];
  });
}

function availabilityObligations({ deployment, all }: Sorted): readonly string[] {
  const { spec, status } = deployment;
  const needed = spec.strategy.type === 'Recreate' ? spec.replicas : budgetOf(deployment).minAvailable;
  const isEnough = sum(all.map(availableOf)) >= needed;
  const wanted = isEnough ? 'True, MinimumReplicasAvailable' : 'False, MinimumReplicasUnavailable';
  const said = conditionOf(status, 'Available');
  return said && `${said.status}, ${said.reason}` === wanted ? [] : [`set Available to ${wanted}`];
}

/** Reasons of a roll-out that is neither complete nor past its deadline. */
const UNDER_WAY = new Set([
  'NewReplicaSetCreated',
  'FoundNewReplicaSet',
  'ReplicaSetUpdated',
  'ReplicaSetCreateError',
  'DeploymentResumed',
]);

/**
 * The tolerance of times: timestamps omit fractions of a second, clocks are skewed by up to a second, and messages take time.
 */
const DEADLINE_SLACK_MS = 4_000;

function progressObligations({ deployment, current, all, nowMs }: Sorted): readonly string[] {
  const { spec, status } = deployment;
  const { paused, replicas, progressDeadlineSeconds: seconds } = spec;
  const said = conditionOf(status, 'Progressing');
  if (seconds === NEVER) return said && !paused ? ['say nothing of progress, for there is no deadline'] : [];
  const { reason = 'nothing', status: value, lastUpdateTime = '' } = said ?? {};
  if (paused) {
    const isRight = reason === 'DeploymentPaused' || reason === 'ProgressDeadlineExceeded';
    return isRight ? [] : [`report the pause in Progressing (its reason is ${reason})`];
  }
  if (!current) return [];
  const reported = sum(all.map((each) => each.status.replicas));
  const isComplete =
    reported === replicas && current.status.replicas === replicas && availableOf(current) === replicas;
  if (isComplete) {
    const isRight = reason === 'NewReplicaSetAvailable' && value === 'True';
    return isRight ? [] : [`report the complete roll-out in Progressing (its reason is ${reason})`];
  }
  // A complete roll-out stays complete when pods are lost.
  if (reason === 'NewReplicaSetAvailable')
    return reported === current.status.replicas ? [] : ['say no longer that the roll-out is complete'];
  if (reason === 'ProgressDeadlineExceeded') return value === 'False' ? [] : ['say Progressing: False'];
  if (!UNDER_WAY.has(reason))
    return [`report the state of the roll-out in Progressing (its reason is ${reason})`];
  const dueMs = Date.parse(lastUpdateTime ?? '') + seconds * 1_000 + DEADLINE_SLACK_MS;
  return nowMs > dueMs ? ['say that the deadline has passed'] : [];
}

function failureObligations({ deployment, all }: Sorted): readonly string[] {
  const { spec, status } = deployment;
  const fails = all.some((each) => each.status.conditions?.some(({ type }) => type === 'ReplicaFailure'));
  const isReported = conditionOf(status, 'ReplicaFailure') !== undefined;
  if (spec.paused || fails === isReported) return [];
  return [fails ? 'say that pods cannot be created' : 'say no longer that pods cannot be created'];
}

/** Returns the surplus of old ReplicaSets, lowest revisions first; none if revisions are equal. */
function tooOld(limit: number, old: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const alive = old.filter((each) => !isGoing(each));
  const tooMany = Math.max(0, alive.length - limit);
  return alive.filter(
    (each) =>
      alive.filter((other) => other !== each && revisionOf(other) <= revisionOf(each)).length < tooMany,
  );
}

/** Tests whether a ReplicaSet wants no pods, and its status observes that generation. */
export function isEmpty({ metadata, spec, status }: ReplicaSet): boolean {
  return (
    spec.replicas === 0 &&
    status.replicas === 0 &&
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  );
}
