import { describe, expect, test } from 'vitest';
import { configMaps, groupResource, leases, resources, verbsOf } from '#harness';
import {
  blocking,
  collectedCluster,
  create,
  emptyCluster,
  gone,
  ownedBy,
  ownersOf,
  patchMetadata,
  remove,
  there,
} from './cluster.fixture.ts';
import { garbageCollector } from './garbage-collector.ts';

describe('Background deletion', () => {
  test('deletes dependents after their owner, and their own dependents after them', async () => {
    await using cluster = await collectedCluster();
    const parent = await create(cluster, 'parent');
    const child = await create(cluster, 'child', { owners: [ownedBy(parent)] });
    await create(cluster, 'grandchild', { owners: [ownedBy(child)] });
    await create(cluster, 'stranger');
    await cluster.runFor(1_000);
    await remove(cluster, parent);
    await cluster.runFor(1_000);
    expect([gone(cluster), there(cluster)]).toEqual([['parent', 'child', 'grandchild'], ['stranger']]);
  });

  test('keeps a dependent that has another owner, and removes its reference to the deleted one', async () => {
    await using cluster = await collectedCluster();
    const [one, two] = [await create(cluster, 'one'), await create(cluster, 'two')];
    const child = await create(cluster, 'child', { owners: [ownedBy(one), ownedBy(two)] });
    await remove(cluster, one);
    await cluster.runFor(1_000);
    expect(ownersOf(cluster, child)).toEqual(['two']);
    await remove(cluster, two);
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual([]);
  });

  test('deletes an object whose owner never existed, or existed earlier under the same name', async () => {
    await using cluster = await collectedCluster();
    const former = await create(cluster, 'parent');
    await remove(cluster, former);
    const parent = await create(cluster, 'parent');
    await create(cluster, 'late', { owners: [ownedBy(former)] });
    await create(cluster, 'lost', { owners: [ownedBy(parent, { name: 'none', uid: 'none' })] });
    await create(cluster, 'right', { owners: [ownedBy(parent)] });
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual(['parent', 'right']);
  });

  test('deletes nothing while an owner is still being deleted, even if another owner is already deleted', async () => {
    await using cluster = await collectedCluster();
    const parent = await create(cluster, 'parent', { finalizers: ['example.com/hold'] });
    const other = await create(cluster, 'other');
    await create(cluster, 'child', { owners: [ownedBy(parent), ownedBy(other)] });
    await remove(cluster, parent);
    await remove(cluster, other);
    await cluster.runFor(60_000);
    expect(there(cluster)).toEqual(['child', 'parent']);
    await patchMetadata(cluster, parent, { finalizers: [] });
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual([]);
  });

  test.each([
    ['orphan', ['grandchild']],
    ['foregroundDeletion', []],
  ])(
    "applies the policy that a dependent's finalizers record for its own dependents: %s",
    async (finalizer, left) => {
      await using cluster = await collectedCluster();
      const parent = await create(cluster, 'parent');
      const child = await create(cluster, 'child', { owners: [ownedBy(parent)], finalizers: [finalizer] });
      await create(cluster, 'grandchild', { owners: [ownedBy(child, blocking)] });
      await cluster.runFor(1_000);
      await remove(cluster, parent);
      await cluster.runFor(1_000);
      expect(there(cluster)).toEqual(left);
      if (finalizer === 'foregroundDeletion')
        expect(gone(cluster)).toEqual(['parent', 'grandchild', 'child']);
    },
  );

  test('deletes the dependents of an owner whose creation and deletion it has missed', async () => {
    await using cluster = await collectedCluster();
    const { admin, nemesis } = cluster;
    const key = { namespace: 'ns1', name: 'parent' };
    nemesis.strike({
      fault: 'delay-watches',
      process: 'garbage-collector',
      resource: 'leases',
      forMs: 60_000,
    });
    const parent = await admin.create(leases, { metadata: key, spec: {} });
    await create(cluster, 'child', { owners: [ownedBy(parent)] });
    await cluster.runFor(1_000);
    await admin.delete(leases, key);
    nemesis.strike({ fault: 'compact' });
    nemesis.strike({ fault: 'cut-watches', process: 'garbage-collector' });
    await cluster.runFor(60_000);
    expect(there(cluster)).toEqual([]);
  });

  test('deletes the dependents of an owner that was recreated during a gap in the watch', async () => {
    await using cluster = await collectedCluster();
    const { nemesis } = cluster;
    const former = await create(cluster, 'parent');
    await create(cluster, 'child', { owners: [ownedBy(former)] });
    await cluster.runFor(10_000);
    nemesis.strike({ fault: 'cut-watches', process: 'garbage-collector' });
    await remove(cluster, former);
    await create(cluster, 'parent');
    nemesis.strike({ fault: 'compact' });
    await cluster.runFor(60_000);
    expect(there(cluster)).toEqual(['parent']);
  });

  test('does not request an owner whose deletion it has observed', async () => {
    await using cluster = await collectedCluster();
    const parent = await create(cluster, 'parent');
    for (const name of ['a', 'b', 'c']) await create(cluster, name, { owners: [ownedBy(parent)] });
    await cluster.runFor(1_000);
    const before = cluster.trace.entries.length;
    await remove(cluster, parent);
    await cluster.runFor(1_000);
    const asked = cluster.trace.entries.slice(before).filter(({ verb }) => verb === 'get');
    expect(asked.map(({ object }) => object).toSorted()).toEqual([
      'configmaps/ns1/a',
      'configmaps/ns1/b',
      'configmaps/ns1/c',
    ]);
  });
});

describe('Foreground deletion', () => {
  test('deletes blocking dependents before their owner, from the leaves up', async () => {
    await using cluster = await collectedCluster();
    const parent = await create(cluster, 'parent');
    const child = await create(cluster, 'child', { owners: [ownedBy(parent, blocking)] });
    await create(cluster, 'grandchild', { owners: [ownedBy(child, blocking)] });
    await cluster.runFor(1_000);
    await remove(cluster, parent, 'Foreground');
    await cluster.runFor(1_000);
    expect(gone(cluster)).toEqual(['grandchild', 'child', 'parent']);
  });

  test('waits for a blocking dependent with a finalizer, but not for other dependents', async () => {
    await using cluster = await collectedCluster();
    const [strict, lax] = [await create(cluster, 'strict'), await create(cluster, 'lax')];
    const finalizers = ['example.com/hold'];
    const held = await create(cluster, 'held', { owners: [ownedBy(strict, blocking)], finalizers });
    await create(cluster, 'held-too', { owners: [ownedBy(lax)], finalizers });
    await cluster.runFor(1_000);
    await remove(cluster, strict, 'Foreground');
    await remove(cluster, lax, 'Foreground');
    await cluster.runFor(60_000);
    expect(there(cluster)).toEqual(['held', 'held-too', 'strict']);
    await patchMetadata(cluster, held, { finalizers: [] });
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual(['held-too']);
  });

  test('continues when a dependent stops blocking its owner', async () => {
    await using cluster = await collectedCluster();
    const parent = await create(cluster, 'parent');
    const finalizers = ['example.com/hold'];
    const held = await create(cluster, 'held', { owners: [ownedBy(parent, blocking)], finalizers });
    await cluster.runFor(1_000);
    await remove(cluster, parent, 'Foreground');
    await cluster.runFor(1_000);
    await patchMetadata(cluster, held, { ownerReferences: [ownedBy(parent)] });
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual(['held']);
  });

  test('keeps a dependent that has another owner, and stops it from blocking the deletion', async () => {
    await using cluster = await collectedCluster();
    const [one, two] = [await create(cluster, 'one'), await create(cluster, 'two')];
    const child = await create(cluster, 'child', {
      owners: [ownedBy(one, blocking), ownedBy(two, blocking)],
    });
    await cluster.runFor(1_000);
    await remove(cluster, one, 'Foreground');
    await cluster.runFor(1_000);
    expect([there(cluster), ownersOf(cluster, child)]).toEqual([['child', 'two'], ['two']]);
  });

  test('deletes a dependent that is created while its owner waits', async () => {
    await using cluster = await collectedCluster();
    const parent = await create(cluster, 'parent');
    const finalizers = ['example.com/hold'];
    await create(cluster, 'held', { owners: [ownedBy(parent, blocking)], finalizers });
    await cluster.runFor(1_000);
    await remove(cluster, parent, 'Foreground');
    await cluster.runFor(1_000);
    await create(cluster, 'late', { owners: [ownedBy(parent, blocking)] });
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual(['held', 'parent']);
  });

  test.each([
    ['one of them', ['a']],
    ['all of them at once', ['a', 'b', 'c']],
  ])('also ends if all objects own each other and a user deletes %s', async (_, deleted) => {
    await using cluster = await collectedCluster();
    const a = await create(cluster, 'a');
    const b = await create(cluster, 'b', { owners: [ownedBy(a, blocking)] });
    const c = await create(cluster, 'c', { owners: [ownedBy(b, blocking)] });
    await patchMetadata(cluster, a, { ownerReferences: [ownedBy(c, blocking)] });
    await cluster.runFor(1_000);
    for (const object of [a, b, c]) {
      if (deleted.includes(object.metadata.name)) await remove(cluster, object, 'Foreground');
    }
    await cluster.runFor(10_000);
    expect(there(cluster)).toEqual([]);
  });

  test('deletes no dependent early if there is no cycle', async () => {
    await using cluster = await collectedCluster();
    const parent = await create(cluster, 'parent');
    const child = await create(cluster, 'child', { owners: [ownedBy(parent, blocking)] });
    await create(cluster, 'sibling', { owners: [ownedBy(parent, blocking)] });
    const finalizers = ['example.com/hold'];
    await create(cluster, 'grandchild', { owners: [ownedBy(child, blocking)], finalizers });
    await cluster.runFor(1_000);
    await remove(cluster, parent, 'Foreground');
    await cluster.runFor(60_000);
    expect(there(cluster)).toEqual(['child', 'grandchild', 'parent']);
  });

  test('also ends if an object owns itself', async () => {
    await using cluster = await collectedCluster();
    const self = await create(cluster, 'self');
    await patchMetadata(cluster, self, { ownerReferences: [ownedBy(self, blocking)] });
    await cluster.runFor(1_000);
    await remove(cluster, self, 'Foreground');
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual([]);
  });
});

describe('Orphan deletion', () => {
  test('releases the dependents before their owner is deleted, and keeps them', async () => {
    await using cluster = await collectedCluster();
    const [parent, other] = [await create(cluster, 'parent'), await create(cluster, 'other')];
    const child = await create(cluster, 'child', { owners: [ownedBy(parent, blocking)] });
    const shared = await create(cluster, 'shared', { owners: [ownedBy(other), ownedBy(parent)] });
    await cluster.runFor(1_000);
    await remove(cluster, parent, 'Orphan');
    await cluster.runFor(60_000);
    expect(there(cluster)).toEqual(['child', 'other', 'shared']);
    expect([ownersOf(cluster, child), ownersOf(cluster, shared)]).toEqual([[], ['other']]);
    const writes = cluster.journal
      .of(configMaps)
      .map(({ type, object }) => `${type} ${object.metadata.name}`);
    expect(writes.indexOf('DELETED parent')).toBeGreaterThan(writes.indexOf('MODIFIED child'));
    expect(writes.indexOf('DELETED parent')).toBeGreaterThan(writes.indexOf('MODIFIED shared'));
  });

  test('is retried until every dependent is released', async () => {
    await using cluster = await collectedCluster();
    const parent = await create(cluster, 'parent');
    await create(cluster, 'child', { owners: [ownedBy(parent)] });
    await cluster.runFor(1_000);
    cluster.nemesis.strike({
      fault: 'refuse',
      process: 'garbage-collector',
      reason: 'Conflict',
      requests: 4,
    });
    await remove(cluster, parent, 'Orphan');
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual(['child']);
  });

  test('does not delete a new owner of the same name too early', async () => {
    await using cluster = await collectedCluster();
    const former = await create(cluster, 'parent');
    await create(cluster, 'child', { owners: [ownedBy(former)] });
    await cluster.runFor(1_000);
    // The response is lost, so the collector will retry; by then it orphans the dependents of another owner.
    cluster.nemesis.strike({
      fault: 'time-out',
      process: 'garbage-collector',
      performed: true,
    });
    await remove(cluster, former, 'Orphan');
    await cluster.runFor(30_000);
    await patchMetadata(cluster, former, { finalizers: [] });
    cluster.nemesis.strike({ fault: 'delay-watches', process: 'garbage-collector', forMs: 60_000 });
    const parent = await create(cluster, 'parent');
    await create(cluster, 'heir', { owners: [ownedBy(parent)] });
    await remove(cluster, parent, 'Orphan');
    await cluster.runFor(120_000);
    expect(there(cluster)).toEqual(['child', 'heir']);
  });
});

describe('A collector that is started', () => {
  test('completes the deletions that it finds', async () => {
    await using cluster = await emptyCluster();
    const [fore, orphaning] = [await create(cluster, 'fore'), await create(cluster, 'orphaning')];
    await create(cluster, 'blocks', { owners: [ownedBy(fore, blocking)] });
    await create(cluster, 'free', { owners: [ownedBy(orphaning)] });
    await create(cluster, 'garbage', { owners: [ownedBy(fore, { name: 'gone', uid: 'gone' })] });
    await remove(cluster, fore, 'Foreground');
    await remove(cluster, orphaning, 'Orphan');
    cluster.run('garbage-collector', garbageCollector);
    await cluster.runFor(10_000);
    expect(there(cluster)).toEqual(['free']);
    expect(gone(cluster).indexOf('blocks')).toBeLessThan(gone(cluster).indexOf('fore'));
  });

  test('watches every stored resource except events, and sends no other request', async () => {
    await using cluster = await collectedCluster();
    await create(cluster, 'alone');
    await cluster.runFor(1_000);
    const asked = cluster.trace.entries.filter(
      ({ actor, outcome }) => actor === 'garbage-collector' && outcome,
    );
    expect(asked.filter(({ verb }) => verb !== 'list' && verb !== 'watch')).toEqual([]);
    const watched = asked.filter(({ verb }) => verb === 'watch').map(({ object }) => object);
    const kept = resources.filter(
      (resource) => verbsOf(resource).includes('watch') && resource.plural !== 'events',
    );
    // The collector watches only the preferred one of two versions: the objects are the same.
    expect(watched.toSorted()).toEqual(
      [...new Map(kept.map((resource) => [groupResource(resource), resource.plural])).values()].toSorted(),
    );
  });

  test('stops when its signal aborts, even before it has synced', async () => {
    await using cluster = await emptyCluster();
    const process = cluster.run('garbage-collector', garbageCollector);
    await cluster.runFor(1);
    process.stop();
    await cluster.runFor(1_000);
    expect([process.running, process.failure]).toEqual([false, undefined]);
    process.start();
    await cluster.runFor(10_000);
    process.stop();
    await cluster.runFor(1_000);
    expect([process.running, process.failure]).toEqual([false, undefined]);
  });
});
