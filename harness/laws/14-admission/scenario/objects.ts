import type * as core from '#api/core/v1';
import type { KubeObject } from '../../../api/objects.ts';
import {
  limitRanges,
  mutatingWebhookConfigurations,
  resourceQuotas,
  validatingWebhookConfigurations,
} from '../../../api/plain-resources.ts';
import {
  configMaps,
  deployments,
  events,
  leases,
  namespaces,
  nodes,
  persistentVolumeClaims,
  pods,
  priorityClasses,
  type Resource,
  secrets,
  serviceAccounts,
  services,
} from '../../../api/resource.ts';
import type {
  AccountPlan,
  ClassPlan,
  ContainerPlan,
  ObjectPlan,
  PodPlan,
  QuotaPlan,
  RangePlan,
} from './index.ts';
import { nameOfNamespace } from './index.ts';

/** An object as a client sends it. */
export type Sent = Readonly<Record<string, unknown>> & {
  readonly metadata: {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly object[];
  };
};

/** The resource of each kind of a scenario. */
export const RESOURCES: Readonly<Record<ObjectPlan['kind'], Resource>> = {
  pod: pods as Resource,
  configmap: configMaps as Resource,
  secret: secrets as Resource,
  event: events as Resource,
  lease: leases as Resource,
  account: serviceAccounts as Resource,
  service: services as Resource,
  claim: persistentVolumeClaims as Resource,
  deployment: deployments as Resource,
  namespace: namespaces as Resource,
  node: nodes as Resource,
  class: priorityClasses as Resource,
  hooks: validatingWebhookConfigurations as Resource,
};

/** Returns the resource of a planned object. */
export function resourceOf(plan: ObjectPlan): Resource {
  if (plan.kind === 'hooks' && plan.phase === 'mutating') return mutatingWebhookConfigurations as Resource;
  return RESOURCES[plan.kind];
}

/** The path of the token in each container. */
export const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Returns the object that a client sends. */
export function sentBy(plan: ObjectPlan): Sent {
  if (plan.kind === 'hooks') return { metadata: { name: plan.name }, webhooks: [] };
  if (plan.kind === 'class') return classOf(plan.plan);
  const { name, labels = {} } = plan;
  const named = name.endsWith('-') ? { generateName: name } : { name };
  const metadata = {
    ...named,
    ...('namespace' in plan ? { namespace: nameOfNamespace(plan.namespace) } : {}),
    ...(Object.keys(labels).length > 0 ? { labels: { ...labels } } : {}),
  };
  switch (plan.kind) {
    case 'pod': {
      const { mirrors, nodeName = 'node-a', owner = mirrors ? nodeName : undefined } = plan.pod;
      const hash = mirrors === 'without a hash' ? '' : 'hash';
      const extra = {
        ...(mirrors ? { annotations: { 'kubernetes.io/config.mirror': hash } } : {}),
        ...(owner === undefined ? {} : { ownerReferences: ownersOf(owner, plan.pod) }),
      };
      return { metadata: { ...metadata, ...extra }, spec: podSpecOf(plan.pod) };
    }
    case 'deployment': {
      const app = { app: 'web' };
      const template = { metadata: { labels: app }, spec: podSpecOf(plan.pod) };
      return { metadata, spec: { replicas: 1, selector: { matchLabels: app }, template } };
    }
    case 'service':
      return { metadata, spec: { type: plan.type, selector: { app: 'web' }, ports: [{ port: 80 }] } };
    case 'claim': {
      const { storage, storageClass: storageClassName = 'slow' } = plan;
      const spec = { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } };
      return { metadata, spec };
    }
    case 'event': {
      const { namespace } = metadata as { readonly namespace?: string };
      return { metadata, involvedObject: { kind: 'Pod', namespace, name: 'a' }, reason: 'Started' };
    }
    case 'node':
      return {
        metadata: plan.isOwned ? { ...metadata, ownerReferences: ownersOf('node-b', PLAIN_OWNER) } : metadata,
        ...(plan.taints ? { spec: { taints: plan.taints } } : {}),
      };
    default:
      return { metadata };
  }
}

/** Returns the owner references of a static pod. Its uid is a placeholder. */
function ownersOf(
  node: string,
  { ownerVersion: apiVersion = 'v1', ownerFlaw: flaw }: PodPlan,
): readonly object[] {
  const uid = flaw === 'another uid' ? 'another' : `uid-${node}`;
  const controller = flaw !== 'no controller';
  const blocks = flaw === 'blocking' ? { blockOwnerDeletion: true } : {};
  const owner = { apiVersion, kind: 'Node', name: node, uid, controller, ...blocks };
  const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'b' };
  return flaw === 'two' ? [owner, other] : [owner];
}

const PLAIN_OWNER: PodPlan = { containers: [] };

/** Returns the spec of a planned pod. */
export function podSpecOf(plan: PodPlan): core.PodSpec {
  const {
    containers,
    inits = [],
    hasVolume,
    automounts,
    pullSecrets,
    deadline,
    mirrors: _,
    owner: __,
    ownerVersion: ___,
    ownerFlaw: ____,
    spec,
    ...rest
  } = plan;
  const { tolerations, ...fields } = rest;
  const all = [...containers, ...inits];
  const volumes = [
    ...(hasVolume ? [{ name: 'kube-api-access-mine', emptyDir: {} }] : []),
    ...(all.some(({ mounted }) => mounted) ? [{ name: 'mine', emptyDir: {} }] : []),
  ];
  return {
    containers: containers.map((container, i) => containerOf(container, `c${i}`)),
    ...(inits.length > 0 ? { initContainers: inits.map((each, i) => containerOf(each, `i${i}`)) } : {}),
    ...(volumes.length > 0 ? { volumes } : {}),
    ...(all.some(({ claims }) => claims)
      ? { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] }
      : {}),
    ...(automounts === undefined ? {} : { automountServiceAccountToken: automounts }),
    ...(pullSecrets ? { imagePullSecrets: pullSecrets.map((name) => ({ name })) } : {}),
    ...(deadline === undefined ? {} : { activeDeadlineSeconds: deadline }),
    ...(tolerations ? { tolerations: tolerations.map((each) => ({ ...each })) } : {}),
    ...fields,
    ...spec,
  } as core.PodSpec;
}

function containerOf(
  { requests, limits, claims, mounted, ...rest }: ContainerPlan,
  name: string,
): core.Container {
  const mountPath = mounted === 'below' ? `${TOKEN_PATH}/mine` : TOKEN_PATH;
  const resources = {
    ...(requests ? { requests } : {}),
    ...(limits ? { limits } : {}),
    ...(claims ? { claims: [{ name: 'gpu' }] } : {}),
  };
  return {
    name,
    image: 'nginx',
    ...(requests || limits || claims ? { resources } : {}),
    ...(mounted ? { volumeMounts: [{ name: 'mine', mountPath }] } : {}),
    ...rest,
  } as core.Container;
}

/** Returns the PriorityClass of a plan. */
export function classOf({ name, value, isDefault, preemptionPolicy }: ClassPlan): Sent {
  return {
    metadata: { name },
    value,
    ...(isDefault ? { globalDefault: true } : {}),
    ...(preemptionPolicy ? { preemptionPolicy } : {}),
  };
}

/** Returns the ServiceAccount of a plan. */
export function accountOf({ namespace, name, automounts, pullSecrets }: AccountPlan): Sent {
  return {
    metadata: { namespace: nameOfNamespace(namespace), name },
    ...(automounts === undefined ? {} : { automountServiceAccountToken: automounts }),
    ...(pullSecrets ? { imagePullSecrets: pullSecrets.map((secret) => ({ name: secret })) } : {}),
  };
}

/** Returns the LimitRange of a plan. */
export function rangeOf({ namespace, limits }: RangePlan, name: string): Sent {
  return { metadata: { namespace: nameOfNamespace(namespace), name }, spec: { limits } };
}

/** Returns the ResourceQuota of a plan. */
export function quotaOf({ namespace, hard, scopes, selector }: QuotaPlan, name: string): Sent {
  const spec = {
    hard,
    ...(scopes ? { scopes } : {}),
    ...(selector ? { scopeSelector: { matchExpressions: selector } } : {}),
  };
  return { metadata: { namespace: nameOfNamespace(namespace), name }, spec };
}

/** The resources that admission plugins read. */
export const FACT_RESOURCES: readonly Resource[] = [
  namespaces,
  limitRanges,
  priorityClasses,
  serviceAccounts,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
] as unknown as readonly Resource[];

/** Returns the objects of a plan under any name: a generated name begins with it. */
export const isNamed = ({ metadata }: KubeObject, name: string): boolean =>
  name.endsWith('-') ? metadata.name.startsWith(name) : metadata.name === name;

export { limitRanges, resourceQuotas };
