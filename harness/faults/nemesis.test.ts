import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../api/objects.ts';
import { configMaps } from '../api/resource.ts';
import { isExpired } from '../api/status.ts';
import type { Watch } from '../contracts/client.ts';
import type { Component } from '../contracts/component.ts';
import { Line, Simulation, throughLine } from '../sim/index.ts';
import { type ClusterOptions, createCluster } from '../testing/cluster.ts';
import type { Refusal, WatchFailure } from './fault.ts';
import { Nemesis } from './nemesis.ts';
import type { FaultTargets } from './targets.ts';

const SECOND = 1_000;
const key = (name: string) => ({ namespace: 'default', name });
const sent = (name: string) => ({ metadata: key(name) });

/** A cluster with a client on which the nemesis has her eye. */
async function victim(options: ClusterOptions = {}) {
  const cluster = await createCluster(options);
  const client = cluster.connect('victim');
  /** Watches; `told` fills with when what arrives. */
  const watch = async (resourceVersion = String(cluster.storage.revision)) => {
    const told: string[] = [];
    void record(
      await cluster.settle(client.watch(configMaps, { resourceVersion })),
      told,
      () => cluster.sim.elapsedMs - beganMs,
    );
    const beganMs = cluster.sim.elapsedMs;
    return told;
  };
  /** What a call comes to and after how many ms. */
  const outcome = async (call: Promise<unknown>): Promise<string> => {
    const beganMs = cluster.sim.elapsedMs;
    const how = await cluster.settle(
      call.then(
        () => 'ok',
        ({ reason, code }) => reason ?? code,
      ),
    );
    return `${how} after ${cluster.sim.elapsedMs - beganMs} ms`;
  };
  const there = (name: string): boolean => cluster.storage.get(configMaps, key(name)) !== undefined;
  return Object.assign(cluster, { client, watch, outcome, there });
}

async function record(watch: Watch<KubeObject>, told: string[], nowMs: () => number): Promise<void> {
  for await (const { type, object } of watch) {
    const { metadata, reason } = object as KubeObject & { reason?: string };
    told.push(`${type} ${reason ?? metadata.name} ${nowMs()}`);
  }
  told.push(`end ${nowMs()}`);
}

describe('Nemesis: an apiserver', () => {
  test('lags: it shows the past, and catches up', async () => {
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

  test('lags twice at once: until the longer lag is over', async () => {
    await using cluster = await victim();
    const { admin, nemesis } = cluster;
    const told = await cluster.watch();
    nemesis.strike({ fault: 'lag', replica: 0, forMs: 5 * SECOND });
    nemesis.strike({ fault: 'lag', replica: 0, forMs: 2 * SECOND });
    await admin.create(configMaps, sent('a'));
    await cluster.runFor(10 * SECOND);
    expect(told).toEqual(['ADDED a 5001']);
  });

  test('restarts: its watches end, and nobody answers until it is back', async () => {
    await using cluster = await victim();
    const { client, nemesis } = cluster;
    const told = await cluster.watch();
    nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 3 * SECOND });
    expect(await cluster.outcome(client.list(configMaps))).toBe('ECONNREFUSED after 2 ms');
    expect(told).toEqual(['end 1']);
    await cluster.runFor(3 * SECOND);
    expect(await cluster.outcome(client.list(configMaps))).toBe('ok after 2 ms');
  });

  test('restarts twice at once: it is back when the longer restart is over', async () => {
    await using cluster = await victim();
    const { client, nemesis } = cluster;
    nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 5 * SECOND });
    nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 2 * SECOND });
    await cluster.runFor(3 * SECOND);
    expect(await cluster.outcome(client.list(configMaps))).toBe('ECONNREFUSED after 2 ms');
    await cluster.runFor(2 * SECOND);
    expect(await cluster.outcome(client.list(configMaps))).toBe('ok after 2 ms');
  });

  test('that is away is stood in for by another, which may lag', async () => {
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

describe('Nemesis: the past', () => {
  test('is compacted: who resumes from there is told, who is watching is not', async () => {
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

describe('Nemesis: watches', () => {
  test('are cut without a word; what was under way is lost', async () => {
    await using cluster = await victim({ latencyMs: 10 });
    const told = await cluster.watch();
    await cluster.admin.create(configMaps, sent('a'));
    await cluster.runFor(5);
    cluster.nemesis.strike({ fault: 'cut-watches', process: 'victim' });
    await cluster.runFor(100);
    expect(told).toEqual(['end 5']);
    expect(cluster.replicas[0]?.server.cache.watcherCount).toBe(0);
  });

  test('are held back, in order', async () => {
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

  test('are held back twice: until the longer is over', async () => {
    await using cluster = await victim();
    const told = await cluster.watch();
    cluster.nemesis.strike({ fault: 'delay-watches', process: 'victim', forMs: 5 * SECOND });
    cluster.nemesis.strike({ fault: 'delay-watches', process: 'victim', forMs: 2 * SECOND });
    await cluster.admin.create(configMaps, sent('a'));
    await cluster.runFor(9 * SECOND);
    expect(told).toEqual(['ADDED a 5000']);
  });

  const failures = ['Expired', 'InternalError', 'TooManyRequests', 'Timeout'] satisfies WatchFailure[];
  test.each(failures)('end with an ERROR: %s', async (reason) => {
    await using cluster = await victim();
    const told = await cluster.watch();
    cluster.nemesis.strike({ fault: 'fail-watches', process: 'victim', reason });
    await cluster.admin.create(configMaps, sent('a'));
    await cluster.runFor(SECOND);
    expect(told).toEqual([`ERROR ${reason} 0`, 'end 0']);
  });

  test('that are held back learn of their failure when they are let through', async () => {
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

describe('Nemesis: requests', () => {
  test.each(['TooManyRequests', 'InternalError', 'ServiceUnavailable'] satisfies Refusal[])(
    'are refused so many times, and nothing is written: %s',
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

  test('are refused for a conflict, or as expired, only where that can be', async () => {
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

  test.each([true, false])('get no answer in time; performed: %s', async (performed) => {
    await using cluster = await victim();
    const { client, nemesis } = cluster;
    nemesis.strike({ fault: 'time-out', process: 'victim', performed });
    expect(await cluster.outcome(client.create(configMaps, sent('a')))).toBe('Timeout after 60002 ms');
    expect(cluster.there('a')).toBe(performed);
    expect(await cluster.outcome(client.list(configMaps))).toBe('ok after 2 ms');
  });

  test('leave no watch open that nobody was told of', async () => {
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

describe('Nemesis: processes', () => {
  /** Creates a ConfigMap a second, numbered from its start, and remembers nothing. */
  async function counting() {
    const cluster = await createCluster();
    let starts = 0;
    const counter: Component = async ({ client, clock }) => {
      const start = ++starts;
      for (let i = 0; ; i++) {
        await client.create(configMaps, sent(`start-${start}-${i}`)).catch(() => {});
        await clock.sleep(SECOND);
      }
    };
    const process = cluster.run('counter', counter, { node: 'node-1' });
    const written = () => cluster.storage.list(configMaps).map(({ metadata }) => metadata.name);
    return Object.assign(cluster, { process, written });
  }

  test.each([true, false])(
    'crash at the request but so many, and start again with empty memory; performed: %s',
    async (performed) => {
      await using cluster = await counting();
      cluster.nemesis.strike({
        fault: 'crash',
        process: 'counter',
        skip: 1,
        performed,
        restartAfterMs: 10 * SECOND,
      });
      await cluster.runFor(9 * SECOND);
      expect(cluster.process.running).toBe(false);
      // The first request was under way already.
      const before = ['start-1-0', 'start-1-1', ...(performed ? ['start-1-2'] : [])];
      expect(cluster.written()).toEqual(before);
      await cluster.runFor(4_500);
      expect([cluster.process.running, cluster.process.starts]).toEqual([true, 2]);
      expect(cluster.written()).toEqual([...before, 'start-2-0', 'start-2-1']);
    },
  );

  test('are dead on a dead node, though they were to start again', async () => {
    await using cluster = await counting();
    cluster.nemesis.strike({
      fault: 'crash',
      process: 'counter',
      skip: 1,
      performed: false,
      restartAfterMs: 10 * SECOND,
    });
    await cluster.runFor(5 * SECOND);
    cluster.nemesis.strike({ fault: 'node-death', node: 'node-1' });
    await cluster.runFor(60 * SECOND);
    cluster.nemesis.heal();
    await cluster.runFor(60 * SECOND);
    expect([cluster.process.running, cluster.written()]).toEqual([false, ['start-1-0', 'start-1-1']]);
    cluster.process.start();
    await cluster.runFor(10);
    expect(cluster.written()).toEqual(['start-1-0', 'start-1-1', 'start-2-0']);
  });

  test('on a partitioned node reach nobody, in vain for 30 s each time; then they do', async () => {
    await using cluster = await counting();
    await cluster.runFor(500);
    cluster.nemesis.strike({ fault: 'partition', node: 'node-1', forMs: 40 * SECOND });
    await cluster.runFor(61 * SECOND);
    expect(cluster.written()).toEqual(['start-1-0']);
    await cluster.runFor(2 * SECOND);
    expect(cluster.written()).toEqual(['start-1-0', 'start-1-3']);
    expect(cluster.trace.entries.filter(({ outcome }) => outcome === 'ETIMEDOUT')).toHaveLength(2);
  });

  test('on a partitioned node write nothing, not even as they die', async () => {
    await using cluster = await counting();
    await cluster.runFor(500);
    cluster.nemesis.strike({ fault: 'partition', node: 'node-1', forMs: 40 * SECOND });
    cluster.nemesis.strike({
      fault: 'crash',
      process: 'counter',
      skip: 0,
      performed: true,
      restartAfterMs: SECOND,
    });
    await cluster.runFor(30 * SECOND);
    expect(cluster.written()).toEqual(['start-1-0']);
  });

  test('have a clock that is as wrong as their node’s, and wrong still when they start again', async () => {
    await using cluster = await createCluster();
    const seen: number[] = [];
    const process = cluster.run(
      'watchman',
      async ({ clock }) => {
        for (;;) {
          seen.push(clock.now() - cluster.clock.now());
          await clock.sleep(SECOND);
        }
      },
      { node: 'node-1' },
    );
    await cluster.runFor(1_500);
    cluster.nemesis.strike({ fault: 'clock-jump', node: 'node-1', byMs: -90 * SECOND });
    await cluster.runFor(SECOND);
    process.crash();
    process.start();
    await cluster.runFor(500);
    cluster.nemesis.strike({ fault: 'clock-jump', node: 'node-1', byMs: 0 });
    await cluster.runFor(SECOND);
    expect(seen).toEqual([0, 0, -90_000, -90_000, 0]);
  });
});

describe('Nemesis: partitions and watches', () => {
  test('nothing comes through; what was sent meanwhile comes afterwards', async () => {
    await using cluster = await createCluster();
    const told: string[] = [];
    cluster.run(
      'watcher',
      async ({ client }) => record(await client.watch(configMaps), told, () => cluster.sim.elapsedMs),
      { node: 'node-1' },
    );
    await cluster.runFor(SECOND);
    cluster.nemesis.strike({ fault: 'partition', node: 'node-1', forMs: 20 * SECOND });
    cluster.nemesis.strike({ fault: 'partition', node: 'node-1', forMs: 5 * SECOND });
    await cluster.admin.create(configMaps, sent('a'));
    await cluster.runFor(19 * SECOND);
    expect(told).toEqual([]);
    await cluster.runFor(SECOND);
    expect(told).toEqual(['ADDED a 21000']);
  });

  test('a connection over which nothing comes for 45 s is dropped', async () => {
    await using cluster = await createCluster();
    const told: string[] = [];
    cluster.run(
      'watcher',
      async ({ client }) => record(await client.watch(configMaps), told, () => cluster.sim.elapsedMs),
      { node: 'node-1' },
    );
    await cluster.runFor(SECOND);
    cluster.nemesis.strike({ fault: 'partition', node: 'node-1', forMs: 80 * SECOND });
    await cluster.admin.create(configMaps, sent('a'));
    await cluster.runFor(90 * SECOND);
    expect(told).toEqual(['end 46000']);
  });
});

describe('Nemesis: calls of a runtime or a plugin', () => {
  test.each([true, false])('fail once, at the port that is meant; performed: %s', async (performed) => {
    await using cluster = await createCluster();
    const done: string[] = [];
    const told: string[] = [];
    const port = { run: async (name: string) => void done.push(name) };
    cluster.run('kubelet', async ({ line }) => {
      const cri = throughLine(port, line, { port: 'cri' });
      const cni = throughLine(port, line, { port: 'cni' });
      const call = (name: string, to: typeof port) =>
        to.run(name).then(
          () => told.push(`${name} ok`),
          ({ code }) => told.push(`${name} ${code}`),
        );
      cluster.nemesis.strike({ fault: 'fail-call', process: 'kubelet', port: 'cni', performed });
      await call('sandbox', cri);
      await call('add', cni);
      await call('add again', cni);
    });
    await cluster.runFor(SECOND);
    expect(told).toEqual(['sandbox ok', 'add ECONNRESET', 'add again ok']);
    expect(done).toEqual(['sandbox', ...(performed ? ['add'] : []), 'add again']);
  });
});

describe('Nemesis: plans', () => {
  test('strikes at the times that she was given, and says so', async () => {
    await using cluster = await victim();
    cluster.nemesis.schedule([
      { atMs: 30, fault: 'compact' },
      { atMs: 10, fault: 'cut-watches', process: 'victim' },
    ]);
    await cluster.runFor(100);
    expect(cluster.trace.entries).toEqual([
      { atMs: 10, actor: 'nemesis', verb: 'cut-watches', note: '{"process":"victim"}' },
      { atMs: 30, actor: 'nemesis', verb: 'compact', note: '{}' },
    ]);
  });

  test('strikes at once what is late, and says when there is nobody to strike', async () => {
    await using cluster = await victim();
    await cluster.runFor(100);
    cluster.nemesis.schedule([
      { atMs: 1, fault: 'lag', replica: 7, forMs: 1 },
      { atMs: 1, fault: 'restart-apiserver', replica: 7, forMs: 1 },
      { atMs: 1, fault: 'node-death', node: 'nowhere' },
      { atMs: 1, fault: 'cut-watches', process: 'nobody' },
    ]);
    await cluster.runFor(0);
    expect(cluster.trace.entries.map(({ atMs, outcome }) => `${atMs} ${outcome}`)).toEqual(
      Array(4).fill('100 no such target'),
    );
  });

  test('heals: nothing is held back, nothing refused, nothing planned, and who was to start runs', async () => {
    await using cluster = await victim({ replicas: 2 });
    const { admin, client, nemesis, replicas } = cluster;
    const process = cluster.run(
      'crashing',
      async ({ client: own, clock }) => {
        await own.list(configMaps);
        await clock.sleep(3_600 * SECOND);
      },
      { node: 'node-1' },
    );
    const told = await cluster.watch();
    const forMs = 600 * SECOND;
    for (const replica of [0, 1]) {
      nemesis.strike({ fault: 'lag', replica, forMs });
      nemesis.strike({ fault: 'lag', replica, forMs });
    }
    nemesis.strike({ fault: 'delay-watches', process: 'victim', forMs });
    nemesis.strike({ fault: 'partition', node: 'node-1', forMs });
    nemesis.strike({ fault: 'refuse', process: 'victim', reason: 'InternalError', requests: 99 });
    nemesis.strike({ fault: 'time-out', process: 'victim', performed: true });
    nemesis.strike({ fault: 'crash', process: 'victim', skip: 3, performed: true, restartAfterMs: forMs });
    nemesis.schedule([{ atMs: 60 * SECOND, fault: 'cut-watches', process: 'victim' }]);
    process.crash();
    process.start();
    nemesis.strike({ fault: 'crash', process: 'crashing', skip: 0, performed: false, restartAfterMs: forMs });
    process.crash();
    process.start();
    await cluster.runFor(SECOND);
    expect(process.running).toBe(false);
    await admin.create(configMaps, sent('a'));
    await cluster.runFor(10 * SECOND);
    expect(told).toEqual([]);

    nemesis.heal();
    expect(process.running).toBe(true);
    await cluster.runFor(10);
    expect(told).toEqual(['ADDED a 11001']);
    for (const { server } of replicas) expect(server.cache.position).toBe(cluster.storage.revision);
    for (let i = 0; i < 5; i++) expect(await cluster.outcome(client.list(configMaps))).toBe('ok after 2 ms');
    const { length } = cluster.trace.entries;
    await cluster.runFor(forMs);
    expect(cluster.trace.entries.slice(length).map(({ actor }) => actor)).not.toContain('nemesis');
    expect(told).toHaveLength(1);
  });

  test('heals twice as well as once', async () => {
    await using cluster = await victim();
    cluster.nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: SECOND });
    cluster.nemesis.heal();
    cluster.nemesis.heal();
    await cluster.runFor(2 * SECOND);
    cluster.nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: SECOND });
    expect(await cluster.outcome(cluster.client.list(configMaps))).toBe('ECONNREFUSED after 2 ms');
  });

  test('needs no cluster: whoever has targets can be struck', async () => {
    const sim = new Simulation();
    const none: FaultTargets = {
      process: () => undefined,
      processesOn: () => [],
      replicas: [],
      compact: () => {},
    };
    const line = new Line(sim, {
      actor: 'a',
      latencyMs: () => 1,
      interference: new Nemesis(sim, none).interference('a'),
    });
    const call = { port: 'api', verb: 'get', object: 'it', mutates: false, perform: async () => 'done' };
    expect(await sim.settle(line.call(call))).toBe('done');
  });
});

describe('Nemesis: what a client sees', () => {
  test('an expired list is one that isExpired knows', async () => {
    await using cluster = await victim();
    cluster.nemesis.strike({ fault: 'refuse', process: 'victim', reason: 'Expired', requests: 1 });
    await expect(cluster.settle(cluster.client.list(configMaps))).rejects.toSatisfy(isExpired);
  });
});
