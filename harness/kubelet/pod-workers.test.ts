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

/** Workers, and what they ask for, with the time in ms. A step takes `takesMs`. */
function workersWith(overrides: Partial<PodSyncer> = {}, takesMs = 100) {
  const sim = new Simulation();
  const { clock } = sim;
  const cache = new PodCache();
  const asked: string[] = [];
  const step = async (what: string): Promise<void> => {
    asked.push(`${sim.elapsedMs} ${what}`);
    await clock.sleep(takesMs);
    // What was done is seen.
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
  test('does one thing at a time, and merges what it is told meanwhile', async () => {
    const { workers, asked, run } = workersWith();
    for (let i = 0; i < 5; i++) workers.update({ type: 'sync', pod: pod() });
    await run(1_000);
    expect(asked).toEqual(['0 sync', '110 sync']);
  });

  test('waits until it sees what came of what it did', async () => {
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

  test('looks at a pod again after one to one and a half minutes', async () => {
    const { workers, asked, run } = workersWith();
    workers.update({ type: 'sync', pod: pod() });
    await run(100_000);
    const [, again] = asked.map((line) => Number.parseInt(line, 10));
    expect(again).toBeGreaterThanOrEqual(60_100);
    expect(again).toBeLessThanOrEqual(90_100);
  });

  test('tries again when a back-off is over, not before, and not much later', async () => {
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

  test('ends a pod that is to be deleted, and then lets it go', async () => {
    const { workers, asked, run } = workersWith();
    workers.update({ type: 'create', pod: pod() });
    await run(1_000);
    workers.update({ type: 'update', pod: deleted(5) });
    expect(workers.couldHaveRunningContainers('u1')).toBe(true);
    await run(1_000);
    expect(asked.map((line) => line.replace(/^\d+ /, ''))).toEqual(['sync', 'terminate in 5 s', 'let go']);
    expect([workers.couldHaveRunningContainers('u1'), workers.isFinished('u1')]).toEqual([false, true]);
  });

  test('gives less time than before, never more', async () => {
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

  test('interrupts what it does when the pod is to end sooner', async () => {
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

  test('never goes back: what comes again under the same uid waits until all is done', async () => {
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

  test('ends a pod that is not wanted any more', async () => {
    const { workers, asked, run } = workersWith();
    workers.update({ type: 'create', pod: pod() });
    await run(1_000);
    workers.syncKnownPods(new Set());
    await run(1_000);
    expect(asked.map((line) => line.replace(/^\d+ /, ''))).toEqual(['sync', 'terminate in 30 s', 'let go']);
    workers.syncKnownPods(new Set());
    expect(workers.knows('u1')).toBe(false);
  });

  test('ends the containers of an unknown pod, and forgets it', async () => {
    const { workers, asked, run } = workersWith();
    workers.update({ type: 'kill', runtimePod: { ...identity, sandboxes: [], containers: [] } });
    await run(1_000);
    expect(asked).toEqual(['0 terminate what runs']);
    expect(workers.knows('u1')).toBe(false);
  });

  test('lets a pod go at once that had ended before, and of which nothing runs', async () => {
    const { workers, asked, run } = workersWith();
    workers.update({ type: 'create', pod: pod({}, 'Succeeded') });
    await run(1_000);
    expect(asked).toEqual(['0 let go']);
  });

  test('says that anything may run as long as it does not know what is wanted', () => {
    const { workers } = workersWith();
    expect(workers.couldHaveRunningContainers('other')).toBe(true);
    expect(workers.shouldPodContentBeRemoved('other')).toBe(false);
    workers.syncKnownPods(new Set());
    expect(workers.couldHaveRunningContainers('other')).toBe(false);
    expect(workers.shouldPodContentBeRemoved('other')).toBe(true);
  });
});
