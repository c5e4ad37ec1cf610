/** Level 6 · Status: what it says of the pods, and how it is written. */
import {
  type Client,
  deepEqual,
  formatTime,
  keyOf,
  keyToString,
  labels,
  type Pod,
  type ReplicaSet,
  replicaSets,
} from '#harness';
import { isPodAvailable } from './availability.ts';
import { isPodReady } from './readiness.ts';

export type ReplicaSetStatus = ReplicaSet['status'];
export type ReplicaSetCondition = NonNullable<ReplicaSetStatus['conditions']>[number];

export function setCondition(
  conditions: readonly ReplicaSetCondition[],
  condition: ReplicaSetCondition,
): ReplicaSetCondition[] {
  const current = conditions.find(({ type }) => type === condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return [...conditions];
  return [...removeCondition(conditions, condition.type), condition];
}

export function removeCondition(
  conditions: readonly ReplicaSetCondition[],
  type: string,
): ReplicaSetCondition[] {
  return conditions.filter((condition) => condition.type !== type);
}

export function calculateStatus(
  rs: ReplicaSet,
  active: readonly Pod[],
  failure: Error | undefined,
  nowMs: number,
): ReplicaSetStatus {
  const { template, replicas, minReadySeconds = 0 } = rs.spec;
  const wanted = labels.selectorFromSet(template.metadata?.labels);
  const counts = {
    fullyLabeledReplicas: active.filter((pod) => wanted.matches(pod.metadata.labels)).length,
    readyReplicas: active.filter(isPodReady).length,
    availableReplicas: active.filter((pod) => isPodAvailable(pod, minReadySeconds, nowMs)).length,
  };
  const conditions = calculateConditions(
    rs.status.conditions ?? [],
    active.length - replicas,
    failure,
    nowMs,
  );
  const { observedGeneration } = rs.status;
  return {
    replicas: active.length,
    // On the wire a count of none is left out, all but the first.
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

function calculateConditions(
  conditions: readonly ReplicaSetCondition[],
  diff: number,
  failure: Error | undefined,
  nowMs: number,
): readonly ReplicaSetCondition[] & ReplicaSetCondition[] {
  const known = conditions.some(({ type }) => type === 'ReplicaFailure');
  if (!failure) return known ? removeCondition(conditions, 'ReplicaFailure') : [...conditions];
  // One that is there stays as it is: since when, and why at first.
  if (known) return [...conditions];
  return setCondition(conditions, {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: formatTime(nowMs),
    ...(diff === 0 ? {} : { reason: diff < 0 ? 'FailedCreate' : 'FailedDelete' }),
    message: failure.message,
  });
}

const STATUS_UPDATE_RETRIES = 1;

export async function updateReplicaSetStatus(
  client: Pick<Client, 'get' | 'updateStatus'>,
  rs: ReplicaSet,
  newStatus: ReplicaSetStatus,
): Promise<ReplicaSet> {
  const { generation = 0, uid } = rs.metadata;
  // The generation that was acted on, not one that a retry happens to find.
  const status = { ...newStatus, observedGeneration: generation };
  if (sameStatus(rs.status, status)) return rs;
  let current = rs;
  for (let retries = STATUS_UPDATE_RETRIES; ; retries--) {
    try {
      return await client.updateStatus(replicaSets, { ...current, status });
    } catch (error) {
      if (retries === 0) throw error;
    }
    current = await client.get(replicaSets, keyOf(rs));
    if (current.metadata.uid !== uid || (current.status.observedGeneration ?? 0) > generation) {
      throw new Error(`Failed to update the status of ${nameOf(rs)}: it says more than we know. Look again.`);
    }
  }
}

function sameStatus(one: ReplicaSetStatus, other: ReplicaSetStatus): boolean {
  return (
    one.replicas === other.replicas &&
    (one.fullyLabeledReplicas ?? 0) === (other.fullyLabeledReplicas ?? 0) &&
    (one.readyReplicas ?? 0) === (other.readyReplicas ?? 0) &&
    (one.availableReplicas ?? 0) === (other.availableReplicas ?? 0) &&
    (one.observedGeneration ?? 0) === (other.observedGeneration ?? 0) &&
    deepEqual(one.conditions ?? [], other.conditions ?? [])
  );
}

/** What messages call it. */
export function nameOf(rs: ReplicaSet): string {
  return `ReplicaSet ${keyToString(keyOf(rs))}`;
}
