import type * as core from '#api/core/v1';
import type { LimitRange, PersistentVolumeClaim, Pod } from '../../api/objects.ts';
import { limitRanges } from '../../api/plain-resources.ts';
import { newQuantity, type Quantity } from '../../api/quantity.ts';
import { persistentVolumeClaims, pods } from '../../api/resource.ts';
import type { AdmissionAttributes, AdmissionContext } from '../../contracts/admission/index.ts';
import { aggregate } from '../kinds/pod/pod-level-resources.ts';
import { quantityOf } from '../kinds/pod/quantities.ts';
import { forbidden, isAbout, type Plugin } from './plugin.ts';
import type { ResourceList } from './resource-lists.ts';

/** Returns a container with the defaults of a LimitRange. */
export type WithLimits = (container: core.Container, range: LimitRange) => core.Container;

/** How long an empty answer of the storage counts, in ms. Upstream: LimitRanger.liveTTL */
const LIVE_TTL_MS = 30_000;

/**
 * The plugin LimitRanger: fills in the defaults of a namespace's LimitRanges, and enforces their limits.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/limitranger/admission.go LimitRanger
 *
 * @param withLimits returns a container with the defaults of a LimitRange
 */
export function limitRanger(context: AdmissionContext, withLimits: WithLimits): Plugin {
  const lives = new Map<string, { readonly untilMs: number; readonly ranges: readonly LimitRange[] }>();

  async function rangesFor({ namespace }: AdmissionAttributes): Promise<readonly LimitRange[]> {
    const cached = context.cache.list(limitRanges, namespace);
    if (cached.length > 0) return cached;
    const now = context.clock.now();
    let live = lives.get(namespace);
    if (!live || live.untilMs < now) {
      const { items } = await context.client.list(limitRanges, { namespace });
      live = { untilMs: now + LIVE_TTL_MS, ranges: items };
      lives.set(namespace, live);
    }
    return live.ranges;
  }

  return {
    name: 'LimitRanger',
    operations: ['CREATE', 'UPDATE'],
    async admit(attributes) {
      const { object } = attributes;
      if (!isLimited(attributes) || attributes.resource.plural !== pods.plural) return object;
      let pod = object as Pod;
      for (const range of await rangesFor(attributes))
        pod = annotated(pod, completed(pod, range, withLimits));
      return pod;
    },
    async validate(attributes) {
      if (!isLimited(attributes)) return;
      for (const range of await rangesFor(attributes)) {
        const violations = violationsOf(attributes, range);
        if (violations.length === 0) continue;
        throw forbidden(
          attributes,
          violations.length > 1 ? `[${violations.join(', ')}]` : `${violations[0]}`,
        );
      }
    },
  };
}

function completed(pod: Pod, range: LimitRange, withLimits: WithLimits): Pod {
  const { containers, initContainers } = pod.spec;
  const all = (list: readonly core.Container[]): core.Container[] =>
    list.map((container) => withoutEmptyLists(withLimits(container, range)));
  return {
    ...pod,
    spec: {
      ...pod.spec,
      ...(containers && { containers: all(containers) }),
      ...(initContainers && { initContainers: all(initContainers) }),
    },
  };
}

function withoutEmptyLists(container: core.Container): core.Container {
  const { limits = {}, requests = {}, ...rest } = container.resources ?? {};
  return {
    ...container,
    resources: {
      ...rest,
      ...(Object.keys(limits).length > 0 && { limits }),
      ...(Object.keys(requests).length > 0 && { requests }),
    },
  };
}

/** Adds the annotation that lists the resources that a LimitRange has set. Upstream: mergePodResourceRequirements */
function annotated(before: Pod, after: Pod): Pod {
  const lists = [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ] as const;
  const set = lists.flatMap(([list, word]) =>
    (after.spec[list] ?? []).flatMap((container, i) =>
      (['requests', 'limits'] as const).flatMap((amounts) => {
        const old = before.spec[list]?.[i]?.resources?.[amounts] ?? {};
        const names = Object.keys(container.resources?.[amounts] ?? {}).filter(
          (name) => !Object.hasOwn(old, name),
        );
        const what = amounts.slice(0, -1);
        return names.length > 0 ? [`${names.sort().join(', ')} ${what} for ${word} ${container.name}`] : [];
      }),
    ),
  );
  if (set.length === 0) return after;
  const annotations = {
    ...after.metadata.annotations,
    'kubernetes.io/limit-ranger': `LimitRanger plugin set: ${set.join('; ')}`,
  };
  return { ...after, metadata: { ...after.metadata, annotations } };
}

/** Upstream: DefaultLimitRangerActions.SupportsAttributes, LimitRanger.runLimitFunc */
function isLimited(attributes: AdmissionAttributes): boolean {
  const isClaim = isAbout(attributes, persistentVolumeClaims);
  const isNewPod = isAbout(attributes, pods) && attributes.operation === 'CREATE';
  return (isClaim || isNewPod) && attributes.oldObject?.metadata.deletionTimestamp === undefined;
}

function violationsOf({ resource, object }: AdmissionAttributes, range: LimitRange): readonly string[] {
  return resource.plural === pods.plural
    ? podViolations((object as Pod).spec, range.spec.limits ?? [])
    : claimViolations((object as PersistentVolumeClaim).spec, range.spec.limits ?? []);
}

/**
 * Returns the violations of a pod, as sentences.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/limitranger/admission.go PodValidateLimitFunc
 */
export function podViolations(spec: core.PodSpec, limits: readonly core.LimitRangeItem[]): readonly string[] {
  return limits.flatMap((limit) => {
    if (limit.type === 'Pod') {
      return limitViolations(limit, podAmounts(spec, 'requests'), podAmounts(spec, 'limits'));
    }
    if (limit.type !== 'Container') return [];
    return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      limitViolations(limit, amountsOf(resources?.requests), amountsOf(resources?.limits)),
    );
  });
}

function claimViolations(
  spec: core.PersistentVolumeClaimSpec,
  limits: readonly core.LimitRangeItem[],
): readonly string[] {
  const requests = amountsOf(spec.resources?.requests);
  return limits
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap(({ type, min = {}, max = {} }) => [
      ...eachAmount(min, (name, bound) => minimum(type, name, bound, requests, new Map())),
      ...eachAmount(max, (name, bound) => maximumOf('request', type, name, bound, requests)),
    ]);
}

type Amounts = ReadonlyMap<string, Quantity>;

function amountsOf(list: ResourceList | undefined): Amounts {
  return new Map(
    Object.entries(list ?? {}).flatMap(([name, text]) => {
      const quantity = quantityOf(text);
      return quantity ? [[name, quantity]] : [];
    }),
  );
}

/** Returns the requests or limits of a pod as a whole; those of the pod itself replace the sum of its containers. */
function podAmounts(spec: core.PodSpec, list: 'requests' | 'limits'): Amounts {
  const own = [...amountsOf(spec.resources?.[list])].filter(([name]) => name === 'cpu' || name === 'memory');
  return new Map([...aggregate(spec, list), ...own]);
}

function limitViolations(limit: core.LimitRangeItem, requests: Amounts, limits: Amounts): readonly string[] {
  const { type, min = {}, max = {}, maxLimitRequestRatio = {} } = limit;
  return [
    ...eachAmount(min, (name, bound) => minimum(type, name, bound, requests, limits)),
    ...eachAmount(
      max,
      (name, bound) =>
        maximumOf('limit', type, name, bound, limits) ??
        (requests.has(name) ? maximumOf('request', type, name, bound, requests) : undefined),
    ),
    ...eachAmount(maxLimitRequestRatio, (name, bound) => ratio(type, name, bound, requests, limits)),
  ];
}

function eachAmount(
  list: ResourceList,
  violation: (name: string, bound: Quantity) => string | undefined,
): readonly string[] {
  return [...amountsOf(list)].flatMap(([name, bound]) => violation(name, bound) ?? []);
}

function minimum(
  type: string,
  name: string,
  bound: Quantity,
  requests: Amounts,
  limits: Amounts,
): string | undefined {
  const rule = `minimum ${name} usage per ${type} is ${bound}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  // Upstream has two spaces here.
  if (!request) return `${rule}.  No request is specified`;
  if (request.cmp(bound) < 0) return `${rule}, but request is ${request}`;
  return limit && limit.cmp(bound) < 0 ? `${rule}, but limit is ${limit}` : undefined;
}

function maximumOf(
  what: 'limit' | 'request',
  type: string,
  name: string,
  bound: Quantity,
  amounts: Amounts,
): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${bound}`;
  const amount = amounts.get(name);
  if (!amount) return `${rule}.  No ${what} is specified`;
  return amount.cmp(bound) > 0 ? `${rule}, but ${what} is ${amount}` : undefined;
}

const ZERO = newQuantity(0, 'DecimalSI');

function ratio(
  type: string,
  name: string,
  bound: Quantity,
  requests: Amounts,
  limits: Amounts,
): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${bound}`;
  const [request, limit] = [requests.get(name) ?? ZERO, limits.get(name) ?? ZERO];
  if (request.isZero()) return `${rule}, but no request is specified or request is 0`;
  if (limit.isZero()) return `${rule}, but no limit is specified or limit is 0`;
  const provided = Number(limit.nanos) / Number(request.nanos);
  return provided * 1000 > bound.milliValue()
    ? `${rule}, but provided ratio is ${provided.toFixed(6)}`
    : undefined;
}
