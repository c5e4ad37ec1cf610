import type { Attributes, Decision } from '../../contracts/access/index.ts';
import { selectsPodsOf } from './node-identity.ts';

const ALLOW: Decision = { verdict: 'allow' };
const pass = (reason?: string): Decision => ({ verdict: 'no opinion', ...(reason ? { reason } : {}) });

const READ = ['get', 'list', 'watch'];
const WRITE = ['update', 'patch'];
const OWN = ['get', 'create', 'update', 'patch', 'delete'];

/**
 * Returns the decision about a request of a node, as far as it follows from the request alone. The verb, the resource
 * and the names are enough for most of them.
 *
 * @returns `related`: a node may do it if the object belongs to one of its pods. `rules`: all nodes have the same rules
 * for this resource
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/auth/authorizer/node/node_authorizer.go NodeAuthorizer.Authorize
 *
 * Differs: this apiserver serves neither resource slices nor pod certificate requests. Nodes have no right to them.
 */
export function decideByRequest(asked: Attributes, node: string): Decision | 'related' | 'rules' {
  const { isResourceRequest, apiGroup, resource } = asked;
  const decide = isResourceRequest ? decisions.get(`${resource}.${apiGroup}`) : undefined;
  return decide?.(asked, node) ?? 'rules';
}

type Decide = (asked: Attributes, node: string) => Decision | 'related';

const decisions: ReadonlyMap<string, Decide> = new Map<string, Decide>([
  ['secrets.', readOne],
  ['configmaps.', readOne],
  ['persistentvolumeclaims.', (asked) => (asked.subresource === 'status' ? updateStatus : getOne)(asked)],
  ['persistentvolumes.', getOne],
  ['resourceclaims.resource.k8s.io', getOne],
  ['volumeattachments.storage.k8s.io', getOne],
  ['serviceaccounts.', getOrCreateToken],
  ['leases.coordination.k8s.io', ownLease],
  ['csinodes.storage.k8s.io', ownCsiNode],
  ['resourceslices.resource.k8s.io', () => pass()],
  ['podcertificaterequests.certificates.k8s.io', () => pass()],
  ['nodes.', ownNode],
  ['pods.', ownPods],
]);

const related = ({ name }: Attributes): Decision | 'related' =>
  name ? 'related' : pass('No Object name found');

/** Upstream: authorizeReadNamespacedObject */
function readOne(asked: Attributes): Decision | 'related' {
  if (!READ.includes(asked.verb)) return pass('can only read resources of this type');
  if (asked.subresource) return pass('cannot read subresource');
  if (!asked.namespace) return pass('can only read namespaced object of this type');
  return related(asked);
}

/** Upstream: authorizeGet */
function getOne(asked: Attributes): Decision | 'related' {
  if (asked.verb !== 'get') return pass('can only get individual resources of this type');
  if (asked.subresource) return pass('cannot get subresource');
  return related(asked);
}

/** Upstream: authorizeStatusUpdate */
function updateStatus(asked: Attributes): Decision | 'related' {
  return WRITE.includes(asked.verb) ? related(asked) : pass('can only get/update/patch this type');
}

/** Upstream: authorizeServiceAccount, authorizeCreateToken */
function getOrCreateToken(asked: Attributes): Decision | 'related' {
  if (asked.verb === 'get' && !asked.subresource) return readOne(asked);
  if (asked.verb !== 'create' || !asked.name) {
    return pass('can only create tokens for individual service accounts');
  }
  if (asked.subresource !== 'token') return pass('can only create token subresource of serviceaccount');
  return related(asked);
}

/** Upstream: authorizeLease. A create has no name yet: the admission plugin NodeRestriction checks it. */
function ownLease({ verb, namespace, name }: Attributes, node: string): Decision {
  if (!OWN.includes(verb)) return pass('can only get, create, update, patch, or delete a node lease');
  if (namespace !== 'kube-node-lease') {
    return pass('can only access leases in the "kube-node-lease" system namespace');
  }
  if (verb === 'create' || name === node) return ALLOW;
  return pass('can only access node lease with the same name as the requesting node');
}

/** Upstream: authorizeCSINode */
function ownCsiNode({ verb, subresource, name }: Attributes, node: string): Decision {
  if (!OWN.includes(verb)) return pass('can only get, create, update, patch, or delete a CSINode');
  if (subresource) return pass('cannot authorize CSINode subresources');
  if (verb === 'create' || name === node) return ALLOW;
  return pass('can only access CSINode with the same name as the requesting node');
}

/** Upstream: authorizeNode. NodeRestriction limits the writes to the node's own object. */
function ownNode({ verb, subresource, name }: Attributes, node: string): Decision {
  if (subresource) return subresource === 'status' && WRITE.includes(verb) ? ALLOW : pass();
  if (verb === 'create' || WRITE.includes(verb)) return ALLOW;
  if (!READ.includes(verb)) return pass();
  if (name === node) return ALLOW;
  const other = name ? `'${name}'` : 'all nodes';
  return pass(`node '${node}' cannot read ${other}, only its own Node object`);
}

/** Upstream: authorizePod. NodeRestriction limits the writes to pods of the node. */
function ownPods(asked: Attributes, node: string): Decision | 'related' {
  const { verb, subresource, name } = asked;
  if (subresource) {
    const verbs: Readonly<Record<string, readonly string[]>> = { status: WRITE, eviction: ['create'] };
    return verbs[subresource]?.includes(verb) ? ALLOW : pass();
  }
  if (verb === 'create' || verb === 'delete') return ALLOW;
  if (!READ.includes(verb)) return pass();
  if (verb === 'get') return related(asked);
  if (selectsPodsOf(node, asked)) return ALLOW;
  return name ? 'related' : pass('can only list/watch pods with spec.nodeName field selector');
}
