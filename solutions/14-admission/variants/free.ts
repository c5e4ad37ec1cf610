/**
 * An admission without the functions of the levels. Namespaces are read from the storage, the webhooks of a round are
 * one list that shrinks, validating webhooks share the clock's tasks, and a quota is read from the storage each time.
 */
import {
  type Admission,
  type AdmissionAttributes,
  type AdmissionContext,
  addLists,
  CallFailure,
  deniedBy,
  dryRunUnsupported,
  failedCalling,
  forbidden,
  formatList,
  type Hook,
  type LimitRange,
  type NewAdmission,
  namesAbove,
  namespaceTerminating,
  onlyNames,
  type Priority,
  type PriorityClass,
  patchedBy,
  pluginsInOrder,
  type QuotaRequest,
  type QuotaStore,
  Refusal,
  Reinvocation,
  type ResourceList,
  requestTimeout,
  reviewFor,
  reviewIn,
  subtractToZero,
  TOKEN_MOUNT_PATH,
  TOKEN_VOLUME_PREFIX,
  tokenVolume,
  type WebhookResponse,
  withDefaults,
  withObject,
  withoutZeros,
} from '#given/14-admission';
import {
  type core,
  type KubeObject,
  labels,
  namespaces,
  type Pod,
  type ServiceAccount,
  semanticEqual,
} from '#harness';
import { restrictNode, restrictPod, restrictToken } from '../node-restriction.ts';
import { judgePod, policyOf, warningsAbout } from '../pod-security.ts';

type Kind = 'mutating' | 'validating';

/** A part of the keys in the audit log. */
const PLACE = 'webhook.admission.k8s.io';

/** The webhooks of one apiserver. */
class Webhooks {
  readonly #context: AdmissionContext;

  constructor(context: AdmissionContext) {
    this.#context = context;
  }

  async mutate(
    hooks: readonly Hook[],
    attributes: AdmissionAttributes,
    round: Reinvocation,
  ): Promise<KubeObject | undefined> {
    const changedByPlugins = round.isSecond && !semanticEqual(round.lastOutput, attributes.object);
    if (changedByPlugins) for (const uid of round.eligible) round.again.add(uid);
    if (changedByPlugins) round.eligible.clear();
    let now = attributes;
    const name = (hook: Hook): string =>
      `mutation.${PLACE}/round_${Number(round.isSecond)}_index_${hooks.indexOf(hook)}`;
    for (let left = [...hooks]; left.length > 0; ) {
      const [hook, ...rest] = left as [Hook, ...Hook[]];
      left = rest;
      if (!(await this.#wants(hook, now)) || (round.isSecond && !round.again.has(hook.uid))) continue;
      const answer = await this.#answer(hook, now, 'mutating', name(hook));
      const next = answer?.patch ? await this.#patched(hook, now, answer, name(hook)) : undefined;
      if (next && !semanticEqual(now.object, next)) {
        for (const uid of round.eligible) round.again.add(uid);
        round.eligible.clear();
        round.needed = true;
      }
      if (next) now = withObject(now, withDefaults(now, next, this.#context));
      if (hook.reinvocationPolicy === 'IfNeeded') round.eligible.add(hook.uid);
    }
    round.lastOutput = now.object;
    return now.object;
  }

  async validate(hooks: readonly Hook[], attributes: AdmissionAttributes): Promise<void> {
    const wanted: Hook[] = [];
    for (const hook of hooks) if (await this.#wants(hook, attributes)) wanted.push(hook);
    const isOver = this.#context.clock.now() >= attributes.deadlineMs;
    if (wanted.length > 0 && isOver) throw requestTimeout();
    const done = await Promise.allSettled(
      wanted.map((hook, i) =>
        this.#answer(hook, attributes, 'validating', `validating.${PLACE}/round_0_index_${i}`),
      ),
    );
    for (const each of done) if (each.status === 'rejected') throw each.reason;
  }

  async #patched(
    hook: Hook,
    now: AdmissionAttributes,
    { patch = '', patchType = '' }: Partial<WebhookResponse>,
    place: string,
  ): Promise<KubeObject | undefined> {
    try {
      return patchedBy(hook, now, { patch, patchType }, this.#context);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (hook.failurePolicy !== 'Ignore') throw failedCalling(hook.name, error);
      now.annotate(`failed-open.${place}`, hook.name);
      return undefined;
    }
  }

  /** Returns the answer of a webhook; undefined if it failed and may. */
  async #answer(
    hook: Hook,
    now: AdmissionAttributes,
    kind: Kind,
    place: string,
  ): Promise<Partial<WebhookResponse> | undefined> {
    const { clock } = this.#context;
    if (now.dryRun && !['None', 'NoneOnDryRun'].includes(hook.sideEffects))
      throw dryRunUnsupported(hook.name);
    let response: Partial<WebhookResponse>;
    try {
      response = await this.#call(hook, now, kind);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (hook.failurePolicy !== 'Ignore') throw failedCalling(hook.name, error);
      if (kind === 'mutating' && clock.now() >= now.deadlineMs) throw requestTimeout();
      now.annotate(`failed-open.${place}`, hook.name);
      return undefined;
    }
    for (const [key, note] of Object.entries(response.auditAnnotations ?? {}))
      now.annotate(`${hook.name}/${key}`, note);
    for (const text of response.warnings ?? []) now.warn(text);
    if (!response.allowed) throw deniedBy(hook.name, response.status);
    return response;
  }

  async #call(hook: Hook, now: AdmissionAttributes, kind: Kind): Promise<Partial<WebhookResponse>> {
    const { clock, random, webhooks } = this.#context;
    const uid = random.uuid();
    const limitMs = Math.min((hook.timeoutSeconds ?? 10) * 1_000, Math.max(0, now.deadlineMs - clock.now()));
    if (limitMs === 0) throw new CallFailure('failed to call webhook: context deadline exceeded');
    const review = reviewFor(hook, now, { resource: now.resource }, uid);
    const controller = new AbortController();
    const cancel = clock.after(limitMs, () => controller.abort(new Error('context deadline exceeded')));
    const options = { timeoutSeconds: Math.ceil(limitMs / 1_000), signal: controller.signal };
    const answer = await webhooks.send(hook.clientConfig, review, options).catch((error: unknown) => {
      throw new CallFailure(`failed to call webhook: ${String(error)}`);
    });
    cancel();
    const { apiVersion, kind: answered, response } = reviewIn(answer);
    const { patch, patchType } = response ?? {};
    const isRight =
      apiVersion === 'admission.k8s.io/v1' &&
      answered === 'AdmissionReview' &&
      response?.uid === uid &&
      (kind === 'mutating' ? Boolean(patch) === Boolean(patchType) : !patch && patchType === undefined);
    if (!isRight || !response) throw new CallFailure('received invalid webhook response: it does not fit');
    return response;
  }

  async #wants(hook: Hook, attributes: AdmissionAttributes): Promise<boolean> {
    const { resource, subresource, operation, namespace, object, oldObject } = attributes;
    if (/^(Validating|Mutating)(Webhook|Admission)/.test(resource.kind)) return false;
    const isNamespace = resource.kind === 'Namespace' && resource.group === '';
    const scope = namespace && !isNamespace ? 'Namespaced' : 'Cluster';
    const one = (list: readonly string[] = [], value: string): boolean =>
      list.includes('*') || list.includes(value);
    const own = subresource === '' ? [resource.plural, '*'] : [];
    const entries = [
      ...own,
      ...['*', resource.plural].flatMap((each) => [
        `${each}/*`,
        ...(subresource ? [`${each}/${subresource}`] : []),
      ]),
    ];
    const isRuled = (hook.rules ?? []).some(
      (rule) =>
        [undefined, '*', scope].includes(rule.scope) &&
        one(rule.operations, operation) &&
        one(rule.apiGroups, resource.group) &&
        one(rule.apiVersions, resource.version) &&
        rule.resources?.some((each) => entries.includes(each)),
    );
    if (!isRuled) return false;
    const objects = labels.labelSelectorAsSelector(hook.objectSelector ?? {});
    const chosen = [object, oldObject].some(
      (each) => each?.metadata && objects.matches(each.metadata.labels),
    );
    if (!objects.empty && !chosen) return false;
    const spaces = labels.labelSelectorAsSelector(hook.namespaceSelector ?? {});
    if (spaces.empty || (!namespace && !isNamespace)) return true;
    if (isNamespace && subresource === '' && operation !== 'DELETE')
      return spaces.matches(object?.metadata.labels);
    const { cache, client } = this.#context;
    const found =
      cache.get(namespaces, { name: namespace }) ?? (await client.get(namespaces, { name: namespace }));
    return spaces.matches(found.metadata.labels);
  }
}

/** Looks a namespace up for each request. */
const livingNamespaces = ({ client }: AdmissionContext) => ({
  name: 'NamespaceLifecycle',
  operations: ['CREATE', 'UPDATE', 'DELETE'] as const,
  async admit(attributes: AdmissionAttributes): Promise<KubeObject | undefined> {
    const { operation, resource, namespace, name, object } = attributes;
    if (resource.kind === 'Namespace' && resource.group === '') {
      const isForever = operation === 'DELETE' && /^(default|kube-system|kube-public)$/.test(name);
      if (isForever) throw forbidden(attributes, 'this namespace may not be deleted');
      return object;
    }
    if (!namespace || operation === 'DELETE') return object;
    const { status } = await client.get(namespaces, { name: namespace });
    if (operation === 'UPDATE' || status.phase !== 'Terminating') return object;
    throw namespaceTerminating(attributes);
  },
});

const eachContainer = (pod: Pod, change: (container: core.Container) => core.Container): Pod => {
  const { containers = [], initContainers } = pod.spec;
  const inits = initContainers ? { initContainers: initContainers.map(change) } : {};
  return { ...pod, spec: { ...pod.spec, containers: containers.map(change), ...inits } };
};

function withLimits(container: core.Container, { spec }: LimitRange): core.Container {
  let { limits = {}, requests = {} } = container.resources ?? {};
  for (const { type, default: defaults, defaultRequest } of spec.limits ?? []) {
    if (type !== 'Container') continue;
    limits = { ...defaults, ...limits };
    requests = { ...defaultRequest, ...requests };
  }
  return { ...container, resources: { ...container.resources, limits, requests } };
}

function withToken(pod: Pod, account: ServiceAccount, newName: string): Pod {
  const { automountServiceAccountToken: own, volumes = [] } = pod.spec;
  if ((own ?? account.automountServiceAccountToken) === false) return pod;
  const old = volumes.find(({ name }) => name.startsWith(TOKEN_VOLUME_PREFIX))?.name;
  const mount = { name: old ?? newName, readOnly: true, mountPath: TOKEN_MOUNT_PATH };
  const mounted = eachContainer(pod, (container) =>
    container.volumeMounts?.some(({ mountPath }) => mountPath === TOKEN_MOUNT_PATH)
      ? container
      : { ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] },
  );
  const isUsed = !semanticEqual(mounted, pod);
  if (old !== undefined || !isUsed) return mounted;
  return { ...mounted, spec: { ...mounted.spec, volumes: [...volumes, tokenVolume(newName)] } };
}

function priorityOf(name = '', classes: readonly PriorityClass[]): Priority {
  const lowest = classes
    .filter(({ globalDefault }) => globalDefault)
    .reduce<PriorityClass | undefined>((a, b) => (a && a.value <= b.value ? a : b), undefined);
  const its = name === '' ? lowest : classes.find(({ metadata }) => metadata.name === name);
  if (name !== '' && !its) throw new Refusal(`no PriorityClass with name ${name} was found`);
  if (!its) return { value: 0, policy: 'PreemptLowerPriority' };
  return { className: its.metadata.name, value: its.value, policy: its.preemptionPolicy };
}

function withTolerations(pod: Pod): Pod {
  let { tolerations = [] } = pod.spec;
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const has = tolerations.some(
      (each) => ['', undefined, key].includes(each.key) && ['', undefined, 'NoExecute'].includes(each.effect),
    );
    if (has) continue;
    tolerations = [...tolerations, { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }];
  }
  return { ...pod, spec: { ...pod.spec, tolerations } };
}

/** Reads each quota from the storage before it writes it. */
async function reserve(request: QuotaRequest, store: QuotaStore): Promise<void> {
  let names = (await store.list()).map(({ metadata }) => metadata.name);
  for (let tries = 3; ; tries--) {
    const quotas = (await store.reread(names)).filter((quota) => request.isCountedBy(quota));
    const charges = quotas.map((quota): ResourceList => {
      const why = request.refusal(quota);
      if (why) throw new Refusal(why);
      const { hard = {}, used = {} } = quota.status;
      const old = request.oldUsage !== undefined && request.wasCountedBy(quota) ? request.oldUsage : {};
      const more = withoutZeros(onlyNames(subtractToZero(request.usage, old), Object.keys(hard)));
      const total = addLists(used, more);
      const full = namesAbove(onlyNames(total, Object.keys(more)), hard);
      if (full.length === 0) return more;
      const [asked, had, limit] = [more, used, hard].map((list) => formatList(onlyNames(list, full)));
      throw new Refusal(
        `exceeded quota: ${quota.metadata.name}, requested: ${asked}, used: ${had}, limited: ${limit}`,
      );
    });
    if (request.dryRun) return;
    const results = await Promise.allSettled(
      quotas.map(async (quota, i) => {
        const more = charges[i] ?? {};
        if (Object.keys(more).length === 0) return;
        const used = { ...addLists(quota.status.used ?? {}, more) };
        await store.writeStatus({ ...quota, status: { ...quota.status, used } });
      }),
    );
    names = quotas.flatMap(({ metadata }, i) => (results[i]?.status === 'rejected' ? metadata.name : []));
    if (names.length === 0) return;
    const failed = results.find(({ status }) => status === 'rejected');
    if (tries === 0 && failed?.status === 'rejected') throw failed.reason;
  }
}

/** The admission of one apiserver. */
export const newAdmission: NewAdmission = (context): Admission => {
  const webhooks = new Webhooks(context);
  const all = pluginsInOrder(context, {
    namespaceLifecycle: livingNamespaces(context),
    withLimits,
    withToken,
    withTolerations,
    priorityOf,
    reserve,
    mutateByWebhooks: (hooks, attributes, round) => webhooks.mutate(hooks, attributes, round),
    validateByWebhooks: (hooks, attributes) => webhooks.validate(hooks, attributes),
    podSecurity: { policyOf, judgePod, warningsAbout },
    nodeRestrictions: { restrictPod, restrictNode, restrictToken },
  });
  const admitted = async (
    attributes: AdmissionAttributes,
    round: Reinvocation,
  ): Promise<AdmissionAttributes> => {
    let now = attributes;
    for (const { operations, admit } of all) {
      if (operations.includes(now.operation) && admit) now = withObject(now, await admit(now, round));
    }
    return now;
  };
  return {
    async admit(attributes) {
      const round = new Reinvocation();
      const first = await admitted(attributes, round);
      round.isSecond = true;
      return (round.needed ? await admitted(first, round) : first).object;
    },
    async validate(attributes) {
      for (const plugin of all) {
        if (plugin.operations.includes(attributes.operation)) await plugin.validate?.(attributes);
      }
    },
  };
};
