import type { Kind } from '../kind.ts';
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
} from './access-reviews.ts';
import { validatingAdmissionPolicy } from './admission/validating-admission-policy.ts';
import { validatingAdmissionPolicyBinding } from './admission/validating-admission-policy-binding.ts';
import {
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
} from './admission/webhook-configurations.ts';
import { apiService } from './api-service.ts';
import { selfSubjectReview, tokenReview } from './authentication-reviews.ts';
import { certificateSigningRequest } from './certificate-signing-request.ts';
import { configMap } from './config-map.ts';
import { controllerRevision } from './controller-revision.ts';
import { cronJob } from './cron-job.ts';
import { csiDriver, csiNode } from './csi.ts';
import { customResourceDefinition } from './custom-resource-definition.ts';
import { daemonSet } from './daemon-set.ts';
import { deployment } from './deployment.ts';
import { endpointSlice } from './endpoint-slice.ts';
import { endpoints } from './endpoints.ts';
import { event } from './event.ts';
import { eventV1 } from './event-v1.ts';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler.ts';
import { horizontalPodAutoscalerV1 } from './horizontal-pod-autoscaler-v1.ts';
import { ingress } from './ingress.ts';
import { ingressClass } from './ingress-class.ts';
import { ipAddress } from './ip-address.ts';
import { job } from './job.ts';
import { lease } from './lease.ts';
import { limitRange } from './limit-range.ts';
import { namespace } from './namespace.ts';
import { networkPolicy } from './network-policy.ts';
import { node } from './node.ts';
import { persistentVolume } from './persistent-volume.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { pod } from './pod.ts';
import { podDisruptionBudget } from './pod-disruption-budget.ts';
import { priorityClass } from './priority-class.ts';
import { replicaSet } from './replica-set.ts';
import { replicationController } from './replication-controller.ts';
import { resourceQuota } from './resource-quota.ts';
import { clusterRoleBinding, roleBinding } from './role-bindings.ts';
import { clusterRole, role } from './roles.ts';
import { runtimeClass } from './runtime-class.ts';
import { secret } from './secret.ts';
import { service } from './service.ts';
import { serviceAccount } from './service-account.ts';
import { serviceCIDR } from './service-cidr.ts';
import { statefulSet } from './stateful-set.ts';
import { storageClass } from './storage-class.ts';
import { podTemplate } from './stored-pod-template.ts';
import { volumeAttachment } from './volume-attachment.ts';

/** Every kind that the apiserver serves: one for each of `resources` in `harness/api/resource.ts`. */
export const kinds: readonly Kind[] = [
  configMap,
  endpoints,
  event,
  limitRange,
  namespace,
  node,
  persistentVolumeClaim,
  persistentVolume,
  pod,
  podTemplate,
  replicationController,
  resourceQuota,
  secret,
  serviceAccount,
  service,
  apiService,
  controllerRevision,
  daemonSet,
  deployment,
  replicaSet,
  statefulSet,
  eventV1,
  selfSubjectReview,
  tokenReview,
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
  horizontalPodAutoscaler,
  horizontalPodAutoscalerV1,
  cronJob,
  job,
  certificateSigningRequest,
  ingressClass,
  ingress,
  ipAddress,
  networkPolicy,
  serviceCIDR,
  podDisruptionBudget,
  clusterRoleBinding,
  clusterRole,
  roleBinding,
  role,
  csiDriver,
  csiNode,
  storageClass,
  volumeAttachment,
  mutatingWebhookConfiguration,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
  customResourceDefinition,
  priorityClass,
  lease,
  runtimeClass,
  endpointSlice,
];
