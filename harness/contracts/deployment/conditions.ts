import type { Deployment } from '../../api/objects.ts';
import { formatTime } from '../../sim/index.ts';
import { MAX_INT32 } from './annotations.ts';
import type { Rollout } from './facts.ts';

/** What a Deployment reports. */
export type DeploymentStatus = Deployment['status'];
/** One of the conditions of a Deployment: `Available`, `Progressing` or `ReplicaFailure`. */
export type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number];

/**
 * A condition whose two times are now.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go NewDeploymentCondition
 *
 * @param nowMs ms since 1970
 */
export function newDeploymentCondition(
  nowMs: number,
  condition: Pick<DeploymentCondition, 'type' | 'status' | 'reason' | 'message'>,
): DeploymentCondition {
  const now = formatTime(nowMs);
  return { ...condition, lastUpdateTime: now, lastTransitionTime: now };
}

/**
 * The condition of this type; `undefined` if there is none.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go GetDeploymentCondition
 */
export function getDeploymentCondition(
  { conditions = [] }: DeploymentStatus,
  type: string,
): DeploymentCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/**
 * The conditions with this one in the place of the one of its type. If status and reason are the same, it is no news, and the old
 * one stays as it is. If the status is the same, `lastTransitionTime` stays.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go SetDeploymentCondition
 */
export function setDeploymentCondition(
  conditions: readonly DeploymentCondition[],
  condition: DeploymentCondition,
): DeploymentCondition[] {
  const current = conditions.find(({ type }) => type === condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return [...conditions];
  return replaceDeploymentCondition(conditions, condition);
}

/**
 * The conditions with this one in the place of the one of its type, also if it is no news: `lastUpdateTime` is that of the new one.
 * If the status is the same, `lastTransitionTime` stays.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/progress.go syncRolloutStatus
 */
export function replaceDeploymentCondition(
  conditions: readonly DeploymentCondition[],
  condition: DeploymentCondition,
): DeploymentCondition[] {
  const current = conditions.find(({ type }) => type === condition.type);
  const since = current?.status === condition.status ? current.lastTransitionTime : undefined;
  return [
    ...removeDeploymentCondition(conditions, condition.type),
    { ...condition, ...(since === undefined ? {} : { lastTransitionTime: since }) },
  ];
}

/**
 * The conditions without the one of this type.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go RemoveDeploymentCondition
 */
export function removeDeploymentCondition(
  conditions: readonly DeploymentCondition[],
  type: string,
): DeploymentCondition[] {
  return conditions.filter((condition) => condition.type !== type);
}

/**
 * Has the Deployment a deadline? `progressDeadlineSeconds` is there, and is not {@link MAX_INT32}.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go HasProgressDeadline
 */
export function hasProgressDeadline({ spec }: Deployment): boolean {
  return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== MAX_INT32;
}

/**
 * The condition `ReplicaFailure` of a ReplicaSet, as one of the Deployment. That of the new ReplicaSet goes before those of the old.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/progress.go getReplicaFailures
 */
export function getReplicaFailure({
  newReplicaSet,
  old,
}: Pick<Rollout, 'newReplicaSet' | 'old'>): DeploymentCondition | undefined {
  const found = [...(newReplicaSet ? [newReplicaSet] : []), ...old]
    .flatMap(({ status }) => status.conditions ?? [])
    .find(({ type }) => type === 'ReplicaFailure');
  if (!found) return undefined;
  const { lastTransitionTime } = found;
  return { ...found, ...(lastTransitionTime === undefined ? {} : { lastUpdateTime: lastTransitionTime }) };
}

/**
 * What `Progressing` is to say because the Deployment was paused or resumed, so that the time in between does not count against
 * the deadline. `undefined` if nothing is to be said: also without a deadline, and once the deadline has been said to be exceeded.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go checkPausedConditions
 *
 * @param nowMs ms since 1970
 */
export function checkPausedConditions(
  deployment: Deployment,
  nowMs: number,
): DeploymentCondition | undefined {
  const current = getDeploymentCondition(deployment.status, 'Progressing');
  if (!hasProgressDeadline(deployment) || current?.reason === 'ProgressDeadlineExceeded') return undefined;
  const paused = deployment.spec.paused ?? false;
  if (paused === (current?.reason === 'DeploymentPaused')) return undefined;
  const [reason, message] = paused
    ? ['DeploymentPaused', 'Deployment is paused']
    : ['DeploymentResumed', 'Deployment is resumed'];
  return newDeploymentCondition(nowMs, { type: 'Progressing', status: 'Unknown', reason, message });
}
