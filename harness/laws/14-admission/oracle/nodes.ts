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
  const why =
    plural === 'pods'
      ? objectionToPod(attributes, node, history, revision)
      : plural === 'nodes'
        ? objectionToNode(attributes, node)
        : plural === 'serviceaccounts'
          ? objectionToToken(attributes, node, history, revision)
          : undefined;
  // The kubelet's node or its pod can be missing.
  return why === undefined ? undefined : { code: 403, otherCode: 404, text: '', why };
}

function objectionToPod(
  { operation, subresource, object, oldObject, name, namespace }: Snapshot,
  node: string,
  { read }: AdmissionHistory,
  revision: number,
): string | undefined {
  const pod = object as Pod | undefined;
  const old = oldObject as Pod | undefined;
  const on = (found: Pod | undefined, verb: string): string | undefined =>
    found?.spec.nodeName === node ? undefined : `${node} may ${verb} only pods that run on it`;
  if (subresource === 'status' && operation === 'UPDATE') {
    const before = JSON.stringify(old?.metadata.labels ?? {});
    const isSame = JSON.stringify(pod?.metadata.labels ?? {}) === before;
    return on(old, 'update the status of') ?? (isSame ? undefined : `${node} may not change labels of a pod`);
  }
  if (subresource === 'eviction' && operation === 'CREATE') {
    return on(read(pods as Resource, { namespace, name }, revision) as Pod | undefined, 'evict');
  }
  if (subresource !== '') return `${node} may update the status of pods, and evict them`;
  if (operation === 'DELETE') return on(old, 'delete');
  if (operation !== 'CREATE') return `${node} may create and delete pods, but not update them`;
  if (!pod || !isMirror(pod)) return `${node} may create only mirror pods`;
  if (pod.spec.serviceAccountName || hasReferences(pod)) return 'a mirror pod may not refer to other objects';
  const self = read(nodes as Resource, { name: node }, revision);
  const [owner, ...more] = pod.metadata.ownerReferences ?? [];
  const isOwned =
    owner?.kind === 'Node' &&
    owner.apiVersion === 'v1' &&
    owner.name === node &&
    owner.uid === self?.metadata.uid &&
    owner.controller === true &&
    !owner.blockOwnerDeletion &&
    more.length === 0;
  return on(pod, 'create') ?? (isOwned ? undefined : `a mirror pod must have ${node} as its only owner`);
}

/** The token must be bound to a pod on the node, and a volume of the pod must have such a token. */
function objectionToToken(
  { object, namespace, subresource }: Snapshot,
  node: string,
  { read }: AdmissionHistory,
  revision: number,
): string | undefined {
  if (subresource !== 'token') return undefined;
  const { boundObjectRef: ref, audiences = [] } = (object as unknown as TokenRequest).spec;
  if (!ref?.uid || ref.kind !== 'Pod') return `${node} may request only tokens that are bound to a pod`;
  if (audiences.length > 1) return `${node} may request only tokens for one audience`;
  const pod = read(pods as Resource, { namespace, name: ref?.name ?? '' }, revision) as Pod | undefined;
  if (pod?.spec.nodeName !== node || pod.metadata.uid !== ref?.uid) {
    return `${node} may request only tokens that are bound to a pod on it`;
  }
  const hasToken = (pod.spec.volumes ?? []).some(({ projected }) =>
    projected?.sources?.some(
      ({ serviceAccountToken: token }) => token && (token.audience ?? '') === (audiences[0] ?? ''),
    ),
  );
  return hasToken ? undefined : 'no volume of the pod has such a token';
}

const hasReferences = ({ spec }: Pod): boolean =>
  (spec.volumes ?? []).some(
    ({ secret, configMap, persistentVolumeClaim }) => secret || configMap || persistentVolumeClaim,
  );

function objectionToNode({ operation, object, oldObject, name }: Snapshot, node: string): string | undefined {
  const [next, old] = [object as Node | undefined, oldObject as Node | undefined];
  if ((name || next?.metadata.name) !== node) return `${node} may not change another node`;
  if (operation === 'DELETE') return undefined;
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? []) === JSON.stringify(b ?? []);
  if (operation === 'UPDATE' && !isSame(next?.spec?.taints, old?.spec?.taints)) {
    return `${node} may not change its taints`;
  }
  if (operation === 'UPDATE' && !isSame(next?.metadata.ownerReferences, old?.metadata.ownerReferences)) {
    return `${node} may not change its owners`;
  }
  const forbidden = changedLabels(next, operation === 'UPDATE' ? old : undefined).find((key) => !isFree(key));
  return forbidden && `${node} may not change its label ${forbidden}`;
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
