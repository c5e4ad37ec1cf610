import { defineResource as define, type Resource, type Verb } from './define-resource.ts';
import type {
  APIService,
  CertificateSigningRequest,
  ClusterRole,
  ClusterRoleBinding,
  ControllerRevision,
  CronJob,
  CSIDriver,
  CSINode,
  CustomResourceDefinition,
  DaemonSet,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerV1,
  Ingress,
  IngressClass,
  IPAddress,
  Job,
  LimitRange,
  LocalSubjectAccessReview,
  MutatingWebhookConfiguration,
  NetworkPolicy,
  NodeMetrics,
  PodMetrics,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Role,
  RoleBinding,
  RuntimeClass,
  SelfSubjectAccessReview,
  SelfSubjectReview,
  SelfSubjectRulesReview,
  ServiceCIDR,
  StatefulSet,
  StorageClass,
  SubjectAccessReview,
  TokenReview,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
  VolumeAttachment,
} from './objects.ts';

/** Creates a resource whose objects are answered but not stored: reviews. */
const CREATE_ONLY: readonly Verb[] = ['create'];

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

/** `/apis/autoscaling/v1/namespaces/{namespace}/horizontalpodautoscalers`: the same objects in an older format */
export const horizontalPodAutoscalersV1: Resource<HorizontalPodAutoscalerV1> =
  define<HorizontalPodAutoscalerV1>('autoscaling/v1', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', {
    shortNames: ['hpa'],
    categories: ['all'],
    subresources: ['status'],
  });

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
    { namespaced: false, shortNames: ['csr'], subresources: ['approval', 'status'] },
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

/** `/apis/networking.k8s.io/v1/ipaddresses` */
export const ipAddresses: Resource<IPAddress> = define<IPAddress>(
  'networking.k8s.io/v1',
  'IPAddress',
  'ipaddresses',
  { namespaced: false, shortNames: ['ip'] },
);

/** `/apis/networking.k8s.io/v1/servicecidrs` */
export const serviceCIDRs: Resource<ServiceCIDR> = define<ServiceCIDR>(
  'networking.k8s.io/v1',
  'ServiceCIDR',
  'servicecidrs',
  { namespaced: false, subresources: ['status'] },
);

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

/** `/apis/apiextensions.k8s.io/v1/customresourcedefinitions` */
export const customResourceDefinitions: Resource<CustomResourceDefinition> = define<CustomResourceDefinition>(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  'customresourcedefinitions',
  {
    namespaced: false,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: ['status'],
  },
);

const EXTENSIONS = ['api-extensions'];

/** `/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations` */
export const mutatingWebhookConfigurations: Resource<MutatingWebhookConfiguration> =
  define<MutatingWebhookConfiguration>(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    { namespaced: false, categories: EXTENSIONS },
  );

/** `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies` */
export const validatingAdmissionPolicies: Resource<ValidatingAdmissionPolicy> =
  define<ValidatingAdmissionPolicy>(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    'validatingadmissionpolicies',
    { namespaced: false, categories: EXTENSIONS, subresources: ['status'] },
  );

/** `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings` */
export const validatingAdmissionPolicyBindings: Resource<ValidatingAdmissionPolicyBinding> =
  define<ValidatingAdmissionPolicyBinding>(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
    { namespaced: false, categories: EXTENSIONS },
  );

/** `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations` */
export const validatingWebhookConfigurations: Resource<ValidatingWebhookConfiguration> =
  define<ValidatingWebhookConfiguration>(
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    { namespaced: false, categories: EXTENSIONS },
  );

/** `/apis/apiregistration.k8s.io/v1/apiservices` */
export const apiServices: Resource<APIService> = define<APIService>(
  'apiregistration.k8s.io/v1',
  'APIService',
  'apiservices',
  { namespaced: false, categories: EXTENSIONS, subresources: ['status'] },
);

/** Creates a resource whose objects are measured. */
const READ_ONLY: readonly Verb[] = ['get', 'list'];

/** `/apis/metrics.k8s.io/v1beta1/nodes`: the resource usage of nodes. A metrics-server serves it, not the apiserver. */
export const nodeMetrics: Resource<NodeMetrics> = define<NodeMetrics>(
  'metrics.k8s.io/v1beta1',
  'NodeMetrics',
  'nodes',
  { singular: '', namespaced: false, verbs: READ_ONLY },
);

/**
 * `/apis/metrics.k8s.io/v1beta1/namespaces/{namespace}/pods`: the resource usage of pods. A metrics-server serves it,
 * not the apiserver.
 */
export const podMetrics: Resource<PodMetrics> = define<PodMetrics>(
  'metrics.k8s.io/v1beta1',
  'PodMetrics',
  'pods',
  { singular: '', verbs: READ_ONLY },
);
