import { describe, expect, test } from 'vitest';
import { leastAllocatedScore, mostAllocatedScore, nodeResourcesFit } from '#kata/32-score/score';
import { askScorePlugin } from '#laws/32-score';
import { aSnapshot } from '#laws/scheduling';
import { sized } from './nodes.fixture.ts';
import { podAsking, running } from './pods.fixture.ts';
import { refusal } from './refusal.fixture.ts';
import { EVENLY, GPU, type ResourceRow, resourcesOf } from './resources.fixture.ts';
import { expectScores, type Scores } from './scores.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 1 · How full a node is', () => {
  const LEAST = { type: 'LeastAllocated', resources: EVENLY } as const;
  const MOST = { type: 'MostAllocated', resources: EVENLY } as const;

  test('returns the free share in percent, rounded down', () => {
    expect(leastAllocatedScore(0, 4), 'nothing of 4 requested').toBe(100);
    expect(leastAllocatedScore(1, 4), '1 of 4 requested').toBe(75);
    expect(leastAllocatedScore(1, 3), '1 of 3 requested: 66.7 is rounded down').toBe(66);
    expect(leastAllocatedScore(2, 3), '2 of 3 requested: 33.3 is rounded down').toBe(33);
    expect(leastAllocatedScore(4, 4), 'all of 4 requested').toBe(0);
  });

  test('returns the used share in percent, rounded down', () => {
    expect(mostAllocatedScore(0, 4), 'nothing of 4 requested').toBe(0);
    expect(mostAllocatedScore(1, 4), '1 of 4 requested').toBe(25);
    expect(mostAllocatedScore(1, 3), '1 of 3 requested: 33.3 is rounded down').toBe(33);
    expect(mostAllocatedScore(2, 3), '2 of 3 requested: 66.7 is rounded down').toBe(66);
    expect(mostAllocatedScore(4, 4), 'all of 4 requested').toBe(100);
  });

  test('multiplies by 100 before it divides', () => {
    // 1 - 8/10 is a little less than 0.2, and 29/100 × 100 a little less than 29.
    expect(
      [8, 9].map((requested) => leastAllocatedScore(requested, 10)),
      'multiply by 100 before you divide: 8 and 9 of 10 requested',
    ).toEqual([20, 10]);
    expect(
      [43, 71].map((requested) => leastAllocatedScore(requested, 100)),
      'multiply by 100 before you divide: 43 and 71 of 100 requested',
    ).toEqual([57, 29]);
    expect(
      [29, 57].map((requested) => mostAllocatedScore(requested, 100)),
      'multiply by 100 before you divide: 29 and 57 of 100 requested',
    ).toEqual([29, 57]);
  });

  test('scores an overfull node like a full one', () => {
    expect(leastAllocatedScore(5, 4), '5 of 4 requested: the score is that of a full node').toBe(0);
    expect(mostAllocatedScore(5, 4), '5 of 4 requested: the score is that of a full node').toBe(100);
  });

  test('returns 0 for a resource that the node lacks', () => {
    expect(leastAllocatedScore(0, 0), 'nothing of 0 requested').toBe(0);
    expect(leastAllocatedScore(1, 0), '1 of 0 requested').toBe(0);
    expect(mostAllocatedScore(0, 0), 'nothing of 0 requested').toBe(0);
    expect(mostAllocatedScore(1, 0), '1 of 0 requested').toBe(0);
  });

  test('is a plugin named NodeResourcesFit that never skips', () => {
    expect(nodeResourcesFit().name).toBe('NodeResourcesFit');
    const snapshot = aSnapshot(sized({ a: { cpu: '4', memory: '8Gi' } }));
    expectScores(
      askScorePlugin(nodeResourcesFit(), podAsking({ cpu: 0, memory: 0 }), snapshot),
      'NodeResourcesFit must not skip a pod without requests; the node is empty',
    ).toEqual({
      a: 100,
    });
  });

  test('prefers the emptier node, with equal weights of cpu and memory by default', () => {
    const snapshot = aSnapshot(
      sized({ a: { cpu: '10', memory: 1000 }, b: { cpu: '10', memory: 1000 } }),
      running({ a: [{ cpu: '5', memory: 100 }], b: [{ cpu: '1', memory: 300 }] }),
    );
    const pod = podAsking({ cpu: '1', memory: 100 });
    expectScores(
      askScorePlugin(nodeResourcesFit(), pod, snapshot),
      'used with this pod: a has 6 of 10 cpu and 200 of 1000 memory (40 and 80), b has 2 and 400 (80 and 60)',
    ).toEqual({ a: 60, b: 70 });
    expectScores(
      askScorePlugin(nodeResourcesFit({ type: 'MostAllocated' }), pod, snapshot),
      'used with this pod: a has 6 of 10 cpu and 200 of 1000 memory (60 and 20), b has 2 and 400 (20 and 40)',
    ).toEqual({
      a: 40,
      b: 30,
    });
  });

  test('rounds the score of each resource down, and then their average', () => {
    // 66.7 and 66.7 are 66 and 66; 66.7 and 33.3 are 66 and 33, on average 49.5.
    const snapshot = aSnapshot(sized({ a: { cpu: '3', memory: 300 }, b: { cpu: '3', memory: 150 } }));
    const pod = podAsking({ cpu: '1', memory: 100 });
    expectScores(
      askScorePlugin(nodeResourcesFit(LEAST), pod, snapshot),
      'a: 66 and 66; b: 66 and 33, on average 49.5, which is rounded down',
    ).toEqual({ a: 66, b: 49 });
  });

  test('assumes 100m cpu and 200Mi memory for containers without requests, each separately', () => {
    const nodes = sized(
      Object.fromEntries(
        ['none', 'cpu', 'memory', 'zero'].map((name) => [name, { cpu: '1', memory: '2000Mi' }]),
      ),
    );
    const snapshot = aSnapshot(
      nodes,
      running({ none: [{}], cpu: [{ cpu: 0 }], memory: [{ memory: 0 }], zero: [{ cpu: 0, memory: 0 }] }),
    );
    expectScores(
      askScorePlugin(nodeResourcesFit(MOST), podAsking({ cpu: 0, memory: 0 }), snapshot),
      'of 1000m and 2000Mi in use: 100m and 200Mi for a container without requests; a request of 0 is 0',
    ).toEqual({
      none: 10,
      cpu: 5,
      memory: 5,
      zero: 0,
    });
    const empty = aSnapshot(sized({ a: { cpu: '1', memory: '2000Mi' } }));
    expectScores(
      askScorePlugin(nodeResourcesFit(MOST), podAsking({}, {}, { cpu: 0 }), empty),
      'of 1000m and 2000Mi, the three containers of the pod request 200m and 600Mi: 20 and 30, on average 25',
    ).toEqual({
      a: 25,
    });
  });

  test('ignores a resource that the node lacks, and its weight', () => {
    const resources = [
      { name: 'cpu', weight: 1 },
      { name: 'memory', weight: 99 },
    ];
    const snapshot = aSnapshot(sized({ a: { cpu: '4' }, b: { cpu: '4', memory: 0 }, c: {} }));
    const pod = podAsking({ cpu: '1', memory: 100 });
    expectScores(
      askScorePlugin(nodeResourcesFit({ ...LEAST, resources }), pod, snapshot),
      'b has no memory and c nothing: leave the resource and its weight out of the average',
    ).toEqual({
      a: 75,
      b: 75,
      c: 0,
    });
    expectScores(
      askScorePlugin(nodeResourcesFit({ ...MOST, resources }), pod, snapshot),
      'b has no memory and c nothing: leave the resource and its weight out of the average',
    ).toEqual({
      a: 25,
      b: 25,
      c: 0,
    });
  });

  test('ignores an extended resource unless the pod requests it', () => {
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
    expectScores(
      askScorePlugin(plugin, podAsking({ cpu: '1' }), snapshot),
      'the pod requests neither GPU nor hugepages: only cpu counts',
    ).toEqual({ a: 50 });
    // Were they counted, it would be (50 × 1 + 25 × 2) / 3.
    expectScores(
      askScorePlugin(plugin, podAsking({ cpu: '1', [GPU]: 0 }), snapshot),
      'a request of 0 GPU is no request: only cpu counts',
    ).toEqual({ a: 50 });
    // (50 × 1 + 75 × 2) / 3
    expectScores(
      askScorePlugin(plugin, podAsking({ cpu: '1', [GPU]: 2 }), snapshot),
      'cpu 50 at weight 1 and GPU 3 of 4, which is 75, at weight 2: (50 + 150) / 3',
    ).toEqual({ a: 66 });
  });

  test('looks at storage also when the pod asks for none', () => {
    const resources = [{ name: 'ephemeral-storage', weight: 1 }];
    const snapshot = aSnapshot(
      sized({ a: { 'ephemeral-storage': 1000 } }),
      running({ a: [{ 'ephemeral-storage': 250 }] }),
    );
    expectScores(
      askScorePlugin(nodeResourcesFit({ ...LEAST, resources }), podAsking({}), snapshot),
      'ephemeral-storage always counts: 250 of 1000 are in use',
    ).toEqual({
      a: 75,
    });
  });

  test.each(table<ResourceRow, Scores>('leastAllocated', 8))('spreads as Kubernetes does: %s', (_, row) => {
    const { pod, snapshot } = resourcesOf(row.input);
    const plugin = nodeResourcesFit({ type: 'LeastAllocated', resources: row.input.resources ?? [] });
    expectScores(
      askScorePlugin(plugin, pod, snapshot),
      'LeastAllocated: per resource (allocatable - requested) × 100 / allocatable, rounded down; then the weighted average, rounded down',
    ).toEqual(row.expect.scores);
  });

  test.each(table<ResourceRow, Scores>('mostAllocated', 6))('packs as Kubernetes does: %s', (_, row) => {
    const { pod, snapshot } = resourcesOf(row.input);
    const plugin = nodeResourcesFit({ type: 'MostAllocated', resources: row.input.resources ?? [] });
    expectScores(
      askScorePlugin(plugin, pod, snapshot),
      'MostAllocated: per resource requested × 100 / allocatable, rounded down; then the weighted average, rounded down',
    ).toEqual(row.expect.scores);
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
        expect(
          refusal(() => nodeResourcesFit({ type, resources })),
          'the error must name this field',
        ).toContain(row.expect.field);
      }
    },
  );

  test.each(table<ResourceRow, Refused>('scoringConfig', 1, (row) => !('field' in row.expect)))(
    'refuses to score without a resource, at once or when it is asked: %s',
    (_, row) => {
      const { pod, snapshot } = resourcesOf(row.input);
      const told = refusal(() => askScorePlugin(nodeResourcesFit({ resources: [] }), pod, snapshot));
      expect(told, 'without resources, nodeResourcesFit or its preScore or score must throw').not.toBe(
        'nothing was thrown',
      );
    },
  );

  test('names each invalid field', () => {
    const resources = [
      { name: 'cpu', weight: 1.5 },
      { name: 'memory', weight: 100 },
      { name: GPU, weight: -1 },
    ];
    const type = 'RequestedToCapacityRatio' as 'LeastAllocated';
    const told = refusal(() => nodeResourcesFit({ type, resources }));
    for (const field of ['type', 'resources[0].weight', 'resources[2].weight']) {
      expect(told, 'the error must name each wrong field').toContain(`scoringStrategy.${field}`);
    }
    expect(told, 'a weight of 100 is valid').not.toContain('resources[1]');
  });
});
