import type * as core from '#api/core/v1';
import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { KubeObject, PersistentVolumeClaim, Pod, ResourceQuota, Service } from '../../api/objects.ts';
import { parseQuantity } from '../../api/quantity.ts';
import { groupResource, persistentVolumeClaims, pods, type Resource, services } from '../../api/resource.ts';
import type { AdmissionAttributes } from '../../contracts/admission/index.ts';
import { aggregate } from '../kinds/pod/pod-level-resources.ts';
import { computePodQOS } from '../kinds/pod/qos.ts';
import { quantityOf } from '../kinds/pod/quantities.ts';
import { isHugePages, isNativeResource, isPodLevelResource } from '../kinds/pod/resources.ts';
import { addLists, type ResourceList } from './resource-lists.ts';

/**
 * Counts the objects of one resource for quotas.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/quota/v1/interfaces.go Evaluator
 */
export interface QuotaEvaluator {
  /** Returns whether the request can change the usage. */
  handles(attributes: AdmissionAttributes): boolean;
  /** Returns those of the quota's resources that it counts. */
  matchingResources(names: readonly string[]): readonly string[];
  /** Returns whether the object is in this scope. */
  isInScope(object: KubeObject, scope: core.ScopedResourceSelectorRequirement): boolean;
  /** Returns why the object does not name what the quota limits; undefined if it does. */
  missing(names: readonly string[], object: KubeObject): string | undefined;
  /** Returns the usage of an object. */
  usage(object: KubeObject, nowMs: number): ResourceList;
}

/** Returns the evaluator of a resource. */
export function evaluatorOf(resource: Pick<Resource, 'group' | 'plural'>): QuotaEvaluator {
  return SPECIAL.get(groupResource(resource)) ?? counting(resource);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/quota/v1/install/registry.go ignoredResources */
const IGNORED = new Set([
  'bindings',
  'componentstatuses',
  'tokenreviews.authentication.k8s.io',
  'selfsubjectreviews.authentication.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'events',
  'events.events.k8s.io',
]);

/** Returns whether no quota counts objects of this resource: nobody stores them, or they are events. */
export function isIgnoredByQuotas(resource: Pick<Resource, 'group' | 'plural'>): boolean {
  return IGNORED.has(groupResource(resource));
}

/** Returns whether the object counts for the quota: for one of its resources, and in all of its scopes. */
export function isCountedBy(evaluator: QuotaEvaluator, quota: ResourceQuota, object: KubeObject): boolean {
  const names = Object.keys(quota.status.hard ?? {});
  return (
    evaluator.matchingResources(names).length > 0 &&
    scopesOf(quota).every((scope) => evaluator.isInScope(object, scope))
  );
}

/** Upstream: getScopeSelectorsFromQuota */
function scopesOf({ spec }: ResourceQuota): readonly core.ScopedResourceSelectorRequirement[] {
  const named = (spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...named, ...(spec.scopeSelector?.matchExpressions ?? [])];
}

/** The short names of some counts, from the time before `count/…`. Upstream: legacyObjectCountAliases */
const ALIASES = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];

/**
 * Counts objects.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/quota/v1/generic/evaluator.go objectCountEvaluator
 */
function counting(resource: Pick<Resource, 'group' | 'plural'>): QuotaEvaluator {
  const name = groupResource(resource);
  const own = [`count/${name}`, ...(ALIASES.includes(name) ? [name] : [])];
  return {
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    matchingResources: (names) => names.filter((each) => own.includes(each)),
    isInScope: () => false,
    missing: () => undefined,
    usage: () => Object.fromEntries(own.map((each) => [each, '1'])),
  };
}

const COMPUTED = ['cpu', 'memory', 'ephemeral-storage'];
const POD_RESOURCES = new Set([
  'count/pods',
  'pods',
  ...COMPUTED,
  ...COMPUTED.map((name) => `requests.${name}`),
  ...COMPUTED.map((name) => `limits.${name}`),
]);
/** If a quota limits one of these, each container must name it. Upstream: validationSet */
const REQUIRED = /^(?:requests\.|limits\.)?(?:cpu|memory)$/;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/quota/v1/evaluator/core/pods.go podEvaluator */
const podEvaluator: QuotaEvaluator = {
  handles({ operation, subresource, object, oldObject }) {
    if (subresource !== '') return false;
    if (operation === 'CREATE') return true;
    if (operation !== 'UPDATE' || !object || !oldObject) return false;
    return isTerminating(object as Pod) !== isTerminating(oldObject as Pod);
  },
  matchingResources: (names) =>
    names.filter(
      (name) =>
        POD_RESOURCES.has(name) ||
        isHugePages(name.replace(/^requests\./, '')) ||
        (name.startsWith('requests.') && !isNativeResource(name)),
    ),
  isInScope: (object, scope) => isPodInScope(object as Pod, scope),
  missing(names, object) {
    const { spec } = object as Pod;
    if (['requests', 'limits'].some((list) => hasPodLevel(spec, list as 'requests' | 'limits')))
      return undefined;
    const required = names.filter((name) => REQUIRED.test(name)).sort();
    const reasons = required.flatMap((name) => {
      const lacking = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].filter(
        ({ resources }) => !Object.hasOwn(computeUsage(resources?.requests, resources?.limits), name),
      );
      const containers = [...new Set(lacking.map((container) => container.name))].sort();
      return containers.length > 0 ? [`${name} for: ${containers.join(',')}`] : [];
    });
    return reasons.length > 0 ? `must specify ${reasons.join('; ')}` : undefined;
  },
  usage(object, nowMs) {
    const pod = object as Pod;
    if (!isCharged(pod, nowMs)) return { 'count/pods': '1' };
    return {
      'count/pods': '1',
      ...computeUsage(podTotal(pod.spec, 'requests'), podTotal(pod.spec, 'limits')),
    };
  },
};

function hasPodLevel(spec: core.PodSpec, list: 'requests' | 'limits'): boolean {
  return Object.keys(spec.resources?.[list] ?? {}).some(isPodLevelResource);
}

/** Upstream: kubernetes/component-helpers@v0.36.3 resource/helpers.go PodRequests, PodLimits */
function podTotal(spec: core.PodSpec, list: 'requests' | 'limits'): ResourceList {
  const total: Record<string, string> = {};
  for (const [name, quantity] of aggregate(spec, list)) total[name] = quantity.toString();
  for (const [name, text] of Object.entries(spec.resources?.[list] ?? {})) {
    if (isPodLevelResource(name)) total[name] = text;
  }
  const overhead = Object.entries(spec.overhead ?? {});
  const counted = list === 'requests' ? overhead : overhead.filter(([name]) => name in total);
  return addLists(total, Object.fromEntries(counted));
}

/** Upstream: podComputeUsageHelper */
function computeUsage(requests: ResourceList = {}, limits: ResourceList = {}): ResourceList {
  const usage: Record<string, string> = { pods: '1' };
  for (const [name, text] of Object.entries(requests)) {
    if (COMPUTED.includes(name) || isHugePages(name)) usage[name] = text;
    const isCounted = COMPUTED.includes(name) || isHugePages(name) || !isNativeResource(name);
    if (isCounted) usage[`requests.${name}`] = text;
  }
  for (const [name, text] of Object.entries(limits)) {
    if (COMPUTED.includes(name)) usage[`limits.${name}`] = text;
  }
  return usage;
}

/** Returns whether the pod uses resources: it has not ended, and is not stuck in its deletion. Upstream: QuotaV1Pod */
function isCharged({ metadata, status }: Pod, nowMs: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return true;
  return nowMs <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1_000;
}

function isTerminating({ spec }: Pod): boolean {
  return (spec.activeDeadlineSeconds ?? -1) >= 0;
}

/** Upstream: podMatchesScopeFunc */
function isPodInScope(pod: Pod, scope: core.ScopedResourceSelectorRequirement): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return computePodQOS(pod.spec) === 'BestEffort';
    case 'NotBestEffort':
      return computePodQOS(pod.spec) !== 'BestEffort';
    case 'PriorityClass':
      return isSelected(pod.spec.priorityClassName, scope);
    case 'CrossNamespacePodAffinity':
      return isAcrossNamespaces(pod.spec.affinity);
    default:
      return false;
  }
}

function isSelected(
  value: string | undefined,
  { scopeName, operator, values }: core.ScopedResourceSelectorRequirement,
): boolean {
  const expression = { key: scopeName, operator, ...(values && { values }) };
  return labelSelectorAsSelector({ matchExpressions: [expression] }).matches(
    value ? { [scopeName]: value } : {},
  );
}

function isAcrossNamespaces(affinity: core.Affinity | undefined): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some((rules) =>
    [
      ...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((each) => each.podAffinityTerm),
    ].some((term) => term.namespaces?.length || term.namespaceSelector),
  );
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/quota/v1/evaluator/core/services.go serviceEvaluator */
const serviceEvaluator: QuotaEvaluator = {
  handles: ({ operation, subresource }) =>
    subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  matchingResources: (names) =>
    names.filter((name) =>
      ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'].includes(name),
    ),
  isInScope: () => false,
  missing: () => undefined,
  usage(object) {
    const { type, ports = [], allocateLoadBalancerNodePorts } = (object as Service).spec;
    const isBalanced = type === 'LoadBalancer';
    const explicit = isBalanced && allocateLoadBalancerNodePorts === false;
    const counted = explicit ? ports.filter(({ nodePort }) => nodePort) : ports;
    return {
      'count/services': '1',
      services: '1',
      'services.loadbalancers': isBalanced ? '1' : '0',
      'services.nodeports': `${isBalanced || type === 'NodePort' ? counted.length : 0}`,
    };
  },
};

const CLAIMS = 'persistentvolumeclaims';
const STORAGE = 'requests.storage';
const CLASS_SUFFIX = '.storageclass.storage.k8s.io/';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/quota/v1/evaluator/core/persistent_volume_claims.go pvcEvaluator */
const claimEvaluator: QuotaEvaluator = {
  handles: ({ operation, subresource }) =>
    subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  matchingResources: (names) =>
    names.filter(
      (name) =>
        [`count/${CLAIMS}`, CLAIMS, STORAGE].includes(name) ||
        name.endsWith(CLASS_SUFFIX + CLAIMS) ||
        name.endsWith(CLASS_SUFFIX + STORAGE),
    ),
  isInScope: (object, scope) =>
    scope.scopeName === 'VolumeAttributesClass' &&
    isSelected((object as PersistentVolumeClaim).spec.volumeAttributesClassName, scope),
  missing: () => undefined,
  usage(object) {
    const { metadata, spec } = object as PersistentVolumeClaim;
    const className =
      metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec.storageClassName;
    const storage = storageOf(object as PersistentVolumeClaim);
    const usage: Record<string, string> = { [`count/${CLAIMS}`]: '1', [CLAIMS]: '1' };
    if (className) usage[className + CLASS_SUFFIX + CLAIMS] = '1';
    if (storage === undefined) return usage;
    usage[STORAGE] = storage;
    if (className) usage[className + CLASS_SUFFIX + STORAGE] = storage;
    return usage;
  },
};

/** Returns the requested storage in whole bytes, or the allocated storage if that is more. */
function storageOf({ spec, status }: PersistentVolumeClaim): string | undefined {
  const requested = quantityOf(spec.resources?.requests?.storage ?? '');
  if (!requested) return undefined;
  const allocated = quantityOf(status?.allocatedResources?.storage ?? '');
  const used = allocated && allocated.cmp(requested) > 0 ? allocated : requested;
  return used.nanos % 10n ** 9n === 0n ? used.toString() : parseQuantity(`${used.value()}`).toString();
}

const SPECIAL: ReadonlyMap<string, QuotaEvaluator> = new Map([
  [groupResource(pods), podEvaluator],
  [groupResource(services), serviceEvaluator],
  [groupResource(persistentVolumeClaims), claimEvaluator],
]);
