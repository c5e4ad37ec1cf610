import { describe, expect, test } from 'vitest';
import { type ConfigMap, configMaps, isConflict } from '#harness';
import type { Cluster } from '#harness/testing';
import { create, emptyCluster, ownedBy, patchMetadata, remove, there } from './cluster.fixture.ts';
import { collectorOver } from './collector.fixture.ts';

describe('Right before a delete', () => {
  test('a dependent gets an owner: it stays', async () => {
    await using cluster = await emptyCluster();
    const { collector, deleted } = await interrupted(cluster, (child, rescuer) =>
      patchMetadata(cluster, child, { ownerReferences: [ownedBy(rescuer)] }),
    );
    await expect(collector.attemptToDelete(deleted.metadata.uid)).rejects.toSatisfy(isConflict);
    expect(there(cluster)).toEqual(['child', 'rescuer']);
  });

  test('a dependent changes in an irrelevant field: it is still deleted', async () => {
    await using cluster = await emptyCluster();
    const { collector, deleted } = await interrupted(cluster, (child) =>
      patchMetadata(cluster, child, { annotations: { changed: 'just now' } }),
    );
    await collector.attemptToDelete(deleted.metadata.uid);
    expect(there(cluster)).toEqual(['rescuer']);
  });

  test("a user deletes a dependent with another policy: the user's policy applies", async () => {
    await using cluster = await emptyCluster();
    const { collector, deleted } = await interrupted(cluster, (child) => remove(cluster, child, 'Orphan'));
    await expect(collector.attemptToDelete(deleted.metadata.uid)).rejects.toSatisfy(isConflict);
    expect(there(cluster)).toEqual(['child', 'rescuer']);
  });

  test('a user changes the deletion policy of an owner: the collector decides again', async () => {
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

/** Creates a collector with one dependent whose owner does not exist; `happens` runs right before the first delete. */
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
