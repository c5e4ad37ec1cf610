import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { ObjectKey, Pod, PodDisruptionBudget } from '../../api/objects.ts';
import { podDisruptionBudgets, pods } from '../../api/resource.ts';
import { errors, type StatusError } from '../../api/status.ts';
import type { DeleteOptions } from '../../contracts/client.ts';
import { formatTime } from '../../sim/index.ts';
import { remove } from './delete.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';
import { updateStatusFrom } from './update.ts';

/** More evictions than that are never unconfirmed. Upstream: MaxDisruptedPodSize */
const DISRUPTED_PODS_MAX = 2_000;

/**
 * Deletes a pod, if its disruption budget can spare it, and takes one off the budget.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/registry/core/pod/storage/eviction.go EvictionREST.Create
 */
export async function evict(registry: Registry, key: ObjectKey, options: DeleteOptions): Promise<void> {
  const pod = readNewest(registry, pods, checkedKey(pods, key));
  const budget = isDisruptedAlready(pod) ? undefined : budgetOf(registry, pod);
  const spared = budget !== undefined && isHealthyWithout(pod, budget);
  if (budget && !spared) takeFrom(registry, budget, pod, options);
  const precise = spared && options.preconditions?.resourceVersion === undefined;
  const preconditions = precise
    ? { ...options.preconditions, resourceVersion: pod.metadata.resourceVersion }
    : options.preconditions;
  await remove(registry, pods, key, { ...options, ...(preconditions ? { preconditions } : {}) });
}

/** A pod that does not run, or not for long, is missed by nobody. Upstream: canIgnorePDB */
function isDisruptedAlready({ metadata, status }: Pod): boolean {
  return (
    Boolean(metadata.deletionTimestamp) || ['Succeeded', 'Failed', 'Pending'].includes(status.phase ?? '')
  );
}

/** The one budget that covers the pod. @throws StatusError InternalError when several do */
function budgetOf({ storage }: Registry, { metadata }: Pod): PodDisruptionBudget | undefined {
  const { namespace = '', labels } = metadata;
  const all = storage.list(podDisruptionBudgets, { namespace }) as PodDisruptionBudget[];
  const covering = all.filter(({ spec }) => {
    const selector = labelSelectorAsSelector(spec.selector);
    return !selector.empty && selector.matches(labels);
  });
  if (covering.length > 1) {
    const message =
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    const error = errors.internal(message);
    error.status.message = message;
    throw error;
  }
  return covering[0];
}

/** An unready pod does not count as healthy, so a budget that is met is met without it. */
function isHealthyWithout({ status }: Pod, budget: PodDisruptionBudget): boolean {
  const ready = (status.conditions ?? []).some((c) => c.type === 'Ready' && c.status === 'True');
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status;
  return !ready && currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/** Upstream: EvictionREST.checkAndDecrement */
function takeFrom(registry: Registry, budget: PodDisruptionBudget, pod: Pod, options: DeleteOptions): void {
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
    throw tooMany(
      `The disruption budget ${name} needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy} currently`,
      0,
    );
  }
  const now = formatTime(registry.clock.now());
  const taken = {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed: status.disruptionsAllowed - 1,
      disruptedPods: { ...disruptedPods, [pod.metadata.name]: now },
    },
  };
  updateStatusFrom(registry, registry.kindOf(podDisruptionBudgets), taken, budget, options);
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
