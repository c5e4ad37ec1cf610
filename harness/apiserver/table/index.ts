import {
  validatingAdmissionPolicyBindingColumns,
  validatingAdmissionPolicyColumns,
  webhookConfigurationColumns,
} from './admission.ts';
import { apiServiceColumns } from './api-service.ts';
import {
  configMapColumns,
  leaseColumns,
  namespaceColumns,
  podDisruptionBudgetColumns,
  priorityClassColumns,
  runtimeClassColumns,
  secretColumns,
  serviceAccountColumns,
} from './basics.ts';
import { certificateSigningRequestColumns } from './certificate-signing-request.ts';
import type { Column } from './column.ts';
import { defaultColumns } from './default-columns.ts';
import { endpointSliceColumns, endpointsColumns } from './endpoints.ts';
import { eventColumns, eventV1Columns } from './event.ts';
import { horizontalPodAutoscalerColumns } from './horizontal-pod-autoscaler.ts';
import { cronJobColumns, jobColumns } from './jobs.ts';
import { nodeMetricsColumns, podMetricsColumns } from './metrics.ts';
import {
  ingressClassColumns,
  ingressColumns,
  ipAddressColumns,
  networkPolicyColumns,
  serviceCIDRColumns,
} from './networking.ts';
import { nodeColumns } from './node.ts';
import { podColumns } from './pod.ts';
import { roleBindingColumns } from './rbac.ts';
import { resourceQuotaColumns } from './resource-quota.ts';
import { scaleColumns } from './scale.ts';
import { serviceColumns } from './service.ts';
import { csiDriverColumns, csiNodeColumns, storageClassColumns, volumeAttachmentColumns } from './storage.ts';
import { persistentVolumeClaimColumns, persistentVolumeColumns } from './volumes.ts';
import {
  controllerRevisionColumns,
  daemonSetColumns,
  deploymentColumns,
  podTemplateColumns,
  replicaSetColumns,
  replicationControllerColumns,
  statefulSetColumns,
} from './workloads.ts';

/**
 * Returns the columns of a kind. Some kinds have no columns of their own, among them LimitRange, Role, ClusterRole and
 * CustomResourceDefinition.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go AddHandlers
 */
export function columnsOf(group: string, kind: string): readonly Column<never>[] {
  return columns.get(`${group}/${kind}`) ?? defaultColumns;
}

const columns: ReadonlyMap<string, readonly Column<never>[]> = new Map<string, readonly Column<never>[]>([
  ['/ConfigMap', configMapColumns],
  ['/Endpoints', endpointsColumns],
  ['/Event', eventColumns],
  ['/Namespace', namespaceColumns],
  ['/Node', nodeColumns],
  ['/PersistentVolume', persistentVolumeColumns],
  ['/PersistentVolumeClaim', persistentVolumeClaimColumns],
  ['/Pod', podColumns],
  ['/PodTemplate', podTemplateColumns],
  ['/ReplicationController', replicationControllerColumns],
  ['/ResourceQuota', resourceQuotaColumns],
  ['/Secret', secretColumns],
  ['/Service', serviceColumns],
  ['/ServiceAccount', serviceAccountColumns],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', webhookConfigurationColumns],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', validatingAdmissionPolicyColumns],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', validatingAdmissionPolicyBindingColumns],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', webhookConfigurationColumns],
  ['apiregistration.k8s.io/APIService', apiServiceColumns],
  ['apps/ControllerRevision', controllerRevisionColumns],
  ['apps/DaemonSet', daemonSetColumns],
  ['apps/Deployment', deploymentColumns],
  ['apps/ReplicaSet', replicaSetColumns],
  ['apps/StatefulSet', statefulSetColumns],
  ['autoscaling/HorizontalPodAutoscaler', horizontalPodAutoscalerColumns],
  ['autoscaling/Scale', scaleColumns],
  ['batch/CronJob', cronJobColumns],
  ['batch/Job', jobColumns],
  ['certificates.k8s.io/CertificateSigningRequest', certificateSigningRequestColumns],
  ['coordination.k8s.io/Lease', leaseColumns],
  ['discovery.k8s.io/EndpointSlice', endpointSliceColumns],
  ['events.k8s.io/Event', eventV1Columns],
  ['metrics.k8s.io/NodeMetrics', nodeMetricsColumns],
  ['metrics.k8s.io/PodMetrics', podMetricsColumns],
  ['networking.k8s.io/IPAddress', ipAddressColumns],
  ['networking.k8s.io/Ingress', ingressColumns],
  ['networking.k8s.io/IngressClass', ingressClassColumns],
  ['networking.k8s.io/NetworkPolicy', networkPolicyColumns],
  ['networking.k8s.io/ServiceCIDR', serviceCIDRColumns],
  ['node.k8s.io/RuntimeClass', runtimeClassColumns],
  ['policy/PodDisruptionBudget', podDisruptionBudgetColumns],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', roleBindingColumns],
  ['rbac.authorization.k8s.io/RoleBinding', roleBindingColumns],
  ['scheduling.k8s.io/PriorityClass', priorityClassColumns],
  ['storage.k8s.io/CSIDriver', csiDriverColumns],
  ['storage.k8s.io/CSINode', csiNodeColumns],
  ['storage.k8s.io/StorageClass', storageClassColumns],
  ['storage.k8s.io/VolumeAttachment', volumeAttachmentColumns],
]);
