import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { isKubeletCondition } from './api-pod-status.ts';
import { meansSame } from './same-status.ts';

/**
 * Merges the kubelet's status with the fields that other components have written. While containers of the pod may run,
 * the result does not enter a terminal phase, because a controller would start a replacement.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/status_manager.go mergePodStatus
 */
export function mergePodStatus(
  { status: api }: Pick<Pod, 'status'>,
  status: core.PodStatus,
  couldHaveRunningContainers: boolean,
): core.PodStatus {
  const ends = isOver(status.phase) && !isOver(api.phase);
  const foreign = (api.conditions ?? []).filter((condition) => !isKubeletCondition(condition));
  const disruption = status.conditions?.find(({ type }) => type === 'DisruptionTarget');
  const others =
    ends && !couldHaveRunningContainers && disruption
      ? [...foreign.filter(({ type }) => type !== 'DisruptionTarget'), disruption]
      : foreign;
  const conditions = [...others, ...(status.conditions ?? []).filter(isKubeletCondition)];
  const { reason: _, message: __, ...rest } = status;
  const { phase, reason, message } = ends && couldHaveRunningContainers ? api : status;
  return {
    ...(api.resourceClaimStatuses ? { resourceClaimStatuses: api.resourceClaimStatuses } : {}),
    ...(api.nominatedNodeName ? { nominatedNodeName: api.nominatedNodeName } : {}),
    ...(api.qosClass ? { qosClass: api.qosClass } : {}),
    ...rest,
    ...(phase ? { phase } : {}),
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
    conditions: isOver(phase) ? conditions.map((condition) => unready(condition, phase)) : conditions,
  };
}

/** A terminal pod is not ready. */
function unready(condition: core.PodCondition, phase: string | undefined): core.PodCondition {
  const isReadiness = condition.type === 'Ready' || condition.type === 'ContainersReady';
  if (!isReadiness || condition.status !== 'True') return condition;
  return { ...condition, status: 'False', reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' };
}

/**
 * Returns a patch from one status to the other, for the pod with this UID and no other of its name; undefined if
 * nothing changes. Concurrent writes of other clients are kept.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/util/pod/pod.go PatchPodStatus
 */
export function podStatusPatch(
  { metadata, status: before }: Pick<Pod, 'metadata' | 'status'>,
  after: core.PodStatus,
): unknown {
  const patch: Record<string, unknown> = {};
  const [old, next] = [before as Record<string, unknown>, after as Record<string, unknown>];
  for (const field of new Set([...Object.keys(old), ...Object.keys(next)])) {
    if (meansSame(old[field], next[field])) continue;
    if (field === 'conditions') patch[field] = conditionsPatch(before.conditions, after.conditions);
    else if (next[field] === undefined) patch[field] = null;
    else patch[field] = MERGED_LISTS.includes(field) ? replacing(next[field] as object[]) : next[field];
  }
  return Object.keys(patch).length > 0 ? { metadata: { uid: metadata.uid }, status: patch } : undefined;
}

/** The lists of a status that a patch merges by element, unless it has a directive. */
const MERGED_LISTS = ['hostIPs', 'podIPs'];

function replacing(list: readonly object[]): readonly object[] {
  return [{ $patch: 'replace' }, ...list];
}

/** Includes only changed conditions, because other clients may write the rest. */
function conditionsPatch(
  before: readonly core.PodCondition[] = [],
  after: readonly core.PodCondition[] = [],
): readonly object[] {
  const gone = before.filter(({ type }) => !after.some((each) => each.type === type));
  const changed = after.flatMap((condition) => {
    const old = before.find(({ type }) => type === condition.type);
    if (meansSame(old, condition)) return [];
    const dropped = Object.entries(old ?? {}).flatMap(([field, value]) =>
      value === null || field in condition ? [] : field,
    );
    return [{ ...Object.fromEntries(dropped.map((field) => [field, null])), ...condition }];
  });
  return [...gone.map(({ type }) => ({ $patch: 'delete', type })), ...changed];
}

function isOver(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}
