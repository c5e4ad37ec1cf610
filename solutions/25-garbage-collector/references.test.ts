import { describe, expect, test } from 'vitest';
import { leases, priorityClasses } from '#harness';
import {
  collectedCluster,
  create,
  emptyCluster,
  ownedBy,
  remove,
  there,
  warnings,
} from './cluster.fixture.ts';
import { collectorOver } from './collector.fixture.ts';
import { garbageCollector } from './garbage-collector.ts';
import { referenceTo } from './object-reference.ts';
import { ReferenceCache } from './reference-cache.ts';

describe('References that lead astray', () => {
  test('the collector looks for a namespaced owner in the namespace of its dependent', async () => {
    await using cluster = await collectedCluster();
    const parent = await create(cluster, 'parent');
    await create(cluster, 'near', { owners: [ownedBy(parent)] });
    await create(cluster, 'far', { owners: [ownedBy(parent)], namespace: 'ns2' });
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual(['near', 'parent']);
    expect(warnings(cluster)).toEqual(['OwnerRefInvalidNamespace ConfigMap far']);
  });

  test.each([
    ['kind', { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' }],
    ['name', { name: 'another' }],
  ])(
    'the uid alone does not identify an owner: a reference with a wrong %s has no owner',
    async (_, wrong) => {
      await using cluster = await collectedCluster();
      const parent = await create(cluster, 'parent');
      const { admin } = cluster;
      await admin.create(leases, { metadata: { namespace: 'ns1', name: 'parent' }, spec: {} });
      await create(cluster, 'wrong', { owners: [ownedBy(parent, wrong)] });
      await create(cluster, 'right', { owners: [ownedBy(parent)] });
      await cluster.runFor(1_000);
      expect(there(cluster)).toEqual(['parent', 'right']);
    },
  );

  test('an owner that is first referenced wrongly is found through a correct reference', async () => {
    await using cluster = await emptyCluster();
    const parent = await create(cluster, 'parent');
    await create(cluster, 'a-wrong', { owners: [ownedBy(parent, { name: 'another' })] });
    await create(cluster, 'b-right', { owners: [ownedBy(parent)] });
    await create(cluster, 'c-far', { owners: [ownedBy(parent)], namespace: 'ns2' });
    cluster.run('garbage-collector', garbageCollector);
    await cluster.runFor(60_000);
    expect(there(cluster)).toEqual(['b-right', 'parent']);
  });

  test('an owner that does not exist under one name may exist under another', async () => {
    await using cluster = await emptyCluster();
    const parent = await create(cluster, 'parent');
    const child = await create(cluster, 'child', { owners: [ownedBy(parent)] });
    const { graph, graphBuilder } = collectorOver(cluster.admin);
    for (const object of [parent, child]) graphBuilder.observe(object);
    graphBuilder.presumeAbsent({ ...referenceTo(parent), name: 'another' });
    const dependents = graph.get(parent.metadata.uid)?.dependents ?? [];
    expect([...dependents].map(({ uid }) => uid)).toEqual([child.metadata.uid]);
  });

  test('the absence of one name proves nothing about another', async () => {
    await using cluster = await emptyCluster();
    const parent = await create(cluster, 'parent');
    const { admin } = cluster;
    const absentOwners = new ReferenceCache(500);
    const { graphBuilder, collector } = collectorOver(admin, absentOwners);
    graphBuilder.observe(parent);
    await remove(cluster, parent);
    // The owner is deleted, but its watch event has not arrived yet.
    await collector.attemptToDelete(parent.metadata.uid);
    // This version is not served, so the owner cannot be proved absent.
    const strange = await create(cluster, 'strange', {
      owners: [ownedBy(parent, { apiVersion: 'v0' })],
    });
    graphBuilder.observe(strange);
    graphBuilder.observe(await create(cluster, 'child', { owners: [ownedBy(parent)] }));
    graphBuilder.forget(parent);
    expect(absentOwners.list().map(({ apiVersion }) => apiVersion)).toEqual(['v1']);
  });

  test('the collector forgets an owner without references', async () => {
    await using cluster = await emptyCluster();
    const child = await create(cluster, 'child', {
      owners: [{ apiVersion: 'v1', kind: 'Node', name: 'gone', uid: 'gone' }],
    });
    const { graph, graphBuilder } = collectorOver(cluster.admin);
    graphBuilder.observe(child);
    expect(graph.get('gone')?.isVirtual).toBe(true);
    graphBuilder.observe({ ...child, metadata: { ...child.metadata, ownerReferences: [] } });
    expect(graph.get('gone')).toBeUndefined();
  });

  test('a cluster-scoped object that references a namespaced owner is not deleted', async () => {
    await using cluster = await collectedCluster();
    const { admin, storage } = cluster;
    const parent = await create(cluster, 'parent');
    const metadata = { name: 'child', ownerReferences: [ownedBy(parent)] };
    await admin.create(priorityClasses, { metadata, value: 1 });
    await create(cluster, 'near', { owners: [ownedBy(parent)] });
    await remove(cluster, parent);
    await cluster.runFor(3_600_000);
    expect(there(cluster)).toEqual([]);
    expect(storage.list(priorityClasses)).toHaveLength(1);
    await admin.patch(priorityClasses, { name: 'child' }, { type: 'merge', body: lostOwner });
    await cluster.runFor(1_000);
    expect(storage.list(priorityClasses)).toEqual([]);
  });
});

const lostOwner = {
  metadata: {
    ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'gone', uid: 'gone' }],
  },
};
