import fc from 'fast-check';
import type * as core from '#api/core/v1';
import type { Node } from '../../../api/objects.ts';
import { aSchedulingNode, aSchedulingPod } from '../levels/objects.ts';
import { SchedulingCluster } from '../simulation.ts';
import { type DemandKind, demanding, everyDemand, type MakePod, pods } from './demands.ts';
import {
  DISK,
  defined,
  GPU,
  HOSTNAME,
  listOf,
  NAMESPACES,
  nodeNamed,
  plain,
  rarely,
  type Theme,
  ZONE,
} from './parts.ts';
import { aboutMinDomains, acrossNamespaces, scarcelyLabelled } from './scarce-labels.ts';

const nodeLabels = fc
  .record({
    zone: fc.oneof(
      { weight: 7, arbitrary: fc.constantFrom('a', 'b', 'c') },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    host: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    disk: rarely(fc.constantFrom('ssd', 'hdd'), 1),
    cores: rarely(fc.constantFrom('4', '8', 'many'), 2),
  })
  .map(
    ({ zone, host, disk, cores }) =>
      (name: string) =>
        defined({ [ZONE]: zone, [HOSTNAME]: host ? name : undefined, [DISK]: disk, cores }),
  );

/** One taint of a node. */
export const taints: fc.Arbitrary<core.Taint> = fc
  .record(
    {
      key: fc.constantFrom('gpu', 'old', 'node.kubernetes.io/unschedulable'),
      value: fc.constantFrom(undefined, 'yes', 'no'),
      effect: fc.constantFrom('NoSchedule', 'NoExecute', 'PreferNoSchedule'),
    },
    plain,
  )
  .map(defined);

const allocatable = fc
  .record({
    cpu: fc.constantFrom('4', '4', '2', '1'),
    memory: fc.constantFrom('4Gi', '4Gi', '2Gi', '1Gi'),
    pods: fc.constantFrom(...Array<string>(9).fill('110'), '3', '2', '1', '0'),
    'ephemeral-storage': fc.constantFrom(undefined, '10Gi', '1Gi'),
    [GPU]: fc.constantFrom(undefined, '2', '1'),
  })
  .map(defined);

const images = fc
  .array(
    fc.record(
      {
        names: listOf(['nginx:1'], ['redis:7', 'docker.io/library/redis:7']),
        sizeBytes: fc.nat(2e9),
      },
      plain,
    ),
    { maxLength: 2 },
  )
  .map((all) => (all.length > 0 ? all : undefined));

/** A node, once it has a name. */
export const nodes: fc.Arbitrary<(name: string) => Node> = fc
  .record({
    labels: nodeLabels,
    taints: rarely(
      fc.uniqueArray(taints, {
        minLength: 1,
        maxLength: 2,
        selector: ({ key, effect }) => `${key}:${effect}`,
      }),
      5,
    ),
    unschedulable: rarely(fc.constant(true), 12),
    allocatable,
    images,
  })
  .map(
    ({ labels, ...parts }) =>
      (name) =>
        aSchedulingNode(name, { labels: labels(name), ...defined(parts) } as Parameters<
          typeof aSchedulingNode
        >[1]),
  );

/** The subject of a cluster: the certain demands of the new pod, and the demands of most running pods. */
interface Subject {
  readonly pod: readonly DemandKind[];
  readonly placed: readonly DemandKind[];
}

const themes: Readonly<
  Record<Theme, { readonly demands: readonly DemandKind[]; readonly subjects: readonly Subject[] }>
> = {
  spread: {
    demands: ['spread'],
    subjects: [
      { pod: ['spread'], placed: [] },
      { pod: ['spread'], placed: [] },
      { pod: ['spread', 'tolerations'], placed: [] },
      { pod: ['spread', 'nodeSelector'], placed: [] },
    ],
  },
  company: {
    demands: ['podAffinity', 'podAntiAffinity'],
    subjects: [
      { pod: ['podAffinity'], placed: [] },
      { pod: ['podAffinity'], placed: [] },
      { pod: ['podAntiAffinity'], placed: [] },
      { pod: [], placed: ['podAntiAffinity'] },
    ],
  },
};

const plainSubjects: readonly Subject[] = [
  { pod: [], placed: [] },
  { pod: ['tolerations'], placed: [] },
  { pod: ['nodeSelector'], placed: [] },
  { pod: ['nodeAffinity'], placed: [] },
  { pod: ['nodeSelector', 'nodeAffinity'], placed: [] },
  { pod: ['ports'], placed: ['ports'] },
  { pod: ['ports'], placed: ['ports'] },
  { pod: ['containers'], placed: ['containers'] },
  { pod: ['ports'], placed: ['containers'] },
  { pod: ['requests'], placed: ['requests'] },
  { pod: ['requests'], placed: ['containers'] },
];

/** Clusters in which every node has a taint with the same key, and the pod tolerates some taints. */
const tainted: fc.Arbitrary<SchedulingCluster> = fc
  .record({
    taints: fc.array(
      fc.record(
        {
          value: fc.constantFrom(undefined, 'yes', 'no'),
          effect: fc.constantFrom('NoSchedule', 'NoExecute'),
        },
        plain,
      ),
      { minLength: 1, maxLength: 3 },
    ),
    tolerations: fc.array(
      fc.record(
        {
          key: fc.constantFrom('gpu', 'gpu', 'old'),
          operator: fc.constantFrom(undefined, 'Equal', 'Exists'),
          value: fc.constantFrom(undefined, 'yes', 'no'),
          effect: fc.constantFrom(undefined, 'NoSchedule', 'NoExecute'),
        },
        plain,
      ),
      { minLength: 1, maxLength: 2 },
    ),
  })
  .map(({ taints: all, tolerations }) => {
    const pod = aSchedulingPod({
      spec: {
        tolerations: tolerations.map((each) =>
          defined({ ...each, value: each.operator === 'Exists' ? undefined : each.value }),
        ),
      },
    });
    const tainted = all.map((each, index) =>
      aSchedulingNode(nodeNamed(index), { taints: [defined({ key: 'gpu', ...each })] }),
    );
    return new SchedulingCluster({ nodes: tainted, pods: [], namespaces: NAMESPACES }, pod);
  });

const plainPlacedDemands: readonly DemandKind[] = ['ports', 'requests', 'containers', 'podWish'];

/** Clusters about themes: apart from room and ports, only the demands of the themes depend on other pods. */
export interface Clusters {
  /** The demands of the new pods in these clusters. */
  readonly demands: readonly DemandKind[];
  /**
   * Clusters of 1 to 6 nodes with up to 8 running pods, and one new pod with up to three kinds of demands. Some nodes
   * are overcommitted, as if they had been larger before.
   *
   * The objects are similar, so that pods get in each other's way, and valid, so that an apiserver accepts them. A cluster
   * shrinks to the simplest of its kind: first nodes and pods disappear, then their special fields.
   */
  readonly usual: fc.Arbitrary<SchedulingCluster>;
  /** Clusters in the size of the usual ones, whose new pod and most of whose running pods request resources. */
  readonly asking: fc.Arbitrary<SchedulingCluster>;
  /** Clusters about the subjects of the themes, with at most 3 running pods. */
  readonly sparse: fc.Arbitrary<SchedulingCluster>;
  /** Clusters that test a single rule, whose details decide. */
  readonly narrow: fc.Arbitrary<SchedulingCluster>;
}

/** @param of the themes; without a theme, running pods matter only for room and ports */
export function clustersOf(...of: readonly Theme[]): Clusters {
  const demands = everyDemand.filter(
    (kind) =>
      of.some((theme) => themes[theme].demands.includes(kind)) ||
      !Object.values(themes).some((theme) => theme.demands.includes(kind)),
  );
  const own = of.flatMap((theme) => themes[theme].subjects);
  const isCompany = of.includes('company');
  const placedDemands = isCompany ? [...plainPlacedDemands, ...themes.company.demands] : plainPlacedDemands;
  const about = (subject: Subject, placedMax: number) =>
    clustersAbout(subject, demands, placedDemands, placedMax);
  const oneOf = (subjects: readonly Subject[], placedMax: number) =>
    fc.oneof(
      { withCrossShrink: true },
      ...subjects.map((subject) => ({ weight: 1, arbitrary: about(subject, placedMax) })),
    );
  return {
    demands,
    usual: oneOf([...plainSubjects, ...own], 8),
    asking: about({ pod: ['requests'], placed: ['requests'] }, 8),
    sparse: oneOf(own.length > 0 ? own : plainSubjects, 3),
    narrow:
      of.length > 0
        ? fc.oneof(
            { weight: 2, arbitrary: scarcelyLabelled(...of) },
            ...(isCompany ? [{ weight: 1, arbitrary: acrossNamespaces }] : []),
            ...(of.includes('spread') ? [{ weight: 1, arbitrary: aboutMinDomains }] : []),
          )
        : fc.oneof(tainted, clustersAbout({ pod: ['containers'], placed: [] }, [], [], 0)),
  };
}

function clustersAbout(
  { pod, placed }: Subject,
  demands: readonly DemandKind[],
  placedDemands: readonly DemandKind[],
  placedMax: number,
): fc.Arbitrary<SchedulingCluster> {
  const there = fc.record({
    on: fc.nat({ max: 5 }),
    dying: rarely(fc.constant(true), 8),
    pod: fc.oneof(
      { weight: 3, arbitrary: pods(demanding(placed, [], 0)) },
      { weight: 1, arbitrary: pods(demanding([], placedDemands, 2)) },
    ),
  });
  return fc
    .record({
      nodes: fc.array(nodes, { minLength: 1, maxLength: 6, size: 'max' }),
      placed: fc.array(there, { maxLength: placedMax, size: 'max' }),
      pod: pods(demanding(pod, demands, 1)),
    })
    .map(cluster);
}

interface Parts {
  readonly nodes: readonly ((name: string) => Node)[];
  readonly placed: readonly {
    readonly on: number;
    readonly dying: true | undefined;
    readonly pod: MakePod;
  }[];
  readonly pod: MakePod;
}

function cluster({ nodes: makeNodes, placed, pod }: Parts): SchedulingCluster {
  const all = makeNodes.map((node, index) => node(nodeNamed(index)));
  const there = placed.map(({ on, dying, pod: each }, count) =>
    each({ name: `pod-${count}`, nodeName: nodeNamed(on % all.length), ...defined({ deleted: dying }) }),
  );
  return new SchedulingCluster({ nodes: all, pods: there, namespaces: NAMESPACES }, pod({ name: 'pod' }));
}

/** Clusters of every kind. */
export const clusters: fc.Arbitrary<SchedulingCluster> = clustersOf('spread', 'company').usual;
