import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { CustomResourceDefinition, KubeObject, New } from '../../api/objects.ts';
import { groupResource, groupVersion, type Resource, resources } from '../../api/resource.ts';

/** A manifest in the shape of a project's own. */
export interface Project {
  /** The name of the file, without `.yaml`. */
  readonly name: string;
  /** Its user: the administrator of the cluster, or an administrator of one namespace. */
  readonly by: 'cluster' | 'namespace';
  /** A manifest that the administrator of the cluster applies first. It defines kinds. @defaultValue none */
  readonly needs?: string;
}

const byCluster = (...names: readonly string[]): readonly Project[] =>
  names.map((name) => ({ name, by: 'cluster' }));
const byNamespace = (...names: readonly string[]): readonly Project[] =>
  names.map((name) => ({ name, by: 'namespace' }));

/** The manifests. Those of namespaces come first: some of the others contain webhooks without a server. */
export const projects: readonly Project[] = [
  ...byNamespace('actions-runner', 'backup-job', 'jenkins', 'redis', 'scrape-target', 'web-app'),
  { name: 'cert-manager-issuer', by: 'namespace', needs: 'cert-manager-crds' },
  { name: 'argo-rollout', by: 'namespace', needs: 'argo-rollouts' },
  ...byCluster(
    'admission-policies',
    'argo-cd',
    'argo-rollouts',
    'calico',
    'cert-manager',
    'cert-manager-crds',
  ),
  ...byCluster('cilium', 'cluster-autoscaler', 'cnpg', 'crossplane', 'csi-driver-nfs', 'descheduler'),
  ...byCluster(
    'external-dns',
    'flux',
    'gatekeeper',
    'gpu-operator',
    'ingress-nginx',
    'istio',
    'keda',
    'kube-state-metrics',
  ),
  ...byCluster('kubernetes-dashboard', 'kyverno', 'linkerd', 'longhorn', 'metrics-server'),
  ...byCluster('node-problem-detector', 'pod-security-tenants', 'prometheus-adapter', 'prometheus-operator'),
  ...byCluster('rook-ceph', 'sealed-secrets', 'team-roles', 'velero', 'vertical-pod-autoscaler'),
];

/** The folder of the manifests. */
export const FOLDER = path.join(import.meta.dirname, 'manifests');

/** An object of a manifest. */
export type Manifested = New<KubeObject> & { readonly apiVersion: string; readonly kind: string };

/** Reads the objects of a manifest; of a list, its items. */
export function objectsOf(name: string): readonly Manifested[] {
  return objectsIn(path.join(FOLDER, `${name}.yaml`));
}

/** Reads the objects of a file; of a list, its items. */
export function objectsIn(file: string): readonly Manifested[] {
  const text = readFileSync(file, 'utf8');
  return parseAllDocuments(text).flatMap((document) => {
    const object = document.toJS();
    return object.kind.endsWith('List') ? object.items : [object];
  });
}

/**
 * The objects that kubectl patches each time it applies their manifest, although nothing changes, by reason.
 *
 * kubectl compares the manifest with the stored object.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go CreateThreeWayMergePatch
 */
export const patchedAgain: Readonly<Record<string, readonly string[]>> = {
  'an empty value, which Go omits': [
    'cert-manager ClusterRoleBinding cert-manager-webhook:subjectaccessreviews',
    'cluster-autoscaler PriorityClass overprovisioning',
    'ingress-nginx Deployment ingress-nginx-controller',
    'istio MutatingWebhookConfiguration istio-sidecar-injector',
    'linkerd MutatingWebhookConfiguration linkerd-proxy-injector-webhook-config',
    'longhorn PriorityClass longhorn-critical',
    'rook-ceph ServiceAccount rook-ceph-osd',
    'sealed-secrets ClusterRoleBinding sealed-secrets-controller',
    'team-roles ClusterRoleBinding node-debugger',
  ],
  'a list without keys, whose items have defaults': [
    'crossplane ClusterRoleBinding crossplane-rbac-manager',
    'ingress-nginx ValidatingWebhookConfiguration ingress-nginx-admission',
    'redis StatefulSet redis',
    'scrape-target RoleBinding developers-view',
    'team-roles ClusterRoleBinding support',
  ],
  'a quantity that has a shorter form': [
    'flux ResourceQuota critical-pods-flux-system',
    'gpu-operator ResourceQuota gpu-operator-critical',
  ],
  'a field that the server moves': ['actions-runner Secret ghcr', 'velero Secret cloud-credentials'],
  'a field that is replaced as a whole, or retains only the keys of the manifest': [
    'calico PodDisruptionBudget calico-kube-controllers',
    'gatekeeper PodDisruptionBudget gatekeeper-controller-manager',
    'istio PodDisruptionBudget istiod',
    'metrics-server Deployment metrics-server',
    'redis PodDisruptionBudget redis',
    'rook-ceph PodDisruptionBudget rook-ceph-osd',
  ],
};

/** The parts of a resource in paths and messages. */
export type Named = Pick<Resource, 'group' | 'version' | 'plural' | 'namespaced'>;

/** Returns the resource of an object. @param needs the manifest that defines its kind */
export function resourceOf({ apiVersion, kind }: Manifested, needs?: string): Named {
  const known = resources.find((each) => groupVersion(each) === apiVersion && each.kind === kind);
  if (known) return known;
  const defined = (needs ? objectsOf(needs) : [])
    .map((each) => (each as unknown as CustomResourceDefinition).spec)
    .find((spec) => spec?.names?.kind === kind);
  if (!defined) throw new Error(`No resource has the kind ${kind} of ${apiVersion}.`);
  const { group, names, scope, versions } = defined;
  const version = versions[0]?.name ?? '';
  return { group, version, plural: names.plural, namespaced: scope === 'Namespaced' };
}

/** The namespace of a request for an object: a Namespace is in itself. */
const scopeOf = (
  { metadata }: Manifested,
  { plural, namespaced }: Named,
  namespace: string,
): string | undefined => {
  if (plural === 'namespaces') return metadata.name;
  return namespaced ? (metadata.namespace ?? namespace) : undefined;
};

interface Refused {
  readonly user: string;
  readonly verb: string;
  /** The namespace of objects that name none. */
  readonly namespace: string;
}

/**
 * Returns the message for a user who may not do something with an object.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/errors.go ForbiddenStatusError,
 * forbiddenMessage
 */
export function refusal(object: Manifested, resource: Named, { user, verb, namespace }: Refused): string {
  const { group, plural } = resource;
  const qualified = groupResource(resource);
  const name = verb === 'create' ? '' : ` "${object.metadata.name}"`;
  const within = scopeOf(object, resource, namespace);
  const where = within === undefined ? 'at the cluster scope' : `in the namespace "${within}"`;
  const what = `resource "${plural}" in API group "${group}"`;
  return `${qualified}${name} is forbidden: User "${user}" cannot ${verb} ${what} ${where}`;
}

/** Returns the path of an object. @param namespace the namespace of objects that name none */
export function pathOf({ metadata }: Manifested, resource: Named, namespace: string): string {
  const { group, plural, namespaced } = resource;
  const within = namespaced ? `/namespaces/${metadata.namespace ?? namespace}` : '';
  return `/${group ? 'apis' : 'api'}/${groupVersion(resource)}${within}/${plural}/${metadata.name}`;
}
