import {
  type AdmissionAttributes,
  type AdmissionContext,
  apiObjectsIn,
  changedLabels,
  forbidden,
  forbiddenNodeLabels,
  mirrorAnnotation,
  type Plugin,
  semanticEqual,
} from '#given/14-admission';
import {
  type core,
  errors,
  groupResource,
  type KubeObject,
  type Node,
  nodes,
  type PersistentVolumeClaim,
  type Pod,
  pods,
} from '#harness';

const USER_PREFIX = 'system:node:';
const NODES_GROUP = 'system:nodes';

/** Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/noderestriction/admission.go Plugin.Admit */
export function nodeRestriction(context: AdmissionContext): Plugin {
  return {
    name: 'NodeRestriction',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    async admit(attributes) {
      const { user, object } = attributes;
      if (!user.name.startsWith(USER_PREFIX) || !user.groups.includes(NODES_GROUP)) return object;
      const node = user.name.slice(USER_PREFIX.length);
      const why = node
        ? objectionTo(node, attributes, context)
        : `could not determine node from user ${JSON.stringify(user.name)}`;
      if (why) throw forbidden(attributes, why);
      return object;
    },
  };
}

/** Returns why a node may not do this; undefined if it may. */
function objectionTo(
  node: string,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): string | undefined {
  const { resource, subresource } = attributes;
  const restrict = RULES[`${groupResource(resource)}${subresource && `/${subresource}`}`];
  if (restrict) return restrict(node, attributes, context);
  switch (groupResource(resource)) {
    case 'pods':
      return `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`;
    case 'nodes':
      return restrictNode(node, attributes);
    case 'persistentvolumeclaims':
      return 'may only update PVC status';
    default:
      return undefined;
  }
}

type Restrict = (
  node: string,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
) => string | undefined;

const RULES: { readonly [resource: string]: Restrict } = {
  pods: restrictPod,
  'pods/status': restrictPodStatus,
  'pods/eviction': restrictEviction,
  'persistentvolumeclaims/status': restrictClaimStatus,
  'serviceaccounts/token': restrictToken,
  'leases.coordination.k8s.io': restrictLease,
  'csinodes.storage.k8s.io': restrictCsiNode,
};

/** A node creates only mirror pods of its static pods, and deletes only pods that are bound to it. */
function restrictPod(
  node: string,
  attributes: AdmissionAttributes,
  { cache }: AdmissionContext,
): string | undefined {
  const { operation, namespace, name, object } = attributes;
  if (operation === 'DELETE') {
    const stored = cache.get(pods, { namespace, name });
    if (!stored) throw errors.notFound(pods, name);
    if (stored.spec.nodeName === node) return undefined;
    return `node "${node}" can only delete pods with spec.nodeName set to itself`;
  }
  if (operation !== 'CREATE') {
    return `unexpected operation "${operation}", node "${node}" can only create and delete mirror pods`;
  }
  const { metadata, spec } = object as Pod;
  if (!Object.hasOwn(metadata.annotations ?? {}, mirrorAnnotation)) {
    return `pod does not have "${mirrorAnnotation}" annotation, node "${node}" can only create mirror pods`;
  }
  if (spec.nodeName !== node) return `node "${node}" can only create pods with spec.nodeName set to itself`;
  const [owner, ...more] = metadata.ownerReferences ?? [];
  const create = `node "${node}" can only create pods with`;
  if (more.length > 0) return `${create} a single owner reference set to itself`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    return `${create} an owner reference set to itself`;
  }
  if (!owner.controller) return `${create} a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion) return `node "${node}" must not set blockOwnerDeletion on an owner reference`;
  const uid = cache.get(nodes, { name: node })?.metadata.uid;
  if (uid === undefined) throw errors.notFound(nodes, node);
  if (owner.uid !== uid) return `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`;
  const referenced = apiObjectsIn(spec);
  return referenced && `node "${node}" can not create pods that reference ${referenced}`;
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
  { cache }: AdmissionContext,
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
  const rest = (claim: PersistentVolumeClaim): unknown => {
    const {
      resourceVersion: _,
      managedFields: __,
      ...metadata
    } = claim.metadata as KubeObject['metadata'] & {
      managedFields?: unknown;
    };
    const { capacity, conditions, allocatedResourceStatuses, allocatedResources, ...status } =
      claim.status ?? {};
    return { ...claim, metadata, status };
  };
  return semanticEqual(rest(oldObject as PersistentVolumeClaim), rest(object as PersistentVolumeClaim))
    ? undefined
    : `node "${node}" is not allowed to update fields other than status.quantity and status.conditions`;
}

function restrictNode(node: string, attributes: AdmissionAttributes): string | undefined {
  const { operation, object, oldObject } = attributes;
  const name = attributes.name || (operation === 'CREATE' ? (object?.metadata.name ?? '') : '');
  if (name !== node) return `node "${node}" is not allowed to modify node "${name}"`;
  if (operation === 'DELETE') return undefined;
  const [sent, old] = [object as Node, oldObject as Node | undefined];
  const forbiddenLabels = forbiddenNodeLabels(changedLabels(sent.metadata.labels, old?.metadata.labels));
  if (!old) {
    if (sent.spec?.configSource)
      return `node "${node}" is not allowed to create pods with a non-nil configSource`;
    return forbiddenLabels.length > 0
      ? `node "${node}" is not allowed to set the following labels: ${forbiddenLabels.join(', ')}`
      : undefined;
  }
  if (sent.spec?.configSource && !semanticEqual(sent.spec.configSource, old.spec?.configSource)) {
    return `node "${node}" is not allowed to update configSource to a new non-nil configSource`;
  }
  if (!semanticEqual(sent.spec?.taints, old.spec?.taints)) {
    return `node "${node}" is not allowed to modify taints`;
  }
  if (!semanticEqual(sent.metadata.ownerReferences, old.metadata.ownerReferences)) {
    return `node "${node}" is not allowed to modify ownerReferences`;
  }
  return forbiddenLabels.length > 0
    ? `is not allowed to modify labels: ${forbiddenLabels.join(', ')}`
    : undefined;
}

/** A token that a kubelet requests belongs to a pod on its node, and has an audience that the pod asks for. */
function restrictToken(
  node: string,
  { operation, namespace, object }: AdmissionAttributes,
  { cache }: AdmissionContext,
): string | undefined {
  if (operation !== 'CREATE') return undefined;
  const { boundObjectRef: ref, audiences = [] } = (object as unknown as TokenRequest).spec;
  if (ref?.apiVersion !== 'v1' || ref.kind !== 'Pod' || !ref.name) {
    return 'node requested token not bound to a pod';
  }
  if (!ref.uid) return 'node requested token with a pod binding without a uid';
  const pod = cache.get(pods, { namespace, name: ref.name });
  if (!pod) throw errors.notFound(pods, ref.name);
  if (ref.uid !== pod.metadata.uid) {
    return `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  }
  if (pod.spec.nodeName !== node) return 'node requested token bound to a pod scheduled on a different node';
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
  const [audience = ''] = audiences;
  return hasAudience(pod.spec, audience)
    ? undefined
    : `audience "${audience}" not found in pod spec volume, ${USER_PREFIX}${node} is not authorized to request tokens for this audience`;
}

interface TokenRequest {
  readonly spec: {
    readonly audiences?: readonly string[];
    readonly boundObjectRef?: {
      readonly apiVersion?: string;
      readonly kind?: string;
      readonly name?: string;
      readonly uid?: string;
    };
  };
}

/** Differs: the audiences of CSI drivers do not count, and neither does the right to request any audience. */
function hasAudience({ volumes = [] }: core.PodSpec, audience: string): boolean {
  return volumes.some(({ projected }) =>
    projected?.sources?.some(
      ({ serviceAccountToken }) => serviceAccountToken && (serviceAccountToken.audience ?? '') === audience,
    ),
  );
}

/** A node renews only its own lease. */
function restrictLease(node: string, attributes: AdmissionAttributes): string | undefined {
  if (attributes.namespace !== 'kube-node-lease') {
    return 'can only access leases in the "kube-node-lease" system namespace';
  }
  return isOwn(node, attributes)
    ? undefined
    : 'can only access node lease with the same name as the requesting node';
}

function restrictCsiNode(node: string, attributes: AdmissionAttributes): string | undefined {
  return isOwn(node, attributes)
    ? undefined
    : 'can only access CSINode with the same name as the requesting node';
}

/** A new object has its name only in its metadata. */
function isOwn(node: string, { operation, name, object }: AdmissionAttributes): boolean {
  return (operation === 'CREATE' ? object?.metadata.name : name) === node;
}
