import { expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Labels } from '../../../api/label-selector.ts';
import type { Pod } from '../../../api/objects.ts';
import type { ResourceList } from '../../../contracts/framework/index.ts';
import { vectors } from '../../../testing/vectors.ts';
import { aSchedulingNode, aSchedulingPod } from '../../scheduling/levels/objects.ts';
import { type ScoringRule, type WeighedResource, worthOf } from './index.ts';

/** A row of any of upstream's tables about scores. */
interface Row {
  readonly pod?: { readonly metadata?: { readonly labels: Labels }; readonly spec: Partial<Pod['spec']> };
  readonly podContainers?: readonly ResourceList[];
  readonly podContainersMilli?: readonly ResourceList[];
  readonly nodes: readonly {
    readonly name?: string;
    readonly allocatable?: ResourceList;
    readonly metadata?: { readonly name: string; readonly labels?: Labels };
    readonly spec?: { readonly taints: readonly core.Taint[] };
    readonly status?: { readonly images: readonly core.ContainerImage[] };
  }[];
  readonly existing?: readonly { readonly node: string; readonly requests: readonly ResourceList[] }[];
  readonly matchingPodsPerNode?: Readonly<Record<string, number>>;
  readonly candidates?: readonly string[];
  readonly comparisonOperatorsGate?: boolean;
  readonly resources?: readonly WeighedResource[];
}

interface Scores {
  readonly scores: Readonly<Record<string, number>>;
}

const tables: readonly [op: string, rule: ScoringRule, count: number][] = [
  ['leastAllocated', 'NodeResourcesFit', 8],
  ['balancedAllocation', 'NodeResourcesBalancedAllocation', 7],
  ['taintScore', 'TaintToleration', 3],
  ['nodeAffinityScore', 'NodeAffinity', 3],
  ['imageLocality', 'ImageLocality', 5],
  ['topologySpreadScore', 'PodTopologySpread', 5],
];

const rows = tables.flatMap(([op, rule, count]) =>
  vectors<Row, Scores>(
    'scheduler-score',
    op,
    count,
    // harness/conformance/not-applicable.json names the rows that need a gate which is off.
    ({ input }) => !input.comparisonOperatorsGate && !('addedPreferred' in input),
  ).map((row) => [rule, row.name, row] as const),
);

test.each(rows)('The oracle says of %s what upstream says: %s', (rule, _, { input, expect: wanted }) => {
  const { podContainersMilli, podContainers = podContainersMilli, resources, candidates } = input;
  const containers = (all: readonly ResourceList[]): core.Container[] =>
    all.map((requests, i) => ({
      name: `c${i}`,
      resources: {
        requests: Object.fromEntries(
          Object.entries(requests).map(([name, amount]) => [
            name,
            podContainersMilli && name === 'cpu' ? `${amount}m` : String(amount),
          ]),
        ),
      },
    }));
  const nodes = input.nodes.map(({ name, allocatable, metadata, spec, status }) =>
    aSchedulingNode(name ?? metadata?.name ?? '', {
      ...(allocatable && { allocatable }),
      ...(metadata?.labels && { labels: metadata.labels }),
      ...spec,
      ...status,
    }),
  );
  const labels = input.pod?.metadata?.labels ?? {};
  const alike = Object.entries(input.matchingPodsPerNode ?? {}).flatMap(([nodeName, count]) =>
    Array.from({ length: count }, (_each, i) =>
      aSchedulingPod({ name: `${nodeName}-${i}`, nodeName, labels }),
    ),
  );
  const there = (input.existing ?? []).map(({ node, requests }, i) =>
    aSchedulingPod({ name: `there-${i}`, nodeName: node, spec: { containers: containers(requests) } }),
  );
  const pod = aSchedulingPod({
    labels,
    spec: podContainers ? { containers: containers(podContainers) } : (input.pod?.spec ?? {}),
  });
  const said = worthOf(rule, {
    simulation: { nodes, pods: [...alike, ...there], namespaces: {} },
    pod,
    feasible: candidates ?? nodes.map(({ metadata }) => metadata.name),
    ...(resources && { fit: resources, balanced: resources }),
  });
  for (const { node, scores, why } of said) expect(scores, why().join('\n')).toContain(wanted.scores[node]);
  expect(said.map(({ node }) => node).toSorted()).toEqual(Object.keys(wanted.scores).toSorted());
});

test('A spread score names each node that adds no domain, and the pods that count on another node', () => {
  const nodes = ['a', 'b', 'c'].map((name) =>
    aSchedulingNode(name, { labels: { 'kubernetes.io/hostname': name === 'b' ? 'a' : name } }),
  );
  const pod = aSchedulingPod({
    labels: { app: 'web' },
    spec: {
      topologySpreadConstraints: [
        {
          topologyKey: 'kubernetes.io/hostname',
          maxSkew: 1,
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
    },
  });
  const there = aSchedulingPod({ name: 'there', nodeName: 'b', labels: { app: 'web' } });
  const [first] = worthOf('PodTopologySpread', {
    simulation: { nodes, pods: [there], namespaces: {} },
    pod,
    feasible: ['a', 'b'],
  });
  expect(first?.why()).toEqual([
    'kubernetes.io/hostname: 0 matching pods on a × ln(2 feasible nodes + 2) + maxSkew 1 - 1 = 0 × 1.39 + 0 = 0.00',
    'c adds no domain: it is not feasible',
    'the pods on b count only there: each node is a domain of its own, even if the label kubernetes.io/hostname is the same',
    'rounded to 0',
  ]);
});
