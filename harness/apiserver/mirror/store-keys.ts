import { keyToString, type ObjectKey } from '../../api/objects.ts';
import { groupResource, type Resource } from '../../api/resource.ts';
import { customVersionOf } from '../custom/custom-version.ts';

/** The beginning of the keys of all objects. Upstream: kube-apiserver --etcd-prefix */
export const PREFIX = '/registry/';

/**
 * Resources whose name in etcd differs from the name in their URLs.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubeapiserver/default_storage_factory_builder.go
 * SpecialDefaultResourcePrefixes
 */
const SPECIAL: Readonly<Record<string, string>> = {
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  services: 'services/specs',
  nodes: 'minions',
  'ingresses.networking.k8s.io': 'ingress',
};

/** The groups of the servers beside the kube-apiserver in its process: their keys have the group. */
const WITH_GROUP: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Returns the part of a key that names the resource: `pods`, `minions`, `example.com/crontabs`. */
export function storedUnder(resource: Resource): string {
  const { group, plural } = resource;
  const hasGroup = WITH_GROUP.has(group) || customVersionOf(resource) !== undefined;
  return SPECIAL[groupResource(resource)] ?? (hasGroup ? `${group}/${plural}` : plural);
}

/**
 * Returns the key of an object in etcd: `/registry/pods/default/web-0`, `/registry/minions/node-1`.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go NamespaceKeyFunc
 */
export function storeKey(resource: Resource, key: ObjectKey): string {
  return `${PREFIX}${storedUnder(resource)}/${keyToString(key)}`;
}
