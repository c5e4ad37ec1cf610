import { expect, test } from 'vitest';
import { configMaps, namespaces, pods } from '../../api/resource.ts';
import { configMap, inDefault, isDeeplyFrozen, pod, refusal } from './objects.ts';
import type { Open } from './open.ts';

/** Get and list. */
export function describeReads(open: Open): void {
  test('gets a created object', async () => {
    await using opened = await open();
    const { client } = opened;
    const created = await client.create(configMaps, configMap('a', { key: 'value' }));
    const got = await client.get(configMaps, inDefault('a'));
    expect(got).toEqual(created);
    expect(got).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { key: 'value' } });
  });

  test('gets cluster-scoped objects by name alone', async () => {
    await using opened = await open();
    const got = await opened.client.get(namespaces, { name: 'default' });
    expect(got.metadata.name).toBe('default');
    expect(got.metadata.namespace).toBeUndefined();
  });

  test('returns only frozen objects', async () => {
    await using opened = await open();
    const { client } = opened;
    expect(isDeeplyFrozen(await client.create(configMaps, configMap('a', { key: 'value' })))).toBe(true);
    expect(isDeeplyFrozen(await client.get(configMaps, inDefault('a')))).toBe(true);
    expect(isDeeplyFrozen(await client.list(configMaps))).toBe(true);
  });

  test('lists all objects at one revision', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(configMaps, configMap('b'));
    const { metadata } = await client.create(configMaps, configMap('a'));
    const list = await client.list(configMaps);
    expect(list).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect(list.metadata.resourceVersion).toBe(metadata.resourceVersion);
    expect(list.items.map((item) => item.metadata.name)).toEqual(['a', 'b']);
    expect(list.items[0]).toEqual(await client.get(configMaps, inDefault('a')));
  });

  test('lists one namespace or all of them', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(namespaces, { metadata: { name: 'other' }, spec: {} });
    await client.create(configMaps, configMap('a'));
    await client.create(configMaps, { metadata: { name: 'b', namespace: 'other' } });
    const names = async (namespace?: string) =>
      (await client.list(configMaps, namespace ? { namespace } : {})).items.map((item) => item.metadata.name);
    expect(await names()).toEqual(['a', 'b']);
    expect(await names('other')).toEqual(['b']);
    expect(await names('nowhere')).toEqual([]);
  });

  test('lists the selected objects', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(pods, pod('a', { app: 'web', tier: 'front' }));
    await client.create(pods, pod('b', { app: 'web', tier: 'back' }));
    await client.create(pods, pod('c', { app: 'db' }));
    await client.bind(inDefault('b'), 'node-1');
    const names = async (selection: object) =>
      (await client.list(pods, selection)).items.map((item) => item.metadata.name);
    expect(await names({ labelSelector: 'app=web' })).toEqual(['a', 'b']);
    expect(await names({ labelSelector: 'app in (web, db), tier notin (front)' })).toEqual(['b', 'c']);
    expect(await names({ labelSelector: '!tier' })).toEqual(['c']);
    expect(await names({ fieldSelector: 'spec.nodeName=node-1' })).toEqual(['b']);
    expect(await names({ fieldSelector: 'spec.nodeName=' })).toEqual(['a', 'c']);
    expect(await names({ fieldSelector: 'metadata.name=c', labelSelector: 'app=web' })).toEqual([]);
  });

  test('pages through one revision, despite concurrent writes', async () => {
    await using opened = await open();
    const { client } = opened;
    for (const name of ['a', 'b', 'c']) await client.create(configMaps, configMap(name));
    const first = await client.list(configMaps, { limit: 2 });
    expect(first.items.map((item) => item.metadata.name)).toEqual(['a', 'b']);
    expect(first.metadata.remainingItemCount).toBe(1);
    await client.delete(configMaps, inDefault('c'));
    const { continue: token = '' } = first.metadata;
    const second = await client.list(configMaps, { limit: 2, continue: token });
    expect(second.items.map((item) => item.metadata.name)).toEqual(['c']);
    expect(second.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
  });

  test('rejects a continue token that is too old', async () => {
    await using opened = await open();
    const { client } = opened;
    for (const name of ['a', 'b', 'c']) await client.create(configMaps, configMap(name));
    const { metadata } = await client.list(configMaps, { limit: 1 });
    await client.delete(configMaps, inDefault('c'));
    opened.compact();
    const [code, reason, message] = await refusal(
      client.list(configMaps, { continue: metadata.continue ?? '' }),
    );
    expect([code, reason]).toEqual([410, 'Expired']);
    expect(message).toMatch(
      /^The provided continue parameter is too old to display a consistent list result\./,
    );
  });

  test('lists a past revision until it is compacted', async () => {
    await using opened = await open();
    const { client } = opened;
    const { metadata } = await client.create(configMaps, configMap('a'));
    await client.delete(configMaps, inDefault('a'));
    const exactly = { resourceVersion: metadata.resourceVersion, resourceVersionMatch: 'Exact' } as const;
    const then = await client.list(configMaps, exactly);
    expect(then.items.map((item) => item.metadata.name)).toEqual(['a']);
    expect(then.metadata.resourceVersion).toBe(metadata.resourceVersion);
    opened.compact();
    expect(await refusal(client.list(configMaps, exactly))).toEqual([
      410,
      'Expired',
      'The resourceVersion for the provided list is too old.',
    ]);
  });

  test('reads any available state for resourceVersion 0', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(configMaps, configMap('a'));
    expect((await client.get(configMaps, inDefault('a'), { resourceVersion: '0' })).metadata.name).toBe('a');
    expect((await client.list(configMaps, { resourceVersion: '0' })).items).toHaveLength(1);
  });
}
