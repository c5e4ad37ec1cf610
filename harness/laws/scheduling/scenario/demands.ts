import fc from 'fast-check';
import type * as core from '#api/core/v1';
import type { LabelSelector } from '#api/meta/v1';
import type { Pod } from '../../../api/objects.ts';
import { parseQuantity } from '../../../api/quantity.ts';
import { aSchedulingPod, type SchedulingPodParts } from '../levels/objects.ts';
import {
  DISK,
  defined,
  GPU,
  HOSTNAME,
  listOf,
  nodeNamed,
  plain,
  rarely,
  termNamespaces,
  ZONE,
} from './parts.ts';

const podLabels = fc
  .record({
    app: fc.constantFrom('web', 'web', 'web', 'db', undefined),
    hash: rarely(fc.constantFrom('1', '2'), 1),
  })
  .map(defined);

/** Selectors of pods; most have a plain label, and few are empty or missing. */
const selectors: fc.Arbitrary<LabelSelector | undefined> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('web', 'web', 'db').map((app) => ({ matchLabels: { app } })) },
  {
    weight: 2,
    arbitrary: fc
      .record(
        {
          key: fc.constantFrom('app', 'hash'),
          operator: fc.constantFrom('In', 'NotIn'),
          values: listOf(['web'], ['web', 'db'], ['1']),
        },
        plain,
      )
      .map((one) => ({ matchExpressions: [one] })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ key: fc.constant('app'), operator: fc.constantFrom('Exists', 'DoesNotExist') }, plain)
      .map((one) => ({ matchExpressions: [one] })),
  },
  { weight: 1, arbitrary: fc.constantFrom({}, undefined) },
);

const topologyKeys = fc.constantFrom(ZONE, ZONE, ZONE, HOSTNAME, HOSTNAME, HOSTNAME, DISK);

/** Terms of an affinity or anti-affinity to pods. */
const terms: fc.Arbitrary<core.PodAffinityTerm> = fc
  .record(
    {
      labelSelector: selectors,
      topologyKey: topologyKeys,
      where: termNamespaces,
    },
    plain,
  )
  .map(({ where, ...term }) => defined({ ...term, ...where }));

const someTerms = fc.array(terms, { minLength: 1, maxLength: 2 });

const spreads: fc.Arbitrary<core.TopologySpreadConstraint[]> = fc.uniqueArray(
  fc
    .record(
      {
        maxSkew: fc.constantFrom(1, 1, 1, 2),
        topologyKey: topologyKeys,
        whenUnsatisfiable: fc.constantFrom(
          'DoNotSchedule',
          'DoNotSchedule',
          'DoNotSchedule',
          'ScheduleAnyway',
        ),
        labelSelector: selectors,
        minDomains: rarely(fc.constantFrom(1, 2, 3), 3),
        nodeAffinityPolicy: rarely(fc.constantFrom('Honor', 'Ignore'), 2),
        nodeTaintsPolicy: rarely(fc.constantFrom('Honor', 'Ignore'), 2),
        matchLabelKeys: rarely(listOf(['hash']), 4),
      },
      plain,
    )
    .map(({ minDomains, matchLabelKeys, ...rest }) =>
      defined({
        ...rest,
        // The apiserver rejects fields that would have no effect.
        minDomains: rest.whenUnsatisfiable === 'DoNotSchedule' ? minDomains : undefined,
        matchLabelKeys: rest.labelSelector && !speaksOfHash(rest.labelSelector) ? matchLabelKeys : undefined,
      }),
    ),
  { minLength: 1, maxLength: 2, selector: ({ topologyKey }) => topologyKey },
);

function speaksOfHash({ matchExpressions = [] }: LabelSelector): boolean {
  return matchExpressions.some(({ key }) => key === 'hash');
}

const nodeRequirements: fc.Arbitrary<core.NodeSelectorRequirement> = fc.oneof(
  fc.record(
    {
      key: fc.constantFrom(ZONE, DISK),
      operator: fc.constantFrom('In', 'NotIn'),
      values: listOf(['a'], ['a', 'b'], ['ssd'], ['hdd', 'c']),
    },
    plain,
  ),
  fc.record(
    { key: fc.constantFrom(ZONE, DISK, 'cores'), operator: fc.constantFrom('Exists', 'DoesNotExist') },
    plain,
  ),
  fc.record(
    {
      key: fc.constant('cores'),
      operator: fc.constantFrom('Gt', 'Lt'),
      values: listOf(['4'], ['6']),
    },
    plain,
  ),
  // The bound is not a number. The apiserver accepts the term, but the term is invalid and matches no node.
  fc.record({ key: fc.constant(DISK), operator: fc.constant('Gt'), values: listOf(['many']) }, plain),
);

const nodeTerms: fc.Arbitrary<core.NodeSelectorTerm> = fc
  .record({
    matchExpressions: fc.array(nodeRequirements, { maxLength: 2 }),
    matchFields: rarely(
      fc.array(
        fc
          .record({ operator: fc.constantFrom('In', 'In', 'NotIn'), name: fc.nat({ max: 5 }) }, plain)
          .map(({ operator, name }) => ({ key: 'metadata.name', operator, values: [nodeNamed(name)] })),
        { minLength: 1, maxLength: 2 },
      ),
      3,
    ),
  })
  .map(({ matchExpressions, matchFields }) =>
    defined({ matchExpressions: matchExpressions.length > 0 ? matchExpressions : undefined, matchFields }),
  );

const tolerations: fc.Arbitrary<core.Toleration[]> = fc.array(
  fc.oneof(
    fc
      .record(
        {
          key: fc.constantFrom('gpu', 'old', 'node.kubernetes.io/unschedulable'),
          operator: fc.constantFrom(undefined, 'Equal', 'Exists'),
          value: fc.constantFrom(undefined, 'yes', 'no'),
          effect: fc.constantFrom(undefined, 'NoSchedule', 'NoExecute', 'PreferNoSchedule'),
        },
        plain,
      )
      .map((each) => defined({ ...each, value: each.operator === 'Exists' ? undefined : each.value })),
    fc.constant({ operator: 'Exists' }),
  ),
  { minLength: 1, maxLength: 2 },
);

const hostPorts: fc.Arbitrary<core.ContainerPort[]> = fc.uniqueArray(
  fc
    .record(
      {
        hostPort: fc.constantFrom(8080, 8080, 8080, 9090, undefined),
        // Only 0.0.0.0 is every address: `::` conflicts with itself alone.
        hostIP: fc.constantFrom(undefined, undefined, '0.0.0.0', '10.0.0.1', '10.0.0.1', '10.0.0.2', '::'),
        protocol: fc.constantFrom(undefined, undefined, undefined, 'TCP', 'UDP'),
      },
      plain,
    )
    .map(({ hostPort, hostIP, protocol }) =>
      defined({ containerPort: 80, hostPort, hostIP: hostPort ? hostIP : undefined, protocol }),
    ),
  {
    minLength: 1,
    maxLength: 2,
    selector: ({ hostIP, protocol = 'TCP', hostPort }) => `${protocol} ${hostIP} ${hostPort}`,
  },
);

const requests = fc
  .record({
    cpu: fc.constantFrom('500m', '1', '100m', undefined, '0', '2', '3'),
    memory: fc.constantFrom('512Mi', undefined, '1Gi', '3Gi'),
    'ephemeral-storage': rarely(fc.constantFrom('1Gi', '5Gi'), 5),
    [GPU]: rarely(fc.constantFrom('1', '2', '0'), 2),
  })
  .map((amounts) => defined(amounts) as Record<string, string>);

/** Restart policies of init containers; only `Always` makes a sidecar. */
const restartPolicies = fc.constantFrom('Always', 'Always', 'Always', undefined, undefined, 'Never');

/** One or two containers, with init containers and sidecars; some pods have requests at pod level. */
const containers: fc.Arbitrary<
  Pick<core.PodSpec, 'containers' | 'initContainers' | 'overhead' | 'resources'>
> = fc
  .record({
    main: fc.array(requests, { minLength: 1, maxLength: 2 }),
    init: fc.array(fc.record({ requests, restartPolicy: restartPolicies, ports: rarely(hostPorts, 1) }), {
      maxLength: 2,
    }),
    overhead: rarely(fc.constant({ cpu: '250m' }), 5),
    spareMilliCPU: rarely(fc.constantFrom(0, 500), 4),
  })
  .map(({ main, init, overhead, spareMilliCPU }) =>
    defined({
      containers: main.map((each, index) => ({
        name: `main-${index}`,
        image: 'nginx:1',
        resources: { requests: each },
      })),
      initContainers:
        init.length === 0
          ? undefined
          : init.map(({ requests: asked, restartPolicy, ports }, index) =>
              defined({
                name: `init-${index}`,
                image: 'nginx:1',
                resources: { requests: asked },
                restartPolicy,
                ports,
              }),
            ),
      overhead,
      // The apiserver rejects requests of a pod that are less than the sum of its containers.
      resources:
        spareMilliCPU === undefined
          ? undefined
          : {
              requests: {
                cpu: `${spareMilliCPU + milliCPUOf([...main, ...init.map((one) => one.requests)])}m`,
              },
            },
    }),
  );

/** Returns the sum of the cpu requests, in thousandths of a core. */
function milliCPUOf(lists: readonly Readonly<Record<string, string>>[]): number {
  return lists.reduce((sum, { cpu = '0' }) => sum + parseQuantity(cpu).milliValue(), 0);
}

/** The demands of pods, by kind, as arbitraries of the fields that express them. */
const demands = {
  nodeName: fc.nat({ max: 5 }).map((index): Demand => ({ nodeName: nodeNamed(index) })),
  tolerations: tolerations.map((all): Demand => ({ spec: { tolerations: all } })),
  nodeSelector: fc
    .constantFrom<Record<string, string>>({ [DISK]: 'ssd' }, { [ZONE]: 'a' }, { [ZONE]: 'b', [DISK]: 'hdd' })
    .map((nodeSelector): Demand => ({ spec: { nodeSelector } })),
  nodeAffinity: fc.array(nodeTerms, { minLength: 1, maxLength: 2 }).map(
    (nodeSelectorTerms): Demand => ({
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
    }),
  ),
  nodeWish: fc.record({ weight: fc.integer({ min: 1, max: 100 }), preference: nodeTerms }, plain).map(
    (wish): Demand => ({
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [wish] } },
    }),
  ),
  ports: hostPorts.map((ports): Demand => ({ ports })),
  requests: requests.map((asked): Demand => ({ requests: asked })),
  containers: containers.map((spec): Demand => ({ spec })),
  spread: spreads.map((topologySpreadConstraints): Demand => ({ spec: { topologySpreadConstraints } })),
  podAffinity: someTerms.map(
    (all): Demand => ({
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: all } },
    }),
  ),
  podAntiAffinity: someTerms.map(
    (all): Demand => ({
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: all } },
    }),
  ),
  podWish: fc
    .record({ weight: fc.integer({ min: 1, max: 100 }), podAffinityTerm: terms, against: fc.boolean() })
    .map(
      ({ against, ...wish }): Demand => ({
        affinity: {
          [against ? 'podAntiAffinity' : 'podAffinity']: {
            preferredDuringSchedulingIgnoredDuringExecution: [wish],
          },
        },
      }),
    ),
} as const;

/** The fields that express the demands of a pod. */
type Demand = Pick<SchedulingPodParts, 'nodeName' | 'ports' | 'requests' | 'spec'> & {
  affinity?: core.Affinity;
};

/** A kind of demand. */
export type DemandKind = keyof typeof demands;

/** All kinds of demands: everything in a pod that a filter reads. */
export const everyDemand = Object.keys(demands) as DemandKind[];

/** Returns demands of one pod: all `certain` kinds, and up to `most` of the `others`. */
export function demanding(
  certain: readonly DemandKind[],
  others: readonly DemandKind[],
  most: number,
): fc.Arbitrary<Demand> {
  const more = others.filter((kind) => !certain.includes(kind));
  return fc
    .subarray(more, { maxLength: Math.min(most, more.length) })
    .chain((chosen) =>
      fc.tuple(...[...certain, ...chosen].map((kind) => demands[kind] as fc.Arbitrary<Demand>)),
    )
    .map((all) => all.reduce(both, {}));
}

function both(a: Demand, b: Demand): Demand {
  const affinity = { ...a.affinity } as Record<string, object>;
  for (const [kind, rules] of Object.entries(b.affinity ?? {}))
    affinity[kind] = { ...affinity[kind], ...rules };
  const spec = { ...a.spec, ...b.spec };
  return {
    ...a,
    ...b,
    ...(Object.keys(spec).length > 0 ? { spec } : {}),
    ...(Object.keys(affinity).length > 0 ? { affinity: affinity as core.Affinity } : {}),
  };
}

const homes = fc.constantFrom('default', 'default', 'default', 'shop');

/** Makes a pod from its name and its node. */
export type MakePod = (where: Pick<SchedulingPodParts, 'name' | 'nodeName' | 'deleted'>) => Pod;

/** Returns pods with a demand. */
export function pods(demand: fc.Arbitrary<Demand>): fc.Arbitrary<MakePod> {
  return fc
    .record({ labels: podLabels, namespace: homes, demand })
    .map(({ labels, namespace, demand: { affinity, ...rest } }) => (where) => {
      const spec = { ...rest.spec, ...(affinity ? { affinity } : {}) };
      return aSchedulingPod({ labels, namespace, ...rest, spec, ...where });
    });
}
