import { describe, expect, test } from 'vitest';
import { configMaps } from '../api/resource.ts';
import { createCluster } from '../cluster/cluster.ts';
import { record, SECOND, sent } from '../cluster/victim.fixture.ts';
import type { Component } from '../contracts/component.ts';
import { throughLine } from '../sim/index.ts';

describe('Faults of processes', () => {
  /** Runs a component that creates a ConfigMap every second, numbered from its start, and keeps no state. */
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
    'crash: the process dies at a given request and restarts without memory; performed: %s',
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
      // The first request was already sent.
      const before = ['start-1-0', 'start-1-1', ...(performed ? ['start-1-2'] : [])];
      expect(cluster.written()).toEqual(before);
      await cluster.runFor(4_500);
      expect([cluster.process.running, cluster.process.starts]).toEqual([true, 2]);
      expect(cluster.written()).toEqual([...before, 'start-2-0', 'start-2-1']);
    },
  );

  test('node death: a pending restart is cancelled', async () => {
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

  test('partition: requests time out after 30 s each, until the partition ends', async () => {
    await using cluster = await counting();
    await cluster.runFor(500);
    cluster.nemesis.strike({ fault: 'partition', node: 'node-1', forMs: 40 * SECOND });
    await cluster.runFor(61 * SECOND);
    expect(cluster.written()).toEqual(['start-1-0']);
    await cluster.runFor(2 * SECOND);
    expect(cluster.written()).toEqual(['start-1-0', 'start-1-3']);
    expect(cluster.trace.entries.filter(({ outcome }) => outcome === 'ETIMEDOUT')).toHaveLength(2);
  });

  test('partition and crash: the last request writes nothing', async () => {
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

  test('clock jump: the process sees the wrong time, also after a restart', async () => {
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

describe('A partition', () => {
  test('holds back all events, and delivers them afterwards', async () => {
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

  test('ends a connection without data after 45 s', async () => {
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

describe('Calls to a runtime or a plugin', () => {
  test.each([true, false])('fail once, only at the given port; performed: %s', async (performed) => {
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
