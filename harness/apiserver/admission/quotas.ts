import type { ResourceQuota } from '../../api/objects.ts';
import { resourceQuotas } from '../../api/plain-resources.ts';
import { compareResourceVersion } from '../../api/resource-version.ts';
import { isNotFound } from '../../api/status.ts';
import type { AdmissionAttributes, AdmissionContext } from '../../contracts/admission/index.ts';
import { isAbout, type Plugin } from './plugin.ts';
import { evaluatorOf, isCountedBy, isIgnoredByQuotas, type QuotaEvaluator } from './quota-evaluators.ts';
import { refusing } from './refusal.ts';
import { negativeNames, type ResourceList } from './resource-lists.ts';

/** The facts about a request that quotas need. */
export interface QuotaRequest {
  /** The usage of the object after the request: `{ pods: '1', 'requests.cpu': '500m', … }`. */
  readonly usage: ResourceList;
  /** The usage of the stored object before an update. Undefined for a create. */
  readonly oldUsage?: ResourceList;
  /** Returns whether the object counts for a quota: for one of its resources, and in its scopes. */
  isCountedBy(quota: ResourceQuota): boolean;
  /** Returns whether the stored object counts for a quota. */
  wasCountedBy(quota: ResourceQuota): boolean;
  /**
   * Returns another reason to refuse the object, undefined without one: a container does not name a limited resource, or
   * the usage of the namespace is not known yet.
   */
  refusal(quota: ResourceQuota): string | undefined;
  readonly dryRun: boolean;
}

/** The quotas of one namespace. */
export interface QuotaStore {
  /** Returns the quotas from the cache of this apiserver, ordered by name. They can be outdated. */
  list(): Promise<readonly ResourceQuota[]>;
  /** Returns the newest version of these quotas. Deleted quotas are missing. */
  reread(names: readonly string[]): Promise<readonly ResourceQuota[]>;
  /** Writes the status of a quota, if it has not changed since it was read. @throws StatusError Conflict, NotFound */
  writeStatus(quota: ResourceQuota): Promise<void>;
}

/** Charges a request to the quotas that count it. @throws Refusal if it exceeds one of them */
export type Reserve = (request: QuotaRequest, quotas: QuotaStore) => Promise<void>;

/**
 * The plugin ResourceQuota. The requests of one namespace are checked one after the other.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/resourcequota/admission.go QuotaAdmission,
 * controller.go quotaEvaluator, resource_access.go quotaAccessor
 *
 * Differs: after a conflict it reads the quota from the storage. Upstream reads its cache again, at once.
 */
export function resourceQuota(context: AdmissionContext, reserve: Reserve): Plugin {
  const stores = new Map<string, QuotaStore>();
  const queues = new Map<string, Promise<unknown>>();
  return {
    name: 'ResourceQuota',
    operations: ['CREATE', 'UPDATE'],
    async validate(attributes) {
      const { namespace, resource } = attributes;
      const isNewNamespace = isAbout(attributes, NAMESPACES) && attributes.operation === 'CREATE';
      if (!namespace || isNewNamespace || isIgnoredByQuotas(resource)) return;
      const evaluator = evaluatorOf(resource);
      if (!evaluator.handles(attributes)) return;
      const store = stores.get(namespace) ?? quotaStore(context, namespace);
      stores.set(namespace, store);
      if ((await store.list()).length === 0) return;
      const request = requestOf(evaluator, attributes, context.clock.now());
      const turn = (queues.get(namespace) ?? Promise.resolve()).then(() =>
        refusing(attributes, () => reserve(request, store)),
      );
      const settled = turn.catch(() => {});
      queues.set(namespace, settled);
      await turn;
    },
  };
}

const NAMESPACES = { group: '', plural: 'namespaces' };

function requestOf(
  evaluator: QuotaEvaluator,
  { operation, object, oldObject, dryRun }: AdmissionAttributes,
  nowMs: number,
): QuotaRequest {
  if (!object) throw new Error('a create or an update has an object');
  const usage = evaluator.usage(object, nowMs);
  const isUpdate = operation === 'UPDATE' && oldObject !== undefined;
  return {
    usage,
    ...(isUpdate && { oldUsage: evaluator.usage(oldObject, nowMs) }),
    isCountedBy: (quota) => isCountedBy(evaluator, quota, object),
    wasCountedBy: (quota) => isUpdate && isCountedBy(evaluator, quota, oldObject),
    refusal(quota) {
      const { hard = {}, used = {} } = quota.status;
      const names = evaluator.matchingResources(Object.keys(hard));
      const missing = evaluator.missing(names, object);
      if (missing) return `failed quota: ${quota.metadata.name}: ${missing}`;
      if (!names.every((name) => Object.hasOwn(used, name))) {
        return `status unknown for quota: ${quota.metadata.name}, resources: ${[...names].sort().join(',')}`;
      }
      const negative = negativeNames(usage);
      return negative.length > 0
        ? `quota usage is negative for resource(s): ${[...negative].sort().join(',')}`
        : undefined;
    },
    dryRun,
  };
}

/** Remembers the versions that it has written, until the cache has them. Upstream: quotaAccessor.updatedQuotas */
function quotaStore({ cache, client }: AdmissionContext, namespace: string): QuotaStore {
  const written = new Map<string, ResourceQuota>();
  const newest = (quota: ResourceQuota): ResourceQuota => {
    const own = written.get(quota.metadata.name);
    if (own?.metadata.uid !== quota.metadata.uid) return quota;
    if (compareResourceVersion(quota.metadata.resourceVersion, own.metadata.resourceVersion) < 0) return own;
    written.delete(quota.metadata.name);
    return quota;
  };
  return {
    list: async () => cache.list(resourceQuotas, namespace).map(newest),
    async reread(names) {
      const found: ResourceQuota[] = [];
      for (const name of names) {
        try {
          found.push(await client.get(resourceQuotas, { namespace, name }));
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      }
      return found;
    },
    async writeStatus(quota) {
      const stored = await client.updateStatus(resourceQuotas, quota);
      written.set(quota.metadata.name, stored);
    },
  };
}
