import type * as core from '#api/core/v1';
import type { KubeObject, Pod, ResourceQuota } from '../../../api/objects.ts';
import { resourceQuotas } from '../../../api/plain-resources.ts';
import { parseQuantity, type Quantity } from '../../../api/quantity.ts';
import { groupResource, type Resource } from '../../../api/resource.ts';
import type { AdmissionHistory, Snapshot } from '../history.ts';
import { totalOf } from './limits.ts';

/** Amounts by the names that a quota uses: `requests.cpu`. */
export type Usage = ReadonlyMap<string, Quantity>;

const ONE = parseQuantity('1');
const ZERO = parseQuantity('0');

/** Returns the usage of one object. */
export function usageOf(resource: Resource, object: KubeObject): Usage {
  const usage = new Map<string, Quantity>([[`count/${groupResource(resource)}`, ONE]]);
  const add = (name: string, text: string): void => {
    usage.set(name, parseQuantity(text));
  };
  switch (groupResource(resource)) {
    case 'pods': {
      const { spec, status } = object as Pod;
      if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return usage;
      usage.set('pods', ONE);
      for (const list of ['requests', 'limits'] as const) {
        for (const [name, amount] of Object.entries(totalOf(spec, list))) {
          add(`${list}.${name}`, amount);
          if (list === 'requests') add(name, amount);
        }
      }
      return usage;
    }
    case 'services': {
      const { type = 'ClusterIP', ports = [] } = (object as unknown as core.Service).spec ?? {};
      usage.set('services', ONE);
      if (type === 'LoadBalancer') usage.set('services.loadbalancers', ONE);
      if (type === 'NodePort' || type === 'LoadBalancer') add('services.nodeports', String(ports.length));
      return usage;
    }
    case 'persistentvolumeclaims': {
      const { spec = {} } = object as unknown as core.PersistentVolumeClaim;
      const { storage = '0' } = (spec.resources?.requests ?? {}) as Record<string, string>;
      usage.set('persistentvolumeclaims', ONE);
      add('requests.storage', storage);
      const prefix = `${spec.storageClassName}.storageclass.storage.k8s.io/`;
      usage.set(`${prefix}persistentvolumeclaims`, ONE);
      add(`${prefix}requests.storage`, storage);
      return usage;
    }
    case 'configmaps':
    case 'secrets':
      usage.set(resource.plural, ONE);
      return usage;
    default:
      return usage;
  }
}

/** Returns whether a quota counts an object: its scopes match. */
export function isCounted({ spec }: ResourceQuota, resource: Resource, object: KubeObject): boolean {
  const scopes = [
    ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists', values: [] as string[] })),
    ...(spec.scopeSelector?.matchExpressions ?? []),
  ];
  if (scopes.length === 0) return true;
  if (groupResource(resource) !== 'pods') return false;
  return scopes.every((scope) => isInScope(scope, object as Pod));
}

function isInScope(
  { scopeName, operator, values = [] }: core.ScopedResourceSelectorRequirement,
  { spec }: Pod,
): boolean {
  const isTerminating = spec.activeDeadlineSeconds !== undefined;
  const isBestEffort = ![...spec.containers, ...(spec.initContainers ?? [])].some(isReserved);
  switch (scopeName) {
    case 'Terminating':
      return isTerminating;
    case 'NotTerminating':
      return !isTerminating;
    case 'BestEffort':
      return isBestEffort;
    case 'NotBestEffort':
      return !isBestEffort;
    case 'PriorityClass': {
      const name = spec.priorityClassName ?? '';
      if (operator === 'Exists') return name !== '';
      if (operator === 'DoesNotExist') return name === '';
      return operator === 'In' ? values.includes(name) : !values.includes(name);
    }
    default:
      return false;
  }
}

/** Returns whether a container requests or limits any CPU or memory. */
function isReserved({ resources = {} }: core.Container): boolean {
  return [resources.requests, resources.limits].some((list) =>
    Object.entries((list ?? {}) as Record<string, string>).some(
      ([name, text]) => (name === 'cpu' || name === 'memory') && !parseQuantity(text).isZero(),
    ),
  );
}

/** Returns whether the request is one that quotas charge. */
export function isCharged({ operation, subresource, resource, object, oldObject }: Snapshot): boolean {
  if (subresource !== '' || !object) return false;
  if (operation === 'CREATE') return true;
  if (operation !== 'UPDATE') return false;
  const plural = groupResource(resource);
  if (plural === 'services' || plural === 'persistentvolumeclaims') return true;
  return plural === 'pods' && hasDeadline(object) !== hasDeadline(oldObject);
}

const hasDeadline = (pod: KubeObject | undefined): boolean =>
  (pod as Pod | undefined)?.spec?.activeDeadlineSeconds !== undefined;

/** Returns what a request adds to a quota: only the resources that the quota limits and the request increases. */
export function chargeOf(quota: ResourceQuota, attributes: Snapshot): Usage {
  const { object, oldObject, resource } = attributes;
  const charge = new Map<string, Quantity>();
  if (!object || !isCharged(attributes) || !isCounted(quota, resource, object)) return charge;
  const wasCounted = oldObject !== undefined && isCounted(quota, resource, oldObject);
  const before: Usage = wasCounted ? usageOf(resource, oldObject) : new Map();
  for (const [name, amount] of usageOf(resource, object)) {
    const more = amount.sub(before.get(name) ?? ZERO);
    if (quota.status?.hard?.[name] !== undefined && more.sign() > 0) charge.set(name, more);
  }
  return charge;
}

const MUST_BE_GIVEN = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

/** Returns whether a quota requires an amount that a container of the pod does not have. */
export function lacksAmounts(quota: ResourceQuota, attributes: Snapshot): boolean {
  const { object, resource } = attributes;
  if (groupResource(resource) !== 'pods' || !object || !isCharged(attributes)) return false;
  if (!isCounted(quota, resource, object)) return false;
  const { containers, initContainers = [] } = (object as Pod).spec;
  const names = MUST_BE_GIVEN.filter((name) => quota.status?.hard?.[name] !== undefined);
  return [...containers, ...initContainers].some(({ resources = {} }) =>
    names.some((name) => {
      const [list, key] = name.includes('.') ? name.split('.') : ['requests', name];
      const amounts = resources[list as 'requests' | 'limits'] as Record<string, string> | undefined;
      return amounts?.[key as string] === undefined;
    }),
  );
}

/** Returns whether a quota has room for a request. */
export function hasRoom(quota: ResourceQuota, attributes: Snapshot): boolean {
  const { hard = {}, used = {} } = (quota.status ?? {}) as Record<'hard' | 'used', Record<string, string>>;
  return [...chargeOf(quota, attributes)].every(
    ([name, amount]) =>
      parseQuantity(used[name] ?? '0')
        .add(amount)
        .cmp(parseQuantity(hard[name] as string)) <= 0,
  );
}

/** Returns the quotas of a namespace at a revision. */
export const quotasAt = (
  { list }: AdmissionHistory,
  namespace: string,
  revision: number,
): readonly ResourceQuota[] =>
  namespace === '' ? [] : (list(resourceQuotas as Resource, namespace, revision) as readonly ResourceQuota[]);

/** Returns the usage that a quota would have if all objects of its namespace were counted. */
export function recount(
  { list }: AdmissionHistory,
  quota: ResourceQuota,
  resources: readonly Resource[],
  revision: number,
): Usage {
  const total = new Map<string, Quantity>();
  for (const resource of resources) {
    for (const object of list(resource, quota.metadata.namespace, revision)) {
      if (!isCounted(quota, resource, object)) continue;
      for (const [name, amount] of usageOf(resource, object)) {
        if (quota.spec.hard?.[name] !== undefined) total.set(name, total.get(name)?.add(amount) ?? amount);
      }
    }
  }
  return total;
}
