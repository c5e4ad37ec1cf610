import { describe, expect, test } from 'vitest';
import {
  type EvictionThreshold,
  type NodeUsage,
  type Pod,
  type PodUsage,
  parseQuantity,
  type SignalObservations,
} from '#harness';
import {
  admitPod,
  EvictionManager,
  evictionMessage,
  rankForEviction,
  thresholdsMet,
} from '#kata/41-kubelet/kubelet';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** A pod that asks for so much. */
function podOf(name: string, requests: Record<string, string> = {}, spec: Partial<Pod['spec']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '2026-05-01T00:00:00Z',
    },
    spec: { containers: [{ name: 'main', image: 'nginx', resources: { requests } }], ...spec },
    status: { qosClass: Object.keys(requests).length > 0 ? 'Burstable' : 'BestEffort' },
  };
}

const using = (memory: string, disk = '0'): PodUsage => {
  const [memoryBytes, diskBytes] = [memory, disk].map((text) => parseQuantity(text).value()) as [
    number,
    number,
  ];
  return {
    memoryBytes,
    diskBytes,
    containers: [{ name: 'main', memoryBytes, diskBytes }],
    emptyDirBytes: new Map(),
  };
};

const memory = (availableMib: number): SignalObservations => ({
  'memory.available': { available: availableMib * MIB, capacity: GIB },
});
const disk = (percent: number): SignalObservations => ({
  'nodefs.available': { available: percent * GIB, capacity: 100 * GIB },
});
const hard: EvictionThreshold = { signal: 'memory.available', value: { quantity: 100 * MIB } };
const hardDisk: EvictionThreshold = { signal: 'nodefs.available', value: { percentage: 0.1 } };

describe('Level 12 ★ · Eviction', () => {
  describe('thresholdsMet', () => {
    test('gives those of which less is left than they say', () => {
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

    test('gives none of which nothing is known', () => {
      expect(
        thresholdsMet([hard, hardDisk], disk(50)),
        'a signal without an observation meets no threshold',
      ).toEqual([]);
    });

    test('asks for more, once pods were evicted for it', () => {
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

    test('begins with pods that use more than they asked for', () => {
      const pods = [
        podOf('modest', { memory: '2Gi' }, { priority: -1 }),
        podOf('greedy', { memory: '10Mi' }),
      ];
      expect(
        names('memory', pods, { modest: using('1Gi'), greedy: using('20Mi') }),
        'greedy uses more than its request, and modest does not: that comes before priority',
      ).toEqual(['greedy', 'modest']);
    });

    test('goes by priority among those', () => {
      const pods = [podOf('high', {}, { priority: 10 }), podOf('low', {}, { priority: -1 }), podOf('none')];
      const usages = { high: using('3Gi'), low: using('1Mi'), none: using('2Gi') };
      expect(
        names('memory', pods, usages),
        'all use more than they request: the lowest priority first, and none counts as 0',
      ).toEqual(['low', 'none', 'high']);
    });

    test('goes by how much more it is, at last', () => {
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

    test('begins with pods of which nothing is known', () => {
      expect(
        names('memory', [podOf('a'), podOf('b')], { a: using('1Gi') }),
        'b has no known usage: it comes first',
      ).toEqual(['b', 'a']);
    });

    test('looks at what is short, and at nothing else', () => {
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
    test('says what was short, and which containers had more than they asked for', () => {
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

    test('says a request of nothing as 0, and blames no container that had what it asked for', () => {
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

    test('takes what fits', () => {
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

    test('refuses one pod too many, before anything else', () => {
      const others = [podOf('a'), podOf('b'), podOf('c')];
      expect(
        admit(podOf('d', { cpu: '9' }), others),
        'the number of pods is checked before the other resources',
      ).toEqual({
        reason: 'OutOfpods',
        message: "Node didn't have enough resource: pods, requested: 1, used: 3, capacity: 3",
      });
    });

    test('refuses every pod while the disk is full, except critical ones', () => {
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

    test('refuses pods that ask for nothing while memory is short, and takes the others', () => {
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

  describe('EvictionManager', () => {
    /** A manager, and a node that the test says everything about. */
    function manager(thresholds: readonly EvictionThreshold[] = [hard, hardDisk]) {
      const told: string[] = [];
      const world = {
        nowMs: 0,
        pods: [podOf('a'), podOf('b')] as readonly Pod[],
        usages: { a: using('20Mi', '1Gi'), b: using('200Mi') } as Record<string, PodUsage>,
        observations: { ...memory(500), ...disk(50) } as SignalObservations,
        onReclaim: () => {},
      };
      const made = new EvictionManager({
        clock: { now: () => world.nowMs },
        thresholds,
        maxPodGracePeriodSeconds: 60,
        activePods: () => world.pods,
        observe: async (): Promise<NodeUsage> => ({
          observations: world.observations,
          pods: new Map(Object.entries(world.usages)),
        }),
        reclaim: async () => {
          told.push('reclaim');
          world.onReclaim();
        },
        evict: async ({ pod, graceSeconds, message, condition }) => {
          told.push(`evict ${pod.metadata.name} in ${graceSeconds} s`);
          expect(message, 'evict must get a message').not.toBe('');
          if (condition)
            expect(condition, 'the condition that evict gets').toMatchObject({
              type: 'DisruptionTarget',
              reason: 'TerminationByKubelet',
            });
        },
        warn: (reason, message) => told.push(`${reason}: ${message}`),
      });
      const pass = async (seconds: number) => {
        world.nowMs += seconds * 1_000;
        await made.synchronize();
      };
      return { world, told, made, pass };
    }
    const pressureOf = ({ pressure }: EvictionManager) => pressure && [...pressure];

    test('does nothing while there is enough', async () => {
      const { told, made, pass } = manager();
      expect(pressureOf(made), 'before the first pass the pressure is unknown').toBeUndefined();
      await pass(0);
      expect([pressureOf(made), told], 'nothing is short: no pressure, no eviction').toEqual([[], []]);
    });

    test('evicts one pod at a time when memory is short', async () => {
      const { world, told, made, pass } = manager();
      world.observations = { ...memory(50), ...disk(50) };
      await pass(0);
      expect(
        told,
        '50Mi are available, below 100Mi: evict one pod, the one furthest above its request (b uses 200Mi, a 20Mi)',
      ).toEqual(['EvictionThresholdMet: Attempting to reclaim memory', 'evict b in 1 s']);
      expect(pressureOf(made), 'a threshold of memory.available is met: MemoryPressure').toEqual([
        'MemoryPressure',
      ]);
    });

    test('frees the disk before it evicts, and evicts if that is not enough', async () => {
      const { world, told, pass } = manager();
      world.observations = { ...memory(500), ...disk(5) };
      await pass(0);
      world.onReclaim = () => {
        world.observations = { ...memory(500), ...disk(20) };
      };
      world.observations = { ...memory(500), ...disk(5) };
      await pass(10);
      const first = 'EvictionThresholdMet: Attempting to reclaim ephemeral-storage';
      expect(
        told,
        'the first pass reclaims, which is not enough, and evicts a; the second pass reclaims enough, and evicts nothing',
      ).toEqual([first, 'reclaim', 'evict a in 1 s', first, 'reclaim']);
    });

    test('frees memory first', async () => {
      const { world, told, pass } = manager([hardDisk, hard]);
      world.observations = { ...memory(50), ...disk(5) };
      await pass(0);
      expect(
        told[0],
        'memory and disk are short: memory comes first, whatever the order of the thresholds',
      ).toBe('EvictionThresholdMet: Attempting to reclaim memory');
    });

    test('never evicts a critical pod', async () => {
      const { world, told, pass } = manager();
      world.pods = [podOf('a'), podOf('b', {}, { priority: 2_000_000_001 })];
      world.observations = memory(50);
      await pass(0);
      expect(told.at(-1), 'b uses more memory, but is critical: evict a').toBe('evict a in 1 s');
      world.pods = [podOf('b', {}, { priority: 2_000_000_001 })];
      await pass(10);
      expect(
        told.filter((line) => line.startsWith('evict')),
        'evictions after the second pass: only the critical pod is left, so there must be no other',
      ).toHaveLength(1);
    });

    test('says for five minutes that a node is short of something that it was short of', async () => {
      const { world, made, pass } = manager();
      world.observations = memory(50);
      await pass(0);
      world.observations = memory(500);
      await pass(299);
      expect(
        pressureOf(made),
        '299 s after the threshold was last met: the condition stays for 5 minutes',
      ).toEqual(['MemoryPressure']);
      await pass(1);
      expect(pressureOf(made), '300 s after the threshold was last met: the condition ends').toEqual([]);
    });

    test('waits as long as a soft threshold says, and gives the pod its time', async () => {
      const soft = { ...hard, gracePeriodMs: 30_000 };
      const { world, told, made, pass } = manager([soft]);
      world.pods = [podOf('b', {}, { terminationGracePeriodSeconds: 45 })];
      world.observations = memory(50);
      await pass(0);
      await pass(20);
      expect(
        [told, pressureOf(made)],
        'the soft threshold has been met for 20 of its 30 s: MemoryPressure, but no eviction yet',
      ).toEqual([[], ['MemoryPressure']]);
      await pass(10);
      expect(
        told.at(-1),
        'the soft threshold has been met for 30 s: evict, with the grace period of the pod (45 s), because it is below the maximum (60 s)',
      ).toBe('evict b in 45 s');
    });

    test('begins to count anew when a soft threshold was not met in between', async () => {
      const { world, told, pass } = manager([{ ...hard, gracePeriodMs: 30_000 }]);
      world.observations = memory(50);
      await pass(0);
      world.observations = memory(500);
      await pass(20);
      world.observations = memory(50);
      await pass(10);
      await pass(20);
      expect(told, 'the soft threshold was not met in between, so its 30 s start again: no eviction').toEqual(
        [],
      );
    });

    test('goes on until there is as much again as the threshold asks for', async () => {
      const { world, told, pass } = manager([{ ...hard, minReclaim: { quantity: 50 * MIB } }]);
      world.observations = memory(50);
      await pass(0);
      world.observations = memory(120);
      await pass(10);
      world.observations = memory(150);
      await pass(10);
      expect(
        told.filter((line) => line.startsWith('evict')),
        'evictions: at 50Mi, and at 120Mi, because minReclaim asks for 100Mi + 50Mi; none at 150Mi',
      ).toHaveLength(2);
    });

    test('evicts a pod that has taken more of the disk than its own limits allow', async () => {
      const { world, told, pass } = manager();
      const volumes = [{ name: 'cache', emptyDir: { sizeLimit: '1Mi' } }];
      world.pods = [podOf('a', {}, { volumes }), podOf('b')];
      world.usages.a = { ...using('1Mi'), emptyDirBytes: new Map([['cache', 2 * MIB]]) };
      await pass(0);
      expect(
        told,
        'the emptyDir of a has 2Mi and a sizeLimit of 1Mi: evict a, although the disk is not short',
      ).toEqual(['evict a in 1 s']);
    });
  });
});
