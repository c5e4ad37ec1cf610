import type * as apiextensions from '#api/apiextensions/v1';
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
  /** Identifies one incarnation: an object deleted and created again under the same name has another uid. */
  uid: string;
  /** The storage revision of the last write. Opaque to clients: equal or not equal, nothing else. */
  resourceVersion: string;
  /** RFC 3339, whole seconds. */
  creationTimestamp: string;
  /** Absent on cluster-scoped objects. */
  namespace?: string;
  /** Counts changes of the desired state. Absent on kinds that have none (ConfigMap, Event, …). */
  generation?: number;
}

/**
 * What every Kubernetes object has, whatever its kind.
 *
 * The wire nouns: Kubernetes objects as they travel in JSON, refined so that what a *stored* object always
 * has is not optional.
 *
 * The types of `#api/*` describe what a client may send, so nearly everything in them is optional. An object that
 * came out of an apiserver carries more: a name, a uid, a resourceVersion. {@link Stored} says so in the types,
 * and {@link New} is what one may send to create an object.
 */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** `T` of `#api/*` as the apiserver returns it; fields named in `K` are always set after defaulting. */
type Stored<T, K extends keyof T = never> = Omit<T, 'apiVersion' | 'kind' | 'metadata' | K> &
  Required<Pick<T, K>> &
  KubeObject;

/**
 * `T` as a client sends it to be created: the server fills in the rest of the metadata. Either `name` or
 * `generateName` is needed.
 */
export type New<T extends KubeObject> = Omit<T, 'metadata' | 'apiVersion' | 'kind' | 'status'> &
  Partial<Pick<T, 'apiVersion' | 'kind'>> & { metadata: meta.ObjectMeta; status?: unknown };

/**
 * Names one object of a resource. `namespace` is absent for cluster-scoped resources. Join the two to a string
 * only at edges, with {@link keyToString}.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/object-names.go ObjectName
 */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** The key of an object. */
export function keyOf(object: { metadata: Pick<meta.ObjectMeta, 'namespace' | 'name'> }): ObjectKey {
  const { namespace, name = '' } = object.metadata;
  return namespace ? { namespace, name } : { name };
}

/** `namespace/name`, or just `name` without a namespace, as client-go writes keys. */
export function keyToString(key: ObjectKey): string {
  return key.namespace ? `${key.namespace}/${key.name}` : key.name;
}

/** A page of objects and the revision at which it was read. */
export interface List<T> {
  apiVersion: string;
  kind: string;
  metadata: {
    /** Every item was read at this revision: a watch that starts here misses nothing and repeats nothing. */
    resourceVersion: string;
    /** Present when there is more: send it back to get the next page, read at the same revision. */
    continue?: string;
    remainingItemCount?: number;
  };
  items: T[];
}

/** A namespace: a room for names. It is deleted with everything in it. */
export type Namespace = Stored<core.Namespace, 'spec' | 'status'>;

/** A machine that pods run on. `status` says what it can carry and how it is. */
export type Node = Stored<core.Node, 'spec' | 'status'>;

/** Containers that run together on one node: the unit that is scheduled. A stored pod's `spec` is never absent. */
export type Pod = Omit<Stored<core.Pod, 'spec' | 'status'>, 'spec'> & { spec: core.PodSpec };

/** A stable name and address for the pods that a selector selects. */
export type Service = Stored<core.Service, 'spec' | 'status'>;

/**
 * Some of the addresses behind a Service, with their ports. A Service has as many slices as it needs. A list that is
 * not sent is printed as `null`.
 */
export type EndpointSlice = Omit<Stored<discovery.EndpointSlice>, 'endpoints' | 'ports'> & {
  endpoints: discovery.Endpoint[] | null;
  ports: discovery.EndpointPort[] | null;
};

/** All addresses behind a Service, in one object: what there was before there were {@link EndpointSlice}s. */
export type Endpoints = Stored<core.Endpoints>;

/** Configuration as plain texts. It has no `spec` and no `status`, and no controller. */
export type ConfigMap = Stored<core.ConfigMap>;

/** What must not be seen by every user: bytes in base64, by name. Its `stringData` is never read back. */
export type Secret = Stored<core.Secret>;

/** A piece of storage, wherever it is. It outlives the pods that use it. */
export type PersistentVolume = Stored<core.PersistentVolume, 'spec' | 'status'>;

/** A claim to storage: a pod names it, and it is bound to a {@link PersistentVolume}. */
export type PersistentVolumeClaim = Stored<core.PersistentVolumeClaim, 'spec' | 'status'>;

/** What a pod's processes are, when they speak to the apiserver. */
export type ServiceAccount = Stored<core.ServiceAccount>;

/** What happened to an object, for people to read: an object of the API, not an event of a watch. */
export type Event = Stored<core.Event, 'involvedObject'>;

/** An {@link Event} as the newer version of its API has it: the same object in other words. */
export type EventV1 = Stored<eventsv1.Event>;

/** So many equal pods. `spec.replicas` and `spec.template` are set after defaulting. */
export type ReplicaSet = Omit<Stored<apps.ReplicaSet>, 'spec' | 'status'> & {
  spec: apps.ReplicaSetSpec & Required<Pick<apps.ReplicaSetSpec, 'replicas' | 'template'>>;
  status: apps.ReplicaSetStatus;
};

/**
 * A ReplicaSet for each version of a template, and how to get from one version to the next. What is listed here is set
 * after defaulting.
 */
export type Deployment = Omit<Stored<apps.Deployment>, 'spec' | 'status'> & {
  spec: apps.DeploymentSpec &
    Required<
      Pick<apps.DeploymentSpec, 'replicas' | 'strategy' | 'revisionHistoryLimit' | 'progressDeadlineSeconds'>
    >;
  status: apps.DeploymentStatus;
};

/** A claim to something for a time, renewed by its holder: a node's sign of life, a controller's leadership. */
export type Lease = Stored<coordination.Lease, 'spec'>;

/** How many of the pods that a selector selects may be disrupted on purpose at once. */
export type PodDisruptionBudget = Omit<Stored<policy.PodDisruptionBudget, 'spec' | 'status'>, 'status'> & {
  status: policy.PodDisruptionBudgetStatus &
    Required<
      Pick<
        policy.PodDisruptionBudgetStatus,
        'disruptionsAllowed' | 'currentHealthy' | 'desiredHealthy' | 'expectedPods'
      >
    >;
};

/** A name for a pod's priority. Its fields stand at the top level, not in a `spec`. */
export type PriorityClass = Stored<scheduling.PriorityClass, 'value'>;

/** What a container, a pod or a claim may ask for in a namespace, and what it is given when it does not say. */
export type LimitRange = Stored<core.LimitRange, 'spec'>;

/** A template for pods, on its own. */
export type PodTemplate = Stored<core.PodTemplate, 'template'>;

/** What there was before there were {@link ReplicaSet}s: its selector knows labels alone. */
export type ReplicationController = Stored<core.ReplicationController, 'spec' | 'status'>;

/** How much a namespace may have, and has. */
export type ResourceQuota = Stored<core.ResourceQuota, 'spec' | 'status'>;

/** A state of a StatefulSet or a DaemonSet, kept so that it can be had again. */
export type ControllerRevision = Stored<apps.ControllerRevision>;

/** One pod on each node. */
export type DaemonSet = Stored<apps.DaemonSet, 'spec' | 'status'>;

/** Pods with names of their own and storage of their own. */
export type StatefulSet = Stored<apps.StatefulSet, 'spec' | 'status'>;

/** How many replicas something shall have, by what is measured of it. */
export type HorizontalPodAutoscaler = Stored<autoscalingv2.HorizontalPodAutoscaler, 'spec' | 'status'>;

/** A {@link HorizontalPodAutoscaler}, in version 1, which knows of one metric alone. */
export type HorizontalPodAutoscalerV1 = Stored<autoscalingv1.HorizontalPodAutoscaler, 'spec' | 'status'>;

/** A {@link Job} again and again, at the times of a schedule. */
export type CronJob = Stored<batch.CronJob, 'spec' | 'status'>;

/** Pods that end, until as many have succeeded as are asked for. */
export type Job = Stored<batch.Job, 'spec' | 'status'>;

/** A request for a certificate, until it is approved and signed. */
export type CertificateSigningRequest = Stored<certificates.CertificateSigningRequest, 'spec' | 'status'>;

/** Which controller serves an {@link Ingress}. */
export type IngressClass = Stored<networking.IngressClass, 'spec'>;

/** That an address is taken, and by what. Its name is the address. */
export type IPAddress = Stored<networking.IPAddress, 'spec'>;

/** A range from which Services have their addresses. */
export type ServiceCIDR = Stored<networking.ServiceCIDR, 'spec' | 'status'>;

/** Where requests from outside go, by host and path. */
export type Ingress = Stored<networking.Ingress, 'spec' | 'status'>;

/** From where pods may be reached, and what they may reach. */
export type NetworkPolicy = Stored<networking.NetworkPolicy, 'spec'>;

/** What may be done, in all namespaces and outside of them. */
export type ClusterRole = Stored<rbac.ClusterRole>;

/** Grants a {@link ClusterRole} to subjects, everywhere. */
export type ClusterRoleBinding = Stored<rbac.ClusterRoleBinding>;

/** What may be done, in one namespace. */
export type Role = Stored<rbac.Role>;

/** Grants a role to subjects, in one namespace. */
export type RoleBinding = Stored<rbac.RoleBinding>;

/** What a driver of volumes can do. */
export type CSIDriver = Stored<storage.CSIDriver, 'spec'>;

/** Which drivers a node has. */
export type CSINode = Stored<storage.CSINode, 'spec'>;

/** How volumes are made for claims that name it. */
export type StorageClass = Stored<storage.StorageClass>;

/** That a volume shall be attached to a node, and whether it is. */
export type VolumeAttachment = Stored<storage.VolumeAttachment, 'spec' | 'status'>;

/** With which runtime the containers of a pod run. */
export type RuntimeClass = Stored<node.RuntimeClass>;

/** What a node uses. It is measured and not stored, so that it has no uid and no resourceVersion. */
export type NodeMetrics = Stored<metrics.NodeMetrics>;

/** What a pod uses, container by container. As {@link NodeMetrics}. */
export type PodMetrics = Stored<metrics.PodMetrics>;

/** A kind that the cluster did not have: what its objects are called, what they may say, and how they are served. */
export type CustomResourceDefinition = Stored<apiextensions.CustomResourceDefinition, 'spec' | 'status'>;

/** Who am I? */
export type SelfSubjectReview = Stored<authentication.SelfSubjectReview, 'status'>;

/** Whose token is this? */
export type TokenReview = Stored<authentication.TokenReview, 'spec' | 'status'>;

/** Asks whether a user may do something in a namespace. */
export type LocalSubjectAccessReview = Stored<authorization.LocalSubjectAccessReview, 'spec' | 'status'>;

/** May I do this? */
export type SelfSubjectAccessReview = Stored<authorization.SelfSubjectAccessReview, 'spec' | 'status'>;

/** What may I do in a namespace? */
export type SelfSubjectRulesReview = Stored<authorization.SelfSubjectRulesReview, 'spec' | 'status'>;

/** Asks whether a user may do something. */
export type SubjectAccessReview = Stored<authorization.SubjectAccessReview, 'spec' | 'status'>;

export type { OwnerReference } from '#api/meta/v1';
