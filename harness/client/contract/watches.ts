import { expect, test } from 'vitest';
import { configMaps, pods } from '../../api/resource.ts';
import { configMap, inDefault, isDeeplyFrozen, pod, reading } from './objects.ts';
import type { Open } from './open.ts';

/** Watch. */
export function describeWatches(open: Open): void {
  test('sends the events after a revision', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(configMaps, configMap('before'));
    const { resourceVersion } = (await client.list(configMaps)).metadata;
    await client.create(configMaps, configMap('a'));
    const watch = await client.watch(configMaps, { resourceVersion });
    const events = reading(watch);
    const updated = await client.update(configMaps, {
      ...(await client.get(configMaps, inDefault('a'))),
      data: { x: '1' },
    });
    expect(await events.told()).toBe('ADDED a');
    expect(await events.next()).toEqual({ type: 'MODIFIED', object: updated });
    watch.stop();
  });

  test.each([{}, { resourceVersion: '0' }])('sends the existing objects first, with %j', async (options) => {
    await using opened = await open();
    const { client } = opened;
    await client.create(configMaps, configMap('a'));
    await client.create(configMaps, configMap('b'));
    const watch = await client.watch(configMaps, options);
    const events = reading(watch);
    expect([await events.told(), await events.told()]).toEqual(['ADDED a', 'ADDED b']);
    await client.create(configMaps, configMap('c'));
    expect(await events.told()).toBe('ADDED c');
    watch.stop();
  });

  test('sends a deletion with the last state and the revision of the deletion', async () => {
    await using opened = await open();
    const { client } = opened;
    const created = await client.create(configMaps, configMap('a', { x: '1' }));
    const watch = await client.watch(configMaps, { resourceVersion: created.metadata.resourceVersion });
    await client.delete(configMaps, inDefault('a'));
    const { resourceVersion } = (await client.list(configMaps)).metadata;
    expect(await reading(watch).next()).toEqual({
      type: 'DELETED',
      object: { ...created, metadata: { ...created.metadata, resourceVersion } },
    });
    watch.stop();
  });

  test('sends objects that enter or leave the selection', async () => {
    await using opened = await open();
    const { client } = opened;
    const { resourceVersion } = (await client.list(pods)).metadata;
    const watch = await client.watch(pods, { resourceVersion, labelSelector: 'app=web' });
    const events = reading(watch);
    const relabel = (app: string) =>
      client.patch(pods, inDefault('a'), { type: 'merge', body: { metadata: { labels: { app } } } });
    await client.create(pods, pod('a', { app: 'db' }));
    const entered = await relabel('web');
    await client.patch(pods, inDefault('a'), { type: 'merge', body: { metadata: { labels: { x: 'y' } } } });
    const left = await relabel('db');
    await client.delete(pods, inDefault('a'));
    await client.create(pods, pod('end', { app: 'web' }));
    expect(await events.next()).toEqual({ type: 'ADDED', object: entered });
    expect(await events.told()).toBe('MODIFIED a');
    const gone = await events.next();
    expect(gone.type).toBe('DELETED');
    expect(gone.object.metadata?.resourceVersion).toBe(left.metadata.resourceVersion);
    expect(await events.told()).toBe('ADDED end');
    watch.stop();
  });

  test('selects by namespace, name or node', async () => {
    await using opened = await open();
    const { client } = opened;
    const { resourceVersion } = (await client.list(pods)).metadata;
    const selections = [
      { namespace: 'default', fieldSelector: 'metadata.name=b' },
      { fieldSelector: 'spec.nodeName=node-1' },
    ];
    const watches = await Promise.all(
      selections.map((each) => client.watch(pods, { resourceVersion, ...each })),
    );
    await client.create(pods, pod('a'));
    await client.create(pods, pod('b'));
    await client.bind(inDefault('a'), 'node-1');
    expect(await Promise.all(watches.map((watch) => reading(watch).told()))).toEqual(['ADDED b', 'ADDED a']);
    for (const watch of watches) watch.stop();
  });

  test('sends bookmarks to a watch that requests them', async () => {
    await using opened = await open();
    const { client } = opened;
    const { resourceVersion } = (await client.list(pods)).metadata;
    const watch = await client.watch(pods, { resourceVersion, allowWatchBookmarks: true });
    const events = reading(watch);
    await client.create(configMaps, configMap('elsewhere'));
    opened.advance(60_000);
    const { metadata } = await client.list(pods);
    const bookmark = await events.next();
    expect(bookmark).toMatchObject({ type: 'BOOKMARK', object: { kind: 'Pod', apiVersion: 'v1' } });
    expect(bookmark.object.metadata?.resourceVersion).toBe(metadata.resourceVersion);
    watch.stop();
  });

  test('ends with an error event if the revision is too old', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(configMaps, configMap('a'));
    await client.create(configMaps, configMap('b'));
    const { resourceVersion } = (await client.list(configMaps)).metadata;
    opened.compact();
    const events = reading(await client.watch(configMaps, { resourceVersion: '1' }));
    const { type, object } = await events.next();
    expect(type).toBe('ERROR');
    expect(object).toMatchObject({
      kind: 'Status',
      code: 410,
      reason: 'Expired',
      message: `too old resource version: 1 (${resourceVersion})`,
    });
    expect(await events.isOver()).toBe(true);
  });

  test('ends without an error when the server closes it', async () => {
    await using opened = await open();
    const { client } = opened;
    const events = reading(await client.watch(configMaps, { timeoutSeconds: 5 }));
    const over = events.isOver();
    opened.advance(5_000);
    expect(await over).toBe(true);
  });

  test('ends when it is stopped, even twice', async () => {
    await using opened = await open();
    const watch = await opened.client.watch(configMaps);
    const over = reading(watch).isOver();
    watch.stop();
    watch.stop();
    expect(await over).toBe(true);
  });

  test('ends when its signal is aborted', async () => {
    await using opened = await open();
    const abort = new AbortController();
    const over = reading(await opened.client.watch(configMaps, { signal: abort.signal })).isOver();
    abort.abort();
    expect(await over).toBe(true);
  });

  test('does not open if its signal is already aborted', async () => {
    await using opened = await open();
    const reason = new Error('enough');
    await expect(opened.client.watch(configMaps, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('delivers every object complete and frozen, in any script', async () => {
    await using opened = await open();
    const { client } = opened;
    const text = 'naïve – 日本語 🚀'.repeat(5_000);
    const watch = await client.watch(configMaps);
    const created = await client.create(configMaps, configMap('a', { text }));
    const event = await reading(watch).next();
    expect(event).toEqual({ type: 'ADDED', object: created });
    expect(isDeeplyFrozen(event.object)).toBe(true);
    watch.stop();
  });
}
