import { describe, expect, test } from 'vitest';
import { configMaps } from '../api/resource.ts';
import { SECOND, sent, victim } from '../cluster/victim.fixture.ts';
import { Line, Simulation } from '../sim/index.ts';
import { Nemesis } from './nemesis.ts';
import type { FaultTargets } from './targets.ts';

describe('Nemesis', () => {
  test('strikes at the scheduled times, and records each fault', async () => {
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

  test('strikes immediately if the time has passed, and records a missing target', async () => {
    await using cluster = await victim();
    await cluster.runFor(100);
    cluster.nemesis.schedule([
      { atMs: 1, fault: 'lag', replica: 7, forMs: 1 },
      { atMs: 1, fault: 'restart-apiserver', replica: 7, forMs: 1 },
      { atMs: 1, fault: 'node-death', node: 'nowhere' },
      { atMs: 1, fault: 'cut-watches', process: 'absent' },
    ]);
    await cluster.runFor(0);
    expect(cluster.trace.entries.map(({ atMs, outcome }) => `${atMs} ${outcome}`)).toEqual(
      Array(4).fill('100 no such target'),
    );
  });

  test('heals: releases events, accepts requests, cancels faults, and restarts crashed processes', async () => {
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

  test('restarts a process at a heal only after its last request has arrived', async () => {
    await using cluster = await victim();
    const { nemesis, storage } = cluster;
    const found: unknown[] = [];
    const process = cluster.run('writing', async ({ client }) => {
      found.push(storage.get(configMaps, sent('a').metadata) !== undefined);
      await client.create(configMaps, sent('a')).catch(() => {});
    });
    const forMs = 60 * SECOND;
    nemesis.strike({ fault: 'crash', process: 'writing', skip: 0, performed: true, restartAfterMs: forMs });
    expect(await cluster.runUntil(() => !process.running, SECOND)).toBe(true);
    nemesis.heal();
    expect(process.running).toBe(false);
    await cluster.runFor(10);
    expect(found).toEqual([false, true]);
  });

  test('heals twice without further effect', async () => {
    await using cluster = await victim();
    cluster.nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: SECOND });
    cluster.nemesis.heal();
    cluster.nemesis.heal();
    await cluster.runFor(2 * SECOND);
    cluster.nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: SECOND });
    expect(await cluster.outcome(cluster.client.list(configMaps))).toBe('ECONNREFUSED after 2 ms');
  });

  test('reports when the last pending timeout ends, before and after a heal', async () => {
    await using cluster = await victim();
    const { client, nemesis } = cluster;
    expect(nemesis.lastErrorMs).toBe(0);
    nemesis.strike({ fault: 'time-out', process: 'victim', performed: false });
    const hanging = client.list(configMaps);
    await cluster.runFor(SECOND);
    nemesis.heal();
    expect(nemesis.lastErrorMs).toBe(60 * SECOND);
    expect(await cluster.outcome(hanging)).toBe('Timeout after 59002 ms');
  });

  test('remembers each fault that struck, and when it ended', async () => {
    await using cluster = await victim();
    const { client, nemesis } = cluster;
    nemesis.strike({ fault: 'cut-watches', process: 'victim' });
    nemesis.strike({ fault: 'lag', replica: 0, forMs: 100 });
    nemesis.strike({ fault: 'refuse', process: 'victim', reason: 'InternalError', requests: 2 });
    nemesis.strike({ fault: 'time-out', process: 'victim', performed: false, verb: 'create' });
    nemesis.strike({ fault: 'cut-watches', process: 'absent' });
    await cluster.runFor(10);
    await cluster.outcome(client.list(configMaps));
    const times = () =>
      nemesis.struck.map(({ fault, atMs, untilMs, endedMs }) => [fault.fault, atMs, untilMs, endedMs]);
    expect(times()).toEqual([
      ['cut-watches', 0, undefined, 0],
      ['lag', 0, 100, undefined],
      ['refuse', 0, undefined, undefined],
      ['time-out', 0, undefined, undefined],
    ]);
    await cluster.outcome(client.list(configMaps));
    await cluster.runFor(200);
    nemesis.heal();
    const [, lag, refusal, timeout] = nemesis.struck;
    expect(lag?.endedMs).toBe(100);
    expect(refusal?.endedMs).toBeLessThan(20);
    expect(timeout?.endedMs).toBeGreaterThan(200);
  });

  test('works without a cluster, on any targets', async () => {
    const sim = new Simulation();
    const none: FaultTargets = {
      process: () => undefined,
      processesOn: () => [],
      powerOff: () => false,
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
