import fc from 'fast-check';
import type * as core from '#api/core/v1';
import type { LabelSelector, ObjectMeta } from '#api/meta/v1';
import type {
  ConfigMap,
  Lease,
  New,
  Node,
  Pod,
  PodDisruptionBudget,
  PriorityClass,
  Service,
} from '../../api/objects.ts';

/** Options that restrict the name of an object. */
interface Named {
  /** @defaultValue {@link names} */
  readonly name?: fc.Arbitrary<string>;
}

/** Options that restrict the namespace of an object. */
export interface Placed extends Named {
  /** @defaultValue `default` */
  readonly namespace?: string;
}

/** A few short names that are valid for every kind, so that they collide. */
export const names: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'web-1', 'db-2');

/** Otherwise fast-check generates some objects without a prototype, which JSON never contains. */
const plain = { noNullPrototype: true } as const;

const keys = fc.constantFrom('app', 'tier');
const values = fc.constantFrom('a', 'b');
const zones = fc.constantFrom('a', 'b', 'c');

/** Generates labels with two keys and two values; possibly none. */
export const labelSets: fc.Arbitrary<Record<string, string>> = fc.dictionary(keys, values, {
  maxKeys: 2,
  ...plain,
});

const requirements = fc.oneof(
  { withCrossShrink: true },
  fc.record(
    {
      key: keys,
      operator: fc.constantFrom('In', 'NotIn'),
      values: fc.uniqueArray(values, { minLength: 1, maxLength: 2 }),
    },
    plain,
  ),
  fc.record({ key: keys, operator: fc.constantFrom('Exists', 'DoesNotExist') }, plain),
);

/**
 * Generates selectors with the keys and values of {@link labelSets}: by labels, by expressions, or by both. Never
 * empty, because the meaning of an empty selector depends on the field.
 */
export const labelSelectors: fc.Arbitrary<LabelSelector> = fc
  .record({
    matchLabels: fc.dictionary(keys, values, { maxKeys: 1, ...plain }),
    matchExpressions: fc.array(requirements, { maxLength: 2 }),
  })
  .map(({ matchLabels, matchExpressions }) => {
    const selector = { ...nonEmpty({ matchLabels }), ...nonEmpty({ matchExpressions }) };
    return Object.keys(selector).length > 0 ? selector : { matchLabels: { app: 'a' } };
  });

/** Generates cpu, memory, both or neither. Some quantities are not in the canonical form of the apiserver. */
const resourceLists: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    cpu: fc.constantFrom('100m', '0.5', '1', '2000m'),
    memory: fc.constantFrom('64Mi', '256Mi', '1024Mi', '500M'),
  },
  { requiredKeys: [], ...plain },
);

/** At least as large as any of {@link resourceLists}. */
const AMPLE = { cpu: '4', memory: '2Gi' };

/** Generates requirements of every QoS class: none, only requests, requests within or equal to limits, only limits. */
const resourceRequirements: fc.Arbitrary<core.ResourceRequirements> = fc
  .tuple(resourceLists, fc.constantFrom('requests', 'within', 'equal', 'limits'))
  .map(([list, mode]) => {
    if (mode === 'requests') return nonEmpty({ requests: list });
    if (mode === 'within') return { ...nonEmpty({ requests: list }), limits: AMPLE };
    return { ...(mode === 'equal' && nonEmpty({ requests: list })), ...nonEmpty({ limits: list }) };
  });

/** Generates a number or a percentage, for example of pods. At most 100%, because some fields reject more. */
export const intOrPercents: fc.Arbitrary<number | string> = fc.oneof(
  { withCrossShrink: true },
  fc.integer({ min: 0, max: 3 }),
  // For few pods, these round to different numbers up and down.
  fc.constantFrom('0%', '10%', '25%', '50%', '100%'),
);

/** Generates ConfigMaps with a few keys. */
export function configMaps({
  namespace = 'default',
  name = names,
}: Placed = {}): fc.Arbitrary<New<ConfigMap>> {
  const data = fc.dictionary(names, values, { maxKeys: 2, ...plain });
  return fc
    .record({ name, labels: labelSets, data })
    .map(({ name, labels, data }) => ({ metadata: metadata({ namespace, name, labels }), data }));
}

/** Options that restrict pods. */
interface PodOptions extends Placed {
  /** @defaultValue {@link labelSets} */
  readonly labels?: fc.Arbitrary<Record<string, string>>;
  /** The node of bound pods. @defaultValue pods are not bound */
  readonly nodeName?: fc.Arbitrary<string>;
  /** @defaultValue {@link podSpecs} with any `restartPolicy` */
  readonly podSpec?: fc.Arbitrary<core.PodSpec>;
}

/**
 * Generates pods, unbound unless `nodeName` is set.
 *
 * The objects here are as a client sends them: valid, small, plain JSON, and similar enough that selectors match and
 * names collide by chance. Each shrinks to the plainest of its kind: optional fields disappear, and every other field
 * has its first choice.
 *
 * For a fleet with unique names, use `fc.uniqueArray(pods(), { selector: (pod) => pod.metadata.name })`.
 */
export function pods(options: PodOptions = {}): fc.Arbitrary<New<Pod>> {
  const { namespace = 'default', name = names, labels = labelSets, podSpec = restarted } = options;
  const binding: fc.Arbitrary<Pick<core.PodSpec, 'nodeName'>> = options.nodeName
    ? fc.record({ nodeName: options.nodeName }, plain)
    : fc.constant({});
  return fc.record({ name, labels, spec: podSpec, binding }).map(({ name, labels, spec, binding }) => ({
    metadata: metadata({ namespace, name, labels }),
    spec: { ...spec, ...binding },
  }));
}

const images = fc.constantFrom('nginx', 'nginx:1.27', 'redis:7');

function containers(prefix: string, maxLength: number): fc.Arbitrary<core.Container[]> {
  return fc
    .array(fc.record({ image: images, resources: resourceRequirements }, plain), { minLength: 1, maxLength })
    .map((some) =>
      some.map(({ image, resources }, i) => ({ name: `${prefix}-${i}`, image, ...nonEmpty({ resources }) })),
    );
}

/** Generates only containers: for tests where the node of a pod does not matter. */
export const plainPodSpecs: fc.Arbitrary<core.PodSpec> = containers('container', 2).map((containers) => ({
  containers,
}));

const DEDICATED = 'dedicated';
const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';
const effects = fc.constantFrom('NoSchedule', 'PreferNoSchedule', 'NoExecute');

const tolerations: fc.Arbitrary<core.Toleration[]> = fc.array(
  fc.oneof(
    { withCrossShrink: true },
    fc.record({ key: fc.constant(DEDICATED), operator: fc.constant('Exists') }, plain),
    fc.record(
      {
        key: fc.constant(DEDICATED),
        operator: fc.constant('Equal'),
        value: values,
        effect: effects,
      },
      plain,
    ),
    fc.constant({ operator: 'Exists' }),
    fc.nat({ max: 300 }).map((tolerationSeconds) => ({
      key: DEDICATED,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds,
    })),
  ),
  { minLength: 1, maxLength: 2 },
);

const zoneTerms = fc
  .record(
    {
      operator: fc.constantFrom('In', 'NotIn'),
      values: fc.uniqueArray(zones, { minLength: 1, maxLength: 2 }),
    },
    plain,
  )
  .map((requirement) => ({ matchExpressions: [{ key: ZONE, ...requirement }] }));
const podTerms = fc.record(
  { labelSelector: labelSelectors, topologyKey: fc.constantFrom(HOSTNAME, ZONE) },
  plain,
);
const weights = fc.constantFrom(1, 10, 100);

/** Generates one required or preferred term, for nodes or pods. */
const affinities: fc.Arbitrary<core.Affinity> = fc.oneof(
  { withCrossShrink: true },
  zoneTerms.map((term) => ({
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
  })),
  fc.record({ weight: weights, preference: zoneTerms }, plain).map((term) => ({
    nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [term] },
  })),
  podTerms.map((term) => ({ podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } })),
  podTerms.map((term) => ({ podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } })),
  fc.record({ weight: weights, podAffinityTerm: podTerms }, plain).map((term) => ({
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [term] },
  })),
);

/**
 * Generates the spec of a pod, with containers and scheduling constraints. It also fits a template, which would reject
 * any `restartPolicy` but `Always`.
 */
export const podSpecs: fc.Arbitrary<core.PodSpec> = fc
  .tuple(
    plainPodSpecs,
    sometimes('initContainers', containers('init', 2)),
    sometimes('tolerations', tolerations),
    sometimes(
      'nodeSelector',
      zones.map((zone) => ({ [ZONE]: zone })),
    ),
    sometimes('affinity', affinities),
    sometimes('priority', fc.constantFrom(1_000, 100_000)),
    sometimes('terminationGracePeriodSeconds', fc.constantFrom(0, 5, 60)),
  )
  .map(merged);

const restarted: fc.Arbitrary<core.PodSpec> = fc
  .tuple(podSpecs, sometimes('restartPolicy', fc.constantFrom('Always', 'OnFailure', 'Never')))
  .map(merged);

/** Options that restrict nodes. */
interface NodeOptions extends Named {
  /** Labels in addition to hostname and zone, which every node has. @defaultValue {@link labelSets} */
  readonly labels?: fc.Arbitrary<Record<string, string>>;
}

/**
 * Generates nodes as a kubelet registers them, with capacity. Allocatable resources can be less than the capacity. Some
 * nodes are too small for two pods.
 */
export function nodes({
  name = names,
  labels = labelSets,
}: NodeOptions = {}): fc.Arbitrary<
  New<Node> & { status: Required<Pick<core.NodeStatus, 'capacity' | 'allocatable'>> }
> {
  const capacity = fc.record(
    {
      cpu: fc.constantFrom('4', '1', '16'),
      memory: fc.constantFrom('8Gi', '1Gi', '2Gi'),
      pods: fc.constantFrom('110', '2'),
    },
    plain,
  );
  const reserved = fc.oneof(
    { withCrossShrink: true },
    fc.constant({}),
    fc.constant({ cpu: '900m', memory: '900Mi' }),
  );
  const taints = fc.uniqueArray(
    fc.record({ key: fc.constant(DEDICATED), value: values, effect: effects }, plain),
    {
      minLength: 1,
      maxLength: 2,
      // Key and effect identify a taint.
      selector: ({ effect }) => effect,
    },
  );
  const spec = fc
    .tuple(sometimes('taints', taints), sometimes('unschedulable', fc.constant(true)))
    .map(merged);
  return fc
    .record({ name, labels, zone: zones, spec, capacity, reserved })
    .map(({ name, labels, zone, spec, capacity, reserved }) => ({
      metadata: { name, labels: { ...labels, [HOSTNAME]: name, [ZONE]: zone } },
      spec,
      status: { capacity, allocatable: { ...capacity, ...reserved } },
    }));
}

/** Generates services with one or two ports, with a cluster IP or headless; most have a selector. */
export function services({ namespace = 'default', name = names }: Placed = {}): fc.Arbitrary<New<Service>> {
  const ports = fc.uniqueArray(fc.constantFrom(80, 443, 5432), { minLength: 1, maxLength: 2 });
  return fc
    .record({ name, selector: labelSets, ports, rest: sometimes('clusterIP', fc.constant('None')) })
    .map(({ name, selector, ports, rest }) => ({
      metadata: metadata({ namespace, name }),
      spec: {
        ...nonEmpty({ selector }),
        ports: ports.map((port) => ({ name: `port-${port}`, port })),
        ...rest,
      },
    }));
}

/** Generates Leases that a client holds, for seconds. */
export function leases({ namespace = 'default', name = names }: Placed = {}): fc.Arbitrary<New<Lease>> {
  return fc
    .record({ name, holderIdentity: names, leaseDurationSeconds: fc.integer({ min: 1, max: 60 }) })
    .map(({ name, ...spec }) => ({ metadata: metadata({ namespace, name }), spec }));
}

/** Generates PriorityClasses of users. None is the cluster's default. */
export function priorityClasses({ name = names }: Named = {}): fc.Arbitrary<New<PriorityClass>> {
  return fc
    .tuple(
      name.map((name) => ({ metadata: { name } })),
      fc.record({ value: fc.integer({ min: 0, max: 1_000_000 }) }, plain),
      sometimes('preemptionPolicy', fc.constantFrom('PreemptLowerPriority', 'Never')),
    )
    .map(merged);
}

/** Generates budgets by minAvailable or maxUnavailable. */
export function podDisruptionBudgets({
  namespace = 'default',
  name = names,
}: Placed = {}): fc.Arbitrary<New<PodDisruptionBudget>> {
  const limits = fc.oneof(
    { withCrossShrink: true },
    fc.record({ minAvailable: intOrPercents }, plain),
    fc.record({ maxUnavailable: intOrPercents }, plain),
  );
  return fc.record({ name, selector: labelSelectors, limits }).map(({ name, selector, limits }) => ({
    metadata: metadata({ namespace, name }),
    spec: { selector, ...limits },
  }));
}

/** Generates a field that is present one time in four, and shrinks to absence. */
function sometimes<K extends string, T>(
  field: K,
  value: fc.Arbitrary<T>,
): fc.Arbitrary<{ readonly [F in K]?: T }> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: value.map((some) => ({ [field]: some }) as { [F in K]: T }) },
  );
}

/** Returns the non-empty fields among these: an empty map or list equals an absent one. */
function nonEmpty<T extends Record<string, object>>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => Object.keys(value).length > 0),
  ) as Partial<T>;
}

function metadata({ labels = {}, ...rest }: ObjectMeta): ObjectMeta {
  return { ...rest, ...nonEmpty({ labels }) };
}

type Merged<T extends readonly object[]> = T extends readonly [infer First, ...infer Rest extends object[]]
  ? First & Merged<Rest>
  : unknown;

function merged<T extends readonly object[]>(parts: readonly [...T]): Merged<T> {
  return Object.assign({}, ...parts);
}
