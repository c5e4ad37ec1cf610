import type { Deployment } from '../../api/objects.ts';
import { formatTime } from '../../sim/index.ts';
import { MAX_INT32 } from './annotations.ts';
import type { Rollout } from './facts.ts';

/** The status of a Deployment. */
export type DeploymentStatus = Deployment['status'];
/** A condition of a Deployment: `Available`, `Progressing` or `ReplicaFailure`. */
export type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number];

/**
 * Returns a condition with both times set to now.
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
 * Returns the condition of this type, or `undefined`.
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
 * Returns the conditions, with this condition in place of the old one of its type. If status and reason are unchanged,
 * the old condition stays as it is. If only the status is unchanged, `lastTransitionTime` stays.
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
 * Returns the conditions, with this condition in place of the old one of its type, even if status and reason are
 * unchanged. `lastUpdateTime` is always the new one. If the status is unchanged, `lastTransitionTime` stays.
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
 * Returns the conditions without the condition of this type.
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
 * Returns whether the Deployment has a deadline: `progressDeadlineSeconds` is set, and is not {@link MAX_INT32}.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go HasProgressDeadline
 */
export function hasProgressDeadline({ spec }: Deployment): boolean {
  return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== MAX_INT32;
}

/**
 * Returns the condition `ReplicaFailure` of a ReplicaSet as a condition of the Deployment, or `undefined`. The
 * condition of the new ReplicaSet takes precedence over those of the old ones.
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
 * Returns the condition `Progressing` of a Deployment that was just paused or resumed, so that the paused time does not
 * count against the deadline. Returns `undefined` if the condition needs no change, if the Deployment has no deadline,
 * or if the condition already reports that the deadline is exceeded.
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
