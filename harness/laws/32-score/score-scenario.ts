import fc from 'fast-check';
import type * as core from '#api/core/v1';
import { described } from '../../testing/telling.ts';
import { SchedulingCluster, sayPod } from '../scheduling/cluster.ts';
import {
  aSchedulingNode,
  aSchedulingPod,
  type SchedulingNodeParts,
  type SchedulingPodParts,
} from '../scheduling/objects.ts';
import { HOSTNAME } from '../scheduling/parts.ts';
import { type Kind, many, nodesOf, runningOf, WEB, WEB_LABELS, waitingOf } from './score-parts.ts';

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
}

/** Clusters of one to five nodes with up to eight pods, and a pod to find a place for. */
export const scenariosOf = (...kinds: readonly Kind[]): fc.Arbitrary<ScoreScenario> => {
  const anyhow = fc
    .tuple(nodesOf(kinds), many(runningOf(kinds), 0, 8), waitingOf(kinds), waitingOf(kinds))
    .chain(scenarioOf);
  const scenarios = kinds.includes('spread')
    ? fc.oneof({ weight: 2, arbitrary: anyhow }, { weight: 1, arbitrary: crowded })
    : anyhow;
  return scenarios.map((scenario) => described<ScoreScenario>(scenario, sayScenario));
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
      // Those that are in every place: what is on the others may count in some of them, or not.
      fc.constant(complete.length > 0 ? complete.map(({ name }) => name) : names),
    )
    .chain((feasible) =>
      // Often the other pod differs in one thing alone.
      fc
        .constantFrom(
          other,
          { ...pod, labels: other.labels ?? {} },
          { ...pod, namespace: other.namespace ?? 'default' },
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
      other: { ...another, name: 'other' },
      feasible,
    }));
}

/**
 * Three to five nodes in two zones, full of pods that are to be spread over two kinds of places. Some nodes lack a rack or say that they
 * are the same host, and some are not feasible.
 */
const crowded: fc.Arbitrary<ScoreScenario> = fc
  .tuple(
    many(
      fc.tuple(
        fc.constantFrom('a', 'b'),
        fc.constantFrom('1', '1', undefined),
        fc.constantFrom('', 'same', 'same'),
      ),
      3,
      5,
    ),
    many(fc.nat({ max: 11 }), 3, 8),
    fc.subarray(['zone', 'rack', HOSTNAME], { minLength: 1, maxLength: 2 }),
    fc.constantFrom<Partial<core.PodSpec>[]>({}, {}, { nodeSelector: { rack: '1' } }),
    fc.constantFrom('ScheduleAnyway', 'ScheduleAnyway', 'DoNotSchedule'),
  )
  .chain(([places, at, keys, wants, last]) => {
    const made = places.map(([zone, rack, host], i) => {
      const name = `node-${'abcde'[i]}`;
      return {
        name,
        labels: { zone, ...(rack === undefined ? {} : { rack }), [HOSTNAME]: host || name },
        allocatable: { cpu: '10', memory: '8Gi', pods: '110' },
      };
    });
    const topologySpreadConstraints = keys.map((topologyKey, i) => ({
      topologyKey,
      maxSkew: 1,
      // Of two constraints, the second may be one that the filter enforces.
      whenUnsatisfiable: i === 1 ? last : 'ScheduleAnyway',
      labelSelector: WEB,
    }));
    const web = { labels: WEB_LABELS };
    return scenarioOf([
      made,
      at.map((each) => ({ ...web, at: each })),
      { ...web, spec: { topologySpreadConstraints, ...wants } },
      web,
    ]);
  });

/** What fast-check prints of a counterexample: a line for each node and pod, and whatever is not as usual. */
function sayScenario({ nodes: made, there, pod, other, feasible }: ScoreScenario): string[] {
  const world = {
    nodes: made.map(({ name, ...parts }) => aSchedulingNode(name, parts)),
    pods: there.map((parts) => aSchedulingPod(parts)),
    namespaces: {},
  };
  const cluster = String(new SchedulingCluster(world, aSchedulingPod(pod))).split('\n');
  return [
    // What is long is cut off at the end: the pod, which the cluster names last, is seldom what can be spared.
    ...cluster.slice(-1),
    ...(feasible.length < made.length ? [`nodes that are left: ${feasible.join(', ')}`] : []),
    ...cluster.slice(0, -1),
    `the other pod: ${sayPod(aSchedulingPod(other), true)}`,
  ];
}
