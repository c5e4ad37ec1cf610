/**
 * How strategic merge patches treat the fields of the built-in kinds: the `patchStrategy` and
 * `patchMergeKey` tags of upstream's Go structs, as data. A field that is not listed has no tag: an
 * object merges key by key, a list is replaced whole. Tags inside the elements of a list that is replaced
 * whole can never be consulted, so they are left out.
 *
 * Upstream: kubernetes/api@v0.30.0 core/v1/types.go, apps/v1/types.go and their siblings;
 * kubernetes/apimachinery@v0.30.0 pkg/apis/meta/v1/types.go ObjectMeta
 */

/** The tagged fields of an object, by their JSON name. */
export interface PatchSchema {
  readonly [field: string]: PatchField;
}

/** How one field is patched. */
export interface PatchField {
  /** The tag as upstream spells it. Absent: objects merge, lists are replaced. */
  readonly patchStrategy?: PatchStrategy;
  /** The field by which the objects of a merging list are told apart; absent for lists of scalars. */
  readonly patchMergeKey?: string;
  /** The schema of the object, or of each element of the list. */
  readonly schema?: PatchSchema;
}

/** The values of the `patchStrategy` tag in use. */
export type PatchStrategy = 'merge' | 'replace' | 'retainKeys' | 'merge,retainKeys';

/**
 * The patch schema of a built-in kind, the same for all its versions; undefined for any other kind. The
 * server knows no Go type for a custom resource and so answers a strategic merge patch of it with 415.
 */
export function schemaOf({ group, kind }: { group: string; kind: string }): PatchSchema | undefined {
  const kinds = Object.hasOwn(builtIn, group) ? builtIn[group] : undefined;
  return kinds && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
}

/** The tagging of `field` in `schema`; empty where the field has none. */
export function fieldOf(schema: PatchSchema | undefined, field: string): PatchField {
  return (schema && Object.hasOwn(schema, field) && schema[field]) || {};
}

/** Whether a list with this tag merges with the list it patches. */
export function mergesLists(field: PatchField): boolean {
  return field.patchStrategy === 'merge' || field.patchStrategy === 'merge,retainKeys';
}

/** Whether a patch of this field should name the keys to keep, so that the others are cleared. */
export function retainsKeys(field: PatchField): boolean {
  return field.patchStrategy === 'retainKeys' || field.patchStrategy === 'merge,retainKeys';
}

function listBy(patchMergeKey: string, schema: PatchSchema = {}): PatchField {
  return { patchStrategy: 'merge', patchMergeKey, schema };
}

/** A list whose elements are unions: choosing another member must clear the one chosen before. */
function unionsBy(patchMergeKey: string, schema: PatchSchema = {}): PatchField {
  return { patchStrategy: 'merge,retainKeys', patchMergeKey, schema };
}

function object(schema: PatchSchema): PatchField {
  return { schema };
}

const scalars: PatchField = { patchStrategy: 'merge' };

const metadata = object({ ownerReferences: listBy('uid'), finalizers: scalars });

const container: PatchSchema = {
  ports: listBy('containerPort'),
  env: listBy('name'),
  volumeMounts: listBy('mountPath'),
  volumeDevices: listBy('devicePath'),
};

const volume: PatchSchema = {
  ephemeral: object({ volumeClaimTemplate: object({ metadata }) }),
};

const podSpec: PatchSchema = {
  volumes: unionsBy('name', volume),
  initContainers: listBy('name', container),
  containers: listBy('name', container),
  ephemeralContainers: listBy('name', container),
  imagePullSecrets: listBy('name'),
  hostAliases: listBy('ip'),
  topologySpreadConstraints: listBy('topologyKey'),
  schedulingGates: listBy('name'),
  resourceClaims: unionsBy('name'),
};

const podStatus: PatchSchema = {
  conditions: listBy('type'),
  hostIPs: listBy('ip'),
  podIPs: listBy('ip'),
  resourceClaimStatuses: unionsBy('name'),
};

const template = object({ metadata, spec: object(podSpec) });
const conditions = object({ conditions: listBy('type') });
const plain: PatchSchema = { metadata };
const workload: PatchSchema = { metadata, spec: object({ template }), status: conditions };
const webhooks = listBy('name', { matchConditions: listBy('name') });

const builtIn: Readonly<Record<string, Readonly<Record<string, PatchSchema>>>> = {
  '': {
    ComponentStatus: { metadata, conditions: listBy('type') },
    ConfigMap: plain,
    Endpoints: plain,
    Event: plain,
    LimitRange: plain,
    Namespace: { metadata, status: conditions },
    Node: {
      metadata,
      spec: object({ podCIDRs: scalars }),
      status: object({ conditions: listBy('type'), addresses: listBy('type') }),
    },
    PersistentVolume: plain,
    PersistentVolumeClaim: { metadata, status: conditions },
    Pod: { metadata, spec: object(podSpec), status: object(podStatus) },
    PodTemplate: { metadata, template },
    ReplicationController: workload,
    ResourceQuota: plain,
    Secret: plain,
    Service: { metadata, spec: object({ ports: listBy('port') }), status: conditions },
    ServiceAccount: { metadata, secrets: listBy('name') },
  },
  'admissionregistration.k8s.io': {
    MutatingWebhookConfiguration: { metadata, webhooks },
    ValidatingAdmissionPolicy: {
      metadata,
      spec: object({ matchConditions: listBy('name'), variables: listBy('name') }),
    },
    ValidatingAdmissionPolicyBinding: plain,
    ValidatingWebhookConfiguration: { metadata, webhooks },
  },
  'apiextensions.k8s.io': { CustomResourceDefinition: plain },
  'apiregistration.k8s.io': { APIService: { metadata, status: conditions } },
  apps: {
    ControllerRevision: plain,
    DaemonSet: workload,
    Deployment: {
      metadata,
      spec: object({ template, strategy: { patchStrategy: 'retainKeys' } }),
      status: conditions,
    },
    ReplicaSet: workload,
    StatefulSet: workload,
  },
  autoscaling: {
    HorizontalPodAutoscaler: { metadata, status: conditions },
    Scale: plain,
  },
  batch: {
    CronJob: {
      metadata,
      spec: object({ jobTemplate: object({ metadata, spec: object({ template }) }) }),
    },
    Job: workload,
  },
  'certificates.k8s.io': { CertificateSigningRequest: plain },
  'coordination.k8s.io': { Lease: plain },
  'discovery.k8s.io': { EndpointSlice: plain },
  'events.k8s.io': { Event: plain },
  'flowcontrol.apiserver.k8s.io': {
    FlowSchema: { metadata, status: conditions },
    PriorityLevelConfiguration: { metadata, status: conditions },
  },
  'networking.k8s.io': { Ingress: plain, IngressClass: plain, NetworkPolicy: plain },
  'node.k8s.io': { RuntimeClass: plain },
  policy: {
    PodDisruptionBudget: {
      metadata,
      spec: object({ selector: { patchStrategy: 'replace' } }),
      status: conditions,
    },
  },
  'rbac.authorization.k8s.io': {
    ClusterRole: plain,
    ClusterRoleBinding: plain,
    Role: plain,
    RoleBinding: plain,
  },
  'scheduling.k8s.io': { PriorityClass: plain },
  'storage.k8s.io': {
    CSIDriver: plain,
    CSINode: { metadata, spec: object({ drivers: listBy('name') }) },
    CSIStorageCapacity: plain,
    StorageClass: plain,
    VolumeAttachment: plain,
  },
};
