/**
 * The reference admission: the chain, its plugins, and webhooks.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission; kubernetes/kubernetes@v1.36.3 plugin/pkg/admission
 */
import { type NewAdmission, pluginsInOrder } from '#given/14-admission';
import { newChain } from './chain.ts';
import { namespaceLifecycle } from './namespaces.ts';
import { restrictNode, restrictPod, restrictToken } from './node-restriction.ts';
import { judgePod, policyOf, warningsAbout } from './pod-security.ts';
import { priorityOf, withLimits, withToken, withTolerations } from './pods.ts';
import { reserve } from './quota.ts';
import { mutateByWebhooks, validateByWebhooks } from './webhooks.ts';

export { callWebhook, DEFAULT_TIMEOUT_SECONDS, readAnswer, settleFailure } from './answer.ts';
export { newChain } from './chain.ts';
export { invocationOf, type Rule, ruleMatches, type Target } from './matching.ts';
export {
  ACCESS_REVIEWS,
  IMMORTAL_NAMESPACES,
  MISSING_WAIT_MS,
  namespaceLifecycle,
  STALE_MS,
} from './namespaces.ts';
export { restrictNode, restrictPod, restrictToken } from './node-restriction.ts';
export { type Cause, judgePod, policyOf, warningsAbout } from './pod-security.ts';
export { priorityOf, withLimits, withToken, withTolerations } from './pods.ts';
export { chargeOf, QUOTA_RETRIES, reserve, withCharge } from './quota.ts';
export { mutateByWebhooks, validateByWebhooks } from './webhooks.ts';

/** The admission of one apiserver. */
export const newAdmission: NewAdmission = (context) =>
  newChain(
    pluginsInOrder(context, {
      namespaceLifecycle: namespaceLifecycle(context),
      withLimits,
      withToken,
      withTolerations,
      priorityOf,
      reserve,
      mutateByWebhooks,
      validateByWebhooks,
      podSecurity: { policyOf, judgePod, warningsAbout },
      nodeRestrictions: { restrictPod, restrictNode, restrictToken },
    }),
  );
