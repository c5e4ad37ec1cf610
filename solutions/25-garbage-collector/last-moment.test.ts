import { describe, expect, test } from 'vitest';
import { type ConfigMap, configMaps, isConflict } from '#harness';
import type { Cluster } from '#harness/testing';
import { create, emptyCluster, ownedBy, patchMetadata, remove, there } from './cluster.fixture.ts';
import { collectorOver } from './collector.fixture.ts';

describe('At the last moment', () => {
  test('a dependent is given an owner: it stays', async () => {
    await using cluster = await emptyCluster();
    const { collector, deleted } = await interrupted(cluster, (child, rescuer) =>
      patchMetadata(cluster, child, { ownerReferences: [ownedBy(rescuer)] }),
    );
    await expect(collector.attemptToDelete(deleted.metadata.uid)).rejects.toSatisfy(isConflict);
    expect(there(cluster)).toEqual(['child', 'rescuer']);
  });

  test('a dependent changes in what does not matter: it goes all the same', async () => {
    await using cluster = await emptyCluster();
    const { collector, deleted } = await interrupted(cluster, (child) =>
      patchMetadata(cluster, child, { annotations: { changed: 'just now' } }),
    );
    await collector.attemptToDelete(deleted.metadata.uid);
    expect(there(cluster)).toEqual(['rescuer']);
  });

  test('people begin to delete a dependent otherwise: it goes as they say', async () => {
    await using cluster = await emptyCluster();
    const { collector, deleted } = await interrupted(cluster, (child) => remove(cluster, child, 'Orphan'));
    await expect(collector.attemptToDelete(deleted.metadata.uid)).rejects.toSatisfy(isConflict);
    expect(there(cluster)).toEqual(['child', 'rescuer']);
  });

  test('people change how an owner is deleted: that is decided anew', async () => {
    await using cluster = await emptyCluster();
    const { admin } = cluster;
    const parent = await create(cluster, 'parent');
    await remove(cluster, parent, 'Foreground');
    const { collector, graphBuilder } = collectorOver({
      get: (resource, key) => admin.get(resource, key),
      delete: (resource, key, options) => admin.delete(resource, key, options),
      patch: async (resource, key, patch) => {
        await remove(cluster, parent, 'Orphan');
        return admin.patch(resource, key, patch);
      },
    });
    graphBuilder.observe(await admin.get(configMaps, { namespace: 'ns1', name: 'parent' }));
    await expect(collector.attemptToDelete(parent.metadata.uid)).rejects.toSatisfy(isConflict);
    expect(there(cluster)).toEqual(['parent']);
  });
});

/** A collector over a dependent without an owner, to which something happens right before the first delete. */
async function interrupted(
  cluster: Cluster,
  happens: (child: ConfigMap, rescuer: ConfigMap) => Promise<unknown>,
) {
  const { admin } = cluster;
  const rescuer = await create(cluster, 'rescuer');
  const deleted = await create(cluster, 'child', {
    owners: [ownedBy(rescuer, { name: 'gone', uid: 'gone' })],
  });
  let deletes = 0;
  const { collector, graphBuilder } = collectorOver({
    get: (resource, key) => admin.get(resource, key),
    patch: (resource, key, patch) => admin.patch(resource, key, patch),
    delete: async (resource, key, options) => {
      deletes++;
      if (deletes === 1) await happens(deleted, rescuer);
      return admin.delete(resource, key, options);
    },
  });
  graphBuilder.observe(deleted);
  return { collector, deleted };
}
