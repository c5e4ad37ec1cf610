/** Level 6 · Status: its content, and how it is written. */
import { isPodAvailable } from '#given/23-replicaset';
import {
  type Client,
  formatTime,
  isReady,
  isSameStatus,
  keyOf,
  keyToString,
  labels,
  type Pod,
  type ReplicaSet,
  replicaSets,
} from '#harness';

export type ReplicaSetStatus = ReplicaSet['status'];
export type ReplicaSetCondition = NonNullable<ReplicaSetStatus['conditions']>[number];

/** The pods that a status counts. */
export interface CountedPods {
  readonly active: readonly Pod[];
  /** Pods that are being deleted and have not ended. */
  readonly terminating: readonly Pod[];
}

export function calculateStatus(
  rs: ReplicaSet,
  { active, terminating }: CountedPods,
  failure: Error | undefined,
  nowMs: number,
): ReplicaSetStatus {
  const { template, replicas, minReadySeconds = 0 } = rs.spec;
  const wanted = labels.selectorFromSet(template.metadata?.labels);
  const counts = {
    fullyLabeledReplicas: active.filter((pod) => wanted.matches(pod.metadata.labels)).length,
    readyReplicas: active.filter(isReady).length,
    availableReplicas: active.filter((pod) => isPodAvailable(pod, minReadySeconds, nowMs)).length,
  };
  const { observedGeneration, conditions: known = [] } = rs.status;
  const conditions = calculateConditions(known, active.length - replicas, failure, nowMs);
  return {
    replicas: active.length,
    // A count of 0 is omitted on the wire, except for the first and the last count.
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    terminatingReplicas: terminating.length,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

function calculateConditions(
  conditions: ReplicaSetCondition[],
  diff: number,
  failure: Error | undefined,
  nowMs: number,
): ReplicaSetCondition[] {
  if (!failure) return conditions.filter(({ type }) => type !== 'ReplicaFailure');
  // An existing condition keeps its transition time and its first reason.
  if (conditions.some(({ type }) => type === 'ReplicaFailure')) return conditions;
  const condition = {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: formatTime(nowMs),
    ...(diff === 0 ? {} : { reason: diff < 0 ? 'FailedCreate' : 'FailedDelete' }),
    message: failure.message,
  };
  return [...conditions, condition];
}

export async function updateReplicaSetStatus(
  client: Pick<Client, 'get' | 'updateStatus'>,
  rs: ReplicaSet,
  newStatus: ReplicaSetStatus,
): Promise<ReplicaSet> {
  const { generation = 0, uid } = rs.metadata;
  // The generation that the controller has acted on, not the generation that a retry reads.
  const status = { ...newStatus, observedGeneration: generation };
  if (isSameStatus(rs.status, status)) return rs;
  try {
    return await client.updateStatus(replicaSets, { ...rs, status });
  } catch {
    const fresh = await client.get(replicaSets, keyOf(rs));
    if (fresh.metadata.uid !== uid || (fresh.status.observedGeneration ?? 0) > generation) {
      throw new Error(`Failed to update the status of ${nameOf(rs)}: the server knows a newer one.`);
    }
    return await client.updateStatus(replicaSets, { ...fresh, status });
  }
}

/** Returns the name of a ReplicaSet for messages. */
export function nameOf(rs: ReplicaSet): string {
  return `ReplicaSet ${keyToString(keyOf(rs))}`;
}
