import {
  type AdmissionAttributes,
  type AdmissionContext,
  CallFailure,
  deniedBy,
  dryRunUnsupported,
  failedCalling,
  type Hook,
  type Invocation,
  noteAnswer,
  type Phase,
  patchProblem,
  requestTimeout,
  reviewFor,
  reviewIn,
  sendInTime,
  type WebhookResponse,
} from '#given/14-admission';

/**
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/request/admissionreview.go VerifyAdmissionResponse
 */
export function readAnswer(answer: unknown, uid: string, phase: Phase): Partial<WebhookResponse> {
  const { apiVersion = '', kind = '', response } = reviewIn(answer);
  const why = !response
    ? 'webhook response was absent'
    : response.uid !== uid
      ? `expected response.uid="${uid}", got "${response.uid ?? ''}"`
      : apiVersion !== VERSION || kind !== KIND
        ? `expected webhook response of ${VERSION}, Kind=${KIND}, got ${apiVersion}, Kind=${kind}`
        : patchProblem(response, phase);
  if (why || !response) throw new CallFailure(`received invalid webhook response: ${why}`);
  return response;
}

const VERSION = 'admission.k8s.io/v1';
const KIND = 'AdmissionReview';

export const DEFAULT_TIMEOUT_SECONDS = 10;

/**
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/mutating/dispatcher.go callAttrMutatingHook,
 * validating/dispatcher.go callHook
 */
export async function callWebhook(
  hook: Hook,
  attributes: AdmissionAttributes,
  invocation: Invocation,
  phase: Phase,
  context: Pick<AdmissionContext, 'clock' | 'random' | 'webhooks'>,
): Promise<Partial<WebhookResponse>> {
  const hasSideEffects = hook.sideEffects !== 'None' && hook.sideEffects !== 'NoneOnDryRun';
  if (attributes.dryRun && hasSideEffects) throw dryRunUnsupported(hook.name);
  const uid = context.random.uuid();
  const review = reviewFor(hook, attributes, invocation, uid);
  const ownMs = (hook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000;
  const timeoutMs = Math.max(0, Math.min(ownMs, attributes.deadlineMs - context.clock.now()));
  const response = readAnswer(await sendInTime(hook, review, timeoutMs, context), uid, phase);
  noteAnswer(attributes, hook, response);
  if (!response.allowed) throw deniedBy(hook.name, response.status);
  return response;
}

/**
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/mutating/dispatcher.go mutatingDispatcher.Dispatch,
 * validating/dispatcher.go validatingDispatcher.Dispatch
 */
export function settleFailure(
  error: unknown,
  hook: Hook,
  { phase, isOutOfTime }: { readonly phase: Phase; readonly isOutOfTime: boolean },
): void {
  // A refusal, and every other failure of the apiserver itself, is final.
  if (!(error instanceof CallFailure)) throw error;
  if (hook.failurePolicy !== 'Ignore') throw failedCalling(hook.name, error);
  if (phase === 'mutating' && isOutOfTime) throw requestTimeout();
}
