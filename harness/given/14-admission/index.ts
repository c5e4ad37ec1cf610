/** `#given/14-admission`: the parts of the harness that only this kata uses. */

export type {
  LimitRange,
  Namespace,
  PriorityClass,
  ResourceQuota,
  ServiceAccount,
} from '../../api/objects.ts';
export { semanticEqual } from '../../api/semantic-equality.ts';
export { changedLabels, forbiddenNodeLabels, mirrorAnnotation } from '../../apiserver/admission/nodes.ts';
// Level 1: a plugin, the two runs of the mutating chain, and a request with another object.
// Level 2: the refusal of a request.
export {
  forbidden,
  isAbout,
  type Plugin,
  Reinvocation,
  withObject,
} from '../../apiserver/admission/plugin.ts';
// The plugins in their order.
export { type AdmissionParts, pluginsInOrder } from '../../apiserver/admission/plugins.ts';
// Level 10: the references of a pod, and the labels of a node.
export { apiObjectsIn } from '../../apiserver/admission/pod-references.ts';
// Level 9: the checks of the Pod Security Standards, and labels of a namespace.
export type { CheckedPod, Violation } from '../../apiserver/admission/pod-security/check.ts';
export {
  controllersFirst,
  formatLevelVersion,
  formatViolations,
  invalidPolicyLabel,
  isPolicyVersion,
  type LevelVersion,
  POD_SECURITY_LABEL,
  parseLevel,
  podSecurityLevels,
  podTemplateOf,
  violationsOf,
} from '../../apiserver/admission/pod-security/policy.ts';
// Level 4: a request and the quotas of its namespace; arithmetic with lists of resources.
export type { QuotaRequest, QuotaStore } from '../../apiserver/admission/quotas.ts';
// Level 3: the refusal by a function that does not know the request; limits of a LimitRange, the volume with the token.
export { Refusal } from '../../apiserver/admission/refusal.ts';
export {
  addLists,
  formatList,
  namesAbove,
  onlyNames,
  type ResourceList,
  sameAmounts,
  subtractToZero,
  withoutZeros,
} from '../../apiserver/admission/resource-lists.ts';
export {
  TOKEN_MOUNT_PATH,
  TOKEN_VOLUME_PREFIX,
  tokenVolume,
} from '../../apiserver/admission/service-accounts.ts';
// Level 5: webhooks in their order. Level 6: the question, the failures and the refusals of a webhook. Level 7: its patch.
export {
  CallFailure,
  deniedBy,
  dryRunUnsupported,
  failedCalling,
  type Hook,
  hooksOf,
  type Invocation,
  patchedBy,
  requestTimeout,
  reviewFor,
  reviewIn,
  withDefaults,
} from '../../apiserver/admission/webhook-calls.ts';
// The ports: an apiserver's admission, and what it is given.
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
