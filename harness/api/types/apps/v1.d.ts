// Derived from the Go types of apps/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as core from '../core/v1.d.ts';
import type * as meta from '../meta/v1.d.ts';
export interface ControllerRevision {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  data?: unknown;
  revision: number;
}
export interface ControllerRevisionList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ControllerRevision>;
}
export interface DaemonSet {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: DaemonSetSpec;
  status?: DaemonSetStatus;
}
export interface DaemonSetCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface DaemonSetList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<DaemonSet>;
}
export interface DaemonSetSpec {
  selector: meta.LabelSelector;
  template: core.PodTemplateSpec;
  updateStrategy?: DaemonSetUpdateStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
}
export interface DaemonSetStatus {
  currentNumberScheduled: number;
  numberMisscheduled: number;
  desiredNumberScheduled: number;
  numberReady: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
  conditions?: Array<DaemonSetCondition>;
}
export interface DaemonSetUpdateStrategy {
  type?: string;
  rollingUpdate?: RollingUpdateDaemonSet;
}
export interface Deployment {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: DeploymentSpec;
  status?: DeploymentStatus;
}
export interface DeploymentCondition {
  type: string;
  status: string;
  lastUpdateTime?: string | null;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface DeploymentList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<Deployment>;
}
export interface DeploymentSpec {
  replicas?: number;
  selector: meta.LabelSelector;
  template: core.PodTemplateSpec;
  strategy?: DeploymentStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  paused?: boolean;
  progressDeadlineSeconds?: number;
}
export interface DeploymentStatus {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  conditions?: Array<DeploymentCondition>;
  collisionCount?: number;
}
export interface DeploymentStrategy {
  type?: string;
  rollingUpdate?: RollingUpdateDeployment;
}
export interface ReplicaSet {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: ReplicaSetSpec;
  status?: ReplicaSetStatus;
}
export interface ReplicaSetCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface ReplicaSetList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ReplicaSet>;
}
export interface ReplicaSetSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector: meta.LabelSelector;
  template?: core.PodTemplateSpec;
}
export interface ReplicaSetStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: number;
  conditions?: Array<ReplicaSetCondition>;
}
export interface RollingUpdateDaemonSet {
  maxUnavailable?: number | string;
  maxSurge?: number | string;
}
export interface RollingUpdateDeployment {
  maxUnavailable?: number | string;
  maxSurge?: number | string;
}
export interface RollingUpdateStatefulSetStrategy {
  partition?: number;
  maxUnavailable?: number | string;
}
export interface StatefulSet {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: StatefulSetSpec;
  status?: StatefulSetStatus;
}
export interface StatefulSetCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface StatefulSetList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<StatefulSet>;
}
export interface StatefulSetOrdinals {
  start?: number;
}
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  whenDeleted?: string;
  whenScaled?: string;
}
export interface StatefulSetSpec {
  replicas?: number;
  selector: meta.LabelSelector;
  template: core.PodTemplateSpec;
  volumeClaimTemplates?: Array<core.PersistentVolumeClaim>;
  serviceName?: string;
  podManagementPolicy?: string;
  updateStrategy?: StatefulSetUpdateStrategy;
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  ordinals?: StatefulSetOrdinals;
}
export interface StatefulSetStatus {
  observedGeneration?: number;
  replicas: number;
  readyReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  conditions?: Array<StatefulSetCondition>;
  availableReplicas?: number;
}
export interface StatefulSetUpdateStrategy {
  type?: string;
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}
