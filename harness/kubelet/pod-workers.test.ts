import { describe, expect, test } from 'vitest';
import type { Pod } from '../api/objects.ts';
import { Simulation } from '../sim/index.ts';
import { nothingOf, PodCache } from './pod-cache.ts';
import type { PodSyncer } from './pod-syncer.ts';
import { PodWorkers } from './pod-workers.ts';
import { ContainerBackOff, PodSyncResult } from './sync-result.ts';

const identity = { uid: 'u1', name: 'web', namespace: 'default' };

function pod(metadata: Partial<Pod['metadata']> = {}, phase = 'Running'): Pod {
  const spec = { containers: [], terminationGracePeriodSeconds: 30 };
  return { metadata: { ...identity, ...metadata }, spec, status: { phase } } as unknown as Pod;
}

const deleted = (seconds: number) =>
  pod({ deletionTimestamp: '2024-04-17T00:00:30Z', deletionGracePeriodSeconds: seconds });

/** Returns workers and the recorded calls, each with its time in ms. A call takes `takesMs`. */
function workersWith(overrides: Partial<PodSyncer> = {}, takesMs = 100) {
  const sim = new Simulation();
  const { clock } = sim;
  const cache = new PodCache();
  const asked: string[] = [];
  const step = async (what: string): Promise<void> => {
    asked.push(`${sim.elapsedMs} ${what}`);
    await clock.sleep(takesMs);
    // The cache observes the result of the call.
    clock.after(10, () => cache.seenAll(cache.stamp()));
  };
  const syncer: PodSyncer = {
    syncPod: async () => {
      await step('sync');
      return 'unchanged';
    },
    syncTerminatingPod: ({ graceSeconds }) => step(`terminate in ${graceSeconds} s`),
    syncTerminatingRuntimePod: () => step('terminate what runs'),
    syncTerminatedPod: () => step('let go'),
    handlePodCleanups: async () => {},
    garbageCollect: async () => {},
    ...overrides,
  };
  const workers: PodWorkers = new PodWorkers({
    syncer,
    cache,
    clock,
    random: sim.random,
    recorder: { event: () => {} },
    onError: () => {},
    onChanged: () => cache.seenAll(cache.stamp()),
    onDue: () => workers.update({ type: 'sync', pod: pod() }),
  });
  cache.set('u1', nothingOf(identity), cache.stamp());
  return { sim, cache, workers, asked, step, run: (ms: number) => sim.run({ forMs: ms }) };
}

describe('The worker of a pod', () => {
  test('runs one sync at a time, and merges the updates that arrive meanwhile', async () => {
    const { workers, asked, run } = workersWith();
    for (let i = 0; i < 5; i++) workers.update({ type: 'sync', pod: pod() });
    await run(1_000);
    expect(asked).toEqual(['0 sync', '110 sync']);
  });

  test('waits until the result of its last sync is observed', async () => {
    const { workers, asked, run, cache } = workersWith({
      syncPod: async () => {
        asked.push('sync');
        return 'unchanged';
      },
    });
    workers.update({ type: 'sync', pod: pod() });
    await run(1_000);
    workers.update({ type: 'sync', pod: pod() });
    await run(5_000);
    expect(asked).toEqual(['sync']);
    cache.seenAll(cache.stamp());
    await run(1_000);
    expect(asked).toEqual(['sync', 'sync']);
  });

  test('syncs a pod again after 60 to 90 seconds', async () => {
    const { workers, asked, run } = workersWith();
    workers.update({ type: 'sync', pod: pod() });
    await run(100_000);
    const [, again] = asked.map((line) => Number.parseInt(line, 10));
    expect(again).toBeGreaterThanOrEqual(60_100);
    expect(again).toBeLessThanOrEqual(90_100);
  });

  test('retries soon after the end of a back-off, not before', async () => {
    const { workers, asked, sim, cache, run } = workersWith({
      syncPod: async () => {
        asked.push(`${sim.elapsedMs}`);
        const result = new PodSyncResult();
        const untilMs = sim.clock.now() + 20_000;
        result.add('StartContainer', 'main', new ContainerBackOff('CrashLoopBackOff', '', untilMs));
        throw result.error();
      },
    });
    sim.every(1_000, () => cache.seenAll(cache.stamp()));
    workers.update({ type: 'sync', pod: pod() });
    await run(31_000);
    expect(asked).toHaveLength(2);
    expect(Number(asked[1])).toBeGreaterThanOrEqual(20_000);
    expect(Number(asked[1])).toBeLessThanOrEqual(31_000);
  });

  test('terminates a deleted pod, and then cleans it up', async () => {
    const { workers, asked, run } = workersWith();
    workers.update({ type: 'create', pod: pod() });
    await run(1_000);
    workers.update({ type: 'update', pod: deleted(5) });
    expect(workers.couldHaveRunningContainers('u1')).toBe(true);
    await run(1_000);
    expect(asked.map((line) => line.replace(/^\d+ /, ''))).toEqual(['sync', 'terminate in 5 s', 'let go']);
    expect([workers.couldHaveRunningContainers('u1'), workers.isFinished('u1')]).toEqual([false, true]);
  });

  test('shortens the grace period, but never extends it', async () => {
    const grace: number[] = [];
    const { workers, run } = workersWith({
      syncTerminatingPod: ({ graceSeconds, signal }) => {
        grace.push(graceSeconds);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    for (const seconds of [20, 10, 60, 3]) {
      workers.update({ type: 'update', pod: deleted(seconds) });
      await run(100);
    }
    expect(grace).toEqual([20, 10, 3]);
  });

  test('aborts the current call when the grace period gets shorter', async () => {
    let aborted = 0;
    const { workers, run } = workersWith({
      syncTerminatingPod: ({ signal }) =>
        new Promise((resolve, reject) => {
          if (aborted > 0) resolve();
          signal.addEventListener('abort', () => {
            aborted++;
            reject(signal.reason);
          });
        }),
    });
    workers.update({ type: 'create', pod: deleted(30) });
    await run(1_000);
    expect(aborted).toBe(0);
    workers.update({ type: 'update', pod: deleted(1) });
    await run(100);
    expect(aborted).toBe(1);
  });

  test('never goes backwards: a pod added again under the same UID waits until the old one is finished', async () => {
    const { workers, asked, run } = workersWith();
    workers.update({ type: 'create', pod: pod() });
    await run(1_000);
    workers.update({ type: 'kill', pod: pod() });
    workers.update({ type: 'create', pod: pod() });
    await run(2_000);
    expect(asked.at(-1)).toMatch(/let go$/);
    workers.syncKnownPods(new Set(['u1']));
    expect(workers.knows('u1')).toBe(false);
    workers.update({ type: 'create', pod: pod() });
    await run(1_000);
    expect(asked.at(-1)).toMatch(/sync$/);
  });

  test('terminates a pod that is no longer desired', async () => {
    const { workers, asked, run } = workersWith();
    workers.update({ type: 'create', pod: pod() });
    await run(1_000);
    workers.syncKnownPods(new Set());
    await run(1_000);
    expect(asked.map((line) => line.replace(/^\d+ /, ''))).toEqual(['sync', 'terminate in 30 s', 'let go']);
    workers.syncKnownPods(new Set());
    expect(workers.knows('u1')).toBe(false);
  });

  test('kills the containers of an unknown pod, and forgets it', async () => {
    const { workers, asked, run } = workersWith();
    workers.update({ type: 'kill', runtimePod: { ...identity, sandboxes: [], containers: [] } });
    await run(1_000);
    expect(asked).toEqual(['0 terminate what runs']);
    expect(workers.knows('u1')).toBe(false);
  });

  test('only cleans up a pod that had ended before and has no running containers', async () => {
    const { workers, asked, run } = workersWith();
    workers.update({ type: 'create', pod: pod({}, 'Succeeded') });
    await run(1_000);
    expect(asked).toEqual(['0 let go']);
  });

  test('assumes that any pod may run until the desired pods are known', () => {
    const { workers } = workersWith();
    expect(workers.couldHaveRunningContainers('other')).toBe(true);
    expect(workers.shouldPodContentBeRemoved('other')).toBe(false);
    workers.syncKnownPods(new Set());
    expect(workers.couldHaveRunningContainers('other')).toBe(false);
    expect(workers.shouldPodContentBeRemoved('other')).toBe(true);
  });
});
