/** `#given/14-admission`: the parts of the harness that only this kata uses. */

// The types of objects, and the ports: the admission of an apiserver, and the parts that the apiserver provides.
export type {
  LimitRange,
  PriorityClass,
  ResourceQuota,
} from '../../api/objects.ts';
// Level 10: the labels of a node, and the references of a pod.
export { changedLabels, forbiddenNodeLabels, mirrorAnnotation } from '../../apiserver/admission/nodes.ts';
// Level 1: a plugin, the runs of the mutating chain, a request with another object. Level 2: the refusal of a request.
export {
  forbidden,
  isAbout,
  namespaceTerminating,
  type Plugin,
  Reinvocation,
  withObject,
} from '../../apiserver/admission/plugin.ts';
// All plugins in their order.
export { type AdmissionParts, pluginsInOrder } from '../../apiserver/admission/plugins.ts';
// Level 3: the priority of a pod; a refusal by a function that does not know the request; the volume with the token of a pod.
export type { Priority } from '../../apiserver/admission/pod-plugins.ts';
export { apiObjectsIn } from '../../apiserver/admission/pod-references.ts';
// Level 9: the checks of the Pod Security Standards, and the labels of a namespace.
export type { CheckedPod } from '../../apiserver/admission/pod-security/check.ts';
export type { PodJudgement, PodSecurityPolicy } from '../../apiserver/admission/pod-security/plugin.ts';
export {
  formatLevelVersion,
  formatViolations,
  invalidPolicyLabel,
  isPolicyVersion,
  type LevelVersion,
  POD_SECURITY_LABEL,
  parseLevel,
  violationsOf,
} from '../../apiserver/admission/pod-security/policy.ts';
// Level 4: a request and the quotas of its namespace; arithmetic with lists of resources.
export type { QuotaRequest, QuotaStore } from '../../apiserver/admission/quotas.ts';
export { Refusal } from '../../apiserver/admission/refusal.ts';
export {
  addLists,
  formatList,
  namesAbove,
  onlyNames,
  type ResourceList,
  subtractToZero,
  withoutZeros,
} from '../../apiserver/admission/resource-lists.ts';
export {
  TOKEN_MOUNT_PATH,
  TOKEN_VOLUME_PREFIX,
  tokenVolume,
} from '../../apiserver/admission/service-accounts.ts';
// Level 5: a webhook, and the resource of its call. Level 6: the question, the failures and the refusals of a webhook.
// Level 7: its patch.
export {
  CallFailure,
  deniedBy,
  dryRunUnsupported,
  failedCalling,
  type Hook,
  hasTimeLeft,
  type Invocation,
  namespaceLabels,
  noteAnswer,
  type Phase,
  patchedBy,
  patchProblem,
  recordFailedOpen,
  requestTimeout,
  reviewFor,
  reviewIn,
  sendInTime,
  withDefaults,
} from '../../apiserver/admission/webhook-calls.ts';
export type {
  Admission,
  AdmissionAttributes,
  AdmissionContext,
  AdmissionReview,
  NewAdmission,
  Operation,
  WebhookResponse,
  WebhookTransport,
} from '../../contracts/admission/index.ts';
