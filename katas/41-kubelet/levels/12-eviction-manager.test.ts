import { describe, expect, test } from 'vitest';
import type { EvictionThreshold, NodeUsage, PodUsage, SignalObservations } from '#given/41-kubelet';
import type { Pod } from '#harness';
import { EvictionManager } from '#kata/41-kubelet/kubelet';
import { disk, hard, hardDisk, MIB, memory, podOf, using } from './eviction.fixture.ts';

describe('Level 12 ★ · Eviction', () => {
  describe('EvictionManager', () => {
    /** A manager, and a node whose state the test sets. */
    function manager(thresholds: readonly EvictionThreshold[] = [hard, hardDisk]) {
      const actions: string[] = [];
      const simulation = {
        nowMs: 0,
        pods: [podOf('a'), podOf('b')] as readonly Pod[],
        usages: { a: using('20Mi', '1Gi'), b: using('200Mi') } as Record<string, PodUsage>,
        observations: { ...memory(500), ...disk(50) } as SignalObservations,
        onReclaim: () => {},
      };
      const made = new EvictionManager({
        clock: { now: () => simulation.nowMs },
        thresholds,
        maxPodGracePeriodSeconds: 60,
        activePods: () => simulation.pods,
        observe: async (): Promise<NodeUsage> => ({
          observations: simulation.observations,
          pods: new Map(Object.entries(simulation.usages)),
        }),
        reclaim: async () => {
          actions.push('reclaim');
          simulation.onReclaim();
        },
        evict: async ({ pod, graceSeconds, message, condition }) => {
          actions.push(`evict ${pod.metadata.name} in ${graceSeconds} s`);
          expect(message, 'evict must get a message').not.toBe('');
          if (condition)
            expect(condition, 'the condition that evict gets').toMatchObject({
              type: 'DisruptionTarget',
              reason: 'TerminationByKubelet',
            });
        },
        warn: (reason, message) => actions.push(`${reason}: ${message}`),
      });
      const pass = async (seconds: number) => {
        simulation.nowMs += seconds * 1_000;
        await made.synchronize();
      };
      return { simulation, actions, made, pass };
    }
    const pressureOf = ({ pressure }: EvictionManager) => pressure && [...pressure];

    test('does nothing while there is enough', async () => {
      const { actions, made, pass } = manager();
      expect(pressureOf(made), 'before the first pass the pressure is unknown').toBeUndefined();
      await pass(0);
      expect([pressureOf(made), actions], 'nothing is short: no pressure, no eviction').toEqual([[], []]);
    });

    test('evicts one pod at a time when memory is short', async () => {
      const { simulation, actions, made, pass } = manager();
      simulation.observations = { ...memory(50), ...disk(50) };
      await pass(0);
      expect(
        actions,
        '50Mi are available, below 100Mi: evict one pod, the one furthest above its request (b uses 200Mi, a 20Mi)',
      ).toEqual(['EvictionThresholdMet: Attempting to reclaim memory', 'evict b in 1 s']);
      expect(pressureOf(made), 'a threshold of memory.available is met: MemoryPressure').toEqual([
        'MemoryPressure',
      ]);
    });

    test('reclaims disk space before it evicts, and evicts if that is not enough', async () => {
      const { simulation, actions, pass } = manager();
      simulation.observations = { ...memory(500), ...disk(5) };
      await pass(0);
      simulation.onReclaim = () => {
        simulation.observations = { ...memory(500), ...disk(20) };
      };
      simulation.observations = { ...memory(500), ...disk(5) };
      await pass(10);
      const first = 'EvictionThresholdMet: Attempting to reclaim ephemeral-storage';
      expect(
        actions,
        'the first pass reclaims, which is not enough, and evicts a; the second pass reclaims enough, and evicts nothing',
      ).toEqual([first, 'reclaim', 'evict a in 1 s', first, 'reclaim']);
    });

    test('handles memory first', async () => {
      const { simulation, actions, pass } = manager([hardDisk, hard]);
      simulation.observations = { ...memory(50), ...disk(5) };
      await pass(0);
      expect(
        actions[0],
        'memory and disk are short: memory comes first, whatever the order of the thresholds',
      ).toBe('EvictionThresholdMet: Attempting to reclaim memory');
    });

    test('never evicts a critical pod', async () => {
      const { simulation, actions, pass } = manager();
      simulation.pods = [podOf('a'), podOf('b', {}, { priority: 2_000_000_001 })];
      simulation.observations = memory(50);
      await pass(0);
      expect(actions.at(-1), 'b uses more memory, but is critical: evict a').toBe('evict a in 1 s');
      simulation.pods = [podOf('b', {}, { priority: 2_000_000_001 })];
      await pass(10);
      expect(
        actions.filter((line) => line.startsWith('evict')),
        'evictions after the second pass: only the critical pod is left, so there must be no other',
      ).toHaveLength(1);
    });

    test('reports a pressure for five minutes after it has ended', async () => {
      const { simulation, made, pass } = manager();
      simulation.observations = memory(50);
      await pass(0);
      simulation.observations = memory(500);
      await pass(299);
      expect(
        pressureOf(made),
        '299 s after the threshold was last met: the condition stays for 5 minutes',
      ).toEqual(['MemoryPressure']);
      await pass(1);
      expect(pressureOf(made), '300 s after the threshold was last met: the condition ends').toEqual([]);
    });

    test('waits for the grace period of a soft threshold, and gives the pod its own', async () => {
      const soft = { ...hard, gracePeriodMs: 30_000 };
      const { simulation, actions, made, pass } = manager([soft]);
      simulation.pods = [podOf('b', {}, { terminationGracePeriodSeconds: 45 })];
      simulation.observations = memory(50);
      await pass(0);
      await pass(20);
      expect(
        [actions, pressureOf(made)],
        'the soft threshold has been met for 20 of its 30 s: MemoryPressure, but no eviction yet',
      ).toEqual([[], ['MemoryPressure']]);
      await pass(10);
      expect(
        actions.at(-1),
        'the soft threshold has been met for 30 s: evict, with the grace period of the pod (45 s), because it is below the maximum (60 s)',
      ).toBe('evict b in 45 s');
    });

    test('restarts the grace period of a soft threshold when it was not met in between', async () => {
      const { simulation, actions, pass } = manager([{ ...hard, gracePeriodMs: 30_000 }]);
      simulation.observations = memory(50);
      await pass(0);
      simulation.observations = memory(500);
      await pass(20);
      simulation.observations = memory(50);
      await pass(10);
      await pass(20);
      expect(
        actions,
        'the soft threshold was not met in between, so its 30 s start again: no eviction',
      ).toEqual([]);
    });

    test('continues until minReclaim is available', async () => {
      const { simulation, actions, pass } = manager([{ ...hard, minReclaim: { quantity: 50 * MIB } }]);
      simulation.observations = memory(50);
      await pass(0);
      simulation.observations = memory(120);
      await pass(10);
      simulation.observations = memory(150);
      await pass(10);
      expect(
        actions.filter((line) => line.startsWith('evict')),
        'evictions: at 50Mi, and at 120Mi, because minReclaim asks for 100Mi + 50Mi; none at 150Mi',
      ).toHaveLength(2);
    });

    test('evicts a pod that exceeds its own limits of disk space', async () => {
      const { simulation, actions, pass } = manager();
      const volumes = [{ name: 'cache', emptyDir: { sizeLimit: '1Mi' } }];
      simulation.pods = [podOf('a', {}, { volumes }), podOf('b')];
      simulation.usages.a = { ...using('1Mi'), emptyDirBytes: new Map([['cache', 2 * MIB]]) };
      await pass(0);
      expect(
        actions,
        'the emptyDir of a has 2Mi and a sizeLimit of 1Mi: evict a, although the disk is not short',
      ).toEqual(['evict a in 1 s']);
    });
  });
});
