import type { KubeObject, ResourceQuota } from '../../api/objects.ts';
import { resourceQuotas } from '../../api/plain-resources.ts';
import { groupResource, type Resource, resources } from '../../api/resource.ts';
import {
  evaluatorOf,
  isCountedBy,
  isIgnoredByQuotas,
  type QuotaEvaluator,
} from '../../apiserver/admission/quota-evaluators.ts';
import {
  addLists,
  onlyNames,
  type ResourceList,
  sameAmounts,
} from '../../apiserver/admission/resource-lists.ts';
import type { Component } from '../../contracts/component.ts';
import { ItemBackoff } from '../../contracts/item-backoff.ts';
import { lastKnown } from '../../contracts/last-known.ts';

const WORKERS = 5;
const RESYNC_MS = 300_000;
const BACKOFF = { baseMs: 5, maxMs: 60_000 };

/**
 * Counts the usage of each ResourceQuota: when the quota is new or has other limits, when an object is deleted or uses
 * less, and every five minutes. The apiserver only adds the usage of new objects.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/resourcequota/resource_quota_controller.go Controller,
 * resource_quota_monitor.go QuotaMonitor
 *
 * Differs: it watches a resource once a quota limits it, and counts by a list from the server. Upstream watches all
 * resources and counts in its caches. Custom resources are not counted.
 */
export const resourceQuotaController: Component = async (context) => {
  const { client, clock, informers, signal } = context;
  const queue = context.newWorkQueue<string>({ rateLimiter: new ItemBackoff(BACKOFF) });
  const quotas = informers.forResource(resourceQuotas);
  const enqueue = ({ metadata: { namespace, name } }: ResourceQuota): void =>
    queue.add(`${namespace}/${name}`);

  const watched = new Set<Resource>();
  function watch(resource: Resource): void {
    if (watched.has(resource)) return;
    watched.add(resource);
    const evaluator = evaluatorOf(resource);
    const replenish = ({ metadata: { namespace } }: KubeObject): void => {
      for (const quota of quotas.indexer.list()) {
        const isConcerned = evaluator.matchingResources(namesIn(quota)).length > 0;
        if (quota.metadata.namespace === namespace && isConcerned) enqueue(quota);
      }
    };
    informers.forResource(resource).addEventHandler({
      onUpdate: (old, object) => {
        if (hasOtherUsage(evaluator, old, object, clock.now())) replenish(object);
      },
      onDelete: (last) => replenish(lastKnown(last)),
    });
    informers.start();
  }

  quotas.addEventHandler(
    {
      onAdd: enqueue,
      onUpdate: (old, quota) => {
        // A resync has no change.
        if (old === quota || !sameAmounts(old.spec.hard ?? {}, quota.spec.hard ?? {})) enqueue(quota);
      },
    },
    { resyncPeriodMs: RESYNC_MS },
  );
  informers.start();
  await informers.waitForCacheSync();
  await context.runWorkers({
    queue,
    workers: WORKERS,
    sync: async (key) => {
      const quota = quotas.indexer.getByKey(key);
      if (!quota) return;
      const counted = countedResources(quota);
      for (const resource of counted) watch(resource);
      const { hard = {} } = quota.spec;
      let used: ResourceList = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
      for (const resource of counted) {
        const { items } = await client.list(resource, { namespace: quota.metadata.namespace ?? '', signal });
        used = addLists(used, usageOf(evaluatorOf(resource), quota, items, clock.now()));
      }
      const status = { hard: { ...hard }, used: { ...onlyNames(used, Object.keys(hard)) } };
      const isSame =
        sameAmounts(status.hard, quota.status.hard ?? {}) &&
        sameAmounts(status.used, quota.status.used ?? {});
      if (!isSame) await client.updateStatus(resourceQuotas, { ...quota, status }, { signal });
    },
    onError: (error, key) => context.log(`Counting the usage of quota ${key} failed: ${String(error)}`),
  });
};

const namesIn = ({ spec }: ResourceQuota): readonly string[] => Object.keys(spec.hard ?? {});

/** Returns the resources that a quota limits; one version of each. */
function countedResources(quota: ResourceQuota): readonly Resource[] {
  const found = new Map<string, Resource>();
  for (const resource of resources) {
    const name = groupResource(resource);
    if (!resource.namespaced || found.has(name) || isIgnoredByQuotas(resource)) continue;
    if (evaluatorOf(resource).matchingResources(namesIn(quota)).length > 0) found.set(name, resource);
  }
  return [...found.values()];
}

function usageOf(
  evaluator: QuotaEvaluator,
  quota: ResourceQuota,
  objects: readonly KubeObject[],
  nowMs: number,
): ResourceList {
  // The scopes of the limits that will be in force.
  const limited = { ...quota, status: { hard: quota.spec.hard ?? {} } };
  return objects
    .filter((object) => isCountedBy(evaluator, limited, object))
    .reduce<ResourceList>((sum, object) => addLists(sum, evaluator.usage(object, nowMs)), {});
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/quota/v1/install/update_filter.go DefaultUpdateFilter */
function hasOtherUsage(
  evaluator: QuotaEvaluator,
  old: KubeObject,
  object: KubeObject,
  nowMs: number,
): boolean {
  const scope = { scopeName: 'Terminating', operator: 'Exists' };
  return (
    evaluator.isInScope(old, scope) !== evaluator.isInScope(object, scope) ||
    !sameAmounts(evaluator.usage(old, nowMs), evaluator.usage(object, nowMs))
  );
}
