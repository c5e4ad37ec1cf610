import {
  type AdmissionAttributes,
  apiObjectsIn,
  changedLabels,
  forbiddenNodeLabels,
  mirrorAnnotation,
} from '#given/14-admission';
import { errors, type Node, nodes, type ObjectCache, type Pod, pods, semanticEqual } from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/noderestriction/admission.go admitPod, admitPodCreate */
export function restrictPod(
  node: string,
  attributes: AdmissionAttributes,
  cache: ObjectCache,
): string | undefined {
  const { operation, namespace, name, object } = attributes;
  if (operation === 'DELETE') {
    const stored = cache.get(pods, { namespace, name });
    if (!stored) throw errors.notFound(pods, name);
    return stored.spec.nodeName === node
      ? undefined
      : `node "${node}" can only delete pods with spec.nodeName set to itself`;
  }
  if (operation !== 'CREATE') {
    return `unexpected operation "${operation}", node "${node}" can only create and delete mirror pods`;
  }
  const { metadata, spec } = object as Pod;
  if (!Object.hasOwn(metadata.annotations ?? {}, mirrorAnnotation)) {
    return `pod does not have "${mirrorAnnotation}" annotation, node "${node}" can only create mirror pods`;
  }
  const create = `node "${node}" can only create pods with`;
  if (spec.nodeName !== node) return `${create} spec.nodeName set to itself`;
  const [owner, ...more] = metadata.ownerReferences ?? [];
  if (more.length > 0) return `${create} a single owner reference set to itself`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    return `${create} an owner reference set to itself`;
  }
  if (!owner.controller) return `${create} a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion) return `node "${node}" must not set blockOwnerDeletion on an owner reference`;
  const known = cache.get(nodes, { name: node });
  if (!known) throw errors.notFound(nodes, node);
  const { uid } = known.metadata;
  if (owner.uid !== uid) return `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`;
  const referenced = apiObjectsIn(spec);
  return referenced && `node "${node}" can not create pods that reference ${referenced}`;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/noderestriction/admission.go Plugin.admitNode */
export function restrictNode(node: string, attributes: AdmissionAttributes): string | undefined {
  const { operation, name, object, oldObject } = attributes;
  if (name !== node) return `node "${node}" is not allowed to modify node "${name}"`;
  if (operation === 'DELETE') return undefined;
  const [sent, old] = [object as Node, oldObject as Node | undefined];
  const labels = forbiddenNodeLabels(changedLabels(sent.metadata.labels, old?.metadata.labels)).join(', ');
  if (!old) {
    return labels ? `node "${node}" is not allowed to set the following labels: ${labels}` : undefined;
  }
  if (!semanticEqual(sent.spec?.taints, old.spec?.taints)) {
    return `node "${node}" is not allowed to modify taints`;
  }
  if (!semanticEqual(sent.metadata.ownerReferences, old.metadata.ownerReferences)) {
    return `node "${node}" is not allowed to modify ownerReferences`;
  }
  return labels ? `is not allowed to modify labels: ${labels}` : undefined;
}

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/noderestriction/admission.go Plugin.admitServiceAccount
 *
 * Differs: the audiences of CSI drivers do not count, and neither does the right to request any audience.
 */
export function restrictToken(
  node: string,
  { namespace, object }: AdmissionAttributes,
  cache: ObjectCache,
): string | undefined {
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
  const sources = (pod.spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  const isMounted = sources.some(
    ({ serviceAccountToken: token }) => token && (token.audience ?? '') === audience,
  );
  return isMounted
    ? undefined
    : `audience "${audience}" not found in pod spec volume, system:node:${node} is not authorized to request tokens for this audience`;
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
