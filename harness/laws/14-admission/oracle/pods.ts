import type * as core from '#api/core/v1';
import type { Pod, PriorityClass, ServiceAccount } from '../../../api/objects.ts';
import type { Snapshot } from '../history.ts';
import { TOKEN_PATH } from '../scenario/objects.ts';
import type { FactsAt } from './facts.ts';

/** The name of the token's volume in expected objects. Its real name ends at random. */
export const TOKEN_VOLUME = 'kube-api-access-xxxxx';

/** An expected refusal: its code, and a part of its message. */
export interface Refusal {
  readonly code: number;
  /** Another possible code, if plugins may look at two things in any order. */
  readonly otherCode?: number;
  /** The part of the message; empty if any message is right. */
  readonly text: string;
  /** The reason for a reader. @defaultValue `text` */
  readonly why?: string;
}

/** A pod as the plugins complete it, and the reasons why they refuse it. */
export interface Completed {
  readonly pod: Pod;
  readonly refusals: readonly Refusal[];
}

/** Returns a pod as the plugins complete it, or the reasons why they refuse it. */
export function completed(
  pod: Pod,
  { operation, subresource, namespace, oldObject }: Snapshot,
  facts: FactsAt,
): Completed {
  if (subresource !== '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return { pod, refusals: [] };
  const refusals: Refusal[] = [];
  const tolerates = !facts.disabled.includes('DefaultTolerationSeconds');
  let next = tolerates ? { ...pod, spec: { ...pod.spec, tolerations: tolerationsOf(pod.spec) } } : pod;
  if (operation === 'UPDATE') {
    const { priority, preemptionPolicy } = (oldObject as Pod | undefined)?.spec ?? {};
    const { spec } = next;
    if (spec.priority === undefined && priority !== undefined) {
      next = { ...next, spec: { ...next.spec, priority } };
    }
    if (spec.preemptionPolicy === undefined && preemptionPolicy !== undefined) {
      next = { ...next, spec: { ...next.spec, preemptionPolicy } };
    }
    return { pod: next, refusals };
  }
  next = withLimits(next, facts.ranges);
  const prioritized = withPriority(next, facts.classes);
  if ('refusal' in prioritized) refusals.push(prioritized.refusal);
  else next = prioritized.pod;
  if (isMirror(next)) {
    const { serviceAccountName, imagePullSecrets = [] } = next.spec;
    if (serviceAccountName)
      refusals.push({ code: 403, text: 'a mirror pod may not reference service accounts' });
    if (imagePullSecrets.length > 0)
      refusals.push({ code: 403, text: 'a mirror pod may not reference secrets' });
    return { pod: next, refusals };
  }
  const name = next.spec.serviceAccountName || 'default';
  const account = facts.account(name);
  if (account) return { pod: withAccount(next, name, account), refusals };
  const text = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
  return { pod: next, refusals: [...refusals, { code: 403, text }] };
}

/** Returns whether the pod is a node's copy of a static pod. */
export const isMirror = ({ metadata }: Pick<Pod, 'metadata'>): boolean =>
  metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;

/** Returns the tolerations of a pod with those that every pod has for five minutes. */
function tolerationsOf({ tolerations = [] }: core.PodSpec): core.Toleration[] {
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) =>
      !tolerations.some(
        (each) => (!each.key || each.key === key) && (!each.effect || each.effect === 'NoExecute'),
      ),
  );
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  return [...tolerations, ...added];
}

function withPriority(
  pod: Pod,
  classes: readonly PriorityClass[],
): { readonly pod: Pod } | { readonly refusal: Refusal } {
  const { priorityClassName = '', priority, preemptionPolicy } = pod.spec;
  const defaults = classes.filter(({ globalDefault }) => globalDefault);
  const lowest = Math.min(...defaults.map(({ value }) => value));
  const found =
    priorityClassName === ''
      ? defaults.find(({ value }) => value === lowest)
      : classes.find(({ metadata }) => metadata.name === priorityClassName);
  if (priorityClassName !== '' && !found) {
    return { refusal: { code: 403, text: `no PriorityClass with name ${priorityClassName} was found` } };
  }
  const value = found?.value ?? 0;
  const policy = found ? found.preemptionPolicy : 'PreemptLowerPriority';
  if (priority !== undefined && priority !== value) {
    const text = `the integer value of priority (${priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
    return { refusal: { code: 403, text } };
  }
  if (policy !== undefined && preemptionPolicy !== undefined && preemptionPolicy !== policy) {
    const text = `the string value of PreemptionPolicy (${preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`;
    return { refusal: { code: 403, text } };
  }
  const named = found ? { priorityClassName: found.metadata.name } : {};
  const preempts = policy === undefined ? {} : { preemptionPolicy: policy };
  return { pod: { ...pod, spec: { ...pod.spec, ...named, ...preempts, priority: value } } };
}

function withAccount(pod: Pod, serviceAccountName: string, account: ServiceAccount): Pod {
  const { spec } = pod;
  const pulls = spec.imagePullSecrets ?? [];
  const own = account.imagePullSecrets ?? [];
  const next: Pod = {
    ...pod,
    spec: {
      ...spec,
      serviceAccountName,
      ...(pulls.length === 0 && own.length > 0 ? { imagePullSecrets: own } : {}),
    },
  };
  const automounts = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
  return automounts ? withToken(next) : next;
}

/** Returns the pod with the token in each container that has nothing at its path. */
function withToken(pod: Pod): Pod {
  const { spec } = pod;
  const present = spec.volumes?.find(({ name }) => name.startsWith('kube-api-access-'));
  const volume = present?.name ?? TOKEN_VOLUME;
  let needs = false;
  const mounting = (container: core.Container): core.Container => {
    const mounts = container.volumeMounts ?? [];
    if (mounts.some(({ mountPath }) => mountPath === TOKEN_PATH)) return container;
    needs = true;
    const mount = { name: volume, readOnly: true, mountPath: TOKEN_PATH };
    return { ...container, volumeMounts: [...mounts, mount] };
  };
  const containers = spec.containers.map(mounting);
  const inits = spec.initContainers?.map(mounting);
  const added = needs && !present ? [tokenVolume(volume)] : [];
  return {
    ...pod,
    spec: {
      ...spec,
      containers,
      ...(inits ? { initContainers: inits } : {}),
      ...(added.length > 0 ? { volumes: [...(spec.volumes ?? []), ...added] } : {}),
    },
  };
}

function tokenVolume(name: string): core.Volume {
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  return {
    name,
    projected: {
      defaultMode: 420,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef }] } },
      ],
    },
  } as core.Volume;
}

type Amounts = Readonly<Record<string, string>>;

/** Returns the pod with the defaults of the LimitRanges in each container, and a note of them. */
function withLimits(pod: Pod, ranges: readonly core.LimitRangeItem[]): Pod {
  let next = pod;
  for (const range of ranges.filter(({ type }) => type === 'Container')) {
    const notes: string[] = [];
    const filling = (what: string) => (container: core.Container) => filled(container, range, what, notes);
    const containers = next.spec.containers.map(filling('container'));
    const inits = next.spec.initContainers?.map(filling('init container'));
    const spec = { ...next.spec, containers, ...(inits ? { initContainers: inits } : {}) };
    next = { ...next, spec };
    if (notes.length === 0) continue;
    const note = `LimitRanger plugin set: ${notes.join('; ')}`;
    const annotations = { ...next.metadata.annotations, 'kubernetes.io/limit-ranger': note };
    next = { ...next, metadata: { ...next.metadata, annotations } };
  }
  return next;
}

function filled(
  container: core.Container,
  range: core.LimitRangeItem,
  what: string,
  notes: string[],
): core.Container {
  const { resources = {}, name } = container;
  const next: Record<string, Amounts> = {};
  for (const [kind, list, defaults] of [
    ['request', 'requests', range.defaultRequest],
    ['limit', 'limits', range.default],
  ] as const) {
    const given = (resources[list] ?? {}) as Amounts;
    const missing = Object.entries((defaults ?? {}) as Amounts).filter(([key]) => given[key] === undefined);
    next[list] = { ...given, ...Object.fromEntries(missing) };
    const keys = missing.map(([key]) => key).toSorted();
    if (keys.length > 0) notes.push(`${keys.join(', ')} ${kind} for ${what} ${name}`);
  }
  return { ...container, resources: { ...resources, ...next } };
}

/** Returns the pod with {@link TOKEN_VOLUME} as the name of its token's volume, for comparisons. */
export function withoutChance(pod: Pod, given: Pod | undefined): Pod {
  const names = new Set(given?.spec?.volumes?.map(({ name }) => name));
  const generated = pod.spec?.volumes?.filter(
    ({ name, projected }) => /^kube-api-access-[a-z0-9]{5}$/.test(name) && projected && !names.has(name),
  );
  const [only] = generated ?? [];
  if (!only || generated?.length !== 1) return pod;
  return JSON.parse(JSON.stringify(pod).replaceAll(`"${only.name}"`, `"${TOKEN_VOLUME}"`)) as Pod;
}
