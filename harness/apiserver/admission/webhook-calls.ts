import type * as admissionregistration from '#api/admissionregistration/v1';
import type * as meta from '#api/meta/v1';
import type { Labels } from '../../api/label-selector.ts';
import type { KubeObject } from '../../api/objects.ts';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from '../../api/plain-resources.ts';
import { namespaces, type Resource } from '../../api/resource.ts';
import { errors, type Status, StatusError } from '../../api/status.ts';
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionReview,
  WebhookResponse,
} from '../../contracts/admission/index.ts';
import type { GroupVersionKind } from '../../contracts/admission/webhook.ts';

/**
 * A webhook of a configuration. The fields of mutating webhooks are absent in validating ones.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/accessors.go WebhookAccessor
 */
export type Hook = admissionregistration.ValidatingWebhook &
  Pick<admissionregistration.MutatingWebhook, 'reinvocationPolicy'> & {
    /** Identifies the webhook in all configurations: `istio/rev.namespace.sidecar-injector.istio.io/0`. */
    readonly uid: string;
  };

/** The resource that a webhook is called for: that of the request, or another version of the same objects. */
export interface Invocation {
  readonly resource: Pick<Resource, 'group' | 'version' | 'plural' | 'kind'>;
}

/**
 * Returns the webhooks of all configurations, in the order of their calls: configurations by name, and each one's
 * webhooks as listed.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/configuration/mutating_webhook_manager.go
 * getMutatingWebhookConfigurations
 */
export function hooksOf({ cache }: Pick<AdmissionContext, 'cache'>, kind: Phase): readonly Hook[] {
  const configurations =
    kind === 'mutating'
      ? cache.list(mutatingWebhookConfigurations)
      : cache.list(validatingWebhookConfigurations);
  return [...configurations]
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .flatMap(({ metadata, webhooks = [] }) => {
      const seen = new Map<string, number>();
      return webhooks.map((webhook) => {
        const count = seen.get(webhook.name) ?? 0;
        seen.set(webhook.name, count + 1);
        return { ...webhook, uid: `${metadata.name}/${webhook.name}/${count}` };
      });
    });
}

/**
 * Returns a function that reads the labels of the request's namespace: from the cache, else from the storage.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/predicates/namespace/matcher.go GetNamespaceLabels
 */
export function namespaceLabels(
  { namespace: name }: AdmissionAttributes,
  { cache, client }: Pick<AdmissionContext, 'cache' | 'client'>,
): () => Promise<Labels> {
  return async () => {
    const found = cache.get(namespaces, { name }) ?? (await client.get(namespaces, { name }));
    return found.metadata.labels ?? {};
  };
}

/**
 * Records for the audit log that a request goes on although a webhook failed.
 *
 * @param index - the position of the webhook among all webhooks of its phase; while validating, among those that match
 */
export function recordFailedOpen(
  attributes: AdmissionAttributes,
  { name }: Pick<Hook, 'name'>,
  {
    phase,
    isSecond = false,
    index,
  }: { readonly phase: Phase; readonly isSecond?: boolean; readonly index: number },
): void {
  const word = phase === 'mutating' ? 'mutation' : 'validating';
  attributes.annotate(
    `failed-open.${word}.webhook.admission.k8s.io/round_${isSecond ? 1 : 0}_index_${index}`,
    name,
  );
}

/** The phases of admission. */
export type Phase = 'mutating' | 'validating';

/** A call of a webhook that failed: no answer, or a useless one. Upstream: ErrCallingWebhook */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
}

/**
 * Returns the question to a webhook.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/request/admissionreview.go CreateAdmissionObjects,
 * CreateV1AdmissionReview
 *
 * @throws CallFailure if the webhook does not understand version v1
 *
 * Differs: version v1beta1 of reviews is not supported, and `matchConditions` do not count.
 */
export function reviewFor(
  hook: Hook,
  attributes: AdmissionAttributes,
  { resource }: Invocation,
  uid: string,
): AdmissionReview {
  if (!hook.admissionReviewVersions.includes('v1')) {
    throw new CallFailure(
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  }
  const { user, subresource, name, namespace, operation, object, oldObject, dryRun, options } = attributes;
  const nameOf = ({ group, version, plural }: Invocation['resource']) => ({
    group,
    version,
    resource: plural,
  });
  const requestKind = kindOf(attributes, attributes.resource);
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid,
      kind: resource === attributes.resource ? requestKind : kindOf(attributes, resource),
      resource: nameOf(resource),
      ...(subresource && { subResource: subresource }),
      requestKind,
      requestResource: nameOf(attributes.resource),
      ...(subresource && { requestSubResource: subresource }),
      ...(name && { name }),
      ...(namespace && { namespace }),
      operation,
      userInfo: {
        username: user.name,
        ...(user.uid && { uid: user.uid }),
        ...(user.groups.length > 0 && { groups: user.groups }),
        ...(user.extra && { extra: user.extra }),
      },
      object: object ?? null,
      oldObject: oldObject ?? null,
      dryRun,
      options,
    },
  };
}

/** The object of a subresource has its own kind: Scale, PodExecOptions. */
function kindOf(
  { object, oldObject, subresource }: AdmissionAttributes,
  { group, version, kind }: Invocation['resource'],
): GroupVersionKind {
  const sent = object ?? oldObject;
  if (!subresource || !sent?.apiVersion) return { group, version, kind };
  const [v = '', g = ''] = sent.apiVersion.split('/').reverse();
  return { group: g, version: v, kind: sent.kind };
}

/**
 * Returns the answer of a webhook as a review whose fields have their types. Each field can be absent.
 *
 * @throws CallFailure if the answer is no JSON object, or if a field has another type
 *
 * Upstream: kubernetes/api@v0.36.3 admission/v1/types.go AdmissionReview, as Go decodes it
 */
export function reviewIn(answer: unknown): Partial<
  Omit<AdmissionReview, 'apiVersion' | 'kind' | 'response'>
> & {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly response?: Partial<WebhookResponse>;
} {
  if (answer === null) return {};
  if (typeof answer !== 'object' || Array.isArray(answer)) throw unreadable(notAnObject(answer));
  const review = fieldsOf(answer, 'the answer', { apiVersion: 'string', kind: 'string', response: 'object' });
  const { response } = review as { response?: unknown };
  if (response === undefined) return review;
  const fields = fieldsOf(response, 'response', {
    uid: 'string',
    allowed: 'boolean',
    status: 'object',
    patch: 'string',
    patchType: 'string',
    auditAnnotations: 'object',
    warnings: 'object',
  }) as Partial<WebhookResponse>;
  if (fields.status)
    fieldsOf(fields.status, 'response.status', { code: 'number', message: 'string', reason: 'string' });
  if (fields.warnings && !Array.isArray(fields.warnings)) throw unreadable('response.warnings is not a list');
  return { ...review, response: fields };
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/json/meta.go SimpleMetaFactory.Interpret */
function notAnObject(answer: unknown): string {
  const type = Array.isArray(answer) ? 'array' : typeof answer === 'boolean' ? 'bool' : typeof answer;
  const into =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go value of type ${into}`;
}

/**
 * Sends a review, and waits for the answer at most for this time.
 *
 * Upstream: kubernetes/client-go@v0.36.3 rest/with_retry.go withRetry.Before, which sends nothing if the time is up
 *
 * @param timeoutMs - without any time left (0) the review is not sent
 * @throws CallFailure `failed to call webhook: ` with the reason; `context deadline exceeded` after this time
 */
export async function sendInTime(
  { clientConfig }: Hook,
  review: AdmissionReview,
  timeoutMs: number,
  { clock, webhooks }: Pick<AdmissionContext, 'clock' | 'webhooks'>,
): Promise<unknown> {
  const outOfTime = 'context deadline exceeded';
  if (timeoutMs <= 0) throw unreadable(outOfTime);
  const abort = new AbortController();
  const cancel = clock.after(timeoutMs, () => abort.abort(new Error(outOfTime)));
  try {
    const timeoutSeconds = Math.ceil(timeoutMs / 1_000);
    return await webhooks.send(clientConfig, review, { timeoutSeconds, signal: abort.signal });
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error));
  } finally {
    cancel();
  }
}

/** Passes the warnings of an answer on to the client, and its annotations to the audit log. */
export function noteAnswer(
  attributes: AdmissionAttributes,
  { name }: Pick<Hook, 'name'>,
  { auditAnnotations = {}, warnings = [] }: Partial<WebhookResponse>,
): void {
  for (const [key, value] of Object.entries(auditAnnotations)) attributes.annotate(`${name}/${key}`, value);
  for (const warning of warnings) attributes.warn(warning);
}

/** Returns the problem with the patch in an answer, undefined without one. Upstream: VerifyAdmissionResponse */
export function patchProblem(
  { patch, patchType }: Partial<WebhookResponse>,
  phase: Phase,
): string | undefined {
  if (phase === 'validating') {
    if (patch) return 'validating webhook may not return response.patch';
    return patchType === undefined ? undefined : 'validating webhook may not return response.patchType';
  }
  if (patch && patchType === undefined) return 'webhook returned response.patch but not response.patchType';
  if (!patch && patchType !== undefined) return 'webhook returned response.patchType but not response.patch';
  return patchType === '' ? 'webhook returned invalid response.patchType of ""' : undefined;
}

/** Returns an object without its `null` fields. @throws CallFailure if a field has another type than listed */
function fieldsOf(
  value: unknown,
  name: string,
  types: Readonly<Record<string, 'string' | 'boolean' | 'number' | 'object'>>,
): object {
  if (typeof value !== 'object' || value === null) throw unreadable(`${name} is not an object`);
  const fields = Object.entries(value).filter(([, each]) => each !== null);
  for (const [key, each] of fields) {
    const type = types[key];
    if (Object.hasOwn(types, key) && typeof each !== type)
      throw unreadable(`${name}.${key} is not a ${type}`);
  }
  return Object.fromEntries(fields);
}

const unreadable = (why: string): CallFailure => new CallFailure(`failed to call webhook: ${why}`);

/**
 * Returns the error for the client when a webhook refuses.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/errors/statuserror.go ToStatusErr
 */
export function deniedBy(webhookName: string, result: meta.Status = {}): StatusError {
  const { code = 0, message, reason, status } = result;
  const denied = `admission webhook "${webhookName}" denied the request`;
  const why = message || reason;
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    ...result,
    code: Math.max(code, 400),
    status: (!status || status === 'Success' ? 'Failure' : status) as 'Failure',
    message: why ? `${denied}: ${why}` : `${denied} without explanation`,
  } as Status);
}

/** Returns the refusal of a dry run that a webhook does not support. Upstream: NewDryRunUnsupportedErr */
export const dryRunUnsupported = (webhookName: string): StatusError =>
  errors.badRequest(`admission webhook "${webhookName}" does not support dry run`);

/** Returns the failure of a request whose webhook did not answer, with `failurePolicy: Fail`. */
export const failedCalling = (webhookName: string, { message }: CallFailure): StatusError =>
  errors.internal(`failed calling webhook "${webhookName}": ${message}`);

/** Returns whether the request has time left. */
export const hasTimeLeft = (
  { deadlineMs }: Pick<AdmissionAttributes, 'deadlineMs'>,
  { clock }: Pick<AdmissionContext, 'clock'>,
): boolean => clock.now() < deadlineMs;

/** Returns the failure of a request that has no time left. */
export const requestTimeout = (): StatusError =>
  errors.timeout('request did not complete within requested timeout');

/**
 * Applies the patch of a mutating webhook, and decodes the result.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/mutating/dispatcher.go callAttrMutatingHook
 *
 * @param patch in base64
 * @returns the object without defaults; undefined if the patch is empty
 * @throws CallFailure if the patch cannot be read; StatusError InternalError if it does not fit
 */
export function patchedBy(
  hook: Hook,
  { resource, object }: AdmissionAttributes,
  { patch, patchType }: { readonly patch: string; readonly patchType: string },
  { applyJsonPatch, decode }: Pick<AdmissionContext, 'applyJsonPatch' | 'decode'>,
): KubeObject | undefined {
  const operations = readPatch(patch);
  if (operations.length === 0) return undefined;
  if (!object) {
    throw errors.internal(
      `admission webhook "${hook.name}" attempted to modify the object, which is not supported for this operation`,
    );
  }
  if (patchType !== 'JSONPatch') throw new CallFailure(`unsupported patch type "${patchType}"`);
  try {
    const patched = applyJsonPatch(object, operations) as KubeObject;
    // The object of a subresource, such as an Eviction, has no schema here.
    return isOfResource(resource, object) ? decode(resource, patched) : patched;
  } catch (error) {
    throw errors.internal(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the object with the defaults of its kind. */
export function withDefaults(
  { resource }: AdmissionAttributes,
  object: KubeObject,
  { setDefaults }: Pick<AdmissionContext, 'setDefaults'>,
): KubeObject {
  return isOfResource(resource, object) ? setDefaults(resource, object) : object;
}

const isOfResource = ({ kind }: Resource, object: KubeObject): boolean => object.kind === kind;

function readPatch(patch: string): readonly unknown[] {
  try {
    const bytes = Uint8Array.from(atob(patch), (character) => character.charCodeAt(0));
    const operations: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (operations === null) return [];
    if (!Array.isArray(operations)) throw new Error('it is not a list of operations');
    return operations;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CallFailure(`received undecodable patch in webhook response: ${why}`);
  }
}
