import { describe, expect, test } from 'vitest';
import { configMaps, pods } from '../api/resource.ts';
import { isExpired } from '../api/status.ts';
import { key, SECOND, sent, victim } from '../cluster/victim.fixture.ts';
import { failureOf } from './failure.ts';
import type { Refusal, WatchFailure } from './fault.ts';

describe('Faults of an apiserver', () => {
  test('lag: it serves stale data, and then catches up', async () => {
    await using cluster = await victim();
    const { admin, client, nemesis, replicas } = cluster;
    const told = await cluster.watch();
    nemesis.strike({ fault: 'lag', replica: 0, forMs: 5 * SECOND });
    await admin.create(configMaps, sent('a'));
    await cluster.runFor(SECOND);
    const { items } = await cluster.settle(client.list(configMaps, { resourceVersion: '0' }));
    expect([items, told]).toEqual([[], []]);
    expect((await cluster.settle(client.get(configMaps, key('a')))).metadata.name).toBe('a');
    await cluster.runFor(5 * SECOND);
    expect(told).toEqual(['ADDED a 5001']);
    expect(replicas[0]?.server.cache.position).toBe(cluster.storage.revision);
  });

  test('two concurrent lags: it lags until the longer one ends', async () => {
    await using cluster = await victim();
    const { admin, nemesis } = cluster;
    const told = await cluster.watch();
    nemesis.strike({ fault: 'lag', replica: 0, forMs: 5 * SECOND });
    nemesis.strike({ fault: 'lag', replica: 0, forMs: 2 * SECOND });
    await admin.create(configMaps, sent('a'));
    await cluster.runFor(10 * SECOND);
    expect(told).toEqual(['ADDED a 5001']);
  });

  test('restart: its watches end, and it is unavailable until it is back', async () => {
    await using cluster = await victim();
    const { client, nemesis } = cluster;
    const told = await cluster.watch();
    nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 3 * SECOND });
    expect(await cluster.outcome(client.list(configMaps))).toBe('ECONNREFUSED after 2 ms');
    expect(told).toEqual(['end 1']);
    await cluster.runFor(3 * SECOND);
    expect(await cluster.outcome(client.list(configMaps))).toBe('ok after 2 ms');
  });

  test('two concurrent restarts: it is back when the longer one ends', async () => {
    await using cluster = await victim();
    const { client, nemesis } = cluster;
    nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 5 * SECOND });
    nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 2 * SECOND });
    await cluster.runFor(3 * SECOND);
    expect(await cluster.outcome(client.list(configMaps))).toBe('ECONNREFUSED after 2 ms');
    await cluster.runFor(2 * SECOND);
    expect(await cluster.outcome(client.list(configMaps))).toBe('ok after 2 ms');
  });

  test('restart with two replicas: the other replica serves, even if it lags', async () => {
    await using cluster = await victim({ replicas: 2 });
    const { admin, client, nemesis } = cluster;
    nemesis.strike({ fault: 'lag', replica: 1, forMs: 9 * SECOND });
    nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 5 * SECOND });
    await admin.create(configMaps, sent('a'));
    const count = async () =>
      (await cluster.settle(client.list(configMaps, { resourceVersion: '0' }))).items.length;
    expect(await count()).toBe(0);
    await cluster.runFor(5 * SECOND);
    expect(await count()).toBe(1);
  });
});

describe('Compaction', () => {
  test('fails a client that resumes from an old revision, but no open watch', async () => {
    await using cluster = await victim();
    const { admin, nemesis } = cluster;
    const told = await cluster.watch();
    await admin.create(configMaps, sent('a'));
    await admin.create(configMaps, sent('b'));
    nemesis.strike({ fault: 'compact' });
    await cluster.runFor(10);
    expect(told).toEqual(['ADDED a 1', 'ADDED b 1']);
    expect(await cluster.watch('1')).toEqual([]);
    const late = await cluster.watch('1');
    await cluster.runFor(10);
    expect(late).toEqual(['ERROR Expired 1', 'end 1']);
  });
});

describe('Faults of watches', () => {
  test('cut: they end without an error, and events in flight are lost', async () => {
    await using cluster = await victim({ latencyMs: 10 });
    const told = await cluster.watch();
    await cluster.admin.create(configMaps, sent('a'));
    await cluster.runFor(5);
    cluster.nemesis.strike({ fault: 'cut-watches', process: 'victim' });
    await cluster.runFor(100);
    expect(told).toEqual(['end 5']);
    expect(cluster.replicas[0]?.server.cache.watcherCount).toBe(0);
  });

  test('delay: events are held back in order', async () => {
    await using cluster = await victim({ latencyMs: { min: 1, max: 20 } });
    const { admin, nemesis } = cluster;
    const told = await cluster.watch();
    nemesis.strike({ fault: 'delay-watches', process: 'victim', forMs: 5 * SECOND });
    for (const name of ['a', 'b', 'c']) await admin.create(configMaps, sent(name));
    await cluster.runFor(4_999);
    expect(told).toEqual([]);
    await cluster.runFor(1);
    expect(told).toEqual(['ADDED a 5000', 'ADDED b 5000', 'ADDED c 5000']);
    await admin.create(configMaps, sent('d'));
    await cluster.runFor(20);
    expect(told).toHaveLength(4);
  });

  test('two delays: events are held back until the longer one ends', async () => {
    await using cluster = await victim();
    const told = await cluster.watch();
    cluster.nemesis.strike({ fault: 'delay-watches', process: 'victim', forMs: 5 * SECOND });
    cluster.nemesis.strike({ fault: 'delay-watches', process: 'victim', forMs: 2 * SECOND });
    await cluster.admin.create(configMaps, sent('a'));
    await cluster.runFor(9 * SECOND);
    expect(told).toEqual(['ADDED a 5000']);
  });

  test('delay of one resource: other resources are not affected', async () => {
    await using cluster = await victim();
    const told = await cluster.watch();
    for (const resource of ['pods', 'configmaps', 'config']) {
      cluster.nemesis.strike({ fault: 'delay-watches', process: 'victim', forMs: 5 * SECOND, resource });
      await cluster.admin.create(configMaps, sent(resource));
      await cluster.runFor(SECOND);
    }
    await cluster.runFor(9 * SECOND);
    expect(told).toEqual(['ADDED pods 1', 'ADDED configmaps 6000', 'ADDED config 6000']);
  });

  const failures = ['Expired', 'InternalError', 'TooManyRequests', 'Timeout'] satisfies WatchFailure[];
  test.each(failures)('failure: they end with an ERROR: %s', async (reason) => {
    await using cluster = await victim();
    const told = await cluster.watch();
    cluster.nemesis.strike({ fault: 'fail-watches', process: 'victim', reason });
    await cluster.admin.create(configMaps, sent('a'));
    await cluster.runFor(SECOND);
    expect(told).toEqual([`ERROR ${reason} 0`, 'end 0']);
  });

  test('failure during a delay: the client sees it when the delay ends', async () => {
    await using cluster = await victim();
    const told = await cluster.watch();
    cluster.nemesis.strike({ fault: 'delay-watches', process: 'victim', forMs: 2 * SECOND });
    await cluster.admin.create(configMaps, sent('a'));
    await cluster.runFor(SECOND);
    cluster.nemesis.strike({ fault: 'fail-watches', process: 'victim', reason: 'InternalError' });
    await cluster.runFor(2 * SECOND);
    expect(told).toEqual(['ERROR InternalError 2000', 'end 2000']);
  });
});

describe('Faults of requests', () => {
  test.each(['TooManyRequests', 'InternalError', 'ServiceUnavailable'] satisfies Refusal[])(
    'refusal: the next requests are refused without a write: %s',
    async (reason) => {
      await using cluster = await victim();
      const { client, nemesis } = cluster;
      nemesis.strike({ fault: 'refuse', process: 'victim', reason, requests: 2 });
      expect(await cluster.outcome(client.create(configMaps, sent('a')))).toBe(`${reason} after 2 ms`);
      expect(cluster.there('a')).toBe(false);
      expect(await cluster.outcome(client.list(configMaps))).toBe(`${reason} after 2 ms`);
      expect(await cluster.outcome(client.create(configMaps, sent('a')))).toBe('ok after 2 ms');
    },
  );

  test('refusal with Conflict or Expired: affects only writes of existing objects, or lists', async () => {
    await using cluster = await victim();
    const { admin, client, nemesis } = cluster;
    const created = await admin.create(configMaps, sent('a'));
    nemesis.strike({ fault: 'refuse', process: 'victim', reason: 'Conflict', requests: 1 });
    nemesis.strike({ fault: 'refuse', process: 'victim', reason: 'Expired', requests: 1 });
    const calls: (() => Promise<unknown>)[] = [
      () => client.get(configMaps, key('a')),
      () => client.create(configMaps, sent('b')),
      () => client.update(configMaps, { ...created, data: { x: '1' } }),
      () => client.update(configMaps, { ...created, data: { x: '1' } }),
      () => client.list(configMaps),
      () => client.list(configMaps),
    ];
    const outcomes: string[] = [];
    for (const call of calls) outcomes.push((await cluster.outcome(call())).replace(/ .*/, ''));
    expect(outcomes).toEqual(['ok', 'ok', 'Conflict', 'ok', 'Expired', 'ok']);
  });

  test('refusal or timeout of one verb: other verbs are not affected', async () => {
    await using cluster = await victim();
    const { client, nemesis } = cluster;
    nemesis.strike({
      fault: 'refuse',
      process: 'victim',
      reason: 'InternalError',
      requests: 1,
      verb: 'create',
    });
    nemesis.strike({ fault: 'time-out', process: 'victim', performed: true, verb: 'create' });
    expect(await cluster.outcome(client.list(configMaps))).toBe('ok after 2 ms');
    expect(await cluster.outcome(client.create(configMaps, sent('a')))).toBe('InternalError after 2 ms');
    expect(await cluster.outcome(client.list(configMaps))).toBe('ok after 2 ms');
    expect(await cluster.outcome(client.create(configMaps, sent('a')))).toBe('Timeout after 60002 ms');
    expect(cluster.there('a')).toBe(true);
  });

  test('refusal by a quota: affects only the creation of pods', async () => {
    await using cluster = await victim();
    const { client, nemesis } = cluster;
    nemesis.strike({ fault: 'refuse', process: 'victim', reason: 'Forbidden', requests: 1 });
    const pod = { ...sent('p'), spec: { containers: [{ name: 'c', image: 'nginx' }] } };
    const calls: (() => Promise<unknown>)[] = [
      () => client.list(pods),
      () => client.create(configMaps, sent('a')),
      () => client.create(pods, pod),
      () => client.create(pods, pod),
    ];
    const outcomes: string[] = [];
    for (const call of calls) outcomes.push((await cluster.outcome(call())).replace(/ .*/, ''));
    expect(outcomes).toEqual(['ok', 'ok', 'Forbidden', 'ok']);
  });

  test('refusal: the message names the object', () => {
    const quota = 'exceeded quota: compute, requested: pods=1, used: pods=10, limited: pods=10';
    expect([
      failureOf('Forbidden', 'pods/default/web-1').message,
      failureOf('Forbidden', 'pods/default/web-…').message,
      failureOf('Forbidden', 'pods/default/…').message,
      failureOf('Conflict', 'deployments/default/web/scale').message,
      failureOf('Conflict', 'nodes/node-1').message,
    ]).toEqual([
      `pods "web-1" is forbidden: ${quota}`,
      `pods "web-" is forbidden: ${quota}`,
      `pods "Unknown" is forbidden: ${quota}`,
      expect.stringMatching(
        /^Operation cannot be fulfilled on deployments\.apps "web": the object has been modified/,
      ),
      expect.stringMatching(/^Operation cannot be fulfilled on nodes "node-1": the object has been modified/),
    ]);
  });

  test.each([true, false])('timeout: the request fails after 60 s; performed: %s', async (performed) => {
    await using cluster = await victim();
    const { client, nemesis } = cluster;
    nemesis.strike({ fault: 'time-out', process: 'victim', performed });
    expect(await cluster.outcome(client.create(configMaps, sent('a')))).toBe('Timeout after 60002 ms');
    expect(cluster.there('a')).toBe(performed);
    expect(await cluster.outcome(client.list(configMaps))).toBe('ok after 2 ms');
  });

  test('timeout or crash: no watch without a client stays open', async () => {
    await using cluster = await victim();
    const { client, nemesis, replicas } = cluster;
    nemesis.strike({ fault: 'time-out', process: 'victim', performed: true });
    expect(await cluster.outcome(client.watch(configMaps))).toBe('Timeout after 60002 ms');
    const controller = new AbortController();
    const watch = client.watch(configMaps, { signal: controller.signal });
    controller.abort('enough');
    await expect(cluster.settle(watch)).rejects.toBe('enough');
    await cluster.runFor(SECOND);
    nemesis.strike({ fault: 'crash', process: 'victim', skip: 0, performed: true, restartAfterMs: 1 });
    void client.watch(configMaps);
    await cluster.runFor(SECOND);
    expect(replicas[0]?.server.cache.watcherCount).toBe(0);
  });
});

describe('The errors of faults in a client', () => {
  test('isExpired recognizes an expired list', async () => {
    await using cluster = await victim();
    cluster.nemesis.strike({ fault: 'refuse', process: 'victim', reason: 'Expired', requests: 1 });
    await expect(cluster.settle(cluster.client.list(configMaps))).rejects.toSatisfy(isExpired);
  });
});
