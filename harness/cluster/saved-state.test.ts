import { describe, expect, test } from 'vitest';
import { configMaps, namespaces, services } from '../api/resource.ts';
import { createCluster } from './cluster.ts';
import { readSavedState, savedState } from './saved-state.ts';

const key = { namespace: 'default', name: 'a' };

/** Returns the content of a saved file. */
async function saved(): Promise<{ items: { metadata: Record<string, unknown> }[] }> {
  await using cluster = await createCluster();
  await cluster.admin.create(configMaps, { metadata: key, data: { x: '1' } });
  await cluster.admin.create(services, {
    metadata: key,
    spec: { ports: [{ port: 80 }], type: 'NodePort' },
  } as never);
  return JSON.parse(JSON.stringify(savedState(cluster.storage)));
}

describe('A saved state', () => {
  test('restores a cluster with the same objects', async () => {
    const state = await saved();
    await using cluster = await createCluster({ saved: readSavedState(state) });
    const again = JSON.parse(JSON.stringify(savedState(cluster.storage)));
    const withoutVersions = ({ items }: typeof state) =>
      items.map(({ metadata: { resourceVersion: _, ...metadata }, ...rest }) => ({ ...rest, metadata }));
    expect(withoutVersions(again)).toEqual(withoutVersions(state));
    expect(await cluster.admin.get(configMaps, key)).toMatchObject({ data: { x: '1' } });
  });

  test('keeps allocated addresses and ports', async () => {
    await using cluster = await createCluster({ saved: readSavedState(await saved()) });
    const { spec } = await cluster.admin.get(services, key);
    const other = (rest: object) =>
      cluster.admin.create(services, {
        metadata: { namespace: 'default', name: 'b' },
        spec: { ports: [{ port: 80 }], ...rest },
      } as never);
    await expect(other({ clusterIP: spec.clusterIP })).rejects.toThrow('provided IP is already allocated');
    expect((await other({})).spec.clusterIP).not.toBe(spec.clusterIP);
  });

  test('can be continued: its objects can be changed and deleted', async () => {
    await using cluster = await createCluster({ saved: readSavedState(await saved()) });
    const before = await cluster.admin.get(configMaps, key);
    await cluster.admin.update(configMaps, { ...before, data: { x: '2' } });
    await cluster.admin.delete(configMaps, key);
    await cluster.admin.create(namespaces, { metadata: { name: 'new' }, spec: {} });
  });

  test.each([
    [undefined, 'it is not a List with items'],
    [{ kind: 'Pod' }, 'it is not a List with items'],
    [{ kind: 'List', items: [{ apiVersion: 'v1', kind: 'Nope' }] }, 'item 0 has an unknown kind: v1 Nope'],
    [
      { kind: 'List', items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }] },
      'item 0 has no metadata.uid',
    ],
    [
      { kind: 'List', items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { uid: 'x' }, nope: 1 }] },
      'unknown field "nope"',
    ],
  ])('is rejected: %j', (value, why) => expect(() => readSavedState(value)).toThrow(why));
});
