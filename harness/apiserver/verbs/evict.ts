import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { KubeObject, ObjectKey, ObjectMeta, Pod, PodDisruptionBudget } from '../../api/objects.ts';
import { podDisruptionBudgets, pods } from '../../api/resource.ts';
import { errors, type StatusError } from '../../api/status.ts';
import type { DeleteOptions } from '../../contracts/client.ts';
import { formatTime } from '../../sim/index.ts';
import type { Eventually } from '../eventually.ts';
import { withCondition } from '../kinds/with-condition.ts';
import { Superseded } from '../storage/object-writes.ts';
import { admittedRequest } from './admitted.ts';
import { mustMeet, remove } from './delete.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';
import { updateStatusFrom } from './update.ts';

/**
 * Maximum number of unconfirmed evictions.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/storage/eviction.go MaxDisruptedPodSize
 */
const DISRUPTED_PODS_MAX = 2_000;

/**
 * Deletes a pod if its disruption budget allows it, and counts the disruption. First sets the condition
 * DisruptionTarget, so that the pod's controller knows that the pod did not fail by itself.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/storage/eviction.go EvictionREST.Create
 */
export async function evict(asked: Registry, key: ObjectKey, options: DeleteOptions): Promise<void> {
  if (asked.admission) await admittedEviction(asked, key, options);
  // Admission has seen the eviction; it does not see the writes that carry it out.
  const registry = { ...asked, admission: undefined };
  const pod = readNewest(registry, pods, checkedKey(pods, key));
  const budget = isDisruptedAlready(pod) ? undefined : budgetOf(registry, pod);
  const taking = budget && !maySkip(pod, budget) ? takeFrom(registry, budget, pod, options) : undefined;
  if (taking instanceof Promise) await taking;
  if (options.dryRun) {
    await remove(registry, pods, key, options);
    return;
  }
  try {
    await markAndRemove(registry, pod, key, options);
  } catch (error) {
    if (!(error instanceof Superseded && registry.fresh)) throw error;
    // The budget has counted the pod already, so only the rest starts again.
    await registry.fresh();
    await markAndRemove(registry, readNewest(registry, pods, checkedKey(pods, key)), key, options);
  }
}

async function markAndRemove(
  registry: Registry,
  pod: Pod,
  key: ObjectKey,
  options: DeleteOptions,
): Promise<void> {
  const kind = registry.kindOf(pods);
  mustMeet(kind, pod, options);
  const now = formatTime(registry.clock.now());
  const status = {
    ...pod.status,
    conditions: withCondition(pod.status.conditions, DISRUPTION_TARGET, now),
  };
  const marked = await updateStatusFrom(registry, kind, { ...pod, status }, pod, {});
  const { resourceVersion } = marked.metadata;
  // The status update changed the resourceVersion, so the delete must use the new one.
  const isPrecise = options.preconditions?.resourceVersion !== undefined;
  const preconditions = isPrecise ? { ...options.preconditions, resourceVersion } : options.preconditions;
  await remove(registry, pods, key, { ...options, ...(preconditions ? { preconditions } : {}) });
}

/** Leads the Eviction through admission. Upstream: kubernetes/api@v0.36.3 policy/v1/types.go Eviction */
async function admittedEviction(
  registry: Registry,
  { namespace = '', name }: ObjectKey,
  { dryRun = false, ...deleteOptions }: DeleteOptions,
): Promise<void> {
  const options = { dryRun };
  const subresource = 'eviction';
  const write = { operation: 'CREATE', resource: pods, subresource, namespace, name, options } as const;
  const metadata = { namespace, name } as ObjectMeta;
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata, deleteOptions };
  await admittedRequest(registry, write, eviction as KubeObject);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/storage/eviction.go addConditionAndDeletePod */
const DISRUPTION_TARGET = {
  type: 'DisruptionTarget',
  status: 'True',
  lastProbeTime: null,
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
} as const;

/**
 * Reports whether a budget ignores the pod, because the pod does not run or is already terminating.
 *
 * Upstream: canIgnorePDB
 */
function isDisruptedAlready({ metadata, status }: Pod): boolean {
  return (
    Boolean(metadata.deletionTimestamp) || ['Succeeded', 'Failed', 'Pending'].includes(status.phase ?? '')
  );
}

/** Returns the only budget that covers the pod. @throws StatusError InternalError when several do */
function budgetOf({ storage }: Registry, { metadata }: Pod): PodDisruptionBudget | undefined {
  const { namespace = '', labels } = metadata;
  const all = storage.list(podDisruptionBudgets, { namespace }) as PodDisruptionBudget[];
  const covering = all.filter(({ spec }) => labelSelectorAsSelector(spec.selector).matches(labels));
  if (covering.length > 1) {
    const message =
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    const error = errors.internal(message);
    error.status.message = message;
    throw error;
  }
  return covering[0];
}

/** An unready pod does not count as healthy, so its loss cannot violate a met budget. Some budgets always allow it. */
function maySkip({ status }: Pod, { spec, status: counts }: PodDisruptionBudget): boolean {
  if ((status.conditions ?? []).some((c) => c.type === 'Ready' && c.status === 'True')) return false;
  const { currentHealthy = 0, desiredHealthy = 0 } = counts;
  const isMet = currentHealthy >= desiredHealthy && desiredHealthy > 0;
  return isMet || spec.unhealthyPodEvictionPolicy === 'AlwaysAllow';
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/storage/eviction.go EvictionREST.checkAndDecrement */
function takeFrom(
  registry: Registry,
  budget: PodDisruptionBudget,
  pod: Pod,
  options: DeleteOptions,
): Eventually<PodDisruptionBudget> {
  const { metadata, status } = budget;
  const { name } = metadata;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  const forbidden = { group: 'policy', plural: 'poddisruptionbudget' };
  if (status.disruptionsAllowed < 0)
    throw errors.forbidden(forbidden, name, 'pdb disruptions allowed is negative');
  const disruptedPods = status.disruptedPods ?? {};
  if (Object.keys(disruptedPods).length > DISRUPTED_PODS_MAX) {
    throw errors.forbidden(
      forbidden,
      name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    );
  }
  if (status.disruptionsAllowed === 0) {
    throw tooMany(`The disruption budget ${name} ${reasonAgainst(budget)}`, 0);
  }
  const now = formatTime(registry.clock.now());
  const disruptionsAllowed = status.disruptionsAllowed - 1;
  const { observedGeneration } = status;
  const used = {
    type: 'DisruptionAllowed',
    status: 'False',
    reason: 'InsufficientPods',
    message: '',
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  };
  const taken = {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed,
      ...(disruptionsAllowed === 0 ? { conditions: withCondition(status.conditions, used, now) } : {}),
      disruptedPods: { ...disruptedPods, [pod.metadata.name]: now },
    },
  };
  return updateStatusFrom(registry, registry.kindOf(podDisruptionBudgets), taken, budget, options);
}

/**
 * Returns the reason why the budget allows no disruption. The counts mean nothing while the controller fails to sync,
 * and give no reason while more pods are healthy than required.
 */
function reasonAgainst({ status }: PodDisruptionBudget): string {
  const { currentHealthy, desiredHealthy, conditions = [] } = status;
  const allowed = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const { reason, message } = allowed?.status === 'False' ? allowed : {};
  if (message && reason === 'SyncFailed') {
    return `does not allow evicting pods currently because it failed sync: ${message}`;
  }
  if (currentHealthy <= desiredHealthy) {
    return `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  const refusal = 'does not allow evicting pods currently';
  return message ? `${refusal} (${reason}): ${message}` : refusal;
}

function tooMany(cause: string, retryAfterSeconds: number): StatusError {
  const error = errors.tooManyRequests(
    "Cannot evict pod as it would violate the pod's disruption budget.",
    retryAfterSeconds,
  );
  error.status.details = {
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
    causes: [{ reason: 'DisruptionBudget', message: cause }],
  };
  return error;
}
