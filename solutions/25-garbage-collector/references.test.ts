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
  test('a namespaced owner is looked for in the namespace of its dependent', async () => {
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
  ])('an owner is not known by its uid alone: a wrong %s names no owner', async (_, wrong) => {
    await using cluster = await collectedCluster();
    const parent = await create(cluster, 'parent');
    const { admin } = cluster;
    await admin.create(leases, { metadata: { namespace: 'ns1', name: 'parent' }, spec: {} });
    await create(cluster, 'wrong', { owners: [ownedBy(parent, wrong)] });
    await create(cluster, 'right', { owners: [ownedBy(parent)] });
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual(['parent', 'right']);
  });

  test('an owner that is named wrongly first is found when it is named rightly', async () => {
    await using cluster = await emptyCluster();
    const parent = await create(cluster, 'parent');
    await create(cluster, 'a-wrong', { owners: [ownedBy(parent, { name: 'another' })] });
    await create(cluster, 'b-right', { owners: [ownedBy(parent)] });
    await create(cluster, 'c-far', { owners: [ownedBy(parent)], namespace: 'ns2' });
    cluster.run('garbage-collector', garbageCollector);
    await cluster.runFor(60_000);
    expect(there(cluster)).toEqual(['b-right', 'parent']);
  });

  test('an owner that is not there under one name may be known by another', async () => {
    await using cluster = await emptyCluster();
    const parent = await create(cluster, 'parent');
    const child = await create(cluster, 'child', { owners: [ownedBy(parent)] });
    const { graph, graphBuilder } = collectorOver(cluster.admin);
    for (const object of [parent, child]) graphBuilder.observe(object);
    graphBuilder.presumeAbsent({ ...referenceTo(parent), name: 'another' });
    const dependents = graph.get(parent.metadata.uid)?.dependents ?? [];
    expect([...dependents].map(({ uid }) => uid)).toEqual([child.metadata.uid]);
  });

  test('what is learnt of one name says nothing about another', async () => {
    await using cluster = await emptyCluster();
    const parent = await create(cluster, 'parent');
    const { admin } = cluster;
    const absentOwners = new ReferenceCache(500);
    const { graphBuilder, collector } = collectorOver(admin, absentOwners);
    graphBuilder.observe(parent);
    await remove(cluster, parent);
    // It is gone, and the news of that is still on its way.
    await collector.attemptToDelete(parent.metadata.uid);
    // This version is not served: nothing says that there is no such object.
    const strange = await create(cluster, 'strange', {
      owners: [ownedBy(parent, { apiVersion: 'v0' })],
    });
    graphBuilder.observe(strange);
    graphBuilder.observe(await create(cluster, 'child', { owners: [ownedBy(parent)] }));
    graphBuilder.forget(parent);
    expect(absentOwners.list().map(({ apiVersion }) => apiVersion)).toEqual(['v1']);
  });

  test('an owner that nothing names any more is forgotten', async () => {
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

  test('a cluster-scoped object that names a namespaced owner is left alone', async () => {
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
