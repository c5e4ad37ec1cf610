import {
  type Attributes,
  type Decision,
  decideByRequest,
  nodeOf,
  nodeRules,
  type PodReferences,
  referencesOf,
  secretsOfPersistentVolume,
  volumeAttachments,
} from '#given/13-access';
import { type ObjectCache, type PersistentVolume, type Pod, persistentVolumes, pods } from '#harness';
import { ruleAllows } from './rules.ts';

/** Allows a node what its pods need, and no more. It has no opinion about other users. */
export function authorizeNode(attributes: Attributes, cache: ObjectCache): Decision {
  const { user } = attributes;
  const node = nodeOf(user);
  if (node === undefined) return { verdict: 'no opinion' };
  if (node === '') return { verdict: 'no opinion', reason: `unknown node for user "${user.name}"` };
  const decision = decideByRequest(attributes, node);
  if (decision === 'rules') {
    const isAllowed = nodeRules.some((rule) => ruleAllows(rule, attributes));
    return { verdict: isAllowed ? 'allow' : 'no opinion' };
  }
  if (decision !== 'related') return decision;
  if (belongsTo(node, attributes, cache)) return { verdict: 'allow' };
  const reason = `no relationship found between node '${node}' and this object`;
  return { verdict: 'no opinion', reason };
}

/** The objects that a pod uses by name. */
const REFERENCES: Readonly<Record<string, keyof PodReferences>> = {
  secrets: 'secrets',
  configmaps: 'configMaps',
  persistentvolumeclaims: 'claims',
  resourceclaims: 'resourceClaims',
};

/** Returns whether an object is on the node, or a pod on the node uses it. */
function belongsTo(node: string, { resource, namespace, name }: Attributes, cache: ObjectCache): boolean {
  switch (resource) {
    case 'volumeattachments':
      return cache.get(volumeAttachments, { name })?.spec.nodeName === node;
    case 'pods':
      return cache.get(pods, { namespace, name })?.spec.nodeName === node;
    case 'persistentvolumes': {
      const volume = cache.get(persistentVolumes, { name });
      return volume !== undefined && mounts(node, volume, cache);
    }
    case 'serviceaccounts':
      return podsOf(node, namespace, cache).some(({ spec }) => spec.serviceAccountName === name);
    default: {
      const kind = REFERENCES[resource];
      if (kind === undefined) return false;
      if (podsOf(node, namespace, cache).some((pod) => referencesOf(pod)[kind].has(name))) return true;
      return resource === 'secrets' && isSecretOfVolume(node, { namespace, name }, cache);
    }
  }
}

/** Returns whether a volume that a pod on the node uses needs this secret. */
function isSecretOfVolume(
  node: string,
  { namespace, name }: Pick<Attributes, 'namespace' | 'name'>,
  cache: ObjectCache,
): boolean {
  return cache
    .list(persistentVolumes)
    .filter((volume) =>
      secretsOfPersistentVolume(volume).some((one) => one.namespace === namespace && one.name === name),
    )
    .some((volume) => mounts(node, volume, cache));
}

/** Returns whether a pod on the node uses the claim of a volume. */
function mounts(node: string, { spec: { claimRef } }: PersistentVolume, cache: ObjectCache): boolean {
  const { namespace = '', name = '' } = claimRef ?? {};
  return podsOf(node, namespace, cache).some((pod) => referencesOf(pod).claims.has(name));
}

/** Returns the pods on a node. A mirror pod does not count: the node itself creates it. */
function podsOf(node: string, namespace: string, cache: ObjectCache): Pod[] {
  if (namespace === '') return [];
  return cache
    .list(pods, namespace)
    .filter(({ spec, metadata }) => spec.nodeName === node && !isMirror(metadata.annotations));
}

const isMirror = (annotations: Readonly<Record<string, string>> = {}): boolean =>
  'kubernetes.io/config.mirror' in annotations;
