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
    expect(balancedAllocationScore([0.5, 0.5]), 'used alike: 100').toBe(100);
    expect(balancedAllocationScore([0.75, 0.5]), '|0.75 - 0.5| / 2 = 0.125: 100 - 12.5, rounded down').toBe(
      87,
    );
    expect(balancedAllocationScore([0.5, 0.75]), '|0.5 - 0.75| / 2 = 0.125: 100 - 12.5, rounded down').toBe(
      87,
    );
    expect(balancedAllocationScore([0, 1]), '|0 - 1| / 2 = 0.5: 100 - 50').toBe(50);
  });

  test('takes half the distance of two as it is: the root of its square is another number', () => {
    expect(
      balancedAllocationScore([8 / 10, 1 / 10]),
      '(0.8 - 0.1) / 2 = 0.35, and (1 - 0.35) × 100 is 65 but for the last bit of a float, as in Go',
    ).toBe(64);
    expect(balancedAllocationScore([20 / 25, 1 / 25]), '(0.8 - 0.04) / 2 = 0.38, as in Go').toBe(62);
  });

  test('caps usage above 100 % at 100 %', () => {
    expect(balancedAllocationScore([3, 1]), 'shares above 1 count as 1: 1 and 1').toBe(100);
    expect(balancedAllocationScore([0, 7]), 'shares above 1 count as 1: 0 and 1').toBe(50);
    expect(
      balancedAllocationScore([7, 0, 0]),
      'shares above 1 count as 1: 1, 0 and 0, standard deviation 0.471',
    ).toBe(52);
  });

  test('takes the standard deviation of three and more, over all of them', () => {
    expect(balancedAllocationScore([0.5, 0.5, 0.5]), 'three equal shares').toBe(100);
    // The mean is 1/3, the mean of the squared distances 2/9, its root 0.471.
    expect(balancedAllocationScore([0, 0, 1]), 'standard deviation 0.471, over all three').toBe(52);
    expect(balancedAllocationScore([0, 1, 0, 1]), 'standard deviation 0.5').toBe(50);
    expect(balancedAllocationScore([0.5, 0.25, 0.25, 0.5, 0.875]), 'standard deviation 0.229').toBe(77);
  });

  test('finds nothing uneven about one resource, or none', () => {
    expect(balancedAllocationScore([0.3]), 'one share is always even').toBe(100);
    expect(balancedAllocationScore([]), 'no share is always even').toBe(100);
  });

  test('is a plugin named NodeResourcesBalancedAllocation that uses cpu and memory by default', () => {
    const plugin = nodeResourcesBalancedAllocation();
    expect(plugin.name).toBe('NodeResourcesBalancedAllocation');
    const snapshot = aSnapshot(
      sized({ a: { cpu: '4', memory: 1000, [GPU]: 1 }, b: { cpu: '8', memory: 1000, [GPU]: 1 } }),
    );
    expectScores(
      askScorePlugin(plugin, podAsking({ cpu: '4', memory: 500, [GPU]: 1 }), snapshot),
      'evenness before and after the pod, each rounded down: a is 100, then 75 (cpu 1, memory 0.5); b is 100, then 100. The score is 50 + (50 + after - before) / 2, rounded down at the end',
    ).toEqual({
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
      'evenness before: 100, 62, 62; with the pod: 87, 50, 75; the score is 50 + (50 + with - before) / 2, rounded down',
    ).toEqual({
      empty: 68,
      cpuInUse: 69,
      memoryInUse: 81,
    });
    expectScores(
      askScorePlugin(nodeResourcesBalancedAllocation(), podAsking({ cpu: '1', memory: 1000 }), snapshot),
      'the pod uses cpu and memory alike, so no node becomes more or less even',
    ).toEqual({ empty: 75, cpuInUse: 75, memoryInUse: 75 });
  });

  test('counts the requests of pods, and assumes none for the others', () => {
    const snapshot = aSnapshot(
      sized({ a: { cpu: '1', memory: '1000Mi' }, b: { cpu: '1', memory: '1000Mi' } }),
      running({ a: [{}, {}, {}], b: [{ cpu: '500m' }] }),
    );
    // Of a: none of the cpu is in use, then half. Of b: half, then all. Memory is not in use at all.
    expectScores(
      askScorePlugin(nodeResourcesBalancedAllocation(), podAsking({ cpu: '500m' }), snapshot),
      'without requests a container counts as 0 here, unlike in NodeResourcesFit. a: cpu 0, then 0.5; b: cpu 0.5, then 1; memory 0',
    ).toEqual({
      a: 62,
      b: 62,
    });
  });

  test('skips a pod that requests none of the resources', () => {
    const snapshot = aSnapshot(
      sized({ a: { cpu: '1', memory: 1000 } }),
      running({ a: [{ cpu: '500m', memory: 0 }] }),
    );
    const plugin = nodeResourcesBalancedAllocation();
    for (const pod of [podAsking({}), podAsking({ cpu: 0, memory: 0 }), podAsking({ [GPU]: 1 })]) {
      expectScores(
        askScorePlugin(plugin, pod, snapshot),
        'the pod requests neither cpu nor memory: preScore must return Skip',
      ).toBe('Skip');
    }
    expectScores(
      askScorePlugin(plugin, podAsking({ memory: 500 }), snapshot),
      'the pod requests memory: cpu 0.5 and memory 0, then 0.5 and 0.5',
    ).toEqual({ a: 87 });
  });

  test('ignores the resources that a node lacks', () => {
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
    expectScores(
      askScorePlugin(plugin, pod, snapshot),
      'all: shares 0.25, 0.75, 1; none: without a GPU 0.25, 0.75; zero: cpu alone is always even',
    ).toEqual({ all: 59, none: 62, zero: 75 });
  });

  test.each(table<ResourceRow, Scores>('balancedAllocation', 7))(
    'balances as Kubernetes does: %s',
    (_, row) => {
      const { pod, snapshot } = resourcesOf(row.input);
      const plugin = nodeResourcesBalancedAllocation({ resources: row.input.resources ?? [] });
      expectScores(
        askScorePlugin(plugin, pod, snapshot),
        '100 - the standard deviation of the used shares in percent, before and with the pod, each rounded down; the score is 50 + (50 + with - before) / 2, rounded down',
      ).toEqual(row.expect.scores);
    },
  );

  test('names each invalid field', () => {
    const resources = [
      { name: 'cpu', weight: 1 },
      { name: 'memory', weight: 2 },
      { name: 'cpu', weight: 1 },
    ];
    const told = refusal(() => nodeResourcesBalancedAllocation({ resources }));
    expect(told, 'a weight other than 1 is wrong here').toContain('resources[1].weight');
    expect(told, 'the second cpu is a duplicate').toContain('resources[2].name');
    expect(told, 'the first cpu is valid').not.toContain('resources[0]');
  });

  test('gives no score when it has no resource to look at: it refuses, or skips the pod', () => {
    const snapshot = aSnapshot(sized({ a: { cpu: '1' } }));
    const told = refusal(() => {
      const plugin = nodeResourcesBalancedAllocation({ resources: [] });
      if (askScorePlugin(plugin, podAsking({ cpu: '1' }), snapshot) === 'Skip') throw new Error('skipped');
    });
    expect(told, 'without resources the plugin must throw, or skip the pod').not.toBe('nothing was thrown');
  });
});
