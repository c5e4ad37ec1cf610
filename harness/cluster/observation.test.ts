import { describe, expect, test } from 'vitest';
import { configMaps } from '../api/resource.ts';
import type { Components } from '../contracts/component.ts';
import { createCluster } from './cluster.ts';

const { components } = (await import('#components')) as { components: Components };

describe('The observation of a process', () => {
  test('has its informers, its queues, and its open watches, and loses them in a crash', async () => {
    await using cluster = await createCluster({ components });
    const process = cluster.run('copier', async ({ informers, newWorkQueue, signal, clock }) => {
      informers.forResource(configMaps);
      informers.start();
      newWorkQueue<string>().add('default/web');
      await clock.sleep(60_000, signal);
    });
    await cluster.runFor(1_000);
    const { informers = [], queues = [], watches } = process.observe() ?? {};
    expect(informers.map(({ resource }) => resource.plural)).toEqual(['configmaps']);
    expect(informers[0]?.informer.hasSynced()).toBe(true);
    expect(queues.map((queue) => [queue.len(), queue.state().items])).toEqual([[1, ['default/web']]]);
    expect(watches).toEqual([{ object: 'configmaps', revision: expect.any(Number), isHeld: false }]);
    process.crash();
    expect(process.observe()).toBeUndefined();
  });

  test('has the revision of the last event of each watch, and whether a fault holds it', async () => {
    await using cluster = await createCluster({ components });
    const process = cluster.run('reader', async ({ informers, clock, signal }) => {
      informers.forResource(configMaps);
      informers.start();
      await clock.sleep(60_000, signal);
    });
    await cluster.runFor(1_000);
    const map = { metadata: { name: 'a', namespace: 'default' } };
    await cluster.admin.create(configMaps, map);
    await cluster.runFor(1_000);
    const { revision } = cluster.storage;
    expect(process.observe()?.watches).toEqual([{ object: 'configmaps', revision, isHeld: false }]);
    cluster.nemesis.strike({ fault: 'delay-watches', process: 'reader', forMs: 5_000 });
    await cluster.admin.create(configMaps, { metadata: { ...map.metadata, name: 'b' } });
    await cluster.runFor(1_000);
    expect(process.observe()?.watches).toEqual([{ object: 'configmaps', revision, isHeld: true }]);
    await cluster.runFor(5_000);
    expect(process.observe()?.watches).toEqual([
      { object: 'configmaps', revision: revision + 1, isHeld: false },
    ]);
  });

  test('has the last error that the present incarnation survived', async () => {
    await using cluster = await createCluster({ components });
    const process = cluster.run('loser', async ({ newWorkQueue, runWorkers }) => {
      const queue = newWorkQueue<string>();
      queue.add('a');
      const sync = () => Promise.reject(new Error('lost'));
      await runWorkers({ queue, workers: 1, maxRetries: 0, sync });
    });
    await cluster.runFor(1_000);
    expect(process.observe()?.lastError).toMatchObject({ atMs: 0, error: { message: 'lost' } });
  });
});
