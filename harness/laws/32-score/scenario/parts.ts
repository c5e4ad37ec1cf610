import fc from 'fast-check';
import type * as core from '#api/core/v1';
import type { LabelSelector } from '#api/meta/v1';
import type { SchedulingNodeParts, SchedulingPodParts } from '../../scheduling/levels/objects.ts';
import { HOSTNAME, plain } from '../../scheduling/scenario/parts.ts';

/** The parts of pods and nodes for the ★ levels: images, spread constraints, affinity to pods. */
export type Kind = 'images' | 'spread' | 'company';

/** Generates an object with some of these parts. */
const some = <T extends object>(
  parts: {
    [K in keyof T]-?: fc.Arbitrary<NonNullable<T[K]>>;
  },
): fc.Arbitrary<Partial<T>> => fc.record(parts, { requiredKeys: [], ...plain }) as fc.Arbitrary<Partial<T>>;

const all = <T extends object>(parts: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(parts, plain) as fc.Arbitrary<T>;

/** Generates a value in two of three cases. */
const mostly = <T extends object>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | Record<string, never>> =>
  fc.oneof({ withCrossShrink: true }, { weight: 1, arbitrary: fc.constant({}) }, { weight: 2, arbitrary });

const few = <T>(one: fc.Arbitrary<T>, maxLength: number, minLength = 1): fc.Arbitrary<T[]> =>
  fc.array(one, { minLength, maxLength });

/** Generates arrays of all sizes equally often, where fast-check would prefer small ones. */
export const many = <T>(one: fc.Arbitrary<T>, minLength: number, maxLength: number): fc.Arbitrary<T[]> =>
  fc.noBias(few(one, maxLength, minLength));

const MIB = 1024 * 1024;
export const WEB_LABELS = { app: 'web' };
export const WEB: LabelSelector = { matchLabels: WEB_LABELS };

/** The topology keys. Most nodes have all three. */
const keys = fc.constantFrom('zone', 'zone', HOSTNAME, HOSTNAME, 'rack', 'rack');
const weights = fc.constantFrom(1, 2, 7, 29, 100);

/** The images of nodes: with a tag, and some of them with two names. */
const images: fc.Arbitrary<core.ContainerImage[]> = fc.subarray(
  [
    { names: ['nginx:latest', 'nginx:1'], sizeBytes: 190 * MIB },
    { names: ['registry:5000/shop:latest'], sizeBytes: 700 * MIB },
    { names: ['model:v1'], sizeBytes: 5_000 * MIB },
    { names: ['tiny:latest'], sizeBytes: 2 * MIB },
    { names: ['redis@sha256:0a1b'], sizeBytes: 400 * MIB },
  ],
  { minLength: 1 },
);

const taints: fc.Arbitrary<core.Taint[]> = few(
  all<core.Taint>({
    key: fc.constantFrom('spot', 'old'),
    value: fc.constantFrom('x', 'y'),
    effect: fc.constantFrom('PreferNoSchedule', 'PreferNoSchedule', 'NoSchedule', 'NoExecute'),
  }),
  3,
);

/** Generates nodes with a name, labels and resources, some with taints, and with images if the kinds include them. */
export const nodesOf = (
  kinds: readonly Kind[],
): fc.Arbitrary<readonly (SchedulingNodeParts & { readonly name: string })[]> =>
  many(
    fc.tuple(
      fc.constantFrom(undefined, '', 'a', 'a', 'b', 'b'),
      fc.constantFrom(undefined, '', '1', '2', '3', '3'),
      some<{ disk: string; cores: string }>({
        disk: fc.constantFrom('ssd', 'hdd'),
        cores: fc.constantFrom('4', '16'),
      }),
      // In most cases its own name.
      fc.constantFrom('', '', '', '', '', '', 'same', undefined),
      some<{ cpu: string; memory: string }>({
        cpu: fc.constantFrom('4', '7', '10', '1500m', '0'),
        memory: fc.constantFrom('8Gi', '3Gi', '900Mi', '0'),
      }),
      kinds.includes('images')
        ? some<Pick<SchedulingNodeParts, 'taints' | 'images'>>({ taints, images })
        : some<Pick<SchedulingNodeParts, 'taints'>>({ taints }),
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

const requests = some<{ cpu: string; memory: string }>({
  cpu: fc.constantFrom('500m', '1', '333m', '8', '0'),
  memory: fc.constantFrom('1Gi', '300Mi', '0'),
});

const containers = (
  kinds: readonly Kind[],
  prefix: string,
  restartPolicies: readonly (string | undefined)[],
  maxLength: number,
) =>
  few(
    fc.tuple(
      kinds.includes('images')
        ? fc.constantFrom(
            'nginx',
            'nginx:1',
            'registry:5000/shop',
            'model:v1',
            'tiny',
            'redis@sha256:0a1b',
            'unknown',
          )
        : fc.constant('nginx:1'),
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

/** Generates the selector of a term or a constraint, which selects some pods in most cases. */
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

/** Generates preferred terms, and perhaps a required term, which counts only on a running pod. */
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

const oneDiskRather = (weight: number): core.PreferredSchedulingTerm[] =>
  [
    { disk: 'ssd', weight: 100 },
    { disk: 'hdd', weight },
  ].map(({ disk, ...rest }) => ({
    ...rest,
    preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: [disk] }] },
  }));

const nodeAffinities = some<core.NodeAffinity>({
  preferredDuringSchedulingIgnoredDuringExecution: fc.oneof(
    {
      weight: 3,
      arbitrary: few(all<core.PreferredSchedulingTerm>({ weight: weights, preference: nodeTerms }), 3),
    },
    // Shares of 100 that are slightly below a whole number if the division comes first.
    { weight: 2, arbitrary: fc.constantFrom(29, 57, 58).map(oneDiskRather) },
  ),
  // A term that almost every node matches.
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

/** Generates a pod with all parts that scores depend on. */
export const waitingOf = (kinds: readonly Kind[]): fc.Arbitrary<SchedulingPodParts> =>
  fc
    .tuple(
      namespaces,
      labelSets,
      containers(kinds, 'app', [undefined], 3),
      kinds.includes('spread')
        ? mostly(constraints.map((topologySpreadConstraints) => ({ topologySpreadConstraints })))
        : fc.constant({}),
      some<PodWishes>({
        initContainers: containers(kinds, 'init', [undefined, 'Always'], 2),
        overhead: fc.constantFrom<Record<string, string>[]>({ cpu: '250m' }, { memory: '120Mi' }),
        tolerations,
        nodeSelector: fc.constantFrom<Record<string, string>[]>({}, {}, {}, { zone: 'a' }, { disk: 'ssd' }),
        affinity: kinds.includes('company')
          ? some<core.Affinity>({
              nodeAffinity: nodeAffinities,
              podAffinity: podAffinities,
              podAntiAffinity: podAffinities,
            })
          : some<Pick<core.Affinity, 'nodeAffinity'>>({ nodeAffinity: nodeAffinities }),
      }),
      fc.constantFrom(false, false, false, true),
    )
    .map(([namespace, labels, apps, spread, { initContainers = [], overhead, ...rest }, isBestEffort]) => ({
      namespace,
      labels,
      spec: isBestEffort
        ? { containers: [{ name: 'app-0', image: 'nginx:1' }], ...spread, ...rest }
        : { containers: apps, initContainers, ...(overhead && { overhead }), ...spread, ...rest },
    }));

/** Generates a running pod with requests and preferences. */
export const runningOf = (
  kinds: readonly Kind[],
): fc.Arbitrary<SchedulingPodParts & { readonly at: number }> =>
  fc
    .tuple(
      all<{ at: number; namespace: string; labels: Record<string, string>; deleted: boolean }>({
        at: fc.nat({ max: 11 }),
        namespace: namespaces,
        labels: labelSets,
        deleted: fc.constantFrom(false, false, false, false, true),
      }),
      requests,
      kinds.includes('company')
        ? some<Omit<core.Affinity, 'nodeAffinity'>>({
            podAffinity: podAffinities,
            podAntiAffinity: podAffinities,
          })
        : fc.constant({}),
    )
    .map(([parts, asked, affinity]) => ({
      ...parts,
      requests: asked as Record<string, string>,
      spec: { affinity },
    }));
