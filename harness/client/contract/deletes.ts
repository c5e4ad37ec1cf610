import { expect, test } from 'vitest';
import { configMaps, namespaces, pods } from '../../api/resource.ts';
import { isNotFound } from '../../api/status.ts';
import type { Client } from '../../contracts/client.ts';
import { configMap, inDefault, pod, refusal } from './objects.ts';
import type { Open } from './open.ts';

const isGone = (client: Client, name: string): Promise<boolean> =>
  client.get(configMaps, inDefault(name)).then(() => false, isNotFound);

/** Delete and deleteCollection. */
export function describeDeletes(open: Open): void {
  test('removes an object at once, and returns its name and uid', async () => {
    await using opened = await open();
    const { client } = opened;
    const { metadata } = await client.create(configMaps, configMap('a'));
    expect(await client.delete(configMaps, inDefault('a'))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: metadata.uid },
    });
    expect(await isGone(client, 'a')).toBe(true);
  });

  test('checks its preconditions', async () => {
    await using opened = await open();
    const { client } = opened;
    const { metadata } = await client.create(configMaps, configMap('a'));
    const { uid, resourceVersion } = metadata;
    const remove = (preconditions: object) => client.delete(configMaps, inDefault('a'), { preconditions });
    expect(await refusal(remove({ uid: 'other' }))).toEqual([
      409,
      'Conflict',
      `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    ]);
    expect(await refusal(remove({ resourceVersion: '1' }))).toEqual([
      409,
      'Conflict',
      `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    ]);
    await remove({ uid, resourceVersion });
    expect(await isGone(client, 'a')).toBe(true);
  });

  test('waits for finalizers', async () => {
    await using opened = await open();
    const { client } = opened;
    const sent = configMap('a');
    await client.create(configMaps, {
      ...sent,
      metadata: { ...sent.metadata, finalizers: ['example.com/hold'] },
    });
    const marked = await client.delete(configMaps, inDefault('a'));
    expect(marked.metadata).toMatchObject({
      deletionTimestamp: '2024-04-17T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    });
    expect(await isGone(client, 'a')).toBe(false);
    const body = { metadata: { finalizers: null } };
    await client.patch(configMaps, inDefault('a'), { type: 'merge', body });
    expect(await isGone(client, 'a')).toBe(true);
  });

  test('deletes a namespace once it is finalized', async () => {
    await using opened = await open();
    const { client } = opened;
    const team = { name: 'team' };
    await client.create(namespaces, { metadata: team, spec: {} });
    await client.delete(namespaces, team);
    const terminating = await client.get(namespaces, team);
    expect(terminating).toMatchObject({
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Terminating' },
    });
    const [code, reason] = await refusal(client.finalize({ ...terminating, spec: { finalizers: ['mine'] } }));
    expect([code, reason]).toEqual([422, 'Invalid']);
    expect(await client.finalize({ ...terminating, spec: {} })).toMatchObject({ spec: {}, metadata: team });
    await expect(client.get(namespaces, team)).rejects.toSatisfy(isNotFound);
  });

  test('leaves dependents to the garbage collector, through a finalizer', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(configMaps, configMap('a'));
    const marked = await client.delete(configMaps, inDefault('a'), { propagationPolicy: 'Foreground' });
    expect(marked.metadata).toMatchObject({ finalizers: ['foregroundDeletion'] });
  });

  test('lets a bound pod terminate gracefully, and removes it when the kubelet confirms', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(pods, pod('a'));
    await client.bind(inDefault('a'), 'node-1');
    const marked = await client.delete(pods, inDefault('a'), { gracePeriodSeconds: 10 });
    expect(marked.metadata).toMatchObject({
      deletionTimestamp: '2024-04-17T00:00:10Z',
      deletionGracePeriodSeconds: 10,
    });
    await client.delete(pods, inDefault('a'), { gracePeriodSeconds: 0 });
    await expect(client.get(pods, inDefault('a'))).rejects.toSatisfy(isNotFound);
  });

  test('changes nothing in a dry run', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(configMaps, configMap('a'));
    await client.delete(configMaps, inDefault('a'), { dryRun: true });
    expect(await isGone(client, 'a')).toBe(false);
  });

  test('deletes the selected objects', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(configMaps, configMap('a', {}, { app: 'web' }));
    await client.create(configMaps, configMap('b', {}, { app: 'db' }));
    await client.create(configMaps, configMap('c', {}, { app: 'web' }));
    const deleted = await client.deleteCollection(configMaps, {
      namespace: 'default',
      labelSelector: 'app=web',
    });
    expect(deleted.items.map((item) => item.metadata.name)).toEqual(['a', 'c']);
    expect((await client.list(configMaps)).items.map((item) => item.metadata.name)).toEqual(['b']);
  });
}
