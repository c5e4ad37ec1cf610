import { describe, expect, test } from 'vitest';
import type { PodUsage } from '#given/41-kubelet';
import type { Pod } from '#harness';
import { admitPod, evictionMessage, rankForEviction, thresholdsMet } from '#kata/41-kubelet/kubelet';
import { disk, hard, hardDisk, MIB, memory, podOf, using } from './eviction.fixture.ts';

describe('Level 12 ★ · Eviction', () => {
  describe('thresholdsMet', () => {
    test('returns thresholds above the available amount', () => {
      expect(
        thresholdsMet([hard], memory(99)),
        '99Mi are available, less than the threshold of 100Mi: it is met',
      ).toEqual([hard]);
      expect(
        thresholdsMet([hard], memory(100)),
        '100Mi are available, as much as the threshold: it is not met',
      ).toEqual([]);
      expect(
        thresholdsMet([hardDisk], disk(9)),
        '9 % are available, less than the threshold of 10 %: it is met',
      ).toEqual([hardDisk]);
      expect(
        thresholdsMet([hardDisk], disk(10)),
        '10 % are available, as much as the threshold: it is not met',
      ).toEqual([]);
    });

    test('ignores a threshold whose signal is unknown', () => {
      expect(
        thresholdsMet([hard, hardDisk], disk(50)),
        'a signal without an observation meets no threshold',
      ).toEqual([]);
    });

    test('adds minReclaim when asked to', () => {
      const greedy = { ...hard, minReclaim: { quantity: 50 * MIB } };
      const met = (available: number) =>
        thresholdsMet([greedy], memory(available), { enforceMinReclaim: true });
      expect(
        [met(149).length, met(150).length, thresholdsMet([greedy], memory(149)).length],
        'thresholds met: with enforceMinReclaim the limit is 100Mi + 50Mi, so 149Mi meet it and 150Mi do not; without it, 149Mi do not',
      ).toEqual([1, 0, 0]);
    });
  });

  describe('rankForEviction', () => {
    const names = (
      resource: Parameters<typeof rankForEviction>[0],
      pods: readonly Pod[],
      usages: Record<string, PodUsage>,
    ) =>
      rankForEviction(resource, pods, new Map(Object.entries(usages))).map(({ metadata }) => metadata.name);

    test('puts pods that use more than their request first', () => {
      const pods = [
        podOf('modest', { memory: '2Gi' }, { priority: -1 }),
        podOf('greedy', { memory: '10Mi' }),
      ];
      expect(
        names('memory', pods, { modest: using('1Gi'), greedy: using('20Mi') }),
        'greedy uses more than its request, and modest does not: that comes before priority',
      ).toEqual(['greedy', 'modest']);
    });

    test('then sorts by priority', () => {
      const pods = [podOf('high', {}, { priority: 10 }), podOf('low', {}, { priority: -1 }), podOf('none')];
      const usages = { high: using('3Gi'), low: using('1Mi'), none: using('2Gi') };
      expect(
        names('memory', pods, usages),
        'all use more than they request: the lowest priority first, and none counts as 0',
      ).toEqual(['low', 'none', 'high']);
    });

    test('then sorts by the usage above the request', () => {
      const pods = [
        podOf('a', { memory: '900Mi' }),
        podOf('b', { memory: '10Mi' }),
        podOf('c', { memory: '1Gi' }),
      ];
      const usages = { a: using('1000Mi'), b: using('200Mi'), c: using('100Mi') };
      expect(
        names('memory', pods, usages),
        'usage above the request decides, not usage: b is 190Mi above, a 100Mi; c is below its request and comes last',
      ).toEqual(['b', 'a', 'c']);
    });

    test('puts pods of unknown usage first', () => {
      expect(
        names('memory', [podOf('a'), podOf('b')], { a: using('1Gi') }),
        'b has no known usage: it comes first',
      ).toEqual(['b', 'a']);
    });

    test('compares only the usage of the resource under pressure', () => {
      const pods = [podOf('memory'), podOf('disk')];
      const usages = { memory: using('1Gi', '1Mi'), disk: using('1Mi', '1Gi') };
      expect(names('memory', pods, usages), 'memory is short: rank by memory').toEqual(['memory', 'disk']);
      expect(names('ephemeral-storage', pods, usages), 'ephemeral-storage is short: rank by disk').toEqual([
        'disk',
        'memory',
      ]);
    });
  });

  describe('evictionMessage', () => {
    test('names the resource, and the containers that exceeded their requests', () => {
      const pod = podOf('web', { memory: '64Mi' });
      const usages = new Map([['web', using('300Mi')]]);
      const input = { usages, thresholds: [hard], observations: memory(50) };
      expect(
        evictionMessage('memory', pod, input),
        'the message names the threshold, what is available, and each container that uses more than its request',
      ).toBe(
        'The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. ' +
          'Container main was using 300Mi, request is 64Mi, has larger consumption of memory. ',
      );
    });

    test('prints a missing request as 0, and names no container within its request', () => {
      const input = {
        usages: new Map([['web', using('0', '2Gi')]]),
        thresholds: [hardDisk],
        observations: disk(5),
      };
      expect(
        evictionMessage('ephemeral-storage', podOf('web'), input),
        'a container without a request has the request 0',
      ).toBe(
        'The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 5Gi. ' +
          'Container main was using 2Gi, request is 0, has larger consumption of ephemeral-storage. ',
      );
      expect(
        evictionMessage('ephemeral-storage', podOf('web', { 'ephemeral-storage': '3Gi' }), input),
        'the container uses less than its request: the message must not name it',
      ).toBe('The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 5Gi. ');
    });
  });

  describe('admitPod', () => {
    const node = {
      metadata: { name: 'node-1' },
      status: { allocatable: { cpu: '4', memory: '1Gi', pods: '3', 'ephemeral-storage': '10Gi' } },
    };
    const admit = (pod: Pod, others: readonly Pod[] = [], pressure: readonly string[] = []) =>
      admitPod(pod, { node, others, pressure: new Set(pressure as 'MemoryPressure'[]) });

    test('admits a pod that fits', () => {
      expect(
        admit(podOf('a', { cpu: '4', memory: '1Gi' })),
        'the requests equal what the node has: admit',
      ).toBeUndefined();
    });

    test.each([
      [{ cpu: '1500m' }, 'OutOfcpu', 'cpu, requested: 1500, used: 3000, capacity: 4000'],
      [
        { memory: '600Mi' },
        'OutOfmemory',
        'memory, requested: 629145600, used: 536870912, capacity: 1073741824',
      ],
    ])('refuses what does not: %j', (requests, reason, what) => {
      expect(
        admit(podOf('a', requests), [podOf('b', { cpu: '3', memory: '512Mi' })]),
        'requested and used are in the unit of the resource: milli CPUs or bytes',
      ).toEqual({
        reason,
        message: `Node didn't have enough resource: ${what}`,
      });
    });

    test('rejects a pod above the pod limit before other checks', () => {
      const others = [podOf('a'), podOf('b'), podOf('c')];
      expect(
        admit(podOf('d', { cpu: '9' }), others),
        'the number of pods is checked before the other resources',
      ).toEqual({
        reason: 'OutOfpods',
        message: "Node didn't have enough resource: pods, requested: 1, used: 3, capacity: 3",
      });
    });

    test('rejects every pod under disk pressure, except critical ones', () => {
      const message = 'The node had condition: [DiskPressure]. ';
      expect(
        admit(podOf('a', { memory: '1Mi' }), [], ['DiskPressure']),
        'under DiskPressure no pod is admitted, whatever it requests',
      ).toEqual({
        reason: 'Evicted',
        message,
      });
      expect(
        admit(podOf('a', {}, { priority: 2_000_000_000 }), [], ['DiskPressure']),
        'a critical pod is admitted under DiskPressure',
      ).toBeUndefined();
    });

    test('rejects only BestEffort pods under memory pressure', () => {
      const message = 'The node had condition: [MemoryPressure]. ';
      const tolerations = [
        { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
      ];
      expect(
        admit(podOf('a'), [], ['MemoryPressure']),
        'under MemoryPressure a BestEffort pod is not admitted',
      ).toEqual({ reason: 'Evicted', message });
      expect(
        admit(podOf('a', { memory: '1Mi' }), [], ['MemoryPressure']),
        'under MemoryPressure a pod with a request is admitted',
      ).toBeUndefined();
      expect(
        admit(podOf('a', {}, { tolerations }), [], ['MemoryPressure']),
        'under MemoryPressure a BestEffort pod that tolerates its taint is admitted',
      ).toBeUndefined();
      expect(
        admit(podOf('a', { memory: '1Mi' }), [], ['MemoryPressure', 'DiskPressure'])?.reason,
        'under DiskPressure no pod is admitted, also if there is MemoryPressure',
      ).toBe('Evicted');
    });
  });
});
