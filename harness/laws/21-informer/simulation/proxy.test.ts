import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../../api/objects.ts';
import { configMaps } from '../../../api/resource.ts';
import { isExpired } from '../../../api/status.ts';
import { createCluster } from '../../../cluster/cluster.ts';
import { record, sent } from '../../../cluster/victim.fixture.ts';
import type { WatchOptions } from '../../../contracts/client.ts';
import type { Pages } from '../scenario.ts';
import { WatchProxy } from './proxy.ts';

/** Returns a cluster, and a client whose requests go through a proxy. */
async function proxied(pages: Pages = 'whole') {
  const cluster = await createCluster();
  const proxy = new WatchProxy(cluster, pages);
  const client = proxy.client(cluster.connect('informer'));
  const put = (name: string): Promise<ConfigMap> => cluster.admin.create(configMaps, sent(name));
  const watch = async (options: WatchOptions = {}): Promise<string[]> => {
    const told: string[] = [];
    const stream = await cluster.settle(client.watch(configMaps, options));
    void record(stream, told, () => 0);
    await cluster.runFor(10);
    return told;
  };
  return Object.assign(cluster, { proxy, client, put, watch });
}

describe('A proxy before the apiservers', () => {
  test('passes every request and answer', async () => {
    await using cluster = await proxied();
    await cluster.put('a');
    const told = await cluster.watch();
    await cluster.put('b');
    await cluster.runFor(10);
    expect(told).toEqual(['ADDED a 0', 'ADDED b 0']);
    expect(cluster.replicas[0]?.server.cache.watcherCount).toBe(1);
  });

  test('ends the given number of watches, after the given number of events', async () => {
    await using cluster = await proxied();
    for (const name of ['a', 'b']) await cluster.put(name);
    cluster.proxy.play({ trick: 'end', watches: 2, events: 1 });
    expect([await cluster.watch(), await cluster.watch(), await cluster.watch()]).toEqual([
      ['ADDED a 0', 'end 0'],
      ['ADDED a 0', 'end 0'],
      ['ADDED a 0', 'ADDED b 0'],
    ]);
    expect(cluster.replicas[0]?.server.cache.watcherCount).toBe(1);
  });

  test('ends a watch with an error before its first event', async () => {
    await using cluster = await proxied();
    await cluster.put('a');
    cluster.proxy.play({ trick: 'end', watches: 1, events: 0, error: 'Expired' });
    expect(await cluster.watch()).toEqual(['ERROR Expired 0', 'end 0']);
  });

  test('drops the events of an open watch, but not its end and not those of the next watch', async () => {
    await using cluster = await proxied();
    const deaf = await cluster.watch({ timeoutSeconds: 5 });
    cluster.proxy.play({ trick: 'deafen' });
    await cluster.put('a');
    await cluster.runFor(6_000);
    expect([deaf, await cluster.watch()]).toEqual([['end 0'], ['ADDED a 0']]);
  });

  test('inserts one deletion, at the version of the previous event', async () => {
    await using cluster = await proxied();
    const told = await cluster.watch();
    cluster.proxy.play({ trick: 'deletion' });
    for (const name of ['a', 'b']) await cluster.put(name);
    await cluster.runFor(10);
    expect(told).toEqual(['ADDED a 0', 'DELETED never-seen 0', 'ADDED b 0']);
  });

  test('refuses the given number of requests, with Retry-After', async () => {
    await using cluster = await proxied();
    cluster.proxy.play({ trick: 'busy', requests: 1 });
    await expect(cluster.client.list(configMaps)).rejects.toMatchObject({ code: 429, retryAfterSeconds: 20 });
    expect((await cluster.settle(cluster.client.list(configMaps))).items).toEqual([]);
  });

  test('forbids the given number of watches, and no list', async () => {
    await using cluster = await proxied();
    cluster.proxy.play({ trick: 'forbid', watches: 1 });
    await expect(cluster.client.watch(configMaps)).rejects.toMatchObject({ code: 403 });
    cluster.proxy.play({ trick: 'forbid', watches: 1 });
    expect((await cluster.settle(cluster.client.list(configMaps))).items).toEqual([]);
  });

  test('plays no trick after calmDown', async () => {
    await using cluster = await proxied();
    await cluster.put('a');
    cluster.proxy.play({ trick: 'end', watches: 1, events: 0 });
    cluster.proxy.play({ trick: 'deletion' });
    cluster.proxy.calmDown();
    expect(await cluster.watch()).toEqual(['ADDED a 0']);
  });
});

describe('Pages', () => {
  /** Returns the names on the first page and on the second. */
  async function paged(pages: Pages) {
    const cluster = await proxied(pages);
    for (const name of ['a', 'b', 'c']) await cluster.put(name);
    const namesOf = async (asked: { readonly continue?: string } = {}) => {
      const options = { resourceVersion: '0', limit: 500, ...asked };
      const { items, metadata } = await cluster.settle(cluster.client.list(configMaps, options));
      return { names: items.map((item) => item.metadata.name), next: metadata.continue };
    };
    return Object.assign(cluster, { namesOf });
  }

  test('have two objects if they are small, even for a list at any version', async () => {
    await using cluster = await paged('small');
    const first = await cluster.namesOf();
    expect(first.names).toEqual(['a', 'b']);
    expect((await cluster.namesOf({ continue: first.next ?? '' })).names).toEqual(['c']);
  });

  test('expire before the request of the next page', async () => {
    await using cluster = await paged('expiring');
    const { next = '' } = await cluster.namesOf();
    await expect(cluster.namesOf({ continue: next })).rejects.toSatisfy(isExpired);
  });

  test('have all objects otherwise, and without a limit', async () => {
    await using whole = await paged('whole');
    expect((await whole.namesOf()).names).toEqual(['a', 'b', 'c']);
    await using small = await paged('small');
    const { items } = await small.settle(small.client.list(configMaps, { resourceVersion: '0' }));
    expect(items).toHaveLength(3);
  });
});
