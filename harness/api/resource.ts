import { defineResource as define, type Resource, type Verb } from './define-resource.ts';
import type {
  ConfigMap,
  Deployment,
  EndpointSlice,
  Endpoints,
  Event,
  EventV1,
  Lease,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  PriorityClass,
  ReplicaSet,
  Secret,
  Service,
  ServiceAccount,
} from './objects.ts';
import {
  apiServices,
  certificateSigningRequests,
  clusterRoleBindings,
  clusterRoles,
  controllerRevisions,
  cronJobs,
  csiDrivers,
  csiNodes,
  customResourceDefinitions,
  daemonSets,
  horizontalPodAutoscalers,
  horizontalPodAutoscalersV1,
  ingressClasses,
  ingresses,
  ipAddresses,
  jobs,
  limitRanges,
  localSubjectAccessReviews,
  mutatingWebhookConfigurations,
  networkPolicies,
  podTemplates,
  replicationControllers,
  resourceQuotas,
  roleBindings,
  roles,
  runtimeClasses,
  selfSubjectAccessReviews,
  selfSubjectReviews,
  selfSubjectRulesReviews,
  serviceCIDRs,
  statefulSets,
  storageClasses,
  subjectAccessReviews,
  tokenReviews,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
  volumeAttachments,
} from './plain-resources.ts';

export type { Resource, Subresource, Verb } from './define-resource.ts';

const VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** Returns the verbs of a resource. */
export function verbsOf(resource: Pick<Resource, 'verbs'>): readonly Verb[] {
  return resource.verbs ?? VERBS;
}

/** Returns the kind of a list of the resource's objects: `DeploymentList`. */
export const listKindOf = ({ kind, listKind }: Pick<Resource, 'kind' | 'listKind'>): string =>
  listKind ?? `${kind}List`;

/** Returns the `apiVersion` of the resource's objects: `apps/v1`, or `v1` in the core group. */
export function groupVersion(resource: Pick<Resource, 'group' | 'version'>): string {
  return resource.group ? `${resource.group}/${resource.version}` : resource.version;
}

/** Returns the name of a resource in error messages: `deployments.apps`, or `pods` in the core group. */
export function groupResource(resource: Pick<Resource, 'group' | 'plural'>): string {
  return resource.group ? `${resource.plural}.${resource.group}` : resource.plural;
}

/** `/api/v1/namespaces` */
export const namespaces: Resource<Namespace> = define<Namespace>('v1', 'Namespace', 'namespaces', {
  namespaced: false,
  shortNames: ['ns'],
  subresources: ['status', 'finalize'],
  // Deleting a namespace also deletes its content, so namespaces can only be deleted one by one.
  verbs: VERBS.filter((verb) => verb !== 'deletecollection'),
});

/** `/api/v1/nodes` */
export const nodes: Resource<Node> = define<Node>('v1', 'Node', 'nodes', {
  namespaced: false,
  shortNames: ['no'],
  subresources: ['status', 'proxy'],
});

/** `/api/v1/namespaces/{namespace}/pods` */
export const pods: Resource<Pod> = define<Pod>('v1', 'Pod', 'pods', {
  shortNames: ['po'],
  categories: ['all'],
  subresources: [
    'status',
    'binding',
    'eviction',
    'ephemeralcontainers',
    'log',
    'exec',
    'attach',
    'portforward',
    'proxy',
  ],
});

/** `/api/v1/namespaces/{namespace}/services` */
export const services: Resource<Service> = define<Service>('v1', 'Service', 'services', {
  shortNames: ['svc'],
  categories: ['all'],
  subresources: ['status', 'proxy'],
});

/** `/api/v1/namespaces/{namespace}/endpoints` */
export const endpoints: Resource<Endpoints> = define<Endpoints>('v1', 'Endpoints', 'endpoints', {
  shortNames: ['ep'],
});

/** `/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices` */
export const endpointSlices: Resource<EndpointSlice> = define<EndpointSlice>(
  'discovery.k8s.io/v1',
  'EndpointSlice',
  'endpointslices',
);

/** `/api/v1/namespaces/{namespace}/configmaps` */
export const configMaps: Resource<ConfigMap> = define<ConfigMap>('v1', 'ConfigMap', 'configmaps', {
  shortNames: ['cm'],
});

/** `/api/v1/persistentvolumes` */
export const persistentVolumes: Resource<PersistentVolume> = define<PersistentVolume>(
  'v1',
  'PersistentVolume',
  'persistentvolumes',
  { namespaced: false, shortNames: ['pv'], subresources: ['status'] },
);

/** `/api/v1/namespaces/{namespace}/persistentvolumeclaims` */
export const persistentVolumeClaims: Resource<PersistentVolumeClaim> = define<PersistentVolumeClaim>(
  'v1',
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
  { shortNames: ['pvc'], subresources: ['status'] },
);

/** `/api/v1/namespaces/{namespace}/secrets` */
export const secrets: Resource<Secret> = define<Secret>('v1', 'Secret', 'secrets');

/** `/api/v1/namespaces/{namespace}/serviceaccounts` */
export const serviceAccounts: Resource<ServiceAccount> = define<ServiceAccount>(
  'v1',
  'ServiceAccount',
  'serviceaccounts',
  { shortNames: ['sa'], subresources: ['token'] },
);

/** `/api/v1/namespaces/{namespace}/events`: the events of the core group */
export const events: Resource<Event> = define<Event>('v1', 'Event', 'events', { shortNames: ['ev'] });

/** `/apis/apps/v1/namespaces/{namespace}/replicasets` */
export const replicaSets: Resource<ReplicaSet> = define<ReplicaSet>('apps/v1', 'ReplicaSet', 'replicasets', {
  shortNames: ['rs'],
  categories: ['all'],
  subresources: ['status', 'scale'],
});

/** `/apis/apps/v1/namespaces/{namespace}/deployments` */
export const deployments: Resource<Deployment> = define<Deployment>('apps/v1', 'Deployment', 'deployments', {
  shortNames: ['deploy'],
  categories: ['all'],
  subresources: ['status', 'scale'],
});

/** `/apis/events.k8s.io/v1/namespaces/{namespace}/events`: the same events in a newer format */
export const eventsV1: Resource<EventV1> = define<EventV1>('events.k8s.io/v1', 'Event', 'events', {
  shortNames: ['ev'],
});

/** `/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases` */
export const leases: Resource<Lease> = define<Lease>('coordination.k8s.io/v1', 'Lease', 'leases');

/** `/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets` */
export const podDisruptionBudgets: Resource<PodDisruptionBudget> = define<PodDisruptionBudget>(
  'policy/v1',
  'PodDisruptionBudget',
  'poddisruptionbudgets',
  { shortNames: ['pdb'], subresources: ['status'] },
);

/** `/apis/scheduling.k8s.io/v1/priorityclasses` */
export const priorityClasses: Resource<PriorityClass> = define<PriorityClass>(
  'scheduling.k8s.io/v1',
  'PriorityClass',
  'priorityclasses',
  { namespaced: false, shortNames: ['pc'] },
);

/** Every resource that the apiserver serves, in discovery's order: the core group first. */
export const resources: readonly Resource[] = [
  configMaps,
  endpoints,
  events,
  limitRanges,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  podTemplates,
  replicationControllers,
  resourceQuotas,
  secrets,
  serviceAccounts,
  services,
  apiServices,
  controllerRevisions,
  daemonSets,
  deployments,
  replicaSets,
  statefulSets,
  eventsV1,
  selfSubjectReviews,
  tokenReviews,
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
  horizontalPodAutoscalers,
  horizontalPodAutoscalersV1,
  cronJobs,
  jobs,
  certificateSigningRequests,
  ingressClasses,
  ingresses,
  ipAddresses,
  networkPolicies,
  serviceCIDRs,
  podDisruptionBudgets,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  csiDrivers,
  csiNodes,
  storageClasses,
  volumeAttachments,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
  customResourceDefinitions,
  priorityClasses,
  leases,
  runtimeClasses,
  endpointSlices,
];
