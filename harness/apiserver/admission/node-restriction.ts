import type { KubeObject, PersistentVolumeClaim, Pod } from '../../api/objects.ts';
import { groupResource, pods } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import { errors } from '../../api/status.ts';
import type { AdmissionAttributes, AdmissionContext } from '../../contracts/admission/index.ts';
import type { ObjectCache } from '../../contracts/object-cache.ts';
import { changedLabels } from './nodes.ts';
import { forbidden, type Plugin } from './plugin.ts';

/**
 * Returns why a node may not do something, undefined if it may.
 *
 * @param node - the name of the node that sends the request
 */
export type RestrictNode = (
  node: string,
  attributes: AdmissionAttributes,
  cache: ObjectCache,
) => string | undefined;

/** The restrictions that a kata builds. */
export interface NodeRestrictions {
  /** For creates, updates and deletes of pods. */
  readonly restrictPod: RestrictNode;
  /** For Nodes and their subresources. */
  readonly restrictNode: RestrictNode;
  /** For the tokens of service accounts. */
  readonly restrictToken: RestrictNode;
}

const USER_PREFIX = 'system:node:';
const NODES_GROUP = 'system:nodes';

/**
 * The plugin NodeRestriction: a kubelet changes only objects that belong to its node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/noderestriction/admission.go Plugin
 *
 * Differs: certificate signing requests are not restricted.
 */
export function nodeRestriction({ cache }: AdmissionContext, restrictions: NodeRestrictions): Plugin {
  return {
    name: 'NodeRestriction',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    async admit(attributes) {
      const { user, object } = attributes;
      if (!user.name.startsWith(USER_PREFIX) || !user.groups.includes(NODES_GROUP)) return object;
      const node = user.name.slice(USER_PREFIX.length);
      const why = node
        ? objectionTo(node, attributes, cache, restrictions)
        : `could not determine node from user ${JSON.stringify(user.name)}`;
      if (why) throw forbidden(attributes, why);
      return object;
    },
  };
}

function objectionTo(
  node: string,
  attributes: AdmissionAttributes,
  cache: ObjectCache,
  { restrictPod, restrictNode, restrictToken }: NodeRestrictions,
): string | undefined {
  const { resource, subresource } = attributes;
  switch (groupResource(resource)) {
    case 'pods':
      if (subresource === '') return restrictPod(node, attributes, cache);
      if (subresource === 'status') return restrictPodStatus(node, attributes);
      if (subresource === 'eviction') return restrictEviction(node, attributes, cache);
      return `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`;
    case 'nodes':
      return restrictNode(node, attributes, cache);
    case 'persistentvolumeclaims':
      return subresource === 'status' ? restrictClaimStatus(node, attributes) : 'may only update PVC status';
    case 'serviceaccounts':
      return subresource === 'token' && attributes.operation === 'CREATE'
        ? restrictToken(node, attributes, cache)
        : undefined;
    case 'leases.coordination.k8s.io':
      if (attributes.namespace !== 'kube-node-lease') {
        return 'can only access leases in the "kube-node-lease" system namespace';
      }
      return isOwn(node, attributes)
        ? undefined
        : 'can only access node lease with the same name as the requesting node';
    case 'csinodes.storage.k8s.io':
      return isOwn(node, attributes)
        ? undefined
        : 'can only access CSINode with the same name as the requesting node';
    default:
      return undefined;
  }
}

/** A new object has its name only in its metadata. */
function isOwn(node: string, { operation, name, object }: AdmissionAttributes): boolean {
  return (operation === 'CREATE' ? object?.metadata.name : name) === node;
}

function restrictPodStatus(
  node: string,
  { operation, object, oldObject }: AdmissionAttributes,
): string | undefined {
  if (operation !== 'UPDATE') return `unexpected operation "${operation}"`;
  const [pod, old] = [object as Pod, oldObject as Pod];
  if (old.spec.nodeName !== node) {
    return `node "${node}" can only update pod status for pods with spec.nodeName set to itself`;
  }
  if (changedLabels(old.metadata.labels, pod.metadata.labels).length > 0) {
    return `node "${node}" cannot update labels through pod status`;
  }
  if (!semanticEqual(old.status?.resourceClaimStatuses, pod.status?.resourceClaimStatuses)) {
    return `node "${node}" cannot update resource claim statues`;
  }
  if (!semanticEqual(old.status?.extendedResourceClaimStatus, pod.status?.extendedResourceClaimStatus)) {
    return `node "${node}" cannot update extended resource claim status`;
  }
  return undefined;
}

function restrictEviction(
  node: string,
  { operation, namespace, name, object }: AdmissionAttributes,
  cache: ObjectCache,
): string | undefined {
  if (operation !== 'CREATE') return `unexpected operation ${operation}`;
  const podName = name || object?.metadata?.name;
  if (!podName) return 'could not determine pod from request data';
  const pod = cache.get(pods, { namespace, name: podName });
  if (!pod) throw errors.notFound(pods, podName);
  return pod.spec.nodeName === node
    ? undefined
    : `node ${node} can only evict pods with spec.nodeName set to itself`;
}

/** A kubelet reports that it has resized the file system of a claim. */
function restrictClaimStatus(
  node: string,
  { operation, object, oldObject }: AdmissionAttributes,
): string | undefined {
  if (operation !== 'UPDATE') return `unexpected operation "${operation}"`;
  return semanticEqual(restOf(oldObject as PersistentVolumeClaim), restOf(object as PersistentVolumeClaim))
    ? undefined
    : `node "${node}" is not allowed to update fields other than status.quantity and status.conditions`;
}

/** Returns a claim without the fields that a kubelet may change. */
function restOf(claim: PersistentVolumeClaim): object {
  const { resourceVersion: _, managedFields: __, ...metadata } = claim.metadata as KubeObject['metadata'];
  const { capacity, conditions, allocatedResourceStatuses, allocatedResources, ...status } =
    claim.status ?? {};
  return { ...claim, metadata, status };
}
