import type {
  CertificateSigningRequest,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  ControllerRevision,
  CronJob,
  CSIDriver,
  CSINode,
  DaemonSet,
  Deployment,
  EndpointSlice,
  Endpoints,
  Event,
  EventV1,
  HorizontalPodAutoscaler,
  Ingress,
  IngressClass,
  Job,
  KubeObject,
  Lease,
  LimitRange,
  LocalSubjectAccessReview,
  Namespace,
  NetworkPolicy,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  PodTemplate,
  PriorityClass,
  ReplicaSet,
  ReplicationController,
  ResourceQuota,
  Role,
  RoleBinding,
  RuntimeClass,
  Secret,
  SelfSubjectAccessReview,
  SelfSubjectReview,
  SelfSubjectRulesReview,
  Service,
  ServiceAccount,
  StatefulSet,
  StorageClass,
  SubjectAccessReview,
  TokenReview,
  VolumeAttachment,
} from './objects.ts';

/**
 * Describes one resource. The type parameter is the TypeScript type of its objects, so that
 * `client.get(pods, …)` gives a `Pod`.
 *
 * Resource descriptors: what the URL `/apis/apps/v1/deployments` and the nouns `Deployment` and `deploy` have to
 * do with each other. One descriptor a resource; discovery, URLs, the typed {@link Client} and error messages
 * all read it.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go APIResource
 */
export interface Resource<T extends KubeObject = KubeObject> {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  /** The name in URLs: `deployments`. */
  readonly plural: string;
  readonly singular: string;
  readonly kind: T['kind'];
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  /** Groups of resources that kubectl knows by one word: `kubectl get all`. */
  readonly categories: readonly string[];
  /** What can be addressed below an object of this resource. */
  readonly subresources: readonly Subresource[];
  /** What can be done with it. @defaultValue all that there is */
  readonly verbs?: readonly Verb[];
  /** Never set; carries `T`. */
  readonly __object?: T;
}

/** A part of an object with a URL of its own: `…/pods/web-1/status`. */
export type Subresource =
  | 'status'
  | 'scale'
  | 'binding'
  | 'eviction'
  | 'ephemeralcontainers'
  | 'token'
  | 'finalize';

/** The verbs of the API, as RBAC rules name them. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

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

/** A resource whose objects are answered and not stored: reviews. */
const CREATE_ONLY: readonly Verb[] = ['create'];

/** What can be done with a resource. */
export function verbsOf(resource: Pick<Resource, 'verbs'>): readonly Verb[] {
  return resource.verbs ?? VERBS;
}

/** `apps/v1`, or `v1` in the core group: the `apiVersion` of the resource's objects. */
export function groupVersion(resource: Pick<Resource, 'group' | 'version'>): string {
  return resource.group ? `${resource.group}/${resource.version}` : resource.version;
}

/** `deployments.apps`, or `pods` in the core group: how error messages name a resource. */
export function groupResource(resource: Pick<Resource, 'group' | 'plural'>): string {
  return resource.group ? `${resource.plural}.${resource.group}` : resource.plural;
}

function define<T extends KubeObject>(
  gv: string,
  kind: T['kind'],
  plural: string,
  rest: Partial<
    Pick<Resource, 'singular' | 'namespaced' | 'shortNames' | 'categories' | 'subresources' | 'verbs'>
  > = {},
): Resource<T> {
  const [version = '', group = ''] = gv.split('/').reverse();
  return Object.freeze({
    group,
    version,
    plural,
    singular: kind.toLowerCase(),
    kind,
    namespaced: true,
    shortNames: [],
    categories: [],
    subresources: [],
    ...rest,
  });
}

/** `/api/v1/namespaces` */
export const namespaces: Resource<Namespace> = define<Namespace>('v1', 'Namespace', 'namespaces', {
  namespaced: false,
  shortNames: ['ns'],
  subresources: ['status', 'finalize'],
  // A namespace takes its contents with it, so that they only go one by one.
  verbs: VERBS.filter((verb) => verb !== 'deletecollection'),
});

/** `/api/v1/nodes` */
export const nodes: Resource<Node> = define<Node>('v1', 'Node', 'nodes', {
  namespaced: false,
  shortNames: ['no'],
  subresources: ['status'],
});

/** `/api/v1/namespaces/{namespace}/pods` */
export const pods: Resource<Pod> = define<Pod>('v1', 'Pod', 'pods', {
  shortNames: ['po'],
  categories: ['all'],
  subresources: ['status', 'binding', 'eviction', 'ephemeralcontainers'],
});

/** `/api/v1/namespaces/{namespace}/services` */
export const services: Resource<Service> = define<Service>('v1', 'Service', 'services', {
  shortNames: ['svc'],
  categories: ['all'],
  subresources: ['status'],
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

/** `/apis/events.k8s.io/v1/namespaces/{namespace}/events`: the same events, in a newer form */
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

/** `/api/v1/namespaces/{namespace}/limitranges` */
export const limitRanges: Resource<LimitRange> = define<LimitRange>('v1', 'LimitRange', 'limitranges', {
  shortNames: ['limits'],
});

/** `/api/v1/namespaces/{namespace}/podtemplates` */
export const podTemplates: Resource<PodTemplate> = define<PodTemplate>('v1', 'PodTemplate', 'podtemplates');

/** `/api/v1/namespaces/{namespace}/replicationcontrollers` */
export const replicationControllers: Resource<ReplicationController> = define<ReplicationController>(
  'v1',
  'ReplicationController',
  'replicationcontrollers',
  { shortNames: ['rc'], categories: ['all'], subresources: ['status', 'scale'] },
);

/** `/api/v1/namespaces/{namespace}/resourcequotas` */
export const resourceQuotas: Resource<ResourceQuota> = define<ResourceQuota>(
  'v1',
  'ResourceQuota',
  'resourcequotas',
  { shortNames: ['quota'], subresources: ['status'] },
);

/** `/apis/apps/v1/namespaces/{namespace}/controllerrevisions` */
export const controllerRevisions: Resource<ControllerRevision> = define<ControllerRevision>(
  'apps/v1',
  'ControllerRevision',
  'controllerrevisions',
);

/** `/apis/apps/v1/namespaces/{namespace}/daemonsets` */
export const daemonSets: Resource<DaemonSet> = define<DaemonSet>('apps/v1', 'DaemonSet', 'daemonsets', {
  shortNames: ['ds'],
  categories: ['all'],
  subresources: ['status'],
});

/** `/apis/apps/v1/namespaces/{namespace}/statefulsets` */
export const statefulSets: Resource<StatefulSet> = define<StatefulSet>(
  'apps/v1',
  'StatefulSet',
  'statefulsets',
  { shortNames: ['sts'], categories: ['all'], subresources: ['status', 'scale'] },
);

/** `/apis/authentication.k8s.io/v1/selfsubjectreviews` */
export const selfSubjectReviews: Resource<SelfSubjectReview> = define<SelfSubjectReview>(
  'authentication.k8s.io/v1',
  'SelfSubjectReview',
  'selfsubjectreviews',
  { namespaced: false, verbs: CREATE_ONLY },
);

/** `/apis/authentication.k8s.io/v1/tokenreviews` */
export const tokenReviews: Resource<TokenReview> = define<TokenReview>(
  'authentication.k8s.io/v1',
  'TokenReview',
  'tokenreviews',
  { namespaced: false, verbs: CREATE_ONLY },
);

/** `/apis/authorization.k8s.io/v1/namespaces/{namespace}/localsubjectaccessreviews` */
export const localSubjectAccessReviews: Resource<LocalSubjectAccessReview> = define<LocalSubjectAccessReview>(
  'authorization.k8s.io/v1',
  'LocalSubjectAccessReview',
  'localsubjectaccessreviews',
  { verbs: CREATE_ONLY },
);

/** `/apis/authorization.k8s.io/v1/selfsubjectaccessreviews` */
export const selfSubjectAccessReviews: Resource<SelfSubjectAccessReview> = define<SelfSubjectAccessReview>(
  'authorization.k8s.io/v1',
  'SelfSubjectAccessReview',
  'selfsubjectaccessreviews',
  { namespaced: false, verbs: CREATE_ONLY },
);

/** `/apis/authorization.k8s.io/v1/selfsubjectrulesreviews` */
export const selfSubjectRulesReviews: Resource<SelfSubjectRulesReview> = define<SelfSubjectRulesReview>(
  'authorization.k8s.io/v1',
  'SelfSubjectRulesReview',
  'selfsubjectrulesreviews',
  { namespaced: false, verbs: CREATE_ONLY },
);

/** `/apis/authorization.k8s.io/v1/subjectaccessreviews` */
export const subjectAccessReviews: Resource<SubjectAccessReview> = define<SubjectAccessReview>(
  'authorization.k8s.io/v1',
  'SubjectAccessReview',
  'subjectaccessreviews',
  { namespaced: false, verbs: CREATE_ONLY },
);

/** `/apis/autoscaling/v2/namespaces/{namespace}/horizontalpodautoscalers` */
export const horizontalPodAutoscalers: Resource<HorizontalPodAutoscaler> = define<HorizontalPodAutoscaler>(
  'autoscaling/v2',
  'HorizontalPodAutoscaler',
  'horizontalpodautoscalers',
  { shortNames: ['hpa'], categories: ['all'], subresources: ['status'] },
);

/** `/apis/batch/v1/namespaces/{namespace}/cronjobs` */
export const cronJobs: Resource<CronJob> = define<CronJob>('batch/v1', 'CronJob', 'cronjobs', {
  shortNames: ['cj'],
  categories: ['all'],
  subresources: ['status'],
});

/** `/apis/batch/v1/namespaces/{namespace}/jobs` */
export const jobs: Resource<Job> = define<Job>('batch/v1', 'Job', 'jobs', {
  categories: ['all'],
  subresources: ['status'],
});

/** `/apis/certificates.k8s.io/v1/certificatesigningrequests` */
export const certificateSigningRequests: Resource<CertificateSigningRequest> =
  define<CertificateSigningRequest>(
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    'certificatesigningrequests',
    { namespaced: false, shortNames: ['csr'], subresources: ['status'] },
  );

/** `/apis/networking.k8s.io/v1/ingressclasses` */
export const ingressClasses: Resource<IngressClass> = define<IngressClass>(
  'networking.k8s.io/v1',
  'IngressClass',
  'ingressclasses',
  { namespaced: false },
);

/** `/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses` */
export const ingresses: Resource<Ingress> = define<Ingress>('networking.k8s.io/v1', 'Ingress', 'ingresses', {
  shortNames: ['ing'],
  subresources: ['status'],
});

/** `/apis/networking.k8s.io/v1/namespaces/{namespace}/networkpolicies` */
export const networkPolicies: Resource<NetworkPolicy> = define<NetworkPolicy>(
  'networking.k8s.io/v1',
  'NetworkPolicy',
  'networkpolicies',
  { shortNames: ['netpol'] },
);

/** `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings` */
export const clusterRoleBindings: Resource<ClusterRoleBinding> = define<ClusterRoleBinding>(
  'rbac.authorization.k8s.io/v1',
  'ClusterRoleBinding',
  'clusterrolebindings',
  { namespaced: false },
);

/** `/apis/rbac.authorization.k8s.io/v1/clusterroles` */
export const clusterRoles: Resource<ClusterRole> = define<ClusterRole>(
  'rbac.authorization.k8s.io/v1',
  'ClusterRole',
  'clusterroles',
  { namespaced: false },
);

/** `/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/rolebindings` */
export const roleBindings: Resource<RoleBinding> = define<RoleBinding>(
  'rbac.authorization.k8s.io/v1',
  'RoleBinding',
  'rolebindings',
);

/** `/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/roles` */
export const roles: Resource<Role> = define<Role>('rbac.authorization.k8s.io/v1', 'Role', 'roles');

/** `/apis/storage.k8s.io/v1/csidrivers` */
export const csiDrivers: Resource<CSIDriver> = define<CSIDriver>(
  'storage.k8s.io/v1',
  'CSIDriver',
  'csidrivers',
  { namespaced: false },
);

/** `/apis/storage.k8s.io/v1/csinodes` */
export const csiNodes: Resource<CSINode> = define<CSINode>('storage.k8s.io/v1', 'CSINode', 'csinodes', {
  namespaced: false,
});

/** `/apis/storage.k8s.io/v1/storageclasses` */
export const storageClasses: Resource<StorageClass> = define<StorageClass>(
  'storage.k8s.io/v1',
  'StorageClass',
  'storageclasses',
  { namespaced: false, shortNames: ['sc'] },
);

/** `/apis/storage.k8s.io/v1/volumeattachments` */
export const volumeAttachments: Resource<VolumeAttachment> = define<VolumeAttachment>(
  'storage.k8s.io/v1',
  'VolumeAttachment',
  'volumeattachments',
  { namespaced: false, subresources: ['status'] },
);

/** `/apis/node.k8s.io/v1/runtimeclasses` */
export const runtimeClasses: Resource<RuntimeClass> = define<RuntimeClass>(
  'node.k8s.io/v1',
  'RuntimeClass',
  'runtimeclasses',
  { namespaced: false },
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
  cronJobs,
  jobs,
  certificateSigningRequests,
  ingressClasses,
  ingresses,
  networkPolicies,
  podDisruptionBudgets,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  csiDrivers,
  csiNodes,
  storageClasses,
  volumeAttachments,
  priorityClasses,
  leases,
  runtimeClasses,
  endpointSlices,
];
