import { describe, expect, test } from 'vitest';
import { type ConfigMap, configMaps, errors, type WatchEvent } from '#harness';
import { named, vectors } from '#harness/testing';
import { configMap, listOf } from '#laws/21-informer';
import { begun, event, nothing, reflect } from './reflect.fixture.ts';

const bookmark = (resourceVersion: string): WatchEvent<ConfigMap> => ({
  type: 'BOOKMARK',
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion } },
});

describe('Level 4 · Watch', () => {
  test('watches from where the list was, asks for bookmarks, and for an end', async () => {
    const { sim, reflector, server, signal, stop } = reflect({ list: () => nothing('10') });
    await sim.settle(reflector.list(signal));
    const watching = begun(reflector.watch(signal));
    await sim.run({ forMs: 100 });
    const { options } = server.asked[1] ?? {};
    expect(server.requests).toEqual(['list 0', 'watch 10']);
    expect(options?.allowWatchBookmarks).toBe(true);
    expect(options?.timeoutSeconds, 'a watch that nobody ends may hang for ever').toBeGreaterThan(0);
    stop();
    await sim.settle(watching);
  });

  test('watches only what is selected', async () => {
    const selection = { namespace: 'default', labelSelector: 'app=web', fieldSelector: 'metadata.name!=a' };
    const { sim, reflector, server, signal, stop } = reflect({ selection, list: () => nothing('10') });
    await sim.settle(reflector.list(signal));
    const watching = begun(reflector.watch(signal));
    await sim.run({ forMs: 100 });
    expect(server.asked.at(-1)?.options).toMatchObject(selection);
    stop();
    await sim.settle(watching);
  });

  test('applies every event to the store', async () => {
    const { sim, reflector, stored, signal, stop } = reflect({
      list: () => listOf(configMaps, '10', [configMap('a', '3'), configMap('b', '6')]),
      watches: [
        {
          events: [event('ADDED', 'c', '11'), event('MODIFIED', 'a', '12'), event('DELETED', 'b', '13')],
          ends: false,
        },
      ],
    });
    await sim.settle(reflector.list(signal));
    const watching = begun(reflector.watch(signal));
    await sim.run({ forMs: 100 });
    expect(stored()).toEqual({ a: '12', c: '11' });
    expect(reflector.lastSyncResourceVersion()).toBe('13');
    stop();
    await sim.settle(watching);
  });

  test('resumes at the last event when the stream ends, and lists nothing', async () => {
    const { sim, reflector, server, signal, stop } = reflect({
      list: () => nothing('10'),
      watches: [{ events: [event('ADDED', 'a', '11'), event('DELETED', 'a', '14')], ends: true }],
    });
    await sim.settle(reflector.list(signal));
    const watching = begun(reflector.watch(signal));
    await sim.run({ forMs: 5_000 });
    expect(server.requests).toEqual(['list 0', 'watch 10', 'watch 14']);
    stop();
    await sim.settle(watching);
  });

  test('resumes at a bookmark, which stores nothing', async () => {
    const { sim, reflector, server, stored, signal, stop } = reflect({
      list: () => nothing('10'),
      watches: [{ events: [event('ADDED', 'a', '11'), bookmark('30')], ends: true }],
    });
    await sim.settle(reflector.list(signal));
    const watching = begun(reflector.watch(signal));
    await sim.run({ forMs: 5_000 });
    expect(server.requests.at(-1)).toBe('watch 30');
    expect(stored()).toEqual({ a: '11' });
    stop();
    await sim.settle(watching);
  });

  test('passes on what the server refuses', async () => {
    const { sim, reflector, signal } = reflect({
      list: () => nothing('10'),
      watches: [errors.internal('no leader')],
    });
    await sim.settle(reflector.list(signal));
    await expect(sim.settle(reflector.watch(signal))).rejects.toThrow(/no leader/);
  });

  test('ends when it is aborted, without a complaint', async () => {
    const { sim, reflector, signal, stop } = reflect({ list: () => nothing('10') });
    await sim.settle(reflector.list(signal));
    const watching = begun(
      reflector.watch(signal).catch((error: unknown) => {
        if (error !== signal.reason) throw error;
      }),
    );
    await sim.run({ forMs: 100 });
    stop();
    await sim.settle(watching);
  });

  interface EventsInput {
    readonly store?: string[];
    readonly listResourceVersion?: string;
    readonly events: { type: WatchEvent['type']; kind?: string; name?: string; resourceVersion?: string }[];
  }
  interface EventsExpect {
    readonly store?: Record<string, string>;
    readonly lastSyncResourceVersion?: string;
    readonly resourceVersions?: string[];
  }
  const tables = vectors<EventsInput, EventsExpect>(
    'informer',
    'reflector',
    2,
    ({ input }) => input.events !== undefined,
  );
  test.each(named(tables))('agrees with client-go: %s', async (_, { input, expect: expected }) => {
    const events = input.events.map(
      ({ type, kind, name = 'x', resourceVersion = '1' }): WatchEvent<ConfigMap> => {
        if (type === 'BOOKMARK') return bookmark(resourceVersion);
        const object = configMap(name, resourceVersion, kind === 'Service' ? 'Service' : 'ConfigMap');
        return { type, object } as WatchEvent<ConfigMap>;
      },
    );
    const present = (input.store ?? []).map((name) => configMap(name, '1'));
    const { sim, reflector, stored, signal, stop } = reflect({
      list: () => listOf(configMaps, input.listResourceVersion ?? '1', present),
      watches: [{ events, ends: false }],
    });
    await sim.settle(reflector.list(signal));
    const watching = begun(reflector.watch(signal));
    await sim.run({ forMs: 100 });
    if (expected.store) expect(stored()).toEqual(expected.store);
    const last = expected.lastSyncResourceVersion ?? expected.resourceVersions?.at(-1);
    expect(reflector.lastSyncResourceVersion()).toBe(last);
    stop();
    await sim.settle(watching);
  });
});
