import {
  type Admission,
  type AdmissionAttributes,
  type AdmissionContext,
  type CheckedPod,
  type Hook,
  type Invocation,
  type LevelVersion,
  type LimitRange,
  type NewAdmission,
  type Phase,
  type Plugin,
  type PodJudgement,
  type PodSecurityPolicy,
  type Priority,
  type PriorityClass,
  pluginsInOrder,
  type QuotaRequest,
  type QuotaStore,
  type Reinvocation,
  type ResourceList,
  type ResourceQuota,
  type WebhookResponse,
} from '#given/14-admission';
import {
  type core,
  type errors,
  type KubeObject,
  type labels,
  type ObjectCache,
  type Pod,
  type ServiceAccount,
  todo,
} from '#harness';

const KATA = '14-admission';

// Level 1 · The chain

/**
 * Creates an admission from plugins.
 *
 * `admit` leads the object through the `admit` of each plugin. Each plugin gets the object that the plugin before it
 * returned: `withObject(attributes, object)` returns attributes with another object. `validate` calls the `validate` of
 * each plugin. Both go in the order of the list, and skip a plugin that lacks the function or does not handle the
 * operation. The first error ends the phase.
 *
 * Each request has its own `Reinvocation`. If a plugin has set `needed` by the end of the run, the whole chain runs a
 * second time, with `isSecond` set, and goes on with the same object. It never runs a third time.
 *
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/chain.go chainAdmissionHandler, reinvocation.go reinvoker
 */
export function newChain(plugins: readonly Plugin[]): Admission {
  return todo(KATA, 'newChain', 'Level 1');
}

// Level 2 · Namespaces

/** The namespaces that nobody may delete. Given. */
export const IMMORTAL_NAMESPACES: readonly string[] = ['default', 'kube-system', 'kube-public'];

/** After the delete of a namespace, how long the cache does not count as fresh, in ms. Given. */
export const STALE_MS = 30_000;

/** How long a create waits until the cache has observed a new namespace, in ms. Given. */
export const MISSING_WAIT_MS = 50;

/**
 * Creates the plugin `NamespaceLifecycle`, for creates, updates and deletes. It refuses in `admit`, and never changes an
 * object.
 *
 * - A delete of an immortal namespace: `forbidden(attributes, 'this namespace may not be deleted')`. All other requests
 *   for the kind Namespace of the core group pass, also those for `namespaces/status`. `isAbout` would miss the latter.
 * - A create in a terminating namespace: `namespaceTerminating(attributes)`.
 * - A create or an update in a missing namespace: the NotFound of `client.get`.
 *
 * Deletes, requests without a namespace and {@link ACCESS_REVIEWS} always pass.
 *
 * The plugin reads the namespace from the cache, which may be behind. If a create finds none, it waits for
 * {@link MISSING_WAIT_MS}, and looks again; an update does not wait. For both, the plugin reads the storage
 * (`client.get`) if the cache has none now, or has it as `Active` less than {@link STALE_MS} after this apiserver
 * admitted its delete.
 *
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/namespace/lifecycle/admission.go Lifecycle.Admit
 */
export function namespaceLifecycle(context: AdmissionContext): Plugin {
  return todo(KATA, 'namespaceLifecycle', 'Level 2');
}

/** Reviews of access in a namespace. An error would reveal whether the namespace exists. Given. */
export const ACCESS_REVIEWS = { group: 'authorization.k8s.io', plural: 'localsubjectaccessreviews' };

// Level 3 · Pods are completed
//
// Admission comes before validation. So a pod may be invalid: it can even lack `spec.containers`.

/**
 * Returns the pod with a toleration for each fault of a node: `node.kubernetes.io/not-ready` and
 * `node.kubernetes.io/unreachable`, in this order, after its own ones. Each one has the operator `Exists`, the effect
 * `NoExecute` and 300 `tolerationSeconds`.
 *
 * A toleration of the pod with this key, or without a key, takes its place, if its effect is `NoExecute` or absent.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/defaulttolerationseconds/admission.go Plugin.Admit
 */
export function withTolerations(pod: Pod): Pod {
  return todo(KATA, 'withTolerations', 'Level 3');
}

/**
 * Returns the priority of a pod: that of the class with this name; else that of the class with `globalDefault`; else 0,
 * without a class and with the policy `PreemptLowerPriority`. After a race several classes can be the default: the one
 * with the lowest value counts.
 *
 * @param name - the class that the pod names; undefined without one
 * @throws Refusal `no PriorityClass with name NAME was found`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/priority/admission.go Plugin.establishPriority
 */
export function priorityOf(name: string | undefined, classes: readonly PriorityClass[]): Priority {
  return todo(KATA, 'priorityOf', 'Level 3');
}

/**
 * Returns the pod with the token of its service account: the volume `tokenVolume(name)`, mounted read-only at
 * `TOKEN_MOUNT_PATH` in each container and init container with nothing at this path.
 *
 * `automountServiceAccountToken: false` prevents it. The pod decides; if it says nothing, the account. If no container
 * needs the volume, the pod gets none.
 *
 * @example
 * // c1 has its own mount at this path, c2 has none: c2 gets { name: 'kube-api-access-x7k2m', readOnly: true, mountPath }
 *
 * @param newVolume - the name of a new volume, such as `kube-api-access-x7k2m`. A volume of the pod that begins with
 * `TOKEN_VOLUME_PREFIX` serves in its place: the chain can run twice
 * @see Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/serviceaccount/admission.go mountServiceAccountToken
 */
export function withToken(pod: Pod, account: ServiceAccount, newVolume: string): Pod {
  return todo(KATA, 'withToken', 'Level 3');
}

/**
 * Returns the container with the defaults of a LimitRange. Of the items in `spec.limits` only those of the type
 * `Container` have any: `default` for the limits, `defaultRequest` for the requests. A default counts for a resource
 * that the container does not name there. All other fields stay, also those of `resources`, such as `claims`.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/limitranger/admission.go mergeContainerResources
 */
export function withLimits(container: core.Container, range: LimitRange): core.Container {
  return todo(KATA, 'withLimits', 'Level 3');
}

// Level 4 · Quota

/**
 * Returns the amounts that a request adds to the usage in a quota: only of resources that `status.hard` limits, and no
 * amounts of 0.
 *
 * A create adds its usage. An update adds the difference to the old usage, never less than 0, if the quota counted the
 * old object, too; else its whole usage.
 *
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/resourcequota/controller.go CheckRequest
 */
export function chargeOf(request: QuotaRequest, quota: ResourceQuota): ResourceList {
  return todo(KATA, 'chargeOf', 'Level 4');
}

/**
 * Returns the quota with the charge added to `status.used`; the quota itself for an empty charge.
 *
 * @throws Refusal if a resource *of the charge* then exceeds `status.hard`. The message lists only such resources:
 * `exceeded quota: NAME, requested: pods=1, used: pods=2, limited: pods=2`. `formatList` writes a list
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/resourcequota/controller.go CheckRequest
 */
export function withCharge(quota: ResourceQuota, charge: ResourceList): ResourceQuota {
  return todo(KATA, 'withCharge', 'Level 4');
}

/** How often `reserve` repeats failed writes. Given. */
export const QUOTA_RETRIES = 3;

/**
 * Charges a request to the quotas that count it: `request.isCountedBy`. For each one the reason `request.refusal(quota)`
 * counts first. A refusal by any quota writes nothing, and neither does a dry run. A quota without a charge is not
 * written.
 *
 * A write can fail: with Conflict if another apiserver was faster, with NotFound if the quota was deleted. After any
 * error, `reserve` still writes the other quotas. Then it reads the failed ones again (`store.reread`, without deleted
 * quotas), and checks and writes only these, from the start: with `isCountedBy` and `refusal`. It does so at most
 * {@link QUOTA_RETRIES} times, so it tries to write a quota at most 4 times.
 *
 * @throws Refusal with the reason; after the last round the error of its last failed write
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/resourcequota/controller.go checkQuotas
 */
export async function reserve(request: QuotaRequest, store: QuotaStore): Promise<void> {
  todo(KATA, 'reserve', 'Level 4');
}

// Level 5 · Does a webhook match

/** A rule of a webhook. Given. */
export type Rule = NonNullable<Hook['rules']>[number];

/** The part of a request that rules are about. Given. */
export type Target = Pick<AdmissionAttributes, 'namespace' | 'operation' | 'subresource'> & Invocation;

/**
 * Returns whether a rule matches a request: its operation, group, version, resource and scope. A missing list matches
 * nothing.
 *
 * `*` in a list matches everything, except in `resources`. An entry there names a resource, and after a slash its
 * subresource:
 *
 * | entry | matches |
 * |---|---|
 * | `pods` | pods, without subresources |
 * | `*` | every resource, without subresources |
 * | `pods/status` | this subresource |
 * | `pods/*` | pods, and all of their subresources |
 * | `*` before and after the slash | everything |
 *
 * The scope is `Namespaced`, `Cluster` or `*` (the default). Namespaces (in the group `''`) are cluster-scoped, although
 * requests about them have a `namespace`.
 *
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/predicates/rules/rules.go Matcher.Matches
 */
export function ruleMatches(rule: Rule, target: Target): boolean {
  return todo(KATA, 'ruleMatches', 'Level 5');
}

/**
 * Returns the resource that a webhook is called for; undefined if it is not called. It is called if both selectors match
 * (absent ones match everything) and at least one rule does.
 *
 * - `objectSelector` matches the labels of the new object, or of the old one. An object without `metadata` never
 *   matches, unless the selector is empty.
 * - `namespaceSelector` matches the labels of the request's namespace; for a create or an update of a namespace, its new
 *   labels. For its delete and for `namespaces/status`, its stored labels count: `namespaceLabels()`. Cluster-scoped
 *   objects, except namespaces, always match.
 *
 * No webhook is called for configurations of webhooks and for admission policies: the kinds of the group
 * `admissionregistration.k8s.io`.
 *
 * @param namespaceLabels - reads the labels of the request's namespace. It can fail with NotFound; this error only
 * counts if the webhook would be called otherwise
 * @param equivalents - other versions of the same resource. If no rule matches the resource of the request, they count,
 * too, unless `matchPolicy` is `Exact`: try each rule in order, and for each rule the equivalents in order. The first
 * match decides
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/generic/webhook.go Webhook.ShouldCallHook
 */
export async function invocationOf(
  hook: Hook,
  attributes: AdmissionAttributes,
  namespaceLabels: () => Promise<labels.Labels>,
  equivalents: readonly Invocation['resource'][] = [],
): Promise<Invocation | undefined> {
  return todo(KATA, 'invocationOf', 'Level 5');
}

// Level 6 · The answer of a webhook

/**
 * Reads the answer of a webhook: `reviewIn(answer)` has its fields. Each field may be absent, and then appears in a
 * message as an empty text: `got , Kind=`.
 *
 * @param uid - the uid of the question, which the answer must repeat
 * @throws CallFailure `received invalid webhook response: ` with the first of these reasons: `webhook response was
 * absent`; `expected response.uid="UID", got "OTHER"`; `expected webhook response of admission.k8s.io/v1,
 * Kind=AdmissionReview, got VERSION, Kind=KIND`; the result of `patchProblem`
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/request/admissionreview.go
 * VerifyAdmissionResponse
 */
export function readAnswer(answer: unknown, uid: string, phase: Phase): Partial<WebhookResponse> {
  return todo(KATA, 'readAnswer', 'Level 6');
}

/** The time that a webhook has, in seconds. Given. @defaultValue of `timeoutSeconds` */
export const DEFAULT_TIMEOUT_SECONDS = 10;

/**
 * Asks a webhook, and returns its answer if it allows the request. Each call has a new uid: `context.random.uuid()`.
 *
 * The webhook has its own timeout, but never more time than the request has until `attributes.deadlineMs`. `reviewFor`
 * makes the question, `sendInTime` sends it. `noteAnswer` passes on the warnings of every valid answer.
 *
 * @throws CallFailure without a valid answer in time. StatusError if the webhook refuses: `deniedBy(name, status)`.
 * `dryRunUnsupported(name)`, without a call, for a dry run of a webhook whose `sideEffects` are neither `None` nor
 * `NoneOnDryRun`
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/mutating/dispatcher.go callAttrMutatingHook
 */
export async function callWebhook(
  hook: Hook,
  attributes: AdmissionAttributes,
  invocation: Invocation,
  phase: Phase,
  context: Pick<AdmissionContext, 'clock' | 'random' | 'webhooks'>,
): Promise<Partial<WebhookResponse>> {
  return todo(KATA, 'callWebhook', 'Level 6');
}

/**
 * Decides about the error of a call. It returns if the request can go on: the call failed, and `failurePolicy` is
 * `Ignore`.
 *
 * @param options.isOutOfTime - whether the request has no time left. In the mutating phase it then cannot go on
 * @throws the error itself, if it is not a CallFailure; `failedCalling(name, error)` without `Ignore` (an absent policy
 * means `Fail`); `requestTimeout()`
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/mutating/dispatcher.go
 * mutatingDispatcher.Dispatch
 */
export function settleFailure(
  error: unknown,
  hook: Hook,
  options: { readonly phase: Phase; readonly isOutOfTime: boolean },
): void {
  todo(KATA, 'settleFailure', 'Level 6');
}

// Level 7 · Mutating webhooks

/**
 * Calls the mutating webhooks that match, one after the other. `current` is the request with the object so far. Each
 * webhook gets it, and may match only because of it: `invocationOf(hook, current, namespaceLabels(current, context))`.
 *
 * If an answer has a patch, `patchedBy` applies it. For an empty patch it returns undefined. Its CallFailure counts like a
 * CallFailure of the call. The patched object gets its defaults before the next webhook: `withDefaults(current, object,
 * context)`. If the request goes on although a call failed, `recordFailedOpen` records it, with the index in `hooks`.
 *
 * A webhook *changes* the object if the patched object, before its defaults, is not `semanticEqual`. Then the chain must
 * run a second time: `reinvocation.needed`. The second run (`isSecond`) calls a webhook only if all of these hold: it
 * matches; it was called before, with or without success; its `reinvocationPolicy` is `IfNeeded`; and the object has
 * changed since that call, by another webhook or by a plugin.
 *
 * `reinvocation` is the memory between the runs; `hook.uid` identifies a webhook. A webhook joins `eligible` after its own
 * change. A change moves all of `eligible` to `again`. After the first run `lastOutput` is the object: if the second run
 * gets another one, all of `eligible` move at once.
 *
 * @returns the object after the last webhook
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/mutating/dispatcher.go
 * mutatingDispatcher.Dispatch, reinvocationcontext.go webhookReinvokeContext
 */
export async function mutateByWebhooks(
  hooks: readonly Hook[],
  attributes: AdmissionAttributes,
  reinvocation: Reinvocation,
  context: AdmissionContext,
): Promise<KubeObject | undefined> {
  return todo(KATA, 'mutateByWebhooks', 'Level 7');
}

// Level 8 · Validating webhooks

/**
 * Calls all validating webhooks that match, at the same time, and waits for every one of them. A NotFound of
 * {@link invocationOf} ends the request before the first call.
 *
 * If a failed call is ignored, `recordFailedOpen` records it, with the index of the webhook among the called ones.
 *
 * @throws any one of the errors of `settleFailure`; `requestTimeout()`, without a call, if a webhook matches and the
 * request has no time left
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/validating/dispatcher.go
 * validatingDispatcher.Dispatch
 */
export async function validateByWebhooks(
  hooks: readonly Hook[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<void> {
  todo(KATA, 'validateByWebhooks', 'Level 8');
}

// Level 9 ★ · PodSecurity

/** A violation of a field. Given. */
export type Cause = Parameters<typeof errors.invalid>[2][number];

/**
 * Reads the levels of a namespace. A label `pod-security.kubernetes.io/enforce` names the level, and
 * `pod-security.kubernetes.io/enforce-version` its version (`POD_SECURITY_LABEL` is the prefix); the same for `audit` and
 * `warn`. The defaults are `privileged` and `latest`.
 *
 * Without a label for `warn`, it warns at the enforced level, unless that is `privileged`; and at the enforced version,
 * unless a label names a `warn-version`.
 *
 * @returns also a cause for each invalid label (`invalidPolicyLabel`), ordered by mode, the level first. An invalid
 * version counts as `latest`, an invalid level as `restricted` for `enforce`, and as `privileged` otherwise. An invalid
 * `enforce` sets no level for `warn`
 * @see Upstream: kubernetes/pod-security-admission@v0.36.3 api/helpers.go PolicyToEvaluate
 */
export function policyOf(given: labels.Labels | undefined): {
  readonly policy: PodSecurityPolicy;
  readonly causes: readonly Cause[];
} {
  return todo(KATA, 'policyOf', 'Level 9');
}

/**
 * Judges a pod by `violationsOf(level, pod)`. It refuses only a pod, not a template, and warns only
 * without a refusal. A message has the level and the violations (`formatLevelVersion`, `formatViolations`).
 *
 * @example
 * judgePod(policy, pod, 'pod').refusal // 'violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)'
 * judgePod(policy, pod, 'template').warning // 'would violate PodSecurity "baseline:latest": …'; `audit` likewise
 *
 * @see Upstream: kubernetes/pod-security-admission@v0.36.3 admission/admission.go Admission.EvaluatePod
 */
export function judgePod(policy: PodSecurityPolicy, pod: CheckedPod, kind: 'pod' | 'template'): PodJudgement {
  return todo(KATA, 'judgePod', 'Level 9');
}

/**
 * Returns the warnings for a namespace whose enforced level becomes stricter: a first line, then one line for each set
 * of reasons. These lines are ordered as texts. A line has the alphabetically first name of its pods, and the number of
 * the others. Only the first 3000 pods are checked.
 *
 * @example
 * existing pods in namespace "shop" violate the new PodSecurity enforce level "baseline:latest"
 * api: host namespaces, hostPort
 * web-1 (and 2 other pods): privileged
 * // with more pods, before these: new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods
 *
 * @see Upstream: kubernetes/pod-security-admission@v0.36.3 admission/admission.go Admission.EvaluatePodsInNamespace
 */
export function warningsAbout(
  namespace: string,
  enforce: LevelVersion,
  pods: readonly Pod[],
): readonly string[] {
  return todo(KATA, 'warningsAbout', 'Level 9');
}

// Level 10 ★ · Nodes

/**
 * Returns why a node may not create, update or delete a pod; undefined if it may. It creates only *mirror pods*, which
 * stand for its static pods, and deletes only pods that are bound to it. In this order; N is the node:
 *
 * - delete: the pod in the cache must be bound to it. `node "N" can only delete pods with spec.nodeName set to itself`
 * - update: `unexpected operation "UPDATE", node "N" can only create and delete mirror pods`
 * - create: an annotation `mirrorAnnotation`, which may be empty. `pod does not have "kubernetes.io/config.mirror"
 *   annotation, node "N" can only create mirror pods`
 * - `node "N" can only create pods with …`: `spec.nodeName set to itself`; `a single owner reference set to itself` for
 *   several owners; `an owner reference set to itself` for none or another (`v1`, `Node`, N); `a controller owner reference
 *   set to itself`
 * - `node "N" must not set blockOwnerDeletion on an owner reference`
 * - the uid of the Node in the cache: `node N UID mismatch: expected OWNER'S got NODE'S`
 * - `node "N" can not create pods that reference REFERENCED`: `apiObjectsIn(spec)`
 *
 * @throws StatusError `errors.notFound`, if the cache lacks the pod or the Node
 * @see Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/noderestriction/admission.go Plugin.admitPod
 */
export function restrictPod(
  node: string,
  attributes: AdmissionAttributes,
  cache: ObjectCache,
): string | undefined {
  return todo(KATA, 'restrictPod', 'Level 10');
}

/**
 * Returns why a node may not write a Node; undefined if it may. N is the node. In this order:
 *
 * - another Node M: `node "N" is not allowed to modify node "M"`. It may delete its own
 * - a new Node with labels of `forbiddenNodeLabels`: `node "N" is not allowed to set the following labels: A, B`
 * - an update of `spec.taints`: `node "N" is not allowed to modify taints`
 * - an update of `ownerReferences`: `node "N" is not allowed to modify ownerReferences`
 * - an update that changes such labels (`changedLabels`): `is not allowed to modify labels: A, B`. Only this message
 *   does not begin with the node, as upstream
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/noderestriction/admission.go Plugin.admitNode
 */
export function restrictNode(node: string, attributes: AdmissionAttributes): string | undefined {
  return todo(KATA, 'restrictNode', 'Level 10');
}

/**
 * Returns why a node may not create a token of a service account; undefined if it may. `object` is the TokenRequest, with
 * `spec.boundObjectRef` and `spec.audiences`. The pod is in the namespace of the request. In this order:
 *
 * - `node requested token not bound to a pod` (`v1`, `Pod`, with a name)
 * - `node requested token with a pod binding without a uid`
 * - `the UID in the bound object reference (UID) does not match the UID in record. The object might have been deleted
 *   and then recreated`
 * - `node requested token bound to a pod scheduled on a different node`
 * - `node may only request 0 or 1 audiences`
 * - a projected `serviceAccountToken` of the pod must have this audience (absent: empty): `audience "A" not found in pod
 *   spec volume, system:node:N is not authorized to request tokens for this audience`
 *
 * @throws StatusError `errors.notFound`, if the cache lacks the pod
 * @see Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/noderestriction/admission.go
 * Plugin.admitServiceAccount
 */
export function restrictToken(
  node: string,
  attributes: AdmissionAttributes,
  cache: ObjectCache,
): string | undefined {
  return todo(KATA, 'restrictToken', 'Level 10');
}

/** The admission of one apiserver. Given. */
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
