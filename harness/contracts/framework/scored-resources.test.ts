import { expect, test } from 'vitest';
import { aSchedulingPod } from '../../laws/scheduling/index.ts';
import { parseResources, podInfoOf } from './index.ts';
import {
  amountOf,
  nodeResourcesBalancedAllocationArgs,
  nodeResourcesFitArgs,
  requestedResources,
} from './scored-resources.ts';

const GPU = 'example.com/gpu';

test('amountOf returns each resource', () => {
  const resources = parseResources({
    cpu: '1500m',
    memory: '2Ki',
    'ephemeral-storage': '3Ki',
    [GPU]: 4,
    pods: 5,
  });
  const names = ['cpu', 'memory', 'ephemeral-storage', GPU, 'example.com/none', 'pods'];
  expect(names.map((name) => amountOf(resources, name))).toEqual([1500, 2048, 3072, 4, 0, 0]);
});

test('cpu, memory and storage always count for a pod, other resources only if it requests them', () => {
  const specs = ['cpu', 'ephemeral-storage', GPU].map((name) => ({ name, weight: 1 }));
  const counted = (gpu?: string) =>
    requestedResources(
      specs,
      podInfoOf(aSchedulingPod({ requests: { cpu: '1', ...(gpu ? { [GPU]: gpu } : {}) } })).requests,
    ).map(({ name, amount }) => [name, amount]);
  expect(counted()).toEqual([
    ['cpu', 1000],
    ['ephemeral-storage', 0],
  ]);
  expect(counted('0')).toEqual(counted());
  expect(counted('2').at(-1)).toEqual([GPU, 2]);
});

test('The default arguments are cpu and memory with equal weight, and LeastAllocated', () => {
  const resources = [
    { name: 'cpu', weight: 1 },
    { name: 'memory', weight: 1 },
  ];
  expect(nodeResourcesFitArgs({})).toMatchObject({ type: 'LeastAllocated', resources });
  expect(nodeResourcesBalancedAllocationArgs({}).resources).toMatchObject(resources);
});

test('The error names each invalid field of the arguments', () => {
  const resources = [
    { name: 'cpu', weight: 1.5 },
    { name: 'memory', weight: 100 },
    { name: GPU, weight: -1 },
  ];
  const refused = () =>
    nodeResourcesFitArgs({ type: 'RequestedToCapacityRatio' as 'LeastAllocated', resources });
  for (const field of ['type', 'resources[0].weight', 'resources[2].weight']) {
    expect(refused).toThrow(`scoringStrategy.${field}`);
  }
  expect(refused).not.toThrow('resources[1]');
});
