import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { Deployment, Pod, PodDisruptionBudget, ReplicaSet, StatefulSet } from '../../api/objects.ts';

/** The objects of the cluster. */
export interface Snapshot {
  readonly budgets: readonly PodDisruptionBudget[];
  readonly pods: readonly Pod[];
  readonly deployments: readonly Deployment[];
  readonly replicaSets: readonly ReplicaSet[];
  readonly statefulSets: readonly StatefulSet[];
}

/** Returns the pending obligations of the controller, as phrases that follow "has still to". */
export function obligations(snapshot: Snapshot): readonly string[] {
  return [
    ...snapshot.budgets.flatMap((budget) => statusOwed(budget, snapshot)),
    ...snapshot.pods.filter(isStale).map(({ metadata }) => `reset DisruptionTarget of ${metadata.name}`),
  ];
}

function statusOwed(budget: PodDisruptionBudget, snapshot: Snapshot): readonly string[] {
  const { status, metadata } = budget;
  const counts = countsOf(budget, snapshot);
  const condition = status.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  if (!counts) {
    const failed = status.disruptionsAllowed === 0 && condition?.reason === 'SyncFailed';
    return failed ? [] : ['report SyncFailed, and allow no disruption'];
  }
  const allowed = counts.expectedPods > 0 ? Math.max(0, counts.currentHealthy - counts.desiredHealthy) : 0;
  const expected = {
    ...counts,
    disruptionsAllowed: allowed,
    observedGeneration: metadata.generation ?? 0,
    condition: allowed > 0 ? 'True SufficientPods' : 'False InsufficientPods',
    evicted: '',
  };
  const found: Readonly<Record<string, unknown>> = {
    ...status,
    condition: `${condition?.status} ${condition?.reason}`,
    evicted: Object.keys(status.disruptedPods ?? {}).join(),
  };
  return Object.entries(expected)
    .filter(([field, value]) => found[field] !== value)
    .map(([field, value]) => `set ${field} to "${value}", not "${found[field]}"`);
}

/** The counts of a budget. */
interface Counts {
  readonly expectedPods: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
}

/** Returns the counts of a budget; undefined if the controller of a pod is unknown. */
export function countsOf(budget: PodDisruptionBudget, snapshot: Snapshot): Counts | undefined {
  const { spec } = budget;
  const covered = snapshot.pods.filter((pod) => isCovered(budget, pod));
  const currentHealthy = covered.filter(isHealthy).length;
  const { minAvailable, maxUnavailable } = spec;
  if (typeof minAvailable === 'number') {
    return { expectedPods: covered.length, currentHealthy, desiredHealthy: minAvailable };
  }
  const expectedPods = scaleOf(covered, snapshot);
  if (expectedPods === undefined) return undefined;
  const part = (text: string): number => Math.ceil((Number.parseInt(text, 10) * expectedPods) / 100);
  if (minAvailable !== undefined) return { expectedPods, currentHealthy, desiredHealthy: part(minAvailable) };
  const unavailable = typeof maxUnavailable === 'string' ? part(maxUnavailable) : (maxUnavailable ?? 0);
  return { expectedPods, currentHealthy, desiredHealthy: Math.max(0, expectedPods - unavailable) };
}

/** Returns whether a budget covers a pod. */
export function isCovered({ metadata, spec }: PodDisruptionBudget, pod: Pod): boolean {
  const selector = labelSelectorAsSelector(spec.selector);
  return metadata.namespace === pod.metadata.namespace && selector.matches(pod.metadata.labels);
}

/** Returns whether a pod is ready, and not terminating. */
export function isHealthy({ metadata, status }: Pod): boolean {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  return metadata.deletionTimestamp === undefined && ready?.status === 'True';
}

/** Returns the sum of the replicas of all controllers of these pods; undefined if one of them does not exist. */
function scaleOf(covered: readonly Pod[], snapshot: Snapshot): number | undefined {
  const { deployments, replicaSets, statefulSets } = snapshot;
  const scales = new Map<string, number>();
  for (const { metadata } of covered) {
    const uid = metadata.ownerReferences?.[0]?.uid;
    if (uid === undefined) continue;
    const replicaSet = replicaSets.find((each) => each.metadata.uid === uid);
    const parent = replicaSet?.metadata.ownerReferences?.[0]?.uid;
    const top =
      deployments.find((each) => each.metadata.uid === parent) ??
      replicaSet ??
      statefulSets.find((each) => each.metadata.uid === uid);
    if (!top) return undefined;
    scales.set(top.metadata.uid, top.spec.replicas ?? 1);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

/** Returns whether a pod that is not deleted has a condition that the controller must reset sooner or later. */
function isStale({ metadata, status }: Pod): boolean {
  const condition = status.conditions?.find(({ type }) => type === 'DisruptionTarget');
  return (
    condition?.status === 'True' &&
    condition.reason !== 'TerminationByKubelet' &&
    metadata.deletionTimestamp === undefined &&
    status.phase !== 'Failed' &&
    status.phase !== 'Succeeded'
  );
}
