import fc from 'fast-check';
import type * as core from '#api/core/v1';
import type { LabelSelector } from '#api/meta/v1';
import { described } from '../../testing/telling.ts';
import { SchedulingCluster, sayPod } from '../scheduling/cluster.ts';
import {
  aSchedulingNode,
  aSchedulingPod,
  type SchedulingNodeParts,
  type SchedulingPodParts,
} from '../scheduling/objects.ts';
import { GPU, HOSTNAME, plain } from '../scheduling/parts.ts';
import type { WeighedResource } from './score-oracle.ts';

/**
 * Small clusters in which it is to be said where a pod runs best: a few nodes, some pods on them, and every kind of
 * preference. The parts are few and alike, so that much matches and much is equal.
 *
 * A cluster and a question, as plain data.
 */
export interface ScoreScenario {
  readonly nodes: readonly (SchedulingNodeParts & { readonly name: string })[];
  /** Each on the node that it names. */
  readonly there: readonly SchedulingPodParts[];
  /** It is to be scheduled. */
  readonly pod: SchedulingPodParts;
  /** So is this one, at the same time. */
  readonly other: SchedulingPodParts;
  /** The names of the nodes that are left after filtering. */
  readonly feasible: readonly string[];
  /** The resources that plugins look at; the weights are for NodeResourcesFit alone. */
  readonly resources: readonly WeighedResource[];
}

/** An object with some of these, or none of them. */
const some = <T extends object>(
  parts: {
    [K in keyof T]-?: fc.Arbitrary<NonNullable<T[K]>>;
  },
): fc.Arbitrary<Partial<T>> => fc.record(parts, { requiredKeys: [], ...plain }) as fc.Arbitrary<Partial<T>>;

const all = <T extends object>(parts: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(parts, plain) as fc.Arbitrary<T>;

/** In two cases of three. */
const mostly = <T extends object>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | Record<string, never>> =>
  fc.oneof({ withCrossShrink: true }, { weight: 1, arbitrary: fc.constant({}) }, { weight: 2, arbitrary });

const few = <T>(one: fc.Arbitrary<T>, maxLength: number, minLength = 1): fc.Arbitrary<T[]> =>
  fc.array(one, { minLength, maxLength });

/** As many as not: left alone, fast-check likes it small. */
const many = <T>(one: fc.Arbitrary<T>, minLength: number, maxLength: number): fc.Arbitrary<T[]> =>
  fc.noBias(few(one, maxLength, minLength));

const MIB = 1024 * 1024;
const WEB_LABELS = { app: 'web' };
const WEB: LabelSelector = { matchLabels: WEB_LABELS };

/** What makes a place. Most nodes have all three. */
const keys = fc.constantFrom('zone', 'zone', HOSTNAME, HOSTNAME, 'rack', 'rack');
const weights = fc.constantFrom(1, 2, 7, 29, 100);

/** As a node has them: with a tag, and some of them under two names. */
const images: fc.Arbitrary<core.ContainerImage[]> = fc.subarray(
  [
    { names: ['nginx:latest', 'nginx:1'], sizeBytes: 190 * MIB },
    { names: ['registry:5000/shop:latest'], sizeBytes: 700 * MIB },
    { names: ['model:v1'], sizeBytes: 5_000 * MIB },
    { names: ['tiny:latest'], sizeBytes: 2 * MIB },
  ],
  { minLength: 1 },
);

const taints: fc.Arbitrary<core.Taint[]> = few(
  all<core.Taint>({
    key: fc.constantFrom('spot', 'old'),
    value: fc.constantFrom('x', 'y'),
    effect: fc.constantFrom('PreferNoSchedule', 'PreferNoSchedule', 'NoSchedule'),
  }),
  3,
);

const nodes: fc.Arbitrary<ScoreScenario['nodes']> = many(
  fc.tuple(
    fc.constantFrom(undefined, '', 'a', 'a', 'b', 'b'),
    fc.constantFrom(undefined, '', '1', '2', '3', '3'),
    some<{ disk: string; cores: string }>({
      disk: fc.constantFrom('ssd', 'hdd'),
      cores: fc.constantFrom('4', '16'),
    }),
    // Mostly its own name.
    fc.constantFrom('', '', '', '', '', '', 'same', undefined),
    some<{ cpu: string; memory: string; [GPU]: string }>({
      cpu: fc.constantFrom('4', '7', '1500m', '0'),
      memory: fc.constantFrom('8Gi', '3Gi', '900Mi'),
      [GPU]: fc.constantFrom('4', '3', '0'),
    }),
    some<Pick<SchedulingNodeParts, 'taints' | 'images'>>({ taints, images }),
  ),
  1,
  5,
).map((made) =>
  made.map(([zone, rack, labels, host, allocatable, rest], i) => {
    const name = `node-${'abcde'[i]}`;
    return {
      name,
      labels: {
        ...(zone === undefined ? {} : { zone }),
        ...(rack === undefined ? {} : { rack }),
        ...labels,
        ...(host === undefined ? {} : { [HOSTNAME]: host || name }),
      },
      allocatable: { ...allocatable, pods: '110' },
      ...rest,
    };
  }),
);

const requests = some<{ cpu: string; memory: string; [GPU]: string }>({
  cpu: fc.constantFrom('500m', '1', '333m', '0'),
  memory: fc.constantFrom('1Gi', '300Mi', '0'),
  [GPU]: fc.constantFrom('1', '2', '0'),
});

const containers = (prefix: string, restartPolicies: readonly (string | undefined)[], maxLength: number) =>
  few(
    fc.tuple(
      fc.constantFrom('nginx', 'nginx:1', 'registry:5000/shop', 'model:v1', 'tiny', 'unknown'),
      requests,
      fc.constantFrom(...restartPolicies),
    ),
    maxLength,
  ).map((made) =>
    made.map(
      ([image, asked, restartPolicy], i): core.Container => ({
        name: `${prefix}-${i}`,
        image,
        resources: { requests: asked as Record<string, string> },
        ...(restartPolicy ? { restartPolicy } : {}),
      }),
    ),
  );

/** Whom a term or a constraint means: mostly somebody. */
const meaning: fc.Arbitrary<{ readonly labelSelector?: LabelSelector }> = fc.constantFrom<{
  readonly labelSelector?: LabelSelector;
}>(
  { labelSelector: WEB },
  { labelSelector: WEB },
  { labelSelector: WEB },
  { labelSelector: WEB },
  { labelSelector: { matchLabels: { app: 'db' } } },
  { labelSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } },
  { labelSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['db'] }] } },
  { labelSelector: {} },
  {},
);

const podTerms: fc.Arbitrary<core.PodAffinityTerm> = fc
  .tuple(
    keys,
    meaning,
    some<Pick<core.PodAffinityTerm, 'namespaces' | 'namespaceSelector'>>({
      namespaces: fc.constantFrom(['shop'], ['default', 'shop']),
      namespaceSelector: fc.constantFrom<LabelSelector>({}, { matchLabels: { team: 'shop' } }),
    }),
  )
  .map(([topologyKey, meant, rest]) => ({ topologyKey, ...meant, ...rest }));

const preferredPodTerms = few(
  all<core.WeightedPodAffinityTerm>({ weight: weights, podAffinityTerm: podTerms }),
  2,
);

/** With a wish or two, and perhaps with a need, which counts only when the pod is there already. */
const podAffinities = some<core.PodAffinity>({
  preferredDuringSchedulingIgnoredDuringExecution: preferredPodTerms,
  requiredDuringSchedulingIgnoredDuringExecution: few(podTerms, 1),
});

const nodeTerms: fc.Arbitrary<core.NodeSelectorTerm> = fc.constantFrom<core.NodeSelectorTerm>(
  { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] },
  { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] },
  {
    matchExpressions: [
      { key: 'rack', operator: 'Exists' },
      { key: 'zone', operator: 'DoesNotExist' },
    ],
  },
  { matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['8'] }] },
  { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-a'] }] },
  {},
);

const nodeAffinities = some<core.NodeAffinity>({
  preferredDuringSchedulingIgnoredDuringExecution: few(
    all<core.PreferredSchedulingTerm>({ weight: weights, preference: nodeTerms }),
    3,
  ),
  // One that every node meets, mostly.
  requiredDuringSchedulingIgnoredDuringExecution: few(nodeTerms, 2).map((terms) => ({
    nodeSelectorTerms: [...terms, { matchExpressions: [{ key: 'none', operator: 'DoesNotExist' }] }].slice(
      0,
      2,
    ),
  })),
});

const constraints: fc.Arbitrary<core.TopologySpreadConstraint[]> = few(
  fc
    .tuple(
      keys,
      fc.constantFrom(1, 2, 5),
      fc.constantFrom('ScheduleAnyway', 'ScheduleAnyway', 'ScheduleAnyway', 'DoNotSchedule'),
      meaning,
      some<Pick<core.TopologySpreadConstraint, 'matchLabelKeys' | 'nodeAffinityPolicy' | 'nodeTaintsPolicy'>>(
        {
          matchLabelKeys: fc.constantFrom<string[][]>([], ['none'], ['hash', 'none']),
          nodeAffinityPolicy: fc.constantFrom('Honor', 'Ignore'),
          nodeTaintsPolicy: fc.constantFrom('Honor', 'Ignore'),
        },
      ),
    )
    .map(([topologyKey, maxSkew, whenUnsatisfiable, meant, rest]) => ({
      topologyKey,
      maxSkew,
      whenUnsatisfiable,
      ...meant,
      ...rest,
    })),
  2,
);

const tolerations: fc.Arbitrary<core.Toleration[]> = few(
  fc.constantFrom<core.Toleration>(
    { key: 'spot', operator: 'Exists' },
    { key: 'spot', value: 'x', effect: 'PreferNoSchedule' },
    { key: 'old', operator: 'Exists', effect: 'NoSchedule' },
    { operator: 'Exists', effect: 'PreferNoSchedule' },
  ),
  2,
);

const labelSets: fc.Arbitrary<Record<string, string>> = fc
  .tuple(
    fc.constantFrom<Record<string, string>[]>({}, WEB_LABELS, WEB_LABELS, WEB_LABELS, WEB_LABELS, {
      app: 'db',
    }),
    fc.constantFrom<Record<string, string>[]>({}, { hash: '1' }, { hash: '1' }, { hash: '2' }),
  )
  .map(([app, hash]) => ({ ...app, ...hash }));
const namespaces = fc.constantFrom('default', 'default', 'default', 'default', 'shop');

type PodWishes = Pick<
  core.PodSpec,
  'initContainers' | 'overhead' | 'tolerations' | 'nodeSelector' | 'affinity'
>;

/** A pod that has everything that scores look at. */
const waiting: fc.Arbitrary<SchedulingPodParts> = fc
  .tuple(
    namespaces,
    labelSets,
    containers('app', [undefined], 3),
    mostly(constraints.map((topologySpreadConstraints) => ({ topologySpreadConstraints }))),
    some<PodWishes>({
      initContainers: containers('init', [undefined, 'Always'], 2),
      overhead: fc.constantFrom<Record<string, string>[]>({ cpu: '250m' }, { memory: '120Mi' }),
      tolerations,
      nodeSelector: fc.constantFrom<Record<string, string>[]>({}, {}, {}, { zone: 'a' }, { disk: 'ssd' }),
      affinity: some<core.Affinity>({
        nodeAffinity: nodeAffinities,
        podAffinity: podAffinities,
        podAntiAffinity: podAffinities,
      }),
    }),
  )
  .map(([namespace, labels, apps, spread, rest]) => ({
    namespace,
    labels,
    spec: { containers: apps, ...spread, ...rest },
  }));

/** A pod that is there already, and takes up room, and has its own wishes. */
const running: fc.Arbitrary<SchedulingPodParts & { readonly at: number }> = fc
  .tuple(
    all<{ at: number; namespace: string; labels: Record<string, string>; deleted: boolean }>({
      at: fc.nat({ max: 11 }),
      namespace: namespaces,
      labels: labelSets,
      deleted: fc.constantFrom(false, false, false, false, true),
    }),
    requests,
    some<Omit<core.Affinity, 'nodeAffinity'>>({ podAffinity: podAffinities, podAntiAffinity: podAffinities }),
  )
  .map(([parts, asked, affinity]) => ({
    ...parts,
    requests: asked as Record<string, string>,
    spec: { affinity },
  }));

const resources: fc.Arbitrary<WeighedResource[]> = fc.constantFrom<WeighedResource[]>(
  [
    { name: 'cpu', weight: 1 },
    { name: 'memory', weight: 1 },
  ],
  [
    { name: 'cpu', weight: 3 },
    { name: GPU, weight: 2 },
    { name: 'memory', weight: 1 },
  ],
  [{ name: GPU, weight: 5 }],
);

/** Clusters of one to five nodes with up to eight pods, and a pod to find a place for. */
export const scenarios: fc.Arbitrary<ScoreScenario> = fc
  .tuple(nodes, many(running, 0, 8), waiting, waiting, resources)
  .chain(([made, pods, pod, other, looked]) => {
    const names = made.map(({ name }) => name);
    const complete = made.filter(({ labels }) => labels?.zone !== undefined && labels.rack !== undefined);
    return fc
      .oneof(
        { withCrossShrink: true },
        fc.constant(names),
        fc.subarray(names, { minLength: Math.ceil(names.length / 2) }),
        // Those that are in every place: what is on the others may count in some of them, or not.
        fc.constant(complete.length > 0 ? complete.map(({ name }) => name) : names),
      )
      .map((feasible) => ({
        nodes: made,
        there: pods.map(({ at, ...parts }, i) => ({
          ...parts,
          name: `there-${i}`,
          nodeName: names[at % names.length] ?? '',
        })),
        pod: { ...pod, name: 'pod' },
        other: { ...other, name: 'other' },
        feasible,
        resources: looked,
      }))
      .map((scenario) => described<ScoreScenario>(scenario, sayScenario));
  });

/** What fast-check prints of a counterexample: a line for each node and pod, and whatever is not as usual. */
function sayScenario({
  nodes: made,
  there,
  pod,
  other,
  feasible,
  resources: looked,
}: ScoreScenario): string[] {
  const world = {
    nodes: made.map(({ name, ...parts }) => aSchedulingNode(name, parts)),
    pods: there.map((parts) => aSchedulingPod(parts)),
    namespaces: {},
  };
  const weighed = looked.map(({ name, weight }) => `${name} × ${weight}`).join(', ');
  const cluster = String(new SchedulingCluster(world, aSchedulingPod(pod))).split('\n');
  return [
    // What is long is cut off at the end: the pod, which the cluster names last, is seldom what can be spared.
    ...cluster.slice(-1),
    ...(feasible.length < made.length ? [`nodes that are left: ${feasible.join(', ')}`] : []),
    ...(weighed === 'cpu × 1, memory × 1' ? [] : [`resources that are looked at: ${weighed}`]),
    ...cluster.slice(0, -1),
    `the other pod: ${sayPod(aSchedulingPod(other), true)}`,
  ];
}
