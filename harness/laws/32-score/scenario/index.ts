import fc from 'fast-check';
import type * as core from '#api/core/v1';
import { described } from '../../../testing/telling.ts';
import {
  aSchedulingNode,
  aSchedulingPod,
  type SchedulingNodeParts,
  type SchedulingPodParts,
} from '../../scheduling/levels/objects.ts';
import { HOSTNAME } from '../../scheduling/scenario/parts.ts';
import { SchedulingCluster, sayPod } from '../../scheduling/simulation.ts';
import { type Kind, many, nodesOf, runningOf, WEB, WEB_LABELS, waitingOf } from './parts.ts';

/**
 * A small cluster and a pod to place, as plain data: a few nodes, some pods on them, and every kind of preference. The parts come from
 * small sets, so that many match and many scores are equal.
 */
export interface ScoreScenario {
  readonly nodes: readonly (SchedulingNodeParts & { readonly name: string })[];
  /** Pods on the node that they name. */
  readonly there: readonly SchedulingPodParts[];
  /** The pod to schedule. */
  readonly pod: SchedulingPodParts;
  /** Another pod that is scheduled at the same time. */
  readonly other: SchedulingPodParts;
  /** The names of the feasible nodes. */
  readonly feasible: readonly string[];
}

/** Generates clusters of one to five nodes with up to eight pods, and a pod to place. */
export const scenariosOf = (...kinds: readonly Kind[]): fc.Arbitrary<ScoreScenario> => {
  const anyhow = fc
    .tuple(nodesOf(kinds), many(runningOf(kinds), 0, 8), waitingOf(kinds), waitingOf(kinds))
    .chain(scenarioOf);
  const narrow = [
    ...(kinds.includes('spread') ? [crowded] : []),
    ...(kinds.includes('company') ? [oneSided] : []),
  ];
  const scenarios = fc.oneof(
    { weight: 2, arbitrary: anyhow },
    ...narrow.map((arbitrary) => ({ weight: 2, arbitrary })),
  );
  return scenarios.map((scenario) => described<ScoreScenario>(scenario, describeScenario));
};

type Parts = readonly [
  nodes: ScoreScenario['nodes'],
  there: readonly (SchedulingPodParts & { readonly at: number })[],
  pod: SchedulingPodParts,
  other: SchedulingPodParts,
];

function scenarioOf([made, pods, pod, other]: Parts): fc.Arbitrary<ScoreScenario> {
  const names = made.map(({ name }) => name);
  const complete = made.filter(({ labels }) => labels?.zone !== undefined && labels.rack !== undefined);
  return fc
    .oneof(
      { withCrossShrink: true },
      fc.constant(names),
      fc.subarray(names, { minLength: Math.ceil(names.length / 2) }),
      // The nodes that have all topology keys: pods on the others may count for some constraints only.
      fc.constant(complete.length > 0 ? complete.map(({ name }) => name) : names),
    )
    .chain((feasible) =>
      // Often the other pod differs in one part only, or is an older version of the same pod.
      fc
        .constantFrom<SchedulingPodParts[]>(
          other,
          { ...pod, labels: other.labels ?? {} },
          { ...pod, namespace: other.namespace ?? 'default' },
          { ...pod, labels: other.labels ?? {}, name: 'pod' },
        )
        .map((another) => ({ feasible, another })),
    )
    .map(({ feasible, another }) => ({
      nodes: made,
      there: pods.map(({ at, ...parts }, i) => ({
        ...parts,
        name: `there-${i}`,
        nodeName: names[at % names.length] ?? '',
      })),
      pod: { ...pod, name: 'pod' },
      other: { name: 'other', ...another },
      feasible,
    }));
}

/** Three to five nodes in two zones. Some lack a rack, share a hostname label, or have taints. */
const inZones: fc.Arbitrary<ScoreScenario['nodes']> = many(
  fc.tuple(
    fc.constantFrom('a', 'b'),
    fc.constantFrom('1', '1', undefined),
    fc.constantFrom('', 'same', 'same'),
    fc.constantFrom(undefined, undefined, undefined, 'NoSchedule', 'NoExecute', 'PreferNoSchedule'),
  ),
  3,
  5,
).map((places) =>
  places.map(([zone, rack, host, effect], i) => {
    const name = `node-${'abcde'[i]}`;
    return {
      name,
      labels: { zone, ...(rack === undefined ? {} : { rack }), [HOSTNAME]: host || name },
      allocatable: { cpu: '10', memory: '8Gi', pods: '110' },
      ...(effect === undefined ? {} : { taints: [{ key: 'old', effect }] }),
    };
  }),
);

const web = { labels: WEB_LABELS };

/** Generates pods on some nodes that constraints and terms select. */
const manyWeb = many(fc.nat({ max: 11 }), 3, 8).map((at) => at.map((each) => ({ ...web, at: each })));

/** Generates clusters with many pods and constraints over one or two topology keys. */
const crowded: fc.Arbitrary<ScoreScenario> = fc
  .tuple(
    inZones,
    manyWeb,
    fc.subarray(['zone', 'rack', HOSTNAME], { minLength: 1, maxLength: 2 }),
    fc.constantFrom<Partial<core.PodSpec>[]>({}, {}, { nodeSelector: { rack: '1' } }),
    fc.constantFrom('ScheduleAnyway', 'ScheduleAnyway', 'DoNotSchedule'),
    fc.constantFrom<Partial<core.TopologySpreadConstraint>[]>(
      {},
      { nodeTaintsPolicy: 'Honor' },
      { nodeAffinityPolicy: 'Ignore' },
    ),
  )
  .chain(([nodes, there, keys, wants, last, policy]) => {
    const topologySpreadConstraints = keys.map((topologyKey, i) => ({
      topologyKey,
      maxSkew: 1,
      // The second constraint may be one that the filter enforces.
      whenUnsatisfiable: i === 1 ? last : 'ScheduleAnyway',
      labelSelector: WEB,
      ...policy,
    }));
    return scenarioOf([nodes, there, { ...web, spec: { topologySpreadConstraints, ...wants } }, web]);
  });

/** Generates one preferred affinity or anti-affinity term about a common kind of pods. */
const oneWish: fc.Arbitrary<Pick<SchedulingPodParts, 'spec'>> = fc
  .tuple(fc.constantFrom('zone', 'rack', HOSTNAME), fc.constantFrom('podAffinity', 'podAntiAffinity'))
  .map(([topologyKey, which]) => {
    const podAffinityTerm = { topologyKey, labelSelector: WEB };
    const affinity = {
      [which]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm }] },
    };
    return { spec: { affinity } };
  });

/** Generates a pod with one preference, among pods with none or with the same one. No preference concerns the other pod. */
const oneSided: fc.Arbitrary<ScoreScenario> = fc
  .tuple(
    inZones,
    manyWeb,
    oneWish,
    fc.oneof(fc.constant({}), oneWish),
    fc.constantFrom<SchedulingPodParts[]>({ labels: { app: 'db' } }, { ...web, namespace: 'shop' }),
  )
  .chain(([nodes, there, wish, theirs, other]) =>
    scenarioOf([nodes, there.map((each) => ({ ...each, ...theirs })), { ...web, ...wish }, other]),
  );

/** Describes a scenario for a failure: a line for each node and pod, with all parts that are not the default. */
function describeScenario({ nodes: made, there, pod, other, feasible }: ScoreScenario): string[] {
  const simulation = {
    nodes: made.map(({ name, ...parts }) => aSchedulingNode(name, parts)),
    pods: there.map((parts) => aSchedulingPod(parts)),
    namespaces: {},
  };
  const cluster = String(new SchedulingCluster(simulation, aSchedulingPod(pod))).split('\n');
  return [
    // Long text is cut off at the end, so the pod comes first.
    ...cluster.slice(-1),
    ...(feasible.length < made.length ? [`nodes that are left: ${feasible.join(', ')}`] : []),
    ...cluster.slice(0, -1),
    `the other pod: ${sayPod(aSchedulingPod(other), true)}`,
  ];
}
