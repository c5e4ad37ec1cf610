import { describe, expect, test } from 'vitest';
import { balancedAllocationScore, nodeResourcesBalancedAllocation } from '#kata/32-score/score';
import { askScorePlugin } from '#laws/32-score';
import { aSnapshot } from '#laws/scheduling';
import { sized } from './nodes.fixture.ts';
import { podAsking, running } from './pods.fixture.ts';
import { refusal } from './refusal.fixture.ts';
import { EVENLY, GPU, type ResourceRow, resourcesOf } from './resources.fixture.ts';
import { expectScores, type Scores } from './scores.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 2 · Balance', () => {
  test('finds a node even if two resources are used alike, and less even the further they are apart', () => {
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
      a: 62,
      b: 75,
    });
  });

  test('gives 75 if the pod changes nothing, more if the node becomes more even, less if it becomes less even', () => {
    const snapshot = aSnapshot(
      sized({
        empty: { cpu: '4', memory: 4000 },
        cpuInUse: { cpu: '4', memory: 4000 },
        memoryInUse: { cpu: '4', memory: 4000 },
      }),
      running({ cpuInUse: [{ cpu: '3' }], memoryInUse: [{ memory: 3000 }] }),
    );
    // Even as it is: 100, 62, 62. With the pod: 87, 50, 75.
    expectScores(
      askScorePlugin(nodeResourcesBalancedAllocation(), podAsking({ cpu: '1' }), snapshot),
    ).toEqual({
      empty: 68,
      cpuInUse: 69,
      memoryInUse: 81,
    });
    expectScores(
      askScorePlugin(nodeResourcesBalancedAllocation(), podAsking({ cpu: '1', memory: 1000 }), snapshot),
    ).toEqual({ empty: 75, cpuInUse: 75, memoryInUse: 75 });
  });

  test('counts what pods say, and assumes nothing for pods that do not', () => {
    const snapshot = aSnapshot(
      sized({ a: { cpu: '1', memory: '1000Mi' }, b: { cpu: '1', memory: '1000Mi' } }),
      running({ a: [{}, {}, {}], b: [{ cpu: '500m' }] }),
    );
    // Of a: none of the cpu is in use, then half. Of b: half, then all. Memory is not in use at all.
    expectScores(
      askScorePlugin(nodeResourcesBalancedAllocation(), podAsking({ cpu: '500m' }), snapshot),
    ).toEqual({
      a: 62,
      b: 62,
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
    expectScores(askScorePlugin(plugin, podAsking({ memory: 500 }), snapshot)).toEqual({ a: 87 });
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
    // 0.25, 0.75 and 1, where nothing was in use; without a GPU there are two; cpu alone is always even.
    expectScores(askScorePlugin(plugin, pod, snapshot)).toEqual({ all: 59, none: 62, zero: 75 });
  });

  test.each(table<ResourceRow, Scores>('balancedAllocation', 7))(
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
