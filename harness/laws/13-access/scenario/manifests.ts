import type { KubeObject, New } from '../../../api/objects.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../../../api/plain-resources.ts';
import {
  configMaps,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type Resource,
  secrets,
  serviceAccounts,
} from '../../../api/resource.ts';
import { AGGREGATE_TO, type Grant, type ObjectPlan, RBAC, type Reference } from './index.ts';

/** The resources of roles and bindings, by kind. */
export const grantResources = {
  Role: roles,
  ClusterRole: clusterRoles,
  RoleBinding: roleBindings,
  ClusterRoleBinding: clusterRoleBindings,
} as unknown as Readonly<Record<Grant['kind'], Resource>>;

/** The resources of the other objects, by kind. */
export const objectResources = {
  ServiceAccount: serviceAccounts,
  Secret: secrets,
  ConfigMap: configMaps,
  Pod: pods,
  Node: nodes,
  PersistentVolumeClaim: persistentVolumeClaims,
  PersistentVolume: persistentVolumes,
} as unknown as Readonly<Record<ObjectPlan['kind'], Resource>>;

/** Returns a role or a binding as a user sends it. */
export function grantManifest(grant: Grant): New<KubeObject> {
  const { kind, namespace, name, labels, finalizers, rules, aggregates, roleRef, subjects } = grant;
  return {
    apiVersion: `${RBAC}/v1`,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(finalizers && { finalizers: [...finalizers] }),
    },
    ...(rules && { rules }),
    ...(aggregates !== undefined && {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [AGGREGATE_TO]: aggregates } }] },
    }),
    ...(roleRef && { roleRef: { apiGroup: RBAC, ...roleRef } }),
    ...(subjects && { subjects }),
  } as New<KubeObject>;
}

/** Returns another object as the administrator sends it. */
export function objectManifest(plan: ObjectPlan): New<KubeObject> {
  const { kind, namespace, name, finalized } = plan;
  return {
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(finalized && { finalizers: ['example.com/stays'] }),
      ...(plan.mirror && { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
    },
    ...(kind === 'Pod' && { spec: podSpec(plan) }),
    ...(kind === 'PersistentVolumeClaim' && {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        ...(plan.volume !== undefined && { volumeName: plan.volume }),
      },
    }),
    ...(kind === 'PersistentVolume' && { spec: volumeSpec(plan) }),
  } as New<KubeObject>;
}

function volumeSpec({ secret, claim }: ObjectPlan) {
  return {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    ...(claim !== undefined && { claimRef: { namespace: 'a', name: claim } }),
    csi: {
      driver: 'csi.example.com',
      volumeHandle: 'v1',
      ...(secret !== undefined && { nodePublishSecretRef: { namespace: 'a', name: secret } }),
    },
  };
}

function podSpec({ node, account = 'default', refers = [] }: ObjectPlan) {
  const by = (...kinds: readonly Reference['by'][]): readonly Reference[] =>
    refers.filter((each) => kinds.includes(each.by));
  const container = (name: string, references: readonly Reference[]) => ({
    name,
    image: 'nginx',
    env: references.filter((each) => each.by !== 'envFrom').map((each, i) => variable(each, i)),
    envFrom: references
      .filter((each) => each.by === 'envFrom')
      .map(({ to, name: from }) => ({ [to === 'Secret' ? 'secretRef' : 'configMapRef']: { name: from } })),
  });
  return {
    serviceAccountName: account,
    ...(node !== undefined && { nodeName: node }),
    containers: [container('main', by('env', 'envFrom'))],
    ...(by('init').length > 0 && { initContainers: [container('first', by('init'))] }),
    imagePullSecrets: by('pull').map(({ name }) => ({ name })),
    volumes: by('volume', 'projected').map((each, i) => volume(each, i)),
  };
}

function variable({ to, name }: Reference, i: number) {
  const from = { name, key: 'k' };
  return { name: `V${i}`, valueFrom: { [to === 'Secret' ? 'secretKeyRef' : 'configMapKeyRef']: from } };
}

function volume({ to, name, by }: Reference, i: number) {
  const own = { name: `v${i}` };
  if (to === 'PersistentVolumeClaim') return { ...own, persistentVolumeClaim: { claimName: name } };
  if (by === 'projected')
    return { ...own, projected: { sources: [{ [to === 'Secret' ? 'secret' : 'configMap']: { name } }] } };
  return to === 'Secret' ? { ...own, secret: { secretName: name } } : { ...own, configMap: { name } };
}
