import type * as admissionregistration from '#api/admissionregistration/v1';
import type * as apiextensions from '#api/apiextensions/v1';
import type * as apiregistration from '#api/apiregistration/v1';
import type * as apps from '#api/apps/v1';
import type * as authentication from '#api/authentication/v1';
import type * as authorization from '#api/authorization/v1';
import type * as autoscalingv1 from '#api/autoscaling/v1';
import type * as autoscalingv2 from '#api/autoscaling/v2';
import type * as batch from '#api/batch/v1';
import type * as certificates from '#api/certificates/v1';
import type * as coordination from '#api/coordination/v1';
import type * as core from '#api/core/v1';
import type * as discovery from '#api/discovery/v1';
import type * as eventsv1 from '#api/events/v1';
import type * as meta from '#api/meta/v1';
import type * as metrics from '#api/metrics/v1beta1';
import type * as networking from '#api/networking/v1';
import type * as node from '#api/node/v1';
import type * as policy from '#api/policy/v1';
import type * as rbac from '#api/rbac/v1';
import type * as scheduling from '#api/scheduling/v1';
import type * as storage from '#api/storage/v1';

/**
 * Metadata as the apiserver returns it.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go ObjectMeta
 */
export interface ObjectMeta extends meta.ObjectMeta {
  name: string;
  /** Identifies one incarnation: an object that is deleted and recreated under the same name has another uid. */
  uid: string;
  /** The storage revision of the last write. Opaque to clients, who may only compare it for equality. */
  resourceVersion: string;
  /** RFC 3339, whole seconds. */
  creationTimestamp: string;
  /** Absent on cluster-scoped objects. */
  namespace?: string;
  /** Counts changes of the desired state. Absent on kinds without a desired state (ConfigMap, Event, …). */
  generation?: number;
}

/**
 * The fields that every Kubernetes object has.
 *
 * This file defines Kubernetes objects as they travel in JSON. Fields that a *stored* object always has are not
 * optional.
 *
 * The types of `#api/*` describe requests of a client, so nearly all their fields are optional. An object from an
 * apiserver always has more fields: a name, a uid, a resourceVersion. {@link Stored} expresses this in the types.
 * {@link New} is the type of an object to create.
 */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** `T` of `#api/*` as the apiserver returns it. Fields named in `K` are always set after defaulting. */
type Stored<T, K extends keyof T = never> = Omit<T, 'apiVersion' | 'kind' | 'metadata' | K> &
  Required<Pick<T, K>> &
  KubeObject;

/**
 * `T` as a client sends it in a create: the server sets the rest of the metadata. Either `name` or `generateName` is
 * required.
 */
export type New<T extends KubeObject> = Omit<T, 'metadata' | 'apiVersion' | 'kind' | 'status'> &
  Partial<Pick<T, 'apiVersion' | 'kind'>> & { metadata: meta.ObjectMeta; status?: unknown };

/**
 * Identifies an object of a resource. `namespace` is absent for cluster-scoped resources. Join the two to a string only
 * at the edges, with {@link keyToString}.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/object-names.go ObjectName
 */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** Returns the key of an object. */
export function keyOf(object: { metadata: Pick<meta.ObjectMeta, 'namespace' | 'name'> }): ObjectKey {
  const { namespace, name = '' } = object.metadata;
  return namespace ? { namespace, name } : { name };
}

/** Returns `namespace/name`, or just `name` without a namespace, in client-go's format. */
export function keyToString(key: ObjectKey): string {
  return key.namespace ? `${key.namespace}/${key.name}` : key.name;
}

/** A page of objects and the revision at which it was read. */
export interface List<T> {
  apiVersion: string;
  kind: string;
  metadata: {
    /** The revision of every item. A watch that starts here gets each later change exactly once. */
    resourceVersion: string;
    /** Present if more items exist: send it back to get the next page, at the same revision. */
    continue?: string;
    remainingItemCount?: number;
  };
  items: T[];
}

/** A namespace: a scope for names. Deleting it deletes all objects in it. */
export type Namespace = Stored<core.Namespace, 'spec' | 'status'>;

/** A machine that runs pods. `status` reports its capacity and its conditions. */
export type Node = Stored<core.Node, 'spec' | 'status'>;

/** Containers that run together on one node: the unit of scheduling. A stored pod always has a `spec`. */
export type Pod = Omit<Stored<core.Pod, 'spec' | 'status'>, 'spec'> & { spec: core.PodSpec };

/** A stable name and IP address for the pods that a selector selects. */
export type Service = Stored<core.Service, 'spec' | 'status'>;

/**
 * Some endpoints of a Service, with their ports. A Service has as many slices as it needs. A missing list is printed as
 * `null`.
 */
export type EndpointSlice = Omit<Stored<discovery.EndpointSlice>, 'endpoints' | 'ports'> & {
  endpoints: discovery.Endpoint[] | null;
  ports: discovery.EndpointPort[] | null;
};

/** All endpoints of a Service in one object: the predecessor of {@link EndpointSlice}. */
export type Endpoints = Stored<core.Endpoints>;

/** Configuration data as plain text. It has neither `spec` nor `status`, and no controller. */
export type ConfigMap = Stored<core.ConfigMap>;

/** Confidential data: bytes in base64, by name. `stringData` is write-only. */
export type Secret = Stored<core.Secret>;

/** A piece of storage in the cluster. It outlives the pods that use it. */
export type PersistentVolume = Stored<core.PersistentVolume, 'spec' | 'status'>;

/** A claim for storage: a pod refers to it, and it is bound to a {@link PersistentVolume}. */
export type PersistentVolumeClaim = Stored<core.PersistentVolumeClaim, 'spec' | 'status'>;

/** The identity of a pod's processes toward the apiserver. */
export type ServiceAccount = Stored<core.ServiceAccount>;

/** A report about an object, for people: an API object, not an event of a watch. */
export type Event = Stored<core.Event, 'involvedObject'>;

/** An {@link Event} in the newer API version: the same object with other field names. */
export type EventV1 = Stored<eventsv1.Event>;

/** A number of identical pods. `spec.replicas` and `spec.template` are set after defaulting. */
export type ReplicaSet = Omit<Stored<apps.ReplicaSet>, 'spec' | 'status'> & {
  spec: apps.ReplicaSetSpec & Required<Pick<apps.ReplicaSetSpec, 'replicas' | 'template'>>;
  status: apps.ReplicaSetStatus;
};

/**
 * A ReplicaSet for each version of a pod template, and the strategy to roll out a new version. The listed fields are
 * set after defaulting.
 */
export type Deployment = Omit<Stored<apps.Deployment>, 'spec' | 'status'> & {
  spec: apps.DeploymentSpec &
    Required<
      Pick<apps.DeploymentSpec, 'replicas' | 'strategy' | 'revisionHistoryLimit' | 'progressDeadlineSeconds'>
    >;
  status: apps.DeploymentStatus;
};

/** A claim that its holder renews: a node's heartbeat, a controller's leadership. */
export type Lease = Stored<coordination.Lease, 'spec'>;

/** A limit on how many of the selected pods may be disrupted voluntarily at once. */
export type PodDisruptionBudget = Omit<Stored<policy.PodDisruptionBudget, 'spec' | 'status'>, 'status'> & {
  status: policy.PodDisruptionBudgetStatus &
    Required<
      Pick<
        policy.PodDisruptionBudgetStatus,
        'disruptionsAllowed' | 'currentHealthy' | 'desiredHealthy' | 'expectedPods'
      >
    >;
};

/** A name for a priority of pods. Its fields are at the top level, not in a `spec`. */
export type PriorityClass = Stored<scheduling.PriorityClass, 'value'>;

/** Limits on the requests of a container, a pod or a claim in a namespace, and defaults for them. */
export type LimitRange = Stored<core.LimitRange, 'spec'>;

/** A template for pods, as a separate object. */
export type PodTemplate = Stored<core.PodTemplate, 'template'>;

/** The predecessor of {@link ReplicaSet}. Its selector supports only equality of labels. */
export type ReplicationController = Stored<core.ReplicationController, 'spec' | 'status'>;

/** The maximum resource usage of a namespace, and its current usage. */
export type ResourceQuota = Stored<core.ResourceQuota, 'spec' | 'status'>;

/** An old state of a StatefulSet or a DaemonSet, kept for rollbacks. */
export type ControllerRevision = Stored<apps.ControllerRevision>;

/** A pod on each node. */
export type DaemonSet = Stored<apps.DaemonSet, 'spec' | 'status'>;

/** Pods with stable names and their own storage. */
export type StatefulSet = Stored<apps.StatefulSet, 'spec' | 'status'>;

/** A rule that scales a workload according to metrics. */
export type HorizontalPodAutoscaler = Stored<autoscalingv2.HorizontalPodAutoscaler, 'spec' | 'status'>;

/** A {@link HorizontalPodAutoscaler} in version 1, which supports a single metric. */
export type HorizontalPodAutoscalerV1 = Stored<autoscalingv1.HorizontalPodAutoscaler, 'spec' | 'status'>;

/** A schedule that creates {@link Job}s. */
export type CronJob = Stored<batch.CronJob, 'spec' | 'status'>;

/** Pods that run until a number of them have succeeded. */
export type Job = Stored<batch.Job, 'spec' | 'status'>;

/** A request for a certificate, with its approval and the signed certificate. */
export type CertificateSigningRequest = Stored<certificates.CertificateSigningRequest, 'spec' | 'status'>;

/** The class of an {@link Ingress}, which selects its controller. */
export type IngressClass = Stored<networking.IngressClass, 'spec'>;

/** An allocated IP address of a Service, with its owner. The name of the object is the address. */
export type IPAddress = Stored<networking.IPAddress, 'spec'>;

/** A range of Service IP addresses. */
export type ServiceCIDR = Stored<networking.ServiceCIDR, 'spec' | 'status'>;

/** Rules that route external requests by host and path. */
export type Ingress = Stored<networking.Ingress, 'spec' | 'status'>;

/** The allowed traffic to and from pods. */
export type NetworkPolicy = Stored<networking.NetworkPolicy, 'spec'>;

/** Permissions in all namespaces and on cluster-scoped resources. */
export type ClusterRole = Stored<rbac.ClusterRole>;

/** A grant of a {@link ClusterRole} to subjects, in the whole cluster. */
export type ClusterRoleBinding = Stored<rbac.ClusterRoleBinding>;

/** Permissions in one namespace. */
export type Role = Stored<rbac.Role>;

/** A grant of a role to subjects, in one namespace. */
export type RoleBinding = Stored<rbac.RoleBinding>;

/** A role or a binding: an object that grants permissions. */
export type RbacObject = Role | ClusterRole | RoleBinding | ClusterRoleBinding;

/** The capabilities of a volume driver. */
export type CSIDriver = Stored<storage.CSIDriver, 'spec'>;

/** The volume drivers of a node. */
export type CSINode = Stored<storage.CSINode, 'spec'>;

/** A class of storage: how to provision volumes for claims that refer to it. */
export type StorageClass = Stored<storage.StorageClass>;

/** The desired attachment of a volume to a node, and its status. */
export type VolumeAttachment = Stored<storage.VolumeAttachment, 'spec' | 'status'>;

/** A container runtime that pods can select. */
export type RuntimeClass = Stored<node.RuntimeClass>;

/** The resource usage of a node. It is measured, not stored, so it has neither a uid nor a resourceVersion. */
export type NodeMetrics = Stored<metrics.NodeMetrics>;

/** The resource usage of a pod, by container. Not stored, like {@link NodeMetrics}. */
export type PodMetrics = Stored<metrics.PodMetrics>;

/** The definition of a new kind: its names, its schema, and its versions. */
export type CustomResourceDefinition = Stored<apiextensions.CustomResourceDefinition, 'spec' | 'status'>;

/** Webhooks that can reject requests. */
export type ValidatingWebhookConfiguration = Stored<admissionregistration.ValidatingWebhookConfiguration>;

/** Webhooks that can change and reject the objects of requests. */
export type MutatingWebhookConfiguration = Stored<admissionregistration.MutatingWebhookConfiguration>;

/** Rules in CEL that can reject requests. They apply where a binding refers to the policy. */
export type ValidatingAdmissionPolicy = Stored<
  admissionregistration.ValidatingAdmissionPolicy,
  'spec' | 'status'
>;

/** The use of a {@link ValidatingAdmissionPolicy}: its parameters, its objects, and the effect of a violation. */
export type ValidatingAdmissionPolicyBinding = Stored<
  admissionregistration.ValidatingAdmissionPolicyBinding,
  'spec'
>;

/** A version of a group, and the server that serves it: the apiserver itself, or a Service. */
export type APIService = Stored<apiregistration.APIService, 'spec' | 'status'>;

/** A request for the identity of the current user. */
export type SelfSubjectReview = Stored<authentication.SelfSubjectReview, 'status'>;

/** A request for the user of a token. */
export type TokenReview = Stored<authentication.TokenReview, 'spec' | 'status'>;

/** A request to check whether a user may perform an action in a namespace. */
export type LocalSubjectAccessReview = Stored<authorization.LocalSubjectAccessReview, 'spec' | 'status'>;

/** A request to check whether the current user may perform an action. */
export type SelfSubjectAccessReview = Stored<authorization.SelfSubjectAccessReview, 'spec' | 'status'>;

/** A request for the actions that the current user may perform in a namespace. */
export type SelfSubjectRulesReview = Stored<authorization.SelfSubjectRulesReview, 'spec' | 'status'>;

/** A request to check whether a user may perform an action. */
export type SubjectAccessReview = Stored<authorization.SubjectAccessReview, 'spec' | 'status'>;

export type { OwnerReference } from '#api/meta/v1';
