import { expect, test } from 'vitest';
import { configMaps, namespaces, pods } from '../../api/resource.ts';
import { isTooLargeResourceVersion, StatusError } from '../../api/status.ts';
import { INITIAL_EVENTS_END, isInitialEventsEnd } from '../../api/watch-event.ts';
import type { WatchOptions } from '../../contracts/client.ts';
import { configMap, inDefault, isDeeplyFrozen, pod, reading, refusal } from './objects.ts';
import type { Open, Opened } from './open.ts';

/** The options that client-go's reflector sends. */
const STREAM = {
  sendInitialEvents: true,
  resourceVersionMatch: 'NotOlderThan',
  allowWatchBookmarks: true,
} as const satisfies WatchOptions;

/** Watches that start with a list. */
export function describeStreamingLists(open: Open): void {
  test('sends the existing objects, then a bookmark that ends them, then changes', async () => {
    await using opened = await open();
    const { client } = opened;
    const [a, b] = [
      await client.create(configMaps, configMap('a')),
      await client.create(configMaps, configMap('b')),
    ];
    const { metadata } = await client.create(pods, pod('elsewhere'));
    const watch = await client.watch(configMaps, STREAM);
    const events = reading(watch);
    expect([await events.next(), await events.next()]).toEqual([
      { type: 'ADDED', object: a },
      { type: 'ADDED', object: b },
    ]);
    const end = await events.next();
    const { resourceVersion } = metadata;
    expect(end).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion, annotations: { [INITIAL_EVENTS_END]: 'true' } },
      },
    });
    expect([isInitialEventsEnd(end), isDeeplyFrozen(end.object)]).toEqual([true, true]);
    await client.delete(configMaps, inDefault('a'));
    expect(await events.told()).toBe('DELETED a');
    watch.stop();
  });

  test('sends the selected objects, at least as new as requested', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(pods, pod('a', { app: 'db' }));
    const { metadata } = await client.create(pods, pod('b'));
    const { resourceVersion } = metadata;
    const watch = await client.watch(pods, { ...STREAM, resourceVersion, labelSelector: 'app=web' });
    const events = reading(watch);
    expect(await events.told()).toBe('ADDED b');
    expect(isInitialEventsEnd(await events.next())).toBe(true);
    watch.stop();
  });

  test('sends only changes if sendInitialEvents is false', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(configMaps, configMap('a'));
    const watch = await client.watch(configMaps, { ...STREAM, sendInitialEvents: false });
    await client.create(configMaps, configMap('b'));
    expect(await reading(watch).told()).toBe('ADDED b');
    watch.stop();
  });

  test('ends with an error event if the revision does not arrive within three seconds', async () => {
    await using opened = await open();
    const watch = await timePasses(
      opened,
      opened.client.watch(configMaps, { ...STREAM, resourceVersion: '99999' }),
    );
    const events = reading(watch);
    const { type, object } = await events.next();
    expect(type).toBe('ERROR');
    expect(object).toMatchObject({ kind: 'Status', code: 504, details: { retryAfterSeconds: 1 } });
    expect(new StatusError(object as never)).toSatisfy(isTooLargeResourceVersion);
    expect(await events.isOver()).toBe(true);
  });

  test('rejects a list that would wait longer than three seconds', async () => {
    await using opened = await open();
    const { resourceVersion: newest } = (await opened.client.list(configMaps)).metadata;
    const error = await timePasses(
      opened,
      opened.client.list(configMaps, { resourceVersion: '99999' }).catch((thrown: unknown) => thrown),
    );
    expect(error).toSatisfy(isTooLargeResourceVersion);
    expect((error as StatusError).message).toBe(
      `Timeout: Too large resource version: 99999, current: ${newest}`,
    );
  });

  test('is rejected without a resourceVersionMatch', async () => {
    await using opened = await open();
    expect(await refusal(opened.client.watch(configMaps, { sendInitialEvents: true }))).toEqual([
      422,
      'Invalid',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ]);
  });
}

/** Advances the server's time, second by second, while the call waits there. */
async function timePasses<T>({ client, advance }: Opened, call: Promise<T>): Promise<T> {
  for (let seconds = 0; seconds < 10; seconds++) {
    // A round trip gives the call time to reach the server.
    await client.list(namespaces, { resourceVersion: '0' });
    advance(1_000);
  }
  return call;
}
