import {
  type AdmissionAttributes,
  type AdmissionContext,
  CallFailure,
  deniedBy,
  dryRunUnsupported,
  failedCalling,
  type Hook,
  type Invocation,
  requestTimeout,
  reviewFor,
  reviewIn,
  type WebhookResponse,
} from '#given/14-admission';

export type Phase = 'mutating' | 'validating';

/**
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/request/admissionreview.go VerifyAdmissionResponse
 */
export function readAnswer(answer: unknown, uid: string, phase: Phase): Partial<WebhookResponse> {
  const { apiVersion, kind, response } = reviewIn(answer);
  if (!response) throw invalid('webhook response was absent');
  if (response.uid !== uid) throw invalid(`expected response.uid="${uid}", got "${response.uid ?? ''}"`);
  if (apiVersion !== 'admission.k8s.io/v1' || kind !== 'AdmissionReview') {
    throw invalid(
      `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${apiVersion ?? ''}, Kind=${kind ?? ''}`,
    );
  }
  const { patch, patchType } = response;
  if (phase === 'validating') {
    if (patch) throw invalid('validating webhook may not return response.patch');
    if (patchType !== undefined) throw invalid('validating webhook may not return response.patchType');
  } else {
    if (patch && patchType === undefined) {
      throw invalid('webhook returned response.patch but not response.patchType');
    }
    if (!patch && patchType !== undefined) {
      throw invalid('webhook returned response.patchType but not response.patch');
    }
    if (patchType === '') throw invalid('webhook returned invalid response.patchType of ""');
  }
  return response;
}

const invalid = (why: string): CallFailure => new CallFailure(`received invalid webhook response: ${why}`);

const DEFAULT_TIMEOUT_SECONDS = 10;

/**
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/mutating/dispatcher.go callAttrMutatingHook,
 * validating/dispatcher.go callHook
 */
export async function callWebhook(
  hook: Hook,
  attributes: AdmissionAttributes,
  invocation: Invocation,
  phase: Phase,
  { clock, random, webhooks }: Pick<AdmissionContext, 'clock' | 'random' | 'webhooks'>,
): Promise<Partial<WebhookResponse>> {
  const hasSideEffects = hook.sideEffects !== 'None' && hook.sideEffects !== 'NoneOnDryRun';
  if (attributes.dryRun && hasSideEffects) throw dryRunUnsupported(hook.name);

  const uid = random.uuid();
  const review = reviewFor(hook, attributes, invocation, uid);
  const ownMs = (hook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000;
  const timeoutMs = Math.max(0, Math.min(ownMs, attributes.deadlineMs - clock.now()));
  const abort = new AbortController();
  const cancel = clock.after(timeoutMs, () => abort.abort(new Error('context deadline exceeded')));
  const timeoutSeconds = Math.ceil(timeoutMs / 1_000);
  let answer: unknown;
  try {
    const limits = { timeoutSeconds, signal: abort.signal };
    answer = await webhooks.send(hook.clientConfig, review, limits);
  } catch (error) {
    throw new CallFailure(
      `failed to call webhook: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    cancel();
  }

  const response = readAnswer(answer, uid, phase);
  for (const [key, value] of Object.entries(response.auditAnnotations ?? {})) {
    attributes.annotate(`${hook.name}/${key}`, value);
  }
  for (const warning of response.warnings ?? []) attributes.warn(warning);
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
