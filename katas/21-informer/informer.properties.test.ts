import { describe, expect, test } from 'vitest';
import { type Component, type ConfigMap, configMaps, keyOf } from '#harness';
import { createCluster, holds, noteCluster, remembering } from '#harness/testing';
import { createInformer } from '#kata/21-informer/informer';
import { type InformerScenario, informerLaws as laws, runInformer, workloads } from '#laws/21-informer';

/** All laws read the same runs; each scenario runs once. */
const live = remembering((scenario: InformerScenario) => runInformer(createInformer, scenario));

describe('The laws of an informer', () => {
  test('Converges: once faults stop, the cache equals the state of the server', () =>
    holds(laws.converges, workloads, live));

  test('Honest: a handler gets an add, then updates, then a delete of each object, and each old state is its last new one', () =>
    holds(laws.honest, workloads, live));

  test('No ghosts: each deleted object is reported deleted, with its last known state, and no other object is', () =>
    holds(laws.noGhosts, workloads, live));

  test('No time travel: no handler gets an older state of an object after a newer one', () =>
    holds(laws.noTimeTravel, workloads, live));

  test('Synced means synced: hasSynced becomes true once the first list is cached, or handled by a handler, and not before', () =>
    holds(laws.syncedMeansSynced, workloads, live));

  test('Frugal: it lists at the start and when a watch cannot resume; otherwise a watch resumes at the last revision seen', () =>
    holds(laws.frugal, workloads, live));

  test('Calm: after a failure it waits, longer each time, up to a maximum', () =>
    holds(laws.calm, workloads, live));

  test('Quiet at the end: after the abort it sends no request and no notification, and leaves no watch open', () =>
    holds(laws.quietAtTheEnd, workloads, live));

  test('Isolated: a slow or throwing handler delays no other handler, and gets every notification itself', () =>
    holds(laws.isolated, workloads, live));

  test('Indexed: an index always equals a recount of the cache', () => holds(laws.indexed, workloads, live));

  test('Whole: a list enters the cache in one step, before any handler is notified of it', () =>
    holds(laws.whole, workloads, live));

  test('Knows its version: the cache has every change up to the version that it reports, and no version goes back', () =>
    holds(laws.knowsItsVersion, workloads, live));

  test('Resyncs: a handler that asked for resyncs gets every object again each period, without a list', () =>
    holds(laws.resyncs, workloads, live));
});

describe('In a cluster', () => {
  test('End to end: a component that uses your informer copies every object, despite crashes', async () => {
    await using cluster = await createCluster({
      seed: 21,
      replicas: 2,
      latencyMs: { min: 1, max: 20 },
      components: { informer: createInformer },
    });
    for (let i = 0; i < 10; i++) await cluster.admin.create(configMaps, original(i, '1'));
    noteCluster(cluster);
    cluster.run('copier', copier);
    cluster.nemesis.schedule([
      { atMs: 300, fault: 'crash', process: 'copier', skip: 3, performed: true, restartAfterMs: 2_000 },
      { atMs: 5_000, fault: 'cut-watches', process: 'copier' },
      { atMs: 5_000, fault: 'lag', replica: 0, forMs: 4_000 },
      { atMs: 5_100, fault: 'compact' },
      { atMs: 6_500, fault: 'crash', process: 'copier', skip: 2, performed: false, restartAfterMs: 500 },
      { atMs: 45_000, fault: 'restart-apiserver', replica: 0, forMs: 10_000 },
      { atMs: 45_000, fault: 'restart-apiserver', replica: 1, forMs: 5_000 },
      { atMs: 46_500, fault: 'compact' },
    ]);
    await cluster.runFor(6_000);
    for (let i = 5; i < 15; i++) {
      const { metadata } = original(i, '2');
      await cluster.admin.delete(configMaps, { namespace: 'default', name: metadata.name }).catch(() => {});
      await cluster.admin.create(configMaps, original(i, '2'));
    }
    // No replica serves now. These writes are compacted before one serves again.
    await cluster.runFor(40_000);
    for (let i = 0; i < 5; i++) {
      await cluster.admin.update(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', ...original(i, '3') });
    }
    const copied = (): (string | undefined)[][] =>
      (cluster.storage.list(configMaps, { namespace: 'kube-public' }) as ConfigMap[]).map(
        ({ metadata, data }) => [metadata.name, data?.value],
      );
    const wanted = Array.from({ length: 15 }, (_, i) => [`o${i}`, i < 5 ? '3' : '2']).toSorted();
    await cluster.runUntil(() => JSON.stringify(copied()) === JSON.stringify(wanted), 300_000);
    expect(
      copied(),
      'the copies that the component made; o0 to o4 got value 3 while no apiserver served, and etcd was then compacted',
    ).toEqual(wanted);
  });
});

function original(i: number, value: string) {
  return { metadata: { namespace: 'default', name: `o${i}` }, data: { value } };
}

/** Copies every ConfigMap of `default` into `kube-public`. Level-triggered: it looks at the cache, not at events. */
const copier: Component = async ({ client, informers, clock, signal, log }) => {
  const informer = informers.forResource(configMaps);
  let changed = true;
  const note = (): void => {
    changed = true;
  };
  informer.addEventHandler({ onAdd: note, onUpdate: note, onDelete: note });
  informers.start();
  await informers.waitForCacheSync();
  while (!signal.aborted) {
    if (changed) {
      changed = false;
      for (const object of informer.indexer.list()) {
        if (object.metadata.namespace !== 'default') continue;
        await copy(object).catch((error: unknown) => {
          log(`will try again: ${error}`);
          changed = true;
        });
      }
    }
    await clock.sleep(500, signal);
  }

  async function copy({ metadata: { name }, data = {} }: ConfigMap): Promise<void> {
    const key = keyOf({ metadata: { namespace: 'kube-public', name } });
    const there = informer.indexer.getByKey(`kube-public/${name}`);
    if (!there) await client.create(configMaps, { metadata: key, data });
    else if (there.data?.value !== data.value) await client.update(configMaps, { ...there, data });
  }
};
