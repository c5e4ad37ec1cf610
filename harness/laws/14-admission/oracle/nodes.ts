import type { KubeObject, Node, Pod } from '../../../api/objects.ts';
import { groupResource, nodes, pods, type Resource } from '../../../api/resource.ts';
import type { TokenRequest } from '../../../contracts/client.ts';
import type { AdmissionHistory, Snapshot } from '../history.ts';
import { isMirror, type Refusal } from './pods.ts';

const PREFIX = 'system:node:';

/** Returns the refusal of a kubelet's request; undefined if the kubelet may send it, or the user is no kubelet. */
export function refusalOfNode(
  attributes: Snapshot,
  history: AdmissionHistory,
  revision: number,
): Refusal | undefined {
  const { user, resource } = attributes;
  if (!user.groups.includes('system:nodes') || !user.name.startsWith(PREFIX)) return undefined;
  const node = user.name.slice(PREFIX.length);
  const plural = groupResource(resource);
  const mayDo =
    plural === 'pods'
      ? mayChangePod(attributes, node, history, revision)
      : plural === 'nodes'
        ? mayChangeNode(attributes, node)
        : plural !== 'serviceaccounts' || mayGetToken(attributes, node, history, revision);
  // The kubelet's node or its pod can be missing.
  return mayDo ? undefined : { code: 403, otherCode: 404, text: '' };
}

function mayChangePod(
  { operation, subresource, object, oldObject, name, namespace }: Snapshot,
  node: string,
  { read }: AdmissionHistory,
  revision: number,
): boolean {
  const pod = object as Pod | undefined;
  const old = oldObject as Pod | undefined;
  if (subresource === '') {
    if (operation === 'DELETE') return old?.spec.nodeName === node;
    if (operation !== 'CREATE' || !pod || !isMirror(pod) || pod.spec.nodeName !== node) return false;
    const self = read(nodes as Resource, { name: node }, revision);
    const [owner, ...more] = pod.metadata.ownerReferences ?? [];
    const isOwn =
      owner?.kind === 'Node' &&
      owner.apiVersion === 'v1' &&
      owner.name === node &&
      owner.uid === self?.metadata.uid &&
      owner.controller === true &&
      !owner.blockOwnerDeletion;
    return isOwn && more.length === 0 && !pod.spec.serviceAccountName && !hasReferences(pod);
  }
  if (subresource === 'status') {
    const before = JSON.stringify(old?.metadata.labels ?? {});
    const isSame = JSON.stringify(pod?.metadata.labels ?? {}) === before;
    return operation === 'UPDATE' && old?.spec.nodeName === node && isSame;
  }
  if (subresource !== 'eviction' || operation !== 'CREATE') return false;
  const key = { namespace, name };
  const found = read(pods as Resource, key, revision);
  return (found as Pod | undefined)?.spec.nodeName === node;
}

/** Returns whether the token is bound to a pod on the node, and a volume of the pod has such a token. */
function mayGetToken(
  { object, namespace, subresource }: Snapshot,
  node: string,
  { read }: AdmissionHistory,
  revision: number,
): boolean {
  if (subresource !== 'token') return true;
  const { boundObjectRef: ref } = (object as unknown as TokenRequest).spec;
  const pod = read(pods as Resource, { namespace, name: ref?.name ?? '' }, revision) as Pod | undefined;
  return (
    pod !== undefined &&
    pod.metadata.uid === ref?.uid &&
    pod.spec.nodeName === node &&
    (pod.spec.volumes ?? []).some(({ projected }) =>
      projected?.sources?.some(({ serviceAccountToken: token }) => token && !token.audience),
    )
  );
}

const hasReferences = ({ spec }: Pod): boolean =>
  (spec.volumes ?? []).some(
    ({ secret, configMap, persistentVolumeClaim }) => secret || configMap || persistentVolumeClaim,
  );

function mayChangeNode({ operation, object, oldObject, name }: Snapshot, node: string): boolean {
  const [next, old] = [object as Node | undefined, oldObject as Node | undefined];
  if (operation === 'CREATE') {
    return (name || next?.metadata.name) === node && changedLabels(next, undefined).every(isFree);
  }
  if (name !== node) return false;
  if (operation !== 'UPDATE') return true;
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? []) === JSON.stringify(b ?? []);
  return (
    isSame(next?.spec?.taints, old?.spec?.taints) &&
    isSame(next?.metadata.ownerReferences, old?.metadata.ownerReferences) &&
    changedLabels(next, old).every(isFree)
  );
}

function changedLabels(next: KubeObject | undefined, old: KubeObject | undefined): readonly string[] {
  const [now, before] = [next?.metadata.labels ?? {}, old?.metadata.labels ?? {}];
  return [...new Set([...Object.keys(now), ...Object.keys(before)])].filter(
    (key) => now[key] !== before[key],
  );
}

const KUBELET_LABELS = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
]);

/** Returns whether a kubelet may set the label on its node. */
function isFree(key: string): boolean {
  const [prefix = ''] = key.includes('/') ? key.split('/') : [''];
  const isIn = (domain: string): boolean => prefix === domain || prefix.endsWith(`.${domain}`);
  if (isIn('node-restriction.kubernetes.io')) return false;
  if (!isIn('kubernetes.io') && !isIn('k8s.io')) return true;
  return KUBELET_LABELS.has(key) || isIn('kubelet.kubernetes.io') || isIn('node.kubernetes.io');
}
