import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { type Component, type ConfigMap, configMaps, keyOf } from '#harness';
import { createCluster, holds, remembering } from '#harness/testing';
import { newWorkQueue, runWorkers } from '#kata/22-workqueue/workqueue';
import {
  drainWorkloads,
  runWorkQueue,
  type WorkQueueScenario,
  workloads,
  workQueueLaws,
} from '#laws/22-workqueue';

/** All laws read the same runs; each scenario runs once. The laws know only the two exports. */
const live = remembering((scenario: WorkQueueScenario) =>
  runWorkQueue({ newWorkQueue, runWorkers }, scenario),
);

describe('The laws of a queue', () => {
  test('Stingy: an item is never in hand twice at the same time', () =>
    holds(workQueueLaws.stingy, workloads, live));

  test('Lossless: every added item is handed out as soon as a worker is free', () =>
    holds(workQueueLaws.lossless, workloads, live));

  test('Re-entrant: an item that is added while it is in hand is handed out again after done', () =>
    holds(workQueueLaws.reentrant, workloads, live));

  test('Deduplicating: an item that is added several times while it waits in line is handed out once', () =>
    holds(workQueueLaws.deduplicating, workloads, live));

  test('Patient: a delayed item is added when its delay ends, at the earliest of several times, and not before', () =>
    holds(workQueueLaws.patient, workloads, live));

  test('Backs off: each failure doubles the wait of its item, up to the maximum', () =>
    holds(workQueueLaws.backsOff, workloads, live));

  test('Forgets: after forget, the failures of an item count from the first again', () =>
    holds(workQueueLaws.forgets, workloads, live));

  test('Throttled: all items together wait for the tokens of one bucket', () =>
    holds(workQueueLaws.throttled, workloads, live));

  test('Fair: the item that has waited longest in line is handed out first', () =>
    holds(workQueueLaws.fair, workloads, live));

  test('Counts: len returns the number of items that wait in line', () =>
    holds(workQueueLaws.counts, workloads, live));

  test('Closes: after a shutdown no item is added, the items in line are handed out, and then every get ends', () =>
    holds(workQueueLaws.closes, workloads, live));
});

describe('The laws of its workers', () => {
  test('Bounded: the number of items in hand never exceeds the number of workers', () =>
    holds(workQueueLaws.bounded, workloads, live));

  test('Persistent: a failed item is retried, later each time', () =>
    holds(workQueueLaws.persistent, workloads, live));

  test('Forgives: after a success, failures count from the first again', () =>
    holds(workQueueLaws.forgives, workloads, live));

  test('Gives up: after maxRetries retries, a failed item is left alone until it is added again', () =>
    holds(workQueueLaws.givesUp, workloads, live));

  test('Reports failures: onError is called once for each failure, with the error that sync threw', () =>
    holds(workQueueLaws.reportsFailures, workloads, live));

  test('Unkillable: no error of sync or onError ends a worker', () =>
    holds(workQueueLaws.unkillable, workloads, live));

  test('Stops: after the abort no sync begins, and runWorkers returns when the running ones have settled', () =>
    holds(workQueueLaws.stops, workloads, live));

  test('Ends clean: in the end no work is pending, and no timer is left on the clock', () =>
    holds(workQueueLaws.endsClean, workloads, live));
});

describe('★ The law of a drain', () => {
  test('Drains: a drain waits as long as an item is in hand, and no longer', () =>
    holds(workQueueLaws.drains, drainWorkloads, live));
});

describe('In a cluster', () => {
  test('End to end: a controller with your queue and workers copies every object, despite failures and crashes', async () => {
    await using cluster = await createCluster({
      seed: 22,
      replicas: 2,
      latencyMs: { min: 1, max: 20 },
      components: { ...components, workQueue: newWorkQueue, workers: runWorkers },
    });
    for (let i = 0; i < 10; i++) await cluster.admin.create(configMaps, original(i, '1'));
    cluster.run('copier', copier);
    cluster.nemesis.schedule([
      { atMs: 0, fault: 'refuse', process: 'copier', reason: 'InternalError', requests: 6 },
      { atMs: 400, fault: 'crash', process: 'copier', skip: 3, performed: true, restartAfterMs: 2_000 },
      { atMs: 2_500, fault: 'refuse', process: 'copier', reason: 'ServiceUnavailable', requests: 8 },
      { atMs: 5_000, fault: 'lag', replica: 0, forMs: 4_000 },
      { atMs: 5_100, fault: 'time-out', process: 'copier', performed: true },
      { atMs: 5_200, fault: 'refuse', process: 'copier', reason: 'Conflict', requests: 5 },
      { atMs: 6_500, fault: 'crash', process: 'copier', skip: 2, performed: false, restartAfterMs: 500 },
      { atMs: 20_000, fault: 'restart-apiserver', replica: 0, forMs: 10_000 },
      { atMs: 20_000, fault: 'restart-apiserver', replica: 1, forMs: 5_000 },
    ]);
    await cluster.runFor(5_050);
    for (let i = 5; i < 15; i++) {
      const { metadata } = original(i, '2');
      await cluster.admin.delete(configMaps, { namespace: 'default', name: metadata.name }).catch(() => {});
      await cluster.admin.create(configMaps, original(i, '2'));
    }
    for (let i = 0; i < 3; i++) {
      const { metadata } = original(i, '1');
      await cluster.admin.delete(configMaps, { namespace: 'default', name: metadata.name });
    }
    const copied = (): (string | undefined)[][] =>
      (cluster.storage.list(configMaps, { namespace: 'kube-public' }) as ConfigMap[]).map(
        ({ metadata, data }) => [metadata.name, data?.value],
      );
    const wanted = Array.from({ length: 12 }, (_, i) => [`o${i + 3}`, i + 3 < 5 ? '1' : '2']).toSorted();
    await cluster.runUntil(() => JSON.stringify(copied()) === JSON.stringify(wanted), 300_000);
    expect(copied(), 'the copies in kube-public, when the controller has caught up').toEqual(wanted);
  });
});

function original(i: number, value: string) {
  return { metadata: { namespace: 'default', name: `o${i}` }, data: { value } };
}

/**
 * Copies every ConfigMap of `default` into `kube-public`. Its handlers only add names to the queue; `copy` compares the
 * two objects, and the queue retries failures.
 */
const copier: Component = async ({ client, informers, newWorkQueue: newQueue, runWorkers: work, log }) => {
  const informer = informers.forResource(configMaps);
  const queue = newQueue<string>();
  const look = ({ metadata }: Pick<ConfigMap, 'metadata'>): void => queue.add(metadata.name);
  informer.addEventHandler({
    onAdd: look,
    onUpdate: (_, current) => look(current),
    onDelete: (last) => queue.add('key' in last ? (last.key.split('/').at(-1) ?? '') : last.metadata.name),
  });
  informers.start();
  await informers.waitForCacheSync();
  await work({
    queue,
    workers: 2,
    sync: copy,
    onError: (error, name) => log(`will try ${name} again: ${error}`),
  });

  async function copy(name: string): Promise<void> {
    const wanted = informer.indexer.getByKey(`default/${name}`);
    const there = informer.indexer.getByKey(`kube-public/${name}`);
    const key = keyOf({ metadata: { namespace: 'kube-public', name } });
    if (!wanted) {
      if (there) await client.delete(configMaps, key);
    } else if (!there) {
      await client.create(configMaps, { metadata: key, data: wanted.data ?? {} });
    } else if (there.data?.value !== wanted.data?.value) {
      await client.update(configMaps, { ...there, data: wanted.data ?? {} });
    }
  }
};
