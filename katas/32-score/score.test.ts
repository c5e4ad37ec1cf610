import { describe, expect, test } from 'vitest';
import { framework, labels, type Node, NotImplemented, type Pod } from '#harness';
import { seededRandom, type VectorCase, vectors } from '#harness/testing';
import {
  amountOf,
  balancedAllocationScore,
  calculatePriority,
  countIntolerableTaintsPreferNoSchedule,
  countPodsMatchSelector,
  defaultNormalizeScore,
  HARD_POD_AFFINITY_WEIGHT,
  imageLocality,
  interPodAffinity,
  LABEL_HOSTNAME,
  leastAllocatedScore,
  MAX_CONTAINER_THRESHOLD_BYTES,
  MIN_THRESHOLD_BYTES,
  mostAllocatedScore,
  nodeAffinity,
  nodeResourcesBalancedAllocation,
  nodeResourcesFit,
  normalizedImageName,
  podTopologySpread,
  prioritizeNodes,
  type ResourceSpec,
  scaledImageScore,
  scoreForCount,
  scorePlugins,
  scoring,
  selectHost,
  softConstraints,
  taintToleration,
  topologyNormalizingWeight,
} from '#kata/32-score/score';
import { askScorePlugin, beforeNormalising } from '#laws/32-score';
import {
  aSchedulingNode,
  aSchedulingPod,
  aSnapshot,
  type SchedulingNodeParts,
  type SchedulingPodParts,
} from '#laws/scheduling';

/** So that each row of a table is a test with the row's name. */
const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);

/** The rows of upstream's tables of one kind. */
const table = <I, E>(op: string, count: number, where?: (row: VectorCase<I, E>) => boolean) =>
  named(vectors<I, E>('scheduler-score', op, count, where));

/** Expects something of scores; a failure says also what they were made of. */
const expectScores = (scores: ReturnType<typeof askScorePlugin>) => expect(scores, beforeNormalising(scores));

interface Scores {
  readonly scores: Readonly<Record<string, number>>;
}

type Spec = Pod['spec'];
type Container = Spec['containers'][number];

const MIB = 1024 * 1024;
const GPU = 'example.com/gpu';

/** A pod whose containers ask for these. */
function podAsking(...requests: readonly framework.ResourceList[]): Pod {
  return aSchedulingPod({ spec: { containers: containersAsking(requests) } });
}

function containersAsking(all: readonly framework.ResourceList[]): Container[] {
  return all.map((requests, i) => ({
    name: `c${i}`,
    image: 'nginx:1',
    resources: { requests: Object.fromEntries(Object.entries(requests).map(([k, v]) => [k, String(v)])) },
  }));
}

/** Pods that are there already: the requests of their one container, by the name of the node. */
function running(byNode: Readonly<Record<string, readonly framework.ResourceList[]>>): Pod[] {
  return Object.entries(byNode).flatMap(([nodeName, all]) =>
    all.map((requests, i) => aSchedulingPod({ name: `${nodeName}-${i}`, nodeName, requests })),
  );
}

/** Nodes by their names. */
function nodesOf(parts: Readonly<Record<string, SchedulingNodeParts>>): Node[] {
  return Object.entries(parts).map(([name, each]) => aSchedulingNode(name, each));
}

/** Nodes of these sizes. */
function sized(allocatable: Readonly<Record<string, framework.ResourceList>>): Node[] {
  return Object.entries(allocatable).map(([name, each]) => aSchedulingNode(name, { allocatable: each }));
}

/** Nodes with these labels. */
function labelled(byName: Readonly<Record<string, labels.Labels>>): Node[] {
  return Object.entries(byName).map(([name, each]) => aSchedulingNode(name, { labels: each }));
}

/** The nodes of these names. */
function only(snapshot: framework.Snapshot, ...names: readonly string[]): framework.NodeInfo[] {
  return snapshot.nodeInfos.filter(({ name }) => names.includes(name));
}

/** What somebody refuses with, as text. @throws NotImplemented as it is, so that it is the failure that a learner reads */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof NotImplemented) throw error;
    return String(error);
  }
  return 'nothing was thrown';
}

const EVENLY: readonly ResourceSpec[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

interface ResourceRow {
  readonly podContainers?: readonly framework.ResourceList[];
  readonly podContainersMilli?: readonly framework.ResourceList[];
  readonly nodes: readonly { readonly name: string; readonly allocatable: framework.ResourceList }[];
  readonly existing?: readonly {
    readonly node: string;
    readonly requests: readonly framework.ResourceList[];
  }[];
  readonly resources: readonly ResourceSpec[] | null;
}

/** The pod and the cluster of a row about resources. */
function resourcesOf(row: ResourceRow): { readonly pod: Pod; readonly snapshot: framework.Snapshot } {
  const { podContainers, podContainersMilli, nodes, existing = [] } = row;
  const milli = (requests: framework.ResourceList): framework.ResourceList =>
    podContainersMilli && 'cpu' in requests ? { ...requests, cpu: `${requests.cpu}m` } : requests;
  const there = existing.map(({ node, requests }, i) =>
    aSchedulingPod({
      name: `there-${i}`,
      nodeName: node,
      spec: { containers: containersAsking(requests.map(milli)) },
    }),
  );
  const all = nodes.map(({ name, allocatable }) => aSchedulingNode(name, { allocatable }));
  return {
    pod: podAsking(...(podContainers ?? podContainersMilli ?? []).map(milli)),
    snapshot: aSnapshot(all, there),
  };
}

describe('Level 1 · How full a node is', () => {
  const LEAST = { type: 'LeastAllocated', resources: EVENLY } as const;
  const MOST = { type: 'MostAllocated', resources: EVENLY } as const;

  test('finds each resource where it is kept', () => {
    const resources = framework.parseResources({
      cpu: '1500m',
      memory: '2Ki',
      'ephemeral-storage': '3Ki',
      [GPU]: 4,
      pods: 5,
    });
    const names = ['cpu', 'memory', 'ephemeral-storage', GPU, 'example.com/none', 'pods'];
    expect(names.map((name) => amountOf(resources, name))).toEqual([1500, 2048, 3072, 4, 0, 0]);
  });

  test('says how much would be free, in percent, rounded down', () => {
    expect(leastAllocatedScore(0, 4)).toBe(100);
    expect(leastAllocatedScore(1, 4)).toBe(75);
    expect(leastAllocatedScore(1, 3)).toBe(66);
    expect(leastAllocatedScore(2, 3)).toBe(33);
    expect(leastAllocatedScore(4, 4)).toBe(0);
  });

  test('says how much would be in use, in percent, rounded down', () => {
    expect(mostAllocatedScore(0, 4)).toBe(0);
    expect(mostAllocatedScore(1, 4)).toBe(25);
    expect(mostAllocatedScore(1, 3)).toBe(33);
    expect(mostAllocatedScore(2, 3)).toBe(66);
    expect(mostAllocatedScore(4, 4)).toBe(100);
  });

  test('takes the percent of whole numbers, so that nothing is lost to fractions', () => {
    // 1 - 8/10 is a little less than 0.2, and 29/100 × 100 a little less than 29.
    expect([8, 9].map((requested) => leastAllocatedScore(requested, 10))).toEqual([20, 10]);
    expect([43, 71].map((requested) => leastAllocatedScore(requested, 100))).toEqual([57, 29]);
    expect([29, 57].map((requested) => mostAllocatedScore(requested, 100))).toEqual([29, 57]);
  });

  test('has no better word for a node that is overfull than for one that is full', () => {
    expect(leastAllocatedScore(5, 4)).toBe(0);
    expect(mostAllocatedScore(5, 4)).toBe(100);
  });

  test('says 0 of a resource that a node does not have', () => {
    expect(leastAllocatedScore(0, 0)).toBe(0);
    expect(leastAllocatedScore(1, 0)).toBe(0);
    expect(mostAllocatedScore(0, 0)).toBe(0);
    expect(mostAllocatedScore(1, 0)).toBe(0);
  });

  test('is a plugin named NodeResourcesFit, which has something to say of every pod', () => {
    expect(nodeResourcesFit().name).toBe('NodeResourcesFit');
    const snapshot = aSnapshot(sized({ a: { cpu: '4', memory: '8Gi' } }));
    expectScores(askScorePlugin(nodeResourcesFit(), podAsking({ cpu: 0, memory: 0 }), snapshot)).toEqual({
      a: 100,
    });
  });

  test('prefers the emptier node of two, by cpu and memory alike, unless it is told otherwise', () => {
    const snapshot = aSnapshot(
      sized({ a: { cpu: '10', memory: 1000 }, b: { cpu: '10', memory: 1000 } }),
      running({ a: [{ cpu: '5', memory: 100 }], b: [{ cpu: '1', memory: 300 }] }),
    );
    const pod = podAsking({ cpu: '1', memory: 100 });
    expectScores(askScorePlugin(nodeResourcesFit(), pod, snapshot)).toEqual({ a: 60, b: 70 });
    expectScores(askScorePlugin(nodeResourcesFit({ type: 'MostAllocated' }), pod, snapshot)).toEqual({
      a: 40,
      b: 30,
    });
  });

  test('rounds the score of each resource down, and then their average', () => {
    // 66.7 and 66.7 are 66 and 66; 66.7 and 33.3 are 66 and 33, on average 49.5.
    const snapshot = aSnapshot(sized({ a: { cpu: '3', memory: 300 }, b: { cpu: '3', memory: 150 } }));
    const pod = podAsking({ cpu: '1', memory: 100 });
    expectScores(askScorePlugin(nodeResourcesFit(LEAST), pod, snapshot)).toEqual({ a: 66, b: 49 });
  });

  test('takes a container that does not say for one that wants 100m and 200Mi, each by itself', () => {
    const nodes = sized(
      Object.fromEntries(
        ['none', 'cpu', 'memory', 'zero'].map((name) => [name, { cpu: '1', memory: '2000Mi' }]),
      ),
    );
    const snapshot = aSnapshot(
      nodes,
      running({ none: [{}], cpu: [{ cpu: 0 }], memory: [{ memory: 0 }], zero: [{ cpu: 0, memory: 0 }] }),
    );
    expectScores(askScorePlugin(nodeResourcesFit(MOST), podAsking({ cpu: 0, memory: 0 }), snapshot)).toEqual({
      none: 10,
      cpu: 5,
      memory: 5,
      zero: 0,
    });
    const empty = aSnapshot(sized({ a: { cpu: '1', memory: '2000Mi' } }));
    expectScores(askScorePlugin(nodeResourcesFit(MOST), podAsking({}, {}, { cpu: 0 }), empty)).toEqual({
      a: 25,
    });
  });

  test('leaves out a resource of which the node has none, and its weight', () => {
    const resources = [
      { name: 'cpu', weight: 1 },
      { name: 'memory', weight: 99 },
    ];
    const snapshot = aSnapshot(sized({ a: { cpu: '4' }, b: { cpu: '4', memory: 0 }, c: {} }));
    const pod = podAsking({ cpu: '1', memory: 100 });
    expectScores(askScorePlugin(nodeResourcesFit({ ...LEAST, resources }), pod, snapshot)).toEqual({
      a: 75,
      b: 75,
      c: 0,
    });
    expectScores(askScorePlugin(nodeResourcesFit({ ...MOST, resources }), pod, snapshot)).toEqual({
      a: 25,
      b: 25,
      c: 0,
    });
  });

  test('leaves out what is neither cpu, memory nor storage unless this pod asks for it', () => {
    const resources = [
      { name: 'cpu', weight: 1 },
      { name: GPU, weight: 2 },
      { name: 'hugepages-2Mi', weight: 100 },
    ];
    const plugin = nodeResourcesFit({ type: 'MostAllocated', resources });
    const snapshot = aSnapshot(
      sized({ a: { cpu: '4', [GPU]: 4, 'hugepages-2Mi': 100 } }),
      running({ a: [{ cpu: '1', memory: 0, [GPU]: 1, 'hugepages-2Mi': 100 }] }),
    );
    expectScores(askScorePlugin(plugin, podAsking({ cpu: '1' }), snapshot)).toEqual({ a: 50 });
    // Were they counted, it would be (50 × 1 + 25 × 2) / 3.
    expectScores(askScorePlugin(plugin, podAsking({ cpu: '1', [GPU]: 0 }), snapshot)).toEqual({ a: 50 });
    // (50 × 1 + 75 × 2) / 3
    expectScores(askScorePlugin(plugin, podAsking({ cpu: '1', [GPU]: 2 }), snapshot)).toEqual({ a: 66 });
  });

  test('looks at storage also when the pod asks for none', () => {
    const resources = [{ name: 'ephemeral-storage', weight: 1 }];
    const snapshot = aSnapshot(
      sized({ a: { 'ephemeral-storage': 1000 } }),
      running({ a: [{ 'ephemeral-storage': 250 }] }),
    );
    expectScores(askScorePlugin(nodeResourcesFit({ ...LEAST, resources }), podAsking({}), snapshot)).toEqual({
      a: 75,
    });
  });

  test.each(table<ResourceRow, Scores>('leastAllocated', 8))('spreads as Kubernetes does: %s', (_, row) => {
    const { pod, snapshot } = resourcesOf(row.input);
    const plugin = nodeResourcesFit({ type: 'LeastAllocated', resources: row.input.resources ?? [] });
    expectScores(askScorePlugin(plugin, pod, snapshot)).toEqual(row.expect.scores);
  });

  test.each(table<ResourceRow, Scores>('mostAllocated', 6))('packs as Kubernetes does: %s', (_, row) => {
    const { pod, snapshot } = resourcesOf(row.input);
    const plugin = nodeResourcesFit({ type: 'MostAllocated', resources: row.input.resources ?? [] });
    expectScores(askScorePlugin(plugin, pod, snapshot)).toEqual(row.expect.scores);
  });

  interface Refused {
    readonly error: true;
    readonly field?: string;
  }
  test.each(table<ResourceRow, Refused>('scoringConfig', 2, (row) => 'field' in row.expect))(
    'refuses what Kubernetes refuses: %s',
    (_, row) => {
      const resources = row.input.resources ?? [];
      for (const type of ['LeastAllocated', 'MostAllocated'] as const) {
        expect(refusal(() => nodeResourcesFit({ type, resources }))).toContain(row.expect.field);
      }
    },
  );

  test.each(table<ResourceRow, Refused>('scoringConfig', 1, (row) => !('field' in row.expect)))(
    'refuses to score without a resource, at once or when it is asked: %s',
    (_, row) => {
      const { pod, snapshot } = resourcesOf(row.input);
      const told = refusal(() => askScorePlugin(nodeResourcesFit({ resources: [] }), pod, snapshot));
      expect(told).not.toBe('nothing was thrown');
    },
  );

  test('names each field that makes no sense', () => {
    const resources = [
      { name: 'cpu', weight: 1.5 },
      { name: 'memory', weight: 100 },
      { name: GPU, weight: -1 },
    ];
    const type = 'RequestedToCapacityRatio' as 'LeastAllocated';
    const told = refusal(() => nodeResourcesFit({ type, resources }));
    for (const field of ['type', 'resources[0].weight', 'resources[2].weight']) {
      expect(told).toContain(`scoringStrategy.${field}`);
    }
    expect(told).not.toContain('resources[1]');
  });
});

describe('Level 2 · Balance', () => {
  test('is content when two resources are used alike, and less so the further they are apart', () => {
    expect(balancedAllocationScore([0.5, 0.5])).toBe(100);
    expect(balancedAllocationScore([0.75, 0.5])).toBe(87);
    expect(balancedAllocationScore([0.5, 0.75])).toBe(87);
    expect(balancedAllocationScore([0, 1])).toBe(50);
  });

  test('takes half the distance of two as it is: the root of its square is another number', () => {
    expect(balancedAllocationScore([8 / 10, 1 / 10])).toBe(64);
    expect(balancedAllocationScore([20 / 25, 1 / 25])).toBe(62);
  });

  test('takes what is overfull for full', () => {
    expect(balancedAllocationScore([3, 1])).toBe(100);
    expect(balancedAllocationScore([0, 7])).toBe(50);
    expect(balancedAllocationScore([7, 0, 0])).toBe(52);
  });

  test('takes the standard deviation of three and more, over all of them', () => {
    expect(balancedAllocationScore([0.5, 0.5, 0.5])).toBe(100);
    // The mean is 1/3, the mean of the squared distances 2/9, its root 0.471.
    expect(balancedAllocationScore([0, 0, 1])).toBe(52);
    expect(balancedAllocationScore([0, 1, 0, 1])).toBe(50);
    expect(balancedAllocationScore([0.5, 0.25, 0.25, 0.5, 0.875])).toBe(77);
  });

  test('finds nothing uneven about one resource, or none', () => {
    expect(balancedAllocationScore([0.3])).toBe(100);
    expect(balancedAllocationScore([])).toBe(100);
  });

  test('is a plugin named NodeResourcesBalancedAllocation, which looks at cpu and memory unless it is told otherwise', () => {
    const plugin = nodeResourcesBalancedAllocation();
    expect(plugin.name).toBe('NodeResourcesBalancedAllocation');
    const snapshot = aSnapshot(
      sized({ a: { cpu: '4', memory: 1000, [GPU]: 1 }, b: { cpu: '8', memory: 1000, [GPU]: 1 } }),
    );
    expectScores(askScorePlugin(plugin, podAsking({ cpu: '4', memory: 500, [GPU]: 1 }), snapshot)).toEqual({
      a: 75,
      b: 100,
    });
  });

  test('counts what pods say, and assumes nothing for those who do not', () => {
    const snapshot = aSnapshot(
      sized({ a: { cpu: '1', memory: '1000Mi' }, b: { cpu: '1', memory: '1000Mi' } }),
      running({ a: [{}, {}, {}], b: [{ cpu: '500m' }] }),
    );
    // Of a: cpu half used, memory not at all. Of b: cpu all used.
    expectScores(
      askScorePlugin(nodeResourcesBalancedAllocation(), podAsking({ cpu: '500m' }), snapshot),
    ).toEqual({
      a: 75,
      b: 50,
    });
  });

  test('has nothing to say of a pod that asks for none of the resources', () => {
    const snapshot = aSnapshot(
      sized({ a: { cpu: '1', memory: 1000 } }),
      running({ a: [{ cpu: '500m', memory: 0 }] }),
    );
    const plugin = nodeResourcesBalancedAllocation();
    for (const pod of [podAsking({}), podAsking({ cpu: 0, memory: 0 }), podAsking({ [GPU]: 1 })]) {
      expectScores(askScorePlugin(plugin, pod, snapshot)).toBe('Skip');
    }
    expectScores(askScorePlugin(plugin, podAsking({ memory: 500 }), snapshot)).toEqual({ a: 100 });
  });

  test('leaves out, node by node, what the node does not have', () => {
    const resources = [...EVENLY, { name: GPU, weight: 1 }];
    const snapshot = aSnapshot(
      sized({
        all: { cpu: '4', memory: 1000, [GPU]: 1 },
        none: { cpu: '4', memory: 1000 },
        zero: { cpu: '4', memory: 0, [GPU]: 0 },
      }),
    );
    const plugin = nodeResourcesBalancedAllocation({ resources });
    const pod = podAsking({ cpu: '1', memory: 750, [GPU]: 1 });
    // 0.25, 0.75 and 1; without a GPU there are two; cpu alone is always even.
    expectScores(askScorePlugin(plugin, pod, snapshot)).toEqual({ all: 68, none: 75, zero: 100 });
  });

  test.each(table<ResourceRow, Scores>('balancedAllocation', 5))(
    'balances as Kubernetes does: %s',
    (_, row) => {
      const { pod, snapshot } = resourcesOf(row.input);
      const plugin = nodeResourcesBalancedAllocation({ resources: row.input.resources ?? [] });
      expectScores(askScorePlugin(plugin, pod, snapshot)).toEqual(row.expect.scores);
    },
  );

  test('names each field that makes no sense', () => {
    const resources = [
      { name: 'cpu', weight: 1 },
      { name: 'memory', weight: 2 },
      { name: 'cpu', weight: 1 },
    ];
    const told = refusal(() => nodeResourcesBalancedAllocation({ resources }));
    expect(told).toContain('resources[1].weight');
    expect(told).toContain('resources[2].name');
    expect(told).not.toContain('resources[0]');
  });

  test('gives no score when it has no resource to look at: it refuses, or skips the pod', () => {
    const snapshot = aSnapshot(sized({ a: { cpu: '1' } }));
    const told = refusal(() => {
      const plugin = nodeResourcesBalancedAllocation({ resources: [] });
      if (askScorePlugin(plugin, podAsking({ cpu: '1' }), snapshot) === 'Skip') throw new Error('skipped');
    });
    expect(told).not.toBe('nothing was thrown');
  });
});

describe('Level 3 · Preferred node affinity', () => {
  const scoresOf = (...scores: readonly number[]): framework.NodeScore[] =>
    scores.map((score, i) => Object.freeze({ name: `node-${i}`, score }));
  const normalised = (max: number, reverse: boolean, ...scores: readonly number[]): number[] =>
    defaultNormalizeScore(max, reverse, Object.freeze(scoresOf(...scores))).map(({ score }) => score + 0);

  test('makes the highest score 100, and the others their share of it', () => {
    expect(normalised(100, false, 1, 2, 4)).toEqual([25, 50, 100]);
    expect(normalised(100, false, 3_000, 0, 1_000)).toEqual([100, 0, 33]);
    expect(normalised(10, false, 1, 2, 4)).toEqual([2, 5, 10]);
  });

  test('keeps names and order, and gives new scores', () => {
    const scores = scoresOf(4, 1);
    expect(defaultNormalizeScore(100, false, scores)).toEqual([
      { name: 'node-0', score: 100 },
      { name: 'node-1', score: 25 },
    ]);
    expect(scores).toEqual(scoresOf(4, 1));
  });

  test('does not care how low the lowest is', () => {
    expect(normalised(100, false, 9, 10)).toEqual([90, 100]);
    expect(normalised(100, false, 7, 7)).toEqual([100, 100]);
  });

  test('rounds down, and takes the share of whole numbers', () => {
    expect(normalised(100, false, 2, 3)).toEqual([66, 100]);
    expect(normalised(100, false, 29, 57, 58, 100)).toEqual([29, 57, 58, 100]);
  });

  test('turns it over when less is better, after rounding', () => {
    expect(normalised(100, true, 0, 1, 2)).toEqual([100, 50, 0]);
    expect(normalised(100, true, 1, 2, 3)).toEqual([67, 34, 0]);
    expect(normalised(10, true, 1, 4)).toEqual([8, 0]);
  });

  test('leaves all at 0 when all have 0, or at the best when less is better', () => {
    expect(normalised(100, false, 0, 0)).toEqual([0, 0]);
    expect(normalised(100, true, 0, 0)).toEqual([100, 100]);
    expect(normalised(100, false)).toEqual([]);
    expect(normalised(100, true)).toEqual([]);
  });

  type Preferred = NonNullable<
    NonNullable<
      NonNullable<Spec['affinity']>['nodeAffinity']
    >['preferredDuringSchedulingIgnoredDuringExecution']
  >;
  const preferring = (...terms: Preferred): Pod =>
    aSchedulingPod({
      spec: { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms } } },
    });
  const has = (key: string, ...values: string[]) => ({ key, operator: 'In', values });
  const snapshot = aSnapshot(
    labelled({ ssd: { disk: 'ssd' }, both: { disk: 'ssd', zone: 'a' }, zone: { zone: 'a' }, none: {} }),
  );

  interface AffinityRow {
    readonly pod: { readonly spec: Partial<Spec> };
    readonly nodes: readonly {
      readonly metadata: { readonly name: string; readonly labels: labels.Labels };
    }[];
    readonly addedPreferred?: Preferred;
  }
  const ask = ({ pod, nodes, addedPreferred = [] }: AffinityRow) => {
    const own = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    // What a scheduler adds to every pod's preferences counts like the pod's own: here there is nothing to add it with.
    const terms = [...own, ...addedPreferred];
    const where = aSnapshot(
      nodes.map(({ metadata }) => aSchedulingNode(metadata.name, { labels: metadata.labels })),
    );
    return askScorePlugin(nodeAffinity, terms.length > 0 ? preferring(...terms) : aSchedulingPod(), where);
  };

  test.each(
    table<AffinityRow, Scores>('nodeAffinityScore', 3, ({ input }) => input.pod.spec.affinity !== undefined),
  )('prefers nodes as Kubernetes does: %s', (_, row) => {
    expectScores(ask(row.input)).toEqual(row.expect.scores);
  });

  test.each(
    table<AffinityRow, Scores>('nodeAffinityScore', 1, ({ input }) => input.pod.spec.affinity === undefined),
  )('has nothing to say of a pod that prefers no node, which is 0 for all: %s', (_, row) => {
    expectScores(ask(row.input)).toBe('Skip');
    expect(new Set(Object.values(row.expect.scores))).toEqual(new Set([0]));
  });

  test('has nothing to say of a pod that only requires something', () => {
    const required = { nodeSelectorTerms: [{ matchExpressions: [has('disk', 'ssd')] }] };
    const pod = aSchedulingPod({
      spec: {
        nodeSelector: { disk: 'ssd' },
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
      },
    });
    expect(nodeAffinity.name).toBe('NodeAffinity');
    expectScores(askScorePlugin(nodeAffinity, pod, snapshot)).toBe('Skip');
  });

  test('adds up the weights of the terms that a node meets, each of them whole', () => {
    const pod = preferring(
      { weight: 30, preference: { matchExpressions: [has('disk', 'ssd')] } },
      { weight: 20, preference: { matchExpressions: [has('zone', 'a')] } },
      { weight: 50, preference: { matchExpressions: [has('disk', 'ssd'), has('zone', 'a')] } },
    );
    expectScores(askScorePlugin(nodeAffinity, pod, snapshot)).toEqual({
      ssd: 30,
      both: 100,
      zone: 20,
      none: 0,
    });
  });

  test('knows nodes by their names, too', () => {
    const matchFields = [{ key: 'metadata.name', operator: 'NotIn', values: ['none'] }];
    const pod = preferring({ weight: 1, preference: { matchFields } });
    expectScores(askScorePlugin(nodeAffinity, pod, snapshot)).toEqual({
      ssd: 100,
      both: 100,
      zone: 100,
      none: 0,
    });
  });

  test('takes a term that says nothing, or nonsense, for one that no node meets', () => {
    const nonsense = [{ key: 'disk', operator: 'Likes', values: ['ssd'] }];
    const pod = preferring(
      { weight: 100, preference: {} },
      { weight: 100, preference: { matchExpressions: nonsense } },
      { weight: 1, preference: { matchExpressions: [has('disk', 'ssd')] } },
    );
    expectScores(askScorePlugin(nodeAffinity, pod, snapshot)).toEqual({
      ssd: 100,
      both: 100,
      zone: 0,
      none: 0,
    });
    expectScores(askScorePlugin(nodeAffinity, preferring({ weight: 9, preference: {} }), snapshot)).toEqual({
      ssd: 0,
      both: 0,
      zone: 0,
      none: 0,
    });
  });

  test('compares the nodes that are left with each other, and no others', () => {
    const pod = preferring(
      { weight: 30, preference: { matchExpressions: [has('disk', 'ssd')] } },
      { weight: 20, preference: { matchExpressions: [has('zone', 'a')] } },
    );
    const feasible = only(snapshot, 'ssd', 'zone');
    expectScores(askScorePlugin(nodeAffinity, pod, snapshot, { feasible })).toEqual({ ssd: 100, zone: 66 });
  });
});

describe('Level 4 · Taints that would rather not', () => {
  type Taints = NonNullable<SchedulingNodeParts['taints']>;
  type Tolerations = NonNullable<Spec['tolerations']>;
  const rather = (key: string, value = '') => ({ key, value, effect: 'PreferNoSchedule' });

  test('counts the taints that would rather not and that nothing tolerates', () => {
    const taints = [rather('a', '1'), rather('b'), rather('c')];
    const count = (...tolerations: Tolerations) =>
      countIntolerableTaintsPreferNoSchedule(taints, tolerations);
    expect(count()).toBe(3);
    expect(count({ key: 'a', value: '1', effect: 'PreferNoSchedule' })).toBe(2);
    expect(count({ key: 'a', value: '2' }, { key: 'b', operator: 'Exists' })).toBe(2);
    expect(count({ operator: 'Exists' })).toBe(0);
  });

  test('counts nothing where nothing is said', () => {
    expect(countIntolerableTaintsPreferNoSchedule(undefined, undefined)).toBe(0);
    expect(countIntolerableTaintsPreferNoSchedule([], [{ operator: 'Exists' }])).toBe(0);
    expect(countIntolerableTaintsPreferNoSchedule([rather('a')], undefined)).toBe(1);
  });

  test('leaves taints of other effects to the filter, and tolerations of other effects do not help', () => {
    const hard = ['NoSchedule', 'NoExecute'].map((effect) => ({ key: 'a', effect }));
    expect(countIntolerableTaintsPreferNoSchedule(hard, [])).toBe(0);
    const tolerations = hard.map(({ key, effect }) => ({ key, operator: 'Exists', effect }));
    expect(countIntolerableTaintsPreferNoSchedule([...hard, rather('a')], tolerations)).toBe(1);
    expect(countIntolerableTaintsPreferNoSchedule([rather('a')], [{ key: 'a', operator: 'Exists' }])).toBe(0);
  });

  interface TaintRow {
    readonly pod: { readonly spec: Partial<Spec> };
    readonly nodes: readonly {
      readonly metadata: { readonly name: string };
      readonly spec: { readonly taints: Taints };
    }[];
  }
  const ask = ({ pod, nodes }: TaintRow) =>
    askScorePlugin(
      taintToleration,
      aSchedulingPod({ spec: pod.spec }),
      aSnapshot(nodes.map(({ metadata, spec }) => aSchedulingNode(metadata.name, spec))),
    );
  const COMPARES_NUMBERS = 'taintScore-06';

  test.each(table<TaintRow, Scores>('taintScore', 4, ({ id }) => id !== COMPARES_NUMBERS))(
    'avoids nodes as Kubernetes does: %s',
    (_, row) => {
      expectScores(ask(row.input)).toEqual(row.expect.scores);
    },
  );

  test.each(table<TaintRow, Scores>('taintScore', 1, ({ id }) => id === COMPARES_NUMBERS))(
    'knows no toleration that compares numbers, which came after 1.34: %s',
    (_, row) => {
      // In later releases the first node would be worth 0 and the second 100.
      expectScores(ask(row.input)).toEqual({ nodeA: 0, nodeB: 0 });
    },
  );

  test('is a plugin named TaintToleration, which likes all nodes where none has such a taint', () => {
    expect(taintToleration.name).toBe('TaintToleration');
    const nodes = nodesOf({ a: {}, b: { taints: [{ key: 'x', effect: 'NoSchedule' }] } });
    expectScores(askScorePlugin(taintToleration, aSchedulingPod(), aSnapshot(nodes))).toEqual({
      a: 100,
      b: 100,
    });
  });

  test('likes a node the less the more such taints it has', () => {
    const [x, y, z] = [rather('x'), rather('y'), rather('z')];
    const nodes = nodesOf({ a: { taints: [x] }, b: { taints: [x, y, z] }, c: { taints: [y, z] }, d: {} });
    const snapshot = aSnapshot(nodes);
    const pod = aSchedulingPod();
    expectScores(askScorePlugin(taintToleration, pod, snapshot)).toEqual({ a: 67, b: 0, c: 34, d: 100 });
    const feasible = only(snapshot, 'a', 'd');
    expectScores(askScorePlugin(taintToleration, pod, snapshot, { feasible })).toEqual({ a: 0, d: 100 });
  });
});

describe('Level 5 · Images that are there already', () => {
  test.each(table<{ image: string }, { image: string }>('normalizedImageName', 3))(
    'names images as Kubernetes does: %s',
    (_, row) => {
      expect(normalizedImageName(row.input.image)).toBe(row.expect.image);
    },
  );

  test.each([
    ['nginx', 'nginx:latest'],
    ['nginx:1', 'nginx:1'],
    ['registry:5000/nginx', 'registry:5000/nginx:latest'],
    ['registry:5000/nginx:1', 'registry:5000/nginx:1'],
    ['registry:5000/shop/nginx@sha256:48', 'registry:5000/shop/nginx@sha256:48'],
    ['gcr.io/shop/nginx', 'gcr.io/shop/nginx:latest'],
  ])('calls %s on a node %s', (image, name) => {
    expect(normalizedImageName(image)).toBe(name);
  });

  test('takes an image for worth the less, the fewer nodes have it', () => {
    expect(scaledImageScore(1_000, 4, 4)).toBe(1_000);
    expect(scaledImageScore(1_000, 1, 4)).toBe(250);
    expect(scaledImageScore(1_000, 1, 3)).toBe(333);
    expect(scaledImageScore(1_000, 2, 3)).toBe(666);
  });

  test('takes the share of the nodes first, in floating point, as Go does', () => {
    // 90 × (7/10) is a little less than 63, and 55 × (3/11) a little less than 15.
    expect(scaledImageScore(90, 7, 10)).toBe(62);
    expect(scaledImageScore(55, 3, 11)).toBe(14);
  });

  test('saves nothing with 23 MiB, and all that can be saved with 1000 MiB a container', () => {
    expect([MIN_THRESHOLD_BYTES, MAX_CONTAINER_THRESHOLD_BYTES]).toEqual([23 * MIB, 1000 * MIB]);
    expect([0, 22, 23].map((size) => calculatePriority(size * MIB, 1))).toEqual([0, 0, 0]);
    expect([1000, 1001, 9000].map((size) => calculatePriority(size * MIB, 1))).toEqual([100, 100, 100]);
    expect([500, 1000, 2000].map((size) => calculatePriority(size * MIB, 2))).toEqual([24, 49, 100]);
  });

  test('counts in proportion between the two, and rounds down', () => {
    // (size - 23) of (1000 - 23)
    expect([33, 511, 512, 999].map((size) => calculatePriority(size * MIB, 1))).toEqual([1, 49, 50, 99]);
  });

  interface ImageRow {
    readonly pod: { readonly spec: Pick<Spec, 'containers' | 'initContainers'> };
    readonly nodes: readonly {
      readonly metadata: { readonly name: string };
      readonly status: Pick<SchedulingNodeParts, 'images'>;
    }[];
  }
  test.each(table<ImageRow, Scores>('imageLocality', 5))('saves pulls as Kubernetes does: %s', (_, row) => {
    const snapshot = aSnapshot(
      row.input.nodes.map(({ metadata, status }) => aSchedulingNode(metadata.name, status)),
    );
    const pod = aSchedulingPod({ spec: row.input.pod.spec });
    expectScores(askScorePlugin(imageLocality, pod, snapshot)).toEqual(row.expect.scores);
  });

  /** A pod with a container for each of these images. */
  const using = (images: readonly string[], initImages: readonly string[] = []): Pod => {
    const from = (all: readonly string[]): Container[] => all.map((image, i) => ({ name: `c${i}`, image }));
    return aSchedulingPod({ spec: { containers: from(images), initContainers: from(initImages) } });
  };
  const holding = (...images: readonly [name: string, mebibytes: number][]): SchedulingNodeParts => ({
    images: images.map(([name, size]) => ({ names: [name], sizeBytes: size * MIB })),
  });

  test('is a plugin named ImageLocality, which says 0 where there is nothing to be saved', () => {
    expect(imageLocality.name).toBe('ImageLocality');
    const snapshot = aSnapshot(nodesOf({ a: holding(['nginx:1', 900]), b: {} }));
    for (const image of ['nginx', 'nginx:2', 'nginx@sha256:48', 'gcr.io/nginx:1']) {
      expectScores(askScorePlugin(imageLocality, using([image]), snapshot)).toEqual({ a: 0, b: 0 });
    }
  });

  test('counts the nodes of the whole cluster, not only those that are left', () => {
    const all = nodesOf({ a: holding(['big:1', 1000]), b: holding(['big:1', 1000]), c: {}, d: {} });
    const snapshot = aSnapshot(all);
    // On 2 of 4 nodes it is worth 500 MiB.
    expectScores(askScorePlugin(imageLocality, using(['big:1']), snapshot)).toEqual({
      a: 48,
      b: 48,
      c: 0,
      d: 0,
    });
    const feasible = only(snapshot, 'a', 'c');
    expectScores(askScorePlugin(imageLocality, using(['big:1']), snapshot, { feasible })).toEqual({
      a: 48,
      c: 0,
    });
  });

  test('counts an image once a container, and containers that start the pod as well', () => {
    const snapshot = aSnapshot(nodesOf({ a: holding(['app:1', 500], ['init:1', 600]) }));
    const score = (pod: Pod) => askScorePlugin(imageLocality, pod, snapshot);
    expect(score(using(['app:1']))).toEqual({ a: 48 });
    expect(score(using(['app:1', 'app:1']))).toEqual({ a: 49 });
    expect(score(using(['app:1', 'other:1']))).toEqual({ a: 24 });
    expect(score(using(['app:1'], ['init:1']))).toEqual({ a: 54 });
  });

  test('rounds what each image is worth to whole bytes, and then adds them up', () => {
    // Half of it is 43154145.5 bytes. Two containers have 3 from twice that on; twice 43154145 is a byte less.
    const images = ['app:1', 'app:2'].map((name) => ({ names: [name], sizeBytes: 86_308_291 }));
    const snapshot = aSnapshot(nodesOf({ a: { images }, b: {} }));
    expectScores(askScorePlugin(imageLocality, using(['app:1', 'app:2']), snapshot)).toEqual({ a: 2, b: 0 });
  });

  test('takes the size that the image has on the node itself', () => {
    const snapshot = aSnapshot(nodesOf({ a: holding(['app:1', 1000]), b: holding(['app:1', 511]) }));
    expectScores(askScorePlugin(imageLocality, using(['app:1']), snapshot)).toEqual({ a: 100, b: 49 });
  });
});

type Constraint = NonNullable<Spec['topologySpreadConstraints']>[number];

describe('Level 6 · Spread', () => {
  const ZONE = 'topology.kubernetes.io/zone';
  const WEB = { app: 'web' };

  const constraint = (parts: Partial<Constraint> = {}): Constraint => ({
    maxSkew: 1,
    topologyKey: ZONE,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: WEB },
    ...parts,
  });
  const spreading = (parts: SchedulingPodParts, ...topologySpreadConstraints: Constraint[]): Pod =>
    aSchedulingPod({ labels: WEB, ...parts, spec: { ...parts.spec, topologySpreadConstraints } });
  /** So many web servers on each of these nodes. */
  const web = (counts: Readonly<Record<string, number>>, parts: SchedulingPodParts = {}): Pod[] =>
    Object.entries(counts).flatMap(([nodeName, count]) =>
      Array.from({ length: count }, (_, i) =>
        aSchedulingPod({ name: `web-${nodeName}-${i}`, nodeName, labels: WEB, ...parts }),
      ),
    );
  const infos = (...pods: readonly Pod[]): framework.PodInfo[] => pods.map(framework.podInfoOf);

  test('reads the constraints that are wishes, in their order, and what they leave open', () => {
    const pod = spreading(
      {},
      constraint({ whenUnsatisfiable: 'DoNotSchedule' }),
      constraint({ maxSkew: 3, nodeAffinityPolicy: 'Ignore', nodeTaintsPolicy: 'Honor' }),
      constraint({ topologyKey: 'rack' }),
    );
    expect(softConstraints(pod)).toMatchObject([
      { maxSkew: 3, topologyKey: ZONE, nodeAffinityPolicy: 'Ignore', nodeTaintsPolicy: 'Honor' },
      { maxSkew: 1, topologyKey: 'rack', nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore' },
    ]);
    expect(softConstraints(aSchedulingPod())).toEqual([]);
  });

  test('reads whom a constraint means', () => {
    const meant = (parts: Partial<Constraint>, podLabels: labels.Labels) => {
      const pod = spreading({ labels: { ...WEB, hash: '1' } }, constraint(parts));
      return softConstraints(pod).map(({ selector }) => selector.matches(podLabels));
    };
    expect(meant({}, WEB)).toEqual([true]);
    expect(meant({}, { app: 'db' })).toEqual([false]);
    // `hash` is a label of this pod, `none` is not.
    const matchLabelKeys = ['hash', 'none'];
    expect(meant({ matchLabelKeys }, { ...WEB, hash: '1' })).toEqual([true]);
    expect(meant({ matchLabelKeys }, { ...WEB, hash: '2' })).toEqual([false]);
    expect(meant({ matchLabelKeys }, WEB)).toEqual([false]);
    const { labelSelector, ...nobody } = constraint({ matchLabelKeys });
    const [said] = softConstraints(spreading({ labels: { hash: '1' } }, nobody));
    expect(said?.selector.matches({ hash: '1' })).toBe(false);
  });

  test('counts pods of one namespace that are meant and are not going', () => {
    const selector = labels.labelSelectorAsSelector({ matchLabels: WEB });
    const all = infos(
      aSchedulingPod({ labels: WEB }),
      aSchedulingPod({ labels: { ...WEB, tier: 'front' } }),
      aSchedulingPod({ labels: { app: 'db' } }),
      aSchedulingPod({ labels: WEB, namespace: 'shop' }),
      aSchedulingPod({ labels: WEB, deleted: true }),
      aSchedulingPod(),
    );
    expect(countPodsMatchSelector(all, selector, 'default')).toBe(2);
    expect(countPodsMatchSelector(all, selector, 'shop')).toBe(1);
    expect(countPodsMatchSelector([], selector, 'default')).toBe(0);
  });

  test('counts nobody when everybody would be meant, or nobody', () => {
    const all = infos(aSchedulingPod({ labels: WEB }), aSchedulingPod());
    for (const selector of [{}, undefined]) {
      expect(countPodsMatchSelector(all, labels.labelSelectorAsSelector(selector), 'default')).toBe(0);
    }
    const absent = { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] };
    expect(countPodsMatchSelector(all, labels.labelSelectorAsSelector(absent), 'default')).toBe(1);
  });

  test('weighs a pod the more, the more places there are', () => {
    expect(topologyNormalizingWeight(1)).toBeCloseTo(1.0986, 4);
    expect(topologyNormalizingWeight(2)).toBeCloseTo(1.3863, 4);
    expect(topologyNormalizingWeight(5_000)).toBeCloseTo(8.5176, 4);
  });

  test('adds the skew that is allowed to how crowded a place is', () => {
    expect(scoreForCount(3, 1, 1.5)).toBe(4.5);
    expect(scoreForCount(0, 1, 1.5)).toBe(0);
    expect(scoreForCount(2, 5, 1.5)).toBe(7);
  });

  interface SpreadRow {
    readonly pod: { readonly metadata: { readonly labels: labels.Labels }; readonly spec: Partial<Spec> };
    readonly nodes: readonly {
      readonly metadata: { readonly name: string; readonly labels: labels.Labels };
    }[];
    readonly matchingPodsPerNode: Readonly<Record<string, number>>;
    readonly candidates: readonly string[];
  }
  test.each(table<SpreadRow, Scores>('topologySpreadScore', 5))(
    'spreads as Kubernetes does: %s',
    (_, row) => {
      const { pod, nodes, matchingPodsPerNode, candidates } = row.input;
      const snapshot = aSnapshot(
        nodes.map(({ metadata }) => aSchedulingNode(metadata.name, { labels: metadata.labels })),
        web(matchingPodsPerNode, { labels: pod.metadata.labels }),
      );
      const waiting = aSchedulingPod({ labels: pod.metadata.labels, spec: pod.spec });
      const feasible = only(snapshot, ...candidates);
      expectScores(askScorePlugin(podTopologySpread, waiting, snapshot, { feasible })).toEqual(
        row.expect.scores,
      );
    },
  );

  const zones = labelled({
    a1: { [ZONE]: 'a', [LABEL_HOSTNAME]: 'a1' },
    a2: { [ZONE]: 'a', [LABEL_HOSTNAME]: 'a2' },
    b1: { [ZONE]: 'b', [LABEL_HOSTNAME]: 'b1' },
  });

  test('is a plugin named PodTopologySpread, which has nothing to say of a pod without such a wish', () => {
    expect(podTopologySpread.name).toBe('PodTopologySpread');
    const snapshot = aSnapshot(zones, web({ a1: 2 }));
    const must = spreading({}, constraint({ whenUnsatisfiable: 'DoNotSchedule' }));
    for (const pod of [aSchedulingPod({ labels: WEB }), must]) {
      expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toBe('Skip');
    }
  });

  test('prefers the emptier place, and all nodes of it alike', () => {
    // 3 and 1 pods, times ln(2 + 2): 4.2 and 1.4, so 4 and 1; then 100 × (4 + 1 - score) / 4.
    const snapshot = aSnapshot(zones, web({ a1: 3, b1: 1 }));
    const pod = spreading({}, constraint());
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toEqual({ a1: 25, a2: 25, b1: 100 });
  });

  test('takes each node for a place by itself where it is about hosts, whatever the label says', () => {
    const twins = labelled({
      x: { [LABEL_HOSTNAME]: 'same' },
      y: { [LABEL_HOSTNAME]: 'same' },
      z: { [LABEL_HOSTNAME]: 'z' },
    });
    // Three places: 4 × ln(5) and 1 × ln(5) are 6.4 and 1.6.
    const snapshot = aSnapshot(twins, web({ x: 4, y: 1 }));
    const pod = spreading({}, constraint({ topologyKey: LABEL_HOSTNAME }));
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toEqual({ x: 0, y: 66, z: 100 });
  });

  test('counts the pods on nodes that are not left, if there is a node left in the place', () => {
    const snapshot = aSnapshot(zones, web({ a1: 3, b1: 1 }));
    const pod = spreading({}, constraint());
    // In zone a are three pods, all on a1, which is full. In zone b is one.
    const feasible = only(snapshot, 'a2', 'b1');
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot, { feasible })).toEqual({ a2: 25, b1: 100 });
  });

  test('takes for places only those where a node is left', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) =>
      aSchedulingNode(name, { labels: { [ZONE]: name, [LABEL_HOSTNAME]: name } }),
    );
    const snapshot = aSnapshot(nodes, web({ a: 2, b: 1 }));
    const feasible = only(snapshot, 'a', 'b');
    for (const topologyKey of [ZONE, LABEL_HOSTNAME]) {
      const pod = spreading({}, constraint({ topologyKey }));
      // Of two places, 2 × ln(4) and 1 × ln(4) are 2.8 and 1.4; of four, 2 × ln(6) and 1 × ln(6) are 3.6 and 1.8.
      expectScores(askScorePlugin(podTopologySpread, pod, snapshot, { feasible })).toEqual({ a: 33, b: 100 });
      expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toEqual({ a: 0, b: 50, c: 100, d: 100 });
    }
  });

  test('leaves out nodes that lack a key of any constraint: they are worth nothing and their pods do not count', () => {
    const nodes = [
      ...zones,
      ...labelled({ half: { [ZONE]: 'b' }, bare: {}, other: { [LABEL_HOSTNAME]: 'other' } }),
    ];
    const snapshot = aSnapshot(nodes, web({ a1: 2, half: 9, bare: 9 }));
    const pod = spreading({}, constraint(), constraint({ topologyKey: LABEL_HOSTNAME }));
    // Two zones and three hosts. a1: 2 × ln(4) + 2 × ln(5) is 6.0, a2: 2 × ln(4) is 2.8, b1: nothing.
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toEqual({
      a1: 0,
      a2: 50,
      b1: 100,
      half: 0,
      bare: 0,
      other: 0,
    });
    const feasible = only(snapshot, 'half', 'bare');
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot, { feasible })).toEqual({
      half: 0,
      bare: 0,
    });
  });

  test('leaves out such nodes also when they are not feasible: no pod on them counts', () => {
    const nodes = labelled({
      a: { [ZONE]: 'a', rack: '1' },
      b: { [ZONE]: 'b', rack: '2' },
      half: { [ZONE]: 'b' },
    });
    const snapshot = aSnapshot(nodes, web({ a: 1, half: 5 }));
    const pod = spreading({}, constraint(), constraint({ topologyKey: 'rack' }));
    const feasible = only(snapshot, 'a', 'b');
    // The five are in zone b, but on a node without a rack.
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot, { feasible })).toEqual({ a: 0, b: 100 });
  });

  test('takes the least and the most of the nodes that are not left out', () => {
    const snapshot = aSnapshot(
      labelled({ a: { [ZONE]: 'a' }, b: { [ZONE]: 'b' }, bare: {} }),
      web({ a: 3, b: 2 }),
    );
    // 3 × ln(4) and 2 × ln(4) are 4.2 and 2.8, so 4 and 3; the 0 of the other is not the least.
    const scores = askScorePlugin(podTopologySpread, spreading({}, constraint()), snapshot);
    expectScores(scores).toEqual({ a: 75, b: 100, bare: 0 });
  });

  test('leaves out no node for the key of a constraint that is a must', () => {
    const nodes = labelled({ a: { [ZONE]: 'a' }, b: { [ZONE]: 'b', rack: '1' } });
    const must = constraint({ topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' });
    const snapshot = aSnapshot(nodes, web({ a: 1, b: 3 }));
    // 1 × ln(4) and 3 × ln(4) are 1.4 and 4.2, so 1 and 4.
    const scores = askScorePlugin(podTopologySpread, spreading({}, must, constraint()), snapshot);
    expectScores(scores).toEqual({ a: 100, b: 25 });
  });

  test('rounds the sum over the constraints, and nothing before', () => {
    const nodes = labelled({ x: { [ZONE]: 'a', rack: '1' }, y: { [ZONE]: 'b', rack: '2' } });
    const snapshot = aSnapshot(nodes, web({ x: 3, y: 1 }));
    const pod = spreading({}, constraint(), constraint({ topologyKey: 'rack' }));
    // Twice 3 × ln(4), 8.3, and twice ln(4), 2.8: so 8 and 3. Rounded one by one it were 4 + 4 and 1 + 1.
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toEqual({ x: 37, y: 100 });
  });

  test('takes a label that is empty for a place like any other', () => {
    const nodes = labelled({ x: { [ZONE]: '' }, y: { [ZONE]: 'b' } });
    const snapshot = aSnapshot(nodes, web({ x: 1, y: 2 }));
    // 1 × ln(4) and 2 × ln(4) are 1.4 and 2.8, so 1 and 3.
    const scores = askScorePlugin(podTopologySpread, spreading({}, constraint()), snapshot);
    expectScores(scores).toEqual({ x: 100, y: 33 });
  });

  test('makes differences smaller, the more skew is allowed', () => {
    const snapshot = aSnapshot(zones, web({ a1: 2 }));
    const scores = [1, 2, 9].map((maxSkew) =>
      askScorePlugin(podTopologySpread, spreading({}, constraint({ maxSkew })), snapshot),
    );
    // 2 × ln(4) is 2.8; with what is added 3 and 0, 4 and 1, 11 and 8.
    expect(scores).toEqual([
      { a1: 0, a2: 0, b1: 100 },
      { a1: 25, a2: 25, b1: 100 },
      { a1: 72, a2: 72, b1: 100 },
    ]);
  });

  test('takes no notice of strangers, of the dying, and of other versions', () => {
    const others = [
      ...web({ a1: 5 }, { namespace: 'shop' }),
      ...web({ a1: 4 }, { deleted: true }),
      ...web({ a1: 3 }, { labels: { app: 'db' } }),
      ...web({ a1: 2 }, { labels: { ...WEB, hash: 'old' } }),
    ];
    const snapshot = aSnapshot(zones, [...others, ...web({ b1: 1 }, { labels: { ...WEB, hash: 'new' } })]);
    const pod = spreading({ labels: { ...WEB, hash: 'new' } }, constraint({ matchLabelKeys: ['hash'] }));
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toEqual({ a1: 100, a2: 100, b1: 0 });
    const hosts = constraint({ topologyKey: LABEL_HOSTNAME, matchLabelKeys: ['hash'] });
    const byHost = spreading({ labels: { ...WEB, hash: 'new' } }, hosts);
    expectScores(askScorePlugin(podTopologySpread, byHost, snapshot)).toEqual({ a1: 100, a2: 100, b1: 0 });
  });

  test('does not count nodes that the pod excludes, unless it says so; pods on a host count in any case', () => {
    const nodes = labelled({
      a1: { [ZONE]: 'a', disk: 'ssd', [LABEL_HOSTNAME]: 'a1' },
      a2: { [ZONE]: 'a', [LABEL_HOSTNAME]: 'a2' },
      b1: { [ZONE]: 'b', disk: 'ssd', [LABEL_HOSTNAME]: 'b1' },
    });
    const snapshot = aSnapshot(nodes, web({ a2: 2, b1: 1 }));
    const wantsSsd: SchedulingPodParts = { spec: { nodeSelector: { disk: 'ssd' } } };
    const feasible = only(snapshot, 'a1', 'b1');
    const ask = (parts: SchedulingPodParts, ...wishes: Constraint[]) =>
      askScorePlugin(podTopologySpread, spreading(parts, ...wishes), snapshot, { feasible });
    expectScores(ask(wantsSsd, constraint())).toEqual({ a1: 100, b1: 0 });
    // 2 × ln(4) is 2.8 and 1 × ln(4) is 1.4.
    expectScores(ask(wantsSsd, constraint({ nodeAffinityPolicy: 'Ignore' }))).toEqual({ a1: 33, b1: 100 });
    const terms = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'Exists' }] }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
    expectScores(ask({ spec: { affinity } }, constraint())).toEqual({ a1: 100, b1: 0 });
    const elsewhere: SchedulingPodParts = { spec: { nodeSelector: { disk: 'hdd' } } };
    expectScores(ask(elsewhere, constraint({ topologyKey: LABEL_HOSTNAME }))).toEqual({ a1: 100, b1: 0 });
  });

  test('counts tainted nodes, unless the pod says that it honours taints', () => {
    const tainted = (effect: string) =>
      aSchedulingNode('a2', { labels: { [ZONE]: 'a' }, taints: [{ key: 'x', effect }] });
    const ask = (effect: string, parts: Partial<Constraint>, tolerations: Spec['tolerations'] = []) => {
      const nodes = [...labelled({ a1: { [ZONE]: 'a' }, b1: { [ZONE]: 'b' } }), tainted(effect)];
      const snapshot = aSnapshot(nodes, web({ a2: 2, b1: 1 }));
      const feasible = only(snapshot, 'a1', 'b1');
      const pod = spreading({ spec: { tolerations } }, constraint(parts));
      return askScorePlugin(podTopologySpread, pod, snapshot, { feasible });
    };
    const [counts, doesNot] = [
      { a1: 33, b1: 100 },
      { a1: 100, b1: 0 },
    ];
    expectScores(ask('NoSchedule', {})).toEqual(counts);
    const honours = { nodeTaintsPolicy: 'Honor' } as const;
    expectScores(ask('NoSchedule', honours)).toEqual(doesNot);
    expectScores(ask('NoExecute', honours)).toEqual(doesNot);
    expectScores(ask('PreferNoSchedule', honours)).toEqual(counts);
    expectScores(ask('NoSchedule', honours, [{ key: 'x', operator: 'Exists' }])).toEqual(counts);
  });
});

type Terms = NonNullable<
  NonNullable<NonNullable<Spec['affinity']>['podAffinity']>['preferredDuringSchedulingIgnoredDuringExecution']
>;
type Term = Terms[number]['podAffinityTerm'];

describe('Level 7 · Affinity to pods', () => {
  const ZONE = 'topology.kubernetes.io/zone';
  const WEB = { app: 'web' };
  const DB = { app: 'db' };

  const about = (podLabels: Record<string, string>, more: Partial<Term> = {}): Term => ({
    topologyKey: ZONE,
    labelSelector: { matchLabels: podLabels },
    ...more,
  });
  const wish = (weight: number, podAffinityTerm: Term): Terms[number] => ({ weight, podAffinityTerm });
  const near = (...terms: Terms): Partial<Spec> => ({
    affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const far = (...terms: Terms): Partial<Spec> => ({
    affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const needs = (...terms: Term[]): Partial<Spec> => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const shuns = (...terms: Term[]): Partial<Spec> => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });

  /** A web server that is to be scheduled. */
  const waiting = (spec: Partial<Spec> = {}, parts: SchedulingPodParts = {}): Pod =>
    aSchedulingPod({ labels: WEB, spec, ...parts });
  let made = 0;
  /** A database that is there already. */
  const there = (nodeName: string, spec: Partial<Spec> = {}, parts: SchedulingPodParts = {}): Pod =>
    aSchedulingPod({ name: `there-${++made}`, nodeName, labels: DB, spec, ...parts });

  const nodes = labelled({
    a1: { [ZONE]: 'a', [LABEL_HOSTNAME]: 'a1' },
    a2: { [ZONE]: 'a', [LABEL_HOSTNAME]: 'a2' },
    b: { [ZONE]: 'b', [LABEL_HOSTNAME]: 'b' },
    bare: {},
  });
  const ask = (pod: Pod, others: readonly Pod[], feasible?: readonly string[]) => {
    const snapshot = aSnapshot(nodes, others, {
      default: {},
      shop: { team: 'shop' },
      bank: { team: 'bank' },
    });
    return askScorePlugin(
      interPodAffinity,
      pod,
      snapshot,
      feasible ? { feasible: only(snapshot, ...feasible) } : {},
    );
  };

  test('is a plugin named InterPodAffinity, which has nothing to say when no term meets anybody', () => {
    expect(interPodAffinity.name).toBe('InterPodAffinity');
    expectScores(ask(waiting(), [there('a1'), there('b')])).toBe('Skip');
    expectScores(ask(waiting(near(wish(1, about({ app: 'none' })))), [there('a1')])).toBe('Skip');
    expectScores(ask(waiting(near(wish(1, about(DB)))), [])).toBe('Skip');
    expectScores(ask(waiting(), [there('a1', near(wish(1, about(DB))))])).toBe('Skip');
  });

  test('goes near whom it likes: the more of them there are, the better is the place', () => {
    const pod = waiting(near(wish(10, about(DB))));
    expectScores(ask(pod, [there('a1')])).toEqual({ a1: 100, a2: 100, b: 0, bare: 0 });
    expectScores(ask(pod, [there('a1'), there('a2'), there('b')])).toEqual({
      a1: 100,
      a2: 100,
      b: 50,
      bare: 0,
    });
  });

  test('keeps away from whom it does not like', () => {
    const pod = waiting(far(wish(10, about(DB))));
    expectScores(ask(pod, [there('a1')])).toEqual({ a1: 0, a2: 0, b: 100, bare: 100 });
    expectScores(ask(pod, [there('a1'), there('a2'), there('b')])).toEqual({
      a1: 0,
      a2: 0,
      b: 50,
      bare: 100,
    });
  });

  test('adds up all of its terms, each with its weight and its places', () => {
    const pod = waiting({
      affinity: {
        ...near(wish(6, about(DB)), wish(2, about(DB, { topologyKey: LABEL_HOSTNAME }))).affinity,
        ...far(wish(3, about({ app: 'batch' }))).affinity,
      },
    });
    const batch = there('b', {}, { labels: { app: 'batch' } });
    // a1: 6 + 2, a2: 6, b: -3, bare: 0. From the least, -3, to the most, 8, it is 11.
    expectScores(ask(pod, [there('a1'), batch])).toEqual({ a1: 100, a2: 81, b: 0, bare: 27 });
  });

  test('has something to say also when what a place has gained and lost cancels', () => {
    const { podAffinity } = near(wish(5, about(DB))).affinity ?? {};
    const { podAntiAffinity } = far(wish(5, about(DB))).affinity ?? {};
    const torn = waiting({ affinity: { podAffinity, podAntiAffinity } } as Partial<Spec>);
    expectScores(ask(torn, [there('a1')])).toEqual({ a1: 0, a2: 0, b: 0, bare: 0 });
  });

  test('lets those who are there have their wishes about it, too', () => {
    const fond = there('a1', near(wish(7, about(WEB))));
    const shy = there('b', far(wish(7, about(WEB))));
    expectScores(ask(waiting(), [fond, shy])).toEqual({ a1: 100, a2: 100, b: 0, bare: 50 });
    const db = waiting({}, { labels: { app: 'batch' } });
    expectScores(ask(db, [fond, shy])).toBe('Skip');
  });

  test('counts for a little that it is required by one who is there', () => {
    expect(HARD_POD_AFFINITY_WEIGHT).toBe(1);
    const bound = there('a1', needs(about(WEB), about(WEB, { topologyKey: LABEL_HOSTNAME })));
    const fond = there('b', near(wish(4, about(WEB))));
    expectScores(ask(waiting(), [bound, fond])).toEqual({ a1: 50, a2: 25, b: 100, bare: 0 });
  });

  test('leaves to the filter what it requires itself, and whom anybody shuns', () => {
    expectScores(ask(waiting(needs(about(DB))), [there('a1')])).toBe('Skip');
    expectScores(ask(waiting(shuns(about(DB))), [there('a1')])).toBe('Skip');
    expectScores(ask(waiting(), [there('a1', shuns(about(WEB)))])).toBe('Skip');
  });

  test('adds up what it wishes and what others wish', () => {
    const pod = waiting(near(wish(2, about(DB))));
    const fond = there('a1', near(wish(3, about(WEB))));
    const shy = there('b', far(wish(1, about(WEB))));
    // a: 2 + 3, b: 2 - 1
    expectScores(ask(pod, [fond, shy])).toEqual({ a1: 100, a2: 100, b: 20, bare: 0 });
  });

  test('knows no place where the label is missing', () => {
    const pod = waiting(near(wish(1, about(DB))));
    expectScores(ask(pod, [there('bare')])).toBe('Skip');
    expectScores(ask(pod, [there('bare'), there('b')])).toEqual({ a1: 0, a2: 0, b: 100, bare: 0 });
  });

  test('takes a label that is empty for a place like any other', () => {
    const snapshot = aSnapshot(labelled({ x: { [ZONE]: '' }, y: { [ZONE]: 'b' } }), [there('x')]);
    const pod = waiting(near(wish(1, about(DB))));
    expectScores(askScorePlugin(interPodAffinity, pod, snapshot)).toEqual({ x: 100, y: 0 });
  });

  test('asks those who are there also when the pod has wishes of its own: what they wish, and what they need', () => {
    const pod = waiting(near(wish(2, about({ app: 'cache' }))));
    const cache = there('a1', {}, { labels: { app: 'cache' } });
    expectScores(ask(pod, [cache, there('b', needs(about(WEB)))])).toEqual({
      a1: 100,
      a2: 100,
      b: 50,
      bare: 0,
    });
    expectScores(ask(pod, [cache, there('b', near(wish(1, about(WEB))))])).toEqual({
      a1: 100,
      a2: 100,
      b: 50,
      bare: 0,
    });
  });

  test('looks at pods on all nodes, also on those that are not left', () => {
    const pod = waiting(near(wish(1, about(DB))));
    expectScores(ask(pod, [there('a1')], ['a2', 'b'])).toEqual({ a2: 100, b: 0 });
    expectScores(ask(waiting(), [there('a1', near(wish(1, about(WEB))))], ['a2', 'b'])).toEqual({
      a2: 100,
      b: 0,
    });
  });

  test('counts those who are going: they are still there', () => {
    const pod = waiting(near(wish(1, about(DB))));
    expectScores(ask(pod, [there('b', {}, { deleted: true })])).toEqual({ a1: 0, a2: 0, b: 100, bare: 0 });
  });

  test('compares with the least, and the most: whatever all have in common makes no difference', () => {
    const pod = waiting(near(wish(10, about(DB))));
    expectScores(ask(pod, [there('a1'), there('a2'), there('b')], ['a1', 'b'])).toEqual({ a1: 100, b: 0 });
    expectScores(ask(pod, [there('a1'), there('b')], ['a1', 'a2', 'b'])).toEqual({ a1: 0, a2: 0, b: 0 });
    expectScores(
      ask(waiting(far(wish(10, about(DB)))), [there('a1'), there('a2'), there('b')], ['a1', 'b']),
    ).toEqual({
      a1: 0,
      b: 100,
    });
  });

  test('computes in floating point and rounds down, as Go does', () => {
    const pod = waiting(near(wish(100, about(DB)), wish(29, about({ app: 'cache' }))));
    const cache = there('b', {}, { labels: { app: 'cache' } });
    // 29/100 × 100 is a little less than 29.
    expectScores(ask(pod, [there('a1'), cache])).toEqual({ a1: 100, a2: 100, b: 28, bare: 0 });
  });

  test('means pods of its own namespace, unless a term names others or describes them', () => {
    const inShop = there('a1', {}, { namespace: 'shop' });
    const inBank = there('b', {}, { namespace: 'bank' });
    const own = there('b');
    const scores = (more: Partial<Term>) =>
      ask(waiting(near(wish(1, about(DB, more)))), [inShop, inBank, own]);
    const [shop, bank] = [
      { a1: 100, a2: 100, b: 0, bare: 0 },
      { a1: 0, a2: 0, b: 100, bare: 0 },
    ];
    expect(scores({})).toEqual(bank);
    expect(scores({ namespaces: ['shop'] })).toEqual(shop);
    expect(scores({ namespaceSelector: { matchLabels: { team: 'shop' } } })).toEqual(shop);
    expect(scores({ namespaces: ['bank'], namespaceSelector: { matchLabels: { team: 'none' } } })).toEqual(
      bank,
    );
    expect(scores({ namespaceSelector: {} })).toEqual({ a1: 50, a2: 50, b: 100, bare: 0 });
  });

  test('takes the namespace of whoever has the wish', () => {
    const fond = there('a1', near(wish(1, about(WEB))), { namespace: 'shop' });
    expectScores(ask(waiting(), [fond])).toBe('Skip');
    expectScores(ask(waiting({}, { namespace: 'shop' }), [fond])).toEqual({
      a1: 100,
      a2: 100,
      b: 0,
      bare: 0,
    });
  });
});

describe('Level 8 · The sum, and who wins', () => {
  /** What a plugin of one's own making says. */
  interface Said {
    readonly raw?: Readonly<Record<string, number>>;
    readonly skips?: boolean;
    readonly normalize?: (scores: readonly framework.NodeScore[]) => readonly framework.NodeScore[];
    /** Whether it has a preScore. @defaultValue true */
    readonly prepared?: boolean;
  }
  /** A plugin that writes down what it is asked. */
  const plugin = (name: string, said: Said, log: string[] = []): framework.ScorePlugin => ({
    name,
    ...(said.prepared === false
      ? {}
      : {
          preScore: (_state, _pod, feasible) => {
            log.push(`preScore ${name} ${feasible.map((info) => info.name)}`);
            return said.skips ? framework.skip : framework.success;
          },
        }),
    score: (_state, _pod, info) => {
      log.push(`score ${name} ${info.name}`);
      return said.raw?.[info.name] ?? 0;
    },
    ...(said.normalize
      ? {
          normalizeScore: (_state, _pod, scores) => {
            log.push(`normalizeScore ${name} ${scores.map((each) => `${each.name}=${each.score}`)}`);
            return said.normalize?.(scores) ?? [];
          },
        }
      : {}),
  });
  const weighed = (weight: number, one: framework.ScorePlugin): framework.WeightedPlugin => ({
    plugin: one,
    weight,
  });
  const three = aSnapshot(nodesOf({ a: {}, b: {}, c: {} }));
  const prioritize = (
    plugins: readonly framework.WeightedPlugin[],
    { feasible = three.nodeInfos, state = new framework.CycleState() } = {},
  ) => prioritizeNodes({ plugins, state, pod: aSchedulingPod(), feasible, snapshot: three });
  const totals = (all: readonly framework.NodePluginScores[]): Record<string, number> =>
    Object.fromEntries(all.map(({ name, totalScore }) => [name, totalScore]));

  test('adds up what plugins say, each times its weight', () => {
    const all = prioritize([
      weighed(1, plugin('One', { raw: { a: 10, b: 20, c: 0 } })),
      weighed(3, plugin('Two', { raw: { a: 5, b: 0, c: 100 } })),
    ]);
    const said = (one: number, two: number) => [
      { name: 'One', score: one },
      { name: 'Two', score: two },
    ];
    expect(all).toEqual([
      { name: 'a', scores: said(10, 15), totalScore: 25 },
      { name: 'b', scores: said(20, 0), totalScore: 20 },
      { name: 'c', scores: said(0, 300), totalScore: 300 },
    ]);
  });

  test('normalises first and weighs afterwards', () => {
    const normalize = (scores: readonly framework.NodeScore[]) => defaultNormalizeScore(100, false, scores);
    const all = prioritize([weighed(2, plugin('One', { raw: { a: 1, b: 4, c: 2 }, normalize }))]);
    expect(totals(all)).toEqual({ a: 50, b: 200, c: 100 });
  });

  test('asks preScore before score, and normalizeScore after it, with all that is left and nothing else', () => {
    const log: string[] = [];
    const normalize = (scores: readonly framework.NodeScore[]) => scores;
    const one = plugin('One', { raw: { c: 7, a: 3 }, normalize }, log);
    prioritize([weighed(1, one)], { feasible: only(three, 'a', 'c') });
    expect(log).toHaveLength(4);
    expect(log[0]).toBe('preScore One a,c');
    expect(log.slice(1, 3).toSorted()).toEqual(['score One a', 'score One c']);
    expect(log[3]).toBe('normalizeScore One a=3,c=7');
  });

  test('asks every plugin for its preScore, in their order, before it asks any of them for a score', () => {
    const log: string[] = [];
    prioritize([
      weighed(1, plugin('One', {}, log)),
      weighed(2, plugin('None', { prepared: false }, log)),
      weighed(1, plugin('Two', {}, log)),
    ]);
    expect(log.slice(0, 2)).toEqual(['preScore One a,b,c', 'preScore Two a,b,c']);
    expect(log.slice(2).filter((line) => !line.startsWith('score'))).toEqual([]);
  });

  test.each([
    ['Unschedulable', framework.unschedulable('no')],
    ['UnschedulableAndUnresolvable', framework.unresolvable('no')],
  ])('refuses a preScore of %s: which nodes can was decided before', (code, status) => {
    const rejecting = { ...plugin('Filters', { raw: { a: 1 } }), preScore: () => status };
    const told = refusal(() => prioritize([weighed(1, plugin('One', {})), weighed(1, rejecting)]));
    expect(told, `preScore of a plugin gave ${code}, and of prioritizeNodes`).not.toBe('nothing was thrown');
  });

  test('asks a plugin that has nothing to prepare', () => {
    const all = prioritize([weighed(1, plugin('One', { raw: { b: 9 }, prepared: false }))]);
    expect(totals(all)).toEqual({ a: 0, b: 9, c: 0 });
  });

  test('asks no more of a plugin that has nothing to say, and tells who it was', () => {
    const log: string[] = [];
    const state = new framework.CycleState();
    const normalize = () => {
      throw new Error('A plugin that was skipped is asked to normalise.');
    };
    const all = prioritize(
      [
        weighed(5, plugin('Silent', { raw: { a: 100 }, skips: true, normalize }, log)),
        weighed(1, plugin('One', { raw: { b: 9 } })),
      ],
      { state },
    );
    expect(totals(all)).toEqual({ a: 0, b: 9, c: 0 });
    expect(all[0]?.scores).toEqual([{ name: 'One', score: 0 }]);
    expect(log).toEqual(['preScore Silent a,b,c']);
    expect([...state.skipScorePlugins]).toEqual(['Silent']);
  });

  test('gives every node nothing when all have nothing to say, and 1 when there is nobody to say it', () => {
    const silent = prioritize([weighed(5, plugin('Silent', { skips: true }))]);
    expect(silent).toEqual(['a', 'b', 'c'].map((name) => ({ name, scores: [], totalScore: 0 })));
    expect(prioritize([])).toEqual(['a', 'b', 'c'].map((name) => ({ name, scores: [], totalScore: 1 })));
  });

  test('tells of the nodes in the order in which it was given them', () => {
    const one = weighed(1, plugin('One', { raw: { a: 1, b: 2, c: 3 } }));
    const feasible = three.nodeInfos.toReversed();
    expect(prioritize([one], { feasible }).map(({ name, totalScore }) => [name, totalScore])).toEqual([
      ['c', 3],
      ['b', 2],
      ['a', 1],
    ]);
  });

  test.each([101, -1, 0.5, Number.NaN])('refuses a score of %d, and says who gave it', (score) => {
    const raw = { a: 50, b: score };
    const plain = plugin('Wild', { raw });
    const normalising = plugin('Wild', {
      raw: { a: 50 },
      normalize: () => [
        { name: 'a', score },
        { name: 'b', score },
        { name: 'c', score },
      ],
    });
    for (const each of [plain, normalising]) {
      const told = refusal(() => prioritize([weighed(1, each)]));
      const gave = `the plugin Wild gave ${score}, which is no score, and of prioritizeNodes`;
      expect(told, gave).toContain('Wild');
      expect(told, gave).toContain(String(score));
    }
  });

  test('minds only what comes out in the end', () => {
    const normalize = (scores: readonly framework.NodeScore[]) => defaultNormalizeScore(100, true, scores);
    const all = prioritize([weighed(1, plugin('One', { raw: { a: 3_000, b: 0, c: 1_500 }, normalize }))]);
    expect(totals(all)).toEqual({ a: 0, b: 100, c: 50 });
  });

  const having = (byName: Readonly<Record<string, number>>): framework.NodePluginScores[] =>
    Object.entries(byName).map(([name, totalScore]) => ({ name, totalScore, scores: [] }));

  test('chooses the node with the highest total, wherever it stands', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const random = seededRandom(seed);
      expect(selectHost(having({ a: 9, b: 5, c: 1 }), random)).toBe('a');
      expect(selectHost(having({ a: 5, b: 9, c: 8 }), random)).toBe('b');
      expect(selectHost(having({ a: 1, b: 8, c: 9 }), random)).toBe('c');
      expect(selectHost(having({ a: 0 }), random)).toBe('a');
    }
  });

  test('chooses among equals by chance, each as likely as the others, and never one that is worth less', () => {
    const scores = having({ low: 1, a: 9, b: 9, less: 8, c: 9, d: 9, none: 0 });
    const random = seededRandom(32);
    const times: Record<string, number> = { low: 0, a: 0, b: 0, less: 0, c: 0, d: 0, none: 0 };
    const picks = 4_000;
    for (let i = 0; i < picks; i++) {
      const name = selectHost(scores, random);
      times[name] = (times[name] ?? 0) + 1;
    }
    expect(times).toMatchObject({ low: 0, less: 0, none: 0 });
    // Fair chance is off by more than this less than once in a billion.
    for (const name of ['a', 'b', 'c', 'd']) {
      const off = Math.abs((times[name] ?? 0) - picks / 4);
      expect(
        off,
        `${name} was chosen ${times[name]} times of ${picks}: ${JSON.stringify(times)}`,
      ).toBeLessThan(200);
    }
  });

  test('cannot choose when there is no node', () => {
    expect(refusal(() => selectHost([], seededRandom(1)))).not.toBe('nothing was thrown');
  });

  test('has the plugins that Kubernetes has, in their order and with their weights', () => {
    expect(scorePlugins.map(({ plugin: { name }, weight }) => [name, weight])).toEqual([
      ['TaintToleration', 3],
      ['NodeAffinity', 2],
      ['NodeResourcesFit', 1],
      ['PodTopologySpread', 2],
      ['InterPodAffinity', 2],
      ['NodeResourcesBalancedAllocation', 1],
      ['ImageLocality', 1],
    ]);
    expect(scoring.plugins).toEqual(scorePlugins);
  });

  // A cluster in which every plugin has something to say.
  const ZONE = 'topology.kubernetes.io/zone';
  const WEB = { app: 'web' };
  const allocatable = { cpu: '10', memory: '1000Mi', pods: '110' };
  const cluster = nodesOf({
    old: {
      labels: { [ZONE]: 'a', disk: 'ssd' },
      allocatable,
      taints: [{ key: 'old', effect: 'PreferNoSchedule' }],
      images: [{ names: ['shop:1'], sizeBytes: 1_000 * MIB }],
    },
    full: { labels: { [ZONE]: 'b', disk: 'ssd' }, allocatable },
    empty: { labels: { [ZONE]: 'b' }, allocatable },
  });
  const busy = [
    aSchedulingPod({
      name: 'db',
      nodeName: 'old',
      labels: { app: 'db' },
      requests: { cpu: '1500m', memory: 0 },
    }),
    aSchedulingPod({ name: 'web', nodeName: 'full', labels: WEB, requests: { cpu: '5', memory: '650Mi' } }),
  ];
  const shop = aSchedulingPod({
    labels: WEB,
    spec: {
      containers: [{ name: 'shop', image: 'shop:1', resources: { requests: { cpu: '1', memory: '100Mi' } } }],
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'disk', operator: 'Exists' }] } },
          ],
        },
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              podAffinityTerm: { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'db' } } },
            },
          ],
        },
      },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: ZONE,
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: WEB },
        },
      ],
    },
  });
  const decide = (nodes: readonly Node[], plugins = scoring.plugins) => {
    const snapshot = aSnapshot(nodes, busy);
    const state = new framework.CycleState();
    return scoring.prioritizeNodes({ plugins, state, pod: shop, feasible: snapshot.nodeInfos, snapshot });
  };

  test('weighs a whole cluster to the point', () => {
    // Taints 3 × 0, 100, 100; affinity 2 × 100, 100, 0; room 1 × 82, 32, 90; spread 2 × 100, 0, 0;
    // the database 2 × 100, 0, 0; balance 1 × 92, 92, 100; images 1 × 31 (a third of 1000 MiB), 0, 0.
    const said = decide(cluster).map(({ name, scores }) => [name, ...scores.map(({ score }) => score)]);
    expect(said).toEqual([
      ['old', 0, 200, 82, 200, 200, 92, 31],
      ['full', 300, 200, 32, 0, 0, 92, 0],
      ['empty', 300, 0, 90, 0, 0, 100, 0],
    ]);
    expect(totals(decide(cluster))).toEqual({ old: 805, full: 624, empty: 490 });
    expect(scoring.selectHost(decide(cluster), seededRandom(1))).toBe('old');
  });

  test('comes to the same in whatever order nodes and plugins are', () => {
    const wanted = { old: 805, full: 624, empty: 490 };
    expect(totals(decide(cluster.toReversed()))).toEqual(wanted);
    expect(totals(decide(cluster, scoring.plugins.toReversed()))).toEqual(wanted);
  });

  test('leaves out who has nothing to say of a plain pod', () => {
    const snapshot = aSnapshot(cluster);
    const state = new framework.CycleState();
    const { plugins } = scoring;
    const request = { plugins, state, pod: aSchedulingPod(), feasible: snapshot.nodeInfos, snapshot };
    const [first] = scoring.prioritizeNodes(request);
    expect(first?.scores.map(({ name }) => name)).toEqual([
      'TaintToleration',
      'NodeResourcesFit',
      'ImageLocality',
    ]);
  });
});
