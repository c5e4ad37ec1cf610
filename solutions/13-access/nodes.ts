import {
  type Attributes,
  type Decision,
  nodeOf,
  nodeRules,
  type ObjectCache,
  type PodReferences,
  referencesOf,
  secretsOfPersistentVolume,
  selectsPodsOf,
  volumeAttachments,
} from '#given/13-access';
import { type PersistentVolume, type Pod, persistentVolumes, pods } from '#harness';
import { ruleAllows } from './rules.ts';

const ALLOW: Decision = { verdict: 'allow' };
const pass = (reason = ''): Decision => ({ verdict: 'no opinion', ...(reason ? { reason } : {}) });

const READ = ['get', 'list', 'watch'];
const OWN = ['get', 'create', 'update', 'patch', 'delete'];

/** Allows a node what it needs for its pods, and no more. It has no opinion about other users. */
export function authorizeNode(attributes: Attributes, cache: ObjectCache): Decision {
  const node = nodeOf(attributes.user);
  if (node === undefined) return pass();
  if (node === '') return pass(`unknown node for user "${attributes.user.name}"`);
  const { isResourceRequest, apiGroup, resource } = attributes;
  const decide = isResourceRequest ? decisions.get(`${resource}.${apiGroup}`) : undefined;
  if (decide) return decide(attributes, node, cache);
  return nodeRules.some((rule) => ruleAllows(rule, attributes)) ? ALLOW : pass();
}

type Decide = (attributes: Attributes, node: string, cache: ObjectCache) => Decision;

/** The decisions about some resources. For the others, all nodes have the same rules. */
const decisions: ReadonlyMap<string, Decide> = new Map<string, Decide>([
  ['secrets.', readOne],
  ['configmaps.', readOne],
  [
    'persistentvolumeclaims.',
    (asked, ...rest) => (asked.subresource === 'status' ? updateStatus : getOne)(asked, ...rest),
  ],
  ['persistentvolumes.', getOne],
  ['resourceclaims.resource.k8s.io', getOne],
  ['volumeattachments.storage.k8s.io', getOne],
  ['serviceaccounts.', serviceAccount],
  ['leases.coordination.k8s.io', ownLease],
  ['csinodes.storage.k8s.io', ownCsiNode],
  ['nodes.', ownNode],
  ['pods.', ownPods],
]);

function readOne(asked: Attributes, node: string, cache: ObjectCache): Decision {
  if (!READ.includes(asked.verb)) return pass('can only read resources of this type');
  if (asked.subresource) return pass('cannot read subresource');
  if (!asked.namespace) return pass('can only read namespaced object of this type');
  return related(asked, node, cache);
}

function getOne(asked: Attributes, node: string, cache: ObjectCache): Decision {
  if (asked.verb !== 'get') return pass('can only get individual resources of this type');
  if (asked.subresource) return pass('cannot get subresource');
  return related(asked, node, cache);
}

function updateStatus(asked: Attributes, node: string, cache: ObjectCache): Decision {
  if (asked.verb !== 'update' && asked.verb !== 'patch') return pass('can only get/update/patch this type');
  return related(asked, node, cache);
}

function serviceAccount(asked: Attributes, node: string, cache: ObjectCache): Decision {
  if (asked.verb === 'get' && !asked.subresource) return readOne(asked, node, cache);
  if (asked.verb !== 'create' || !asked.name) {
    return pass('can only create tokens for individual service accounts');
  }
  if (asked.subresource !== 'token') return pass('can only create token subresource of serviceaccount');
  return related(asked, node, cache);
}

// A create has no name yet. The admission plugin NodeRestriction checks it.
function ownLease({ verb, namespace, name }: Attributes, node: string): Decision {
  if (!OWN.includes(verb)) return pass('can only get, create, update, patch, or delete a node lease');
  if (namespace !== 'kube-node-lease') {
    return pass('can only access leases in the "kube-node-lease" system namespace');
  }
  if (verb === 'create' || name === node) return ALLOW;
  return pass('can only access node lease with the same name as the requesting node');
}

function ownCsiNode({ verb, subresource, name }: Attributes, node: string): Decision {
  if (!OWN.includes(verb)) return pass('can only get, create, update, patch, or delete a CSINode');
  if (subresource) return pass('cannot authorize CSINode subresources');
  if (verb === 'create' || name === node) return ALLOW;
  return pass('can only access CSINode with the same name as the requesting node');
}

function ownNode({ verb, subresource, name }: Attributes, node: string): Decision {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? ALLOW : pass();
  if (subresource) return pass();
  if (['create', 'update', 'patch'].includes(verb)) return ALLOW;
  if (!READ.includes(verb)) return pass();
  if (name === node) return ALLOW;
  const other = name ? `'${name}'` : 'all nodes';
  return pass(`node '${node}' cannot read ${other}, only its own Node object`);
}

function ownPods(asked: Attributes, node: string, cache: ObjectCache): Decision {
  const { verb, subresource, name } = asked;
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? ALLOW : pass();
  if (subresource === 'eviction') return verb === 'create' ? ALLOW : pass();
  if (subresource) return pass();
  if (verb === 'create' || verb === 'delete') return ALLOW;
  if (!READ.includes(verb)) return pass();
  if (verb !== 'get') {
    if (selectsPodsOf(node, asked)) return ALLOW;
    if (!name) return pass('can only list/watch pods with spec.nodeName field selector');
  }
  return related(asked, node, cache);
}

/** Allows the request if something on the node uses the object. */
function related(asked: Attributes, node: string, cache: ObjectCache): Decision {
  if (!asked.name) return pass('No Object name found');
  if (isRelated(asked, node, cache)) return ALLOW;
  return pass(`no relationship found between node '${node}' and this object`);
}

function isRelated({ resource, namespace, name }: Attributes, node: string, cache: ObjectCache): boolean {
  if (resource === 'volumeattachments') return cache.get(volumeAttachments, { name })?.spec.nodeName === node;
  if (resource === 'pods') return cache.get(pods, { namespace, name })?.spec.nodeName === node;
  if (resource === 'persistentvolumes') {
    const volume = cache.get(persistentVolumes, { name });
    return volume !== undefined && mounts(node, volume, cache);
  }
  const uses = (pod: Pod): boolean => {
    if (resource === 'serviceaccounts') return pod.spec.serviceAccountName === name;
    const names = REFERENCES[resource];
    return names !== undefined && referencesOf(pod)[names].has(name);
  };
  if (podsOf(node, namespace, cache).some(uses)) return true;
  if (resource !== 'secrets') return false;
  return cache
    .list(persistentVolumes)
    .some(
      (volume) =>
        secretsOfPersistentVolume(volume).some((one) => one.namespace === namespace && one.name === name) &&
        mounts(node, volume, cache),
    );
}

const REFERENCES: Readonly<Record<string, keyof PodReferences>> = {
  secrets: 'secrets',
  configmaps: 'configMaps',
  persistentvolumeclaims: 'claims',
  resourceclaims: 'resourceClaims',
};

/** Returns whether a pod of the node uses the claim of a volume. */
function mounts(node: string, { spec: { claimRef } }: PersistentVolume, cache: ObjectCache): boolean {
  const { namespace = '', name = '' } = claimRef ?? {};
  return podsOf(node, namespace, cache).some((pod) => referencesOf(pod).claims.has(name));
}

/** Returns the pods of a node. A mirror pod, which the node itself creates, gives it no rights. */
function podsOf(node: string, namespace: string, cache: ObjectCache): Pod[] {
  if (namespace === '') return [];
  return cache
    .list(pods, namespace)
    .filter(({ spec, metadata }) => spec.nodeName === node && !isMirror(metadata.annotations));
}

const isMirror = (annotations: Readonly<Record<string, string>> | undefined): boolean =>
  annotations !== undefined && 'kubernetes.io/config.mirror' in annotations;
