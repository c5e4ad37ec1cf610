import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../api/objects.ts';
import { configMaps, leases } from '../../api/resource.ts';
import { compareResourceVersion } from '../../api/resource-version.ts';
import { isExpired } from '../../api/status.ts';
import type { Client } from '../../contracts/client.ts';
import type { SharedInformer } from '../../contracts/informer.ts';
import { configMap, inDefault } from './objects.ts';
import type { Open, Opened } from './open.ts';

/**
 * The contract of `lastStoreSyncResourceVersion` of an informer's cache, for informers that have it. `open` should
 * connect directly to an apiserver, because the suite checks the cache after each step.
 */
export function describeCacheVersion(name: string, open: Open, newInformer: NewInformer): void {
  describe(`${name}: the version of the cache`, () => {
    test('is empty until the first list is complete', async () => {
      await using world = await started(open, newInformer, { run: false });
      const { client } = world.opened;
      expect(world.version()).toBe('');
      for (const name of ['a', 'b', 'c']) await client.create(configMaps, configMap(name));
      world.run();
      for (let turns = 0; turns < 1_000 && world.version() === ''; turns++) await null;
      expect(world.informer.indexer.listKeys()).toEqual(['default/a', 'default/b', 'default/c']);
      await world.look();
    });

    test('equals the version of the first list, even if it is empty', async () => {
      await using world = await started(open, newInformer);
      const { client } = world.opened;
      await world.until(() => world.informer.hasSynced());
      expect(world.version()).toBe((await client.list(configMaps)).metadata.resourceVersion);
      expect(world.informer.indexer.list()).toEqual([]);
    });

    test('is never ahead of the objects or behind them: at each version the cache equals the stored state', async () => {
      await using world = await started(open, newInformer);
      const { client } = world.opened;
      const written: string[] = [];
      for (const step of ['a', 'b', 'a', 'c', 'b', 'a', 'd', 'c']) {
        const there = await client.list(configMaps, { fieldSelector: `metadata.name=${step}` });
        if (there.items.length > 0) await client.delete(configMaps, inDefault(step));
        else await client.create(configMaps, configMap(step));
        written.push((await client.list(configMaps)).metadata.resourceVersion);
        await world.look();
      }
      await world.reached(written.at(-1) ?? '');
      expect(world.informer.indexer.listKeys()).toEqual(['default/a', 'default/d']);
    });

    test('advances with a bookmark if the resource does not change', async () => {
      await using world = await started(open, newInformer);
      const { client, advance } = world.opened;
      await world.until(() => world.informer.hasSynced());
      const lease = { metadata: { name: 'elsewhere', namespace: 'default' }, spec: {} };
      const { metadata } = await client.create(leases, lease);
      advance(60_000);
      await world.reached(metadata.resourceVersion);
    });

    test('advances after the watch has ended, even if its version is compacted', async () => {
      await using world = await started(open, newInformer);
      const { client, advance, compact } = world.opened;
      await client.create(configMaps, configMap('a'));
      await world.until(() => world.informer.hasSynced());
      const { metadata } = await client.create(configMaps, configMap('b'));
      await client.delete(configMaps, inDefault('a'));
      compact();
      // Longer than the timeout of any watch.
      advance(3_600_000);
      await client.create(configMaps, configMap('c'));
      await world.reached(metadata.resourceVersion);
      await world.until(() => world.informer.indexer.listKeys().includes('default/c'));
      expect(world.informer.indexer.listKeys().toSorted()).toEqual(['default/b', 'default/c']);
    });

    test('is not ahead of the received version', async () => {
      await using world = await started(open, newInformer);
      await world.until(() => world.informer.hasSynced());
      const received = world.informer.lastSyncResourceVersion();
      expect(compareResourceVersion(received, world.version())).toBeGreaterThanOrEqual(0);
    });
  });
}

/** Creates an informer of all ConfigMaps that does not run yet. */
type NewInformer = (client: Client) => SharedInformer<ConfigMap>;

interface World extends AsyncDisposable {
  readonly opened: Opened;
  readonly informer: SharedInformer<ConfigMap>;
  run(): void;
  version(): string;
  /** Checks that the cache equals the stored state at its version. */
  look(): Promise<void>;
  /** Checks repeatedly until the condition holds. */
  until(condition: () => boolean): Promise<void>;
  /** Checks repeatedly until the cache has reached that version. */
  reached(version: string): Promise<void>;
}

async function started(open: Open, newInformer: NewInformer, { run = true } = {}): Promise<World> {
  const opened = await open();
  const { client } = opened;
  const stopping = new AbortController();
  const informer = newInformer(client);
  let running: Promise<void> | undefined;
  const begin = (): void => {
    running = informer.run(stopping.signal).catch(() => {});
  };
  if (run) begin();
  const { indexer } = informer;
  const version = (): string => indexer.lastStoreSyncResourceVersion?.() ?? '';
  let last = '';
  const look = async (): Promise<void> => {
    const [at, objects] = [version(), indexer.list()];
    if (at === '') return;
    if (last !== '') expect(compareResourceVersion(at, last)).toBeGreaterThanOrEqual(0);
    last = at;
    const exactly = { resourceVersion: at, resourceVersionMatch: 'Exact' } as const;
    const then = await client.list(configMaps, exactly).catch((error: unknown) => {
      // That version is compacted, so its state is unknown.
      if (!isExpired(error)) throw error;
    });
    if (then) expect(new Set(objects)).toEqual(new Set(then.items));
  };
  const until = async (condition: () => boolean): Promise<void> => {
    for (let looks = 0; looks < 100 && !condition(); looks++) {
      await look();
      await client.list(configMaps);
    }
    expect(condition()).toBe(true);
  };
  return {
    opened,
    informer,
    run: begin,
    version,
    look,
    until,
    reached: (wanted) => until(() => version() !== '' && compareResourceVersion(version(), wanted) >= 0),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
      await opened[Symbol.asyncDispose]();
    },
  };
}
