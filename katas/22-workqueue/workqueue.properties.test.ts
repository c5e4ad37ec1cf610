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

/** All laws are read off the same lives; each is lived once. They ask for a component, and not for a shape. */
const live = remembering((scenario: WorkQueueScenario) =>
  runWorkQueue({ newWorkQueue, runWorkers }, scenario),
);

describe('The laws of a queue', () => {
  test('Stingy: no item is handed to two workers at once', () =>
    holds(workQueueLaws.stingy, workloads, live));

  test('Lossless: whatever is added is handed out as soon as a worker is free', () =>
    holds(workQueueLaws.lossless, workloads, live));

  test('Re-entrant: what is added while it is in hand is handed out again when it is done', () =>
    holds(workQueueLaws.reentrant, workloads, live));

  test('Deduplicating: however often an item is added while it stands in line, it is handed out once', () =>
    holds(workQueueLaws.deduplicating, workloads, live));

  test('Patient: what is added later is added when its time has come, at the earliest that was said, and not before', () =>
    holds(workQueueLaws.patient, workloads, live));

  test('Backs off: each failure doubles the wait of its item, up to the maximum', () =>
    holds(workQueueLaws.backsOff, workloads, live));

  test('Forgets: what was forgotten begins anew', () => holds(workQueueLaws.forgets, workloads, live));

  test('Throttled: all items together wait for the tokens of one bucket', () =>
    holds(workQueueLaws.throttled, workloads, live));

  test('Fair: what has stood in line longest is handed out first', () =>
    holds(workQueueLaws.fair, workloads, live));

  test('Counts: len is the number of items that stand in line', () =>
    holds(workQueueLaws.counts, workloads, live));

  test('Closes: after a shut down nothing is added, what stands in line is handed out, and then every get ends', () =>
    holds(workQueueLaws.closes, workloads, live));
});

describe('The laws of its workers', () => {
  test('Bounded: never more items are in hand than there are workers', () =>
    holds(workQueueLaws.bounded, workloads, live));

  test('Persistent: what fails is tried again, later each time', () =>
    holds(workQueueLaws.persistent, workloads, live));

  test('Forgives: after a success, failures count from the first again', () =>
    holds(workQueueLaws.forgives, workloads, live));

  test('Gives up: what has failed once more than it may be retried is left alone until it is added anew', () =>
    holds(workQueueLaws.givesUp, workloads, live));

  test('Tells: of each failure onError is told once, with what was thrown', () =>
    holds(workQueueLaws.tells, workloads, live));

  test('Unkillable: whatever sync and onError do, every worker goes on working', () =>
    holds(workQueueLaws.unkillable, workloads, live));

  test('Stops: after the abort no sync begins, and runWorkers returns when those under way have settled', () =>
    holds(workQueueLaws.stops, workloads, live));

  test('At rest: in the end nothing is owed, and no timer is left on the clock', () =>
    holds(workQueueLaws.atRest, workloads, live));
});

describe('★ The law of a drain', () => {
  test('Drains: to drain takes as long as something is in hand, and no longer', () =>
    holds(workQueueLaws.drains, drainWorkloads, live));
});

describe('In a cluster', () => {
  test('End to end: a controller built on your queue and your workers keeps a copy of everything, through failures and crashes', async () => {
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
    expect(copied()).toEqual(wanted);
  });
});

function original(i: number, value: string) {
  return { metadata: { namespace: 'default', name: `o${i}` }, data: { value } };
}

/**
 * Keeps in `kube-public` a copy of every ConfigMap of `default`. Its handlers only say which name to look at; what is to
 * be done is found out when it is looked at, and what fails is left to the queue.
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
