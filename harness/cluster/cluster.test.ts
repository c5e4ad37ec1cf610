import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configMaps, namespaces } from '../api/resource.ts';
import type { Component, Components } from '../contracts/component.ts';
import { type Fault, faultNames, type ScheduledFault } from '../faults/index.ts';
import { apiFaults, callFaults, crashes, faultSchedules, nodeFaults } from '../testing/arbitraries/faults.ts';
import { schedules, seeds } from '../testing/arbitraries/time.ts';
import { type Cluster, createCluster } from './cluster.ts';
import type { Program } from './process.ts';
import { AddressPool, Hands, heartbeat, mirror, reader, SOURCE, tenants } from './sample-programs.ts';

const { components } = (await import('#components')) as { components: Components };

const key = (name: string) => ({ namespace: 'default', name });

interface Scenario {
  readonly seed: number;
  readonly schedule?: readonly number[];
  readonly plan: readonly ScheduledFault[];
  /** The reading component. @defaultValue one with an informer */
  readonly program?: Program;
}

/** Runs two apiservers with jittery latencies, three processes, two writes, and the planned faults. */
async function live({ seed, schedule, plan, program = mirror }: Scenario): Promise<Cluster> {
  const cluster = await createCluster({
    seed,
    replicas: 2,
    latencyMs: { min: 1, max: 9 },
    components,
    ...(schedule ? { schedule } : {}),
  });
  cluster.run('reader', program, { replica: 1 });
  cluster.run('heartbeat', heartbeat, { node: 'node-1' });
  cluster.run('kubelet', tenants(new AddressPool(4), new Hands(), { left: 60 }), { node: 'node-1' });
  cluster.nemesis.schedule(plan);
  await cluster.admin.create(configMaps, { metadata: SOURCE, data: { colour: 'red' } });
  await cluster.runFor(60_000);
  const source = await cluster.admin.get(configMaps, SOURCE);
  await cluster.admin.update(configMaps, { ...source, data: { colour: 'blue' } });
  await cluster.runFor(60_000);
  cluster.nemesis.heal();
  await cluster.runFor(60_000);
  return cluster;
}

async function hashOf(scenario: Scenario): Promise<string> {
  await using cluster = await live(scenario);
  return cluster.trace.hash();
}

/** Every fault once, each at a time when it disturbs something. */
const everyFault: readonly ScheduledFault[] = [
  { atMs: 500, fault: 'refuse', process: 'reader', reason: 'TooManyRequests', requests: 2 },
  { atMs: 1_500, fault: 'fail-call', process: 'kubelet', port: 'cri', performed: true },
  { atMs: 1_600, fault: 'fail-call', process: 'kubelet', port: 'cni', performed: false },
  { atMs: 5_000, fault: 'lag', replica: 1, forMs: 8_000 },
  { atMs: 9_000, fault: 'delay-watches', process: 'reader', forMs: 3_000 },
  { atMs: 15_000, fault: 'compact' },
  { atMs: 16_000, fault: 'cut-watches', process: 'reader' },
  { atMs: 20_000, fault: 'fail-watches', process: 'reader', reason: 'Expired' },
  { atMs: 25_000, fault: 'partition', node: 'node-1', forMs: 12_000 },
  { atMs: 45_000, fault: 'clock-jump', node: 'node-1', byMs: -45_000 },
  { atMs: 50_000, fault: 'restart-apiserver', replica: 1, forMs: 5_000 },
  { atMs: 59_000, fault: 'crash', process: 'reader', skip: 0, performed: true, restartAfterMs: 4_000 },
  { atMs: 70_000, fault: 'time-out', process: 'heartbeat', performed: true },
  { atMs: 110_000, fault: 'node-death', node: 'node-1' },
];

describe('Cluster: one seed, one history', () => {
  test('Deterministic: two runs with the same seed and schedule have the same trace, whatever the faults', async () => {
    const faults: fc.Arbitrary<Fault> = fc.oneof(
      apiFaults('reader'),
      crashes('reader'),
      nodeFaults('node-1'),
      callFaults('kubelet'),
      apiFaults('heartbeat'),
    );
    const scenarios = fc.record({ seed: seeds, schedule: schedules, plan: faultSchedules(faults, 120_000) });
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        expect(await hashOf(scenario)).toBe(await hashOf(scenario));
      }),
      { numRuns: 12 },
    );
  });

  // A fixed hash compares machines and versions of Node. Update it when the samples, the apiserver, the faults, the
  // latencies or the random sequences change the actions or their times. It must not change for any other reason.
  test('has the same trace on every machine and version of Node', async () => {
    await using cluster = await live({ seed: 7, plan: everyFault, program: reader });
    const struck = new Set(
      cluster.trace.entries.flatMap(({ actor, verb }) => (actor === 'nemesis' ? [verb] : [])),
    );
    expect(struck).toEqual(new Set([...faultNames, 'heal']));
    expect(cluster.trace.entries.length).toBeGreaterThan(150);
    expect(cluster.trace.hash()).toBe('b4a67b6ef21045a1');
  });

  test('has another trace with another seed or schedule', async () => {
    const hashes = [
      await hashOf({ seed: 1, plan: [] }),
      await hashOf({ seed: 2, plan: [] }),
      await hashOf({ seed: 1, plan: everyFault }),
      await hashOf({ seed: 1, plan: [], schedule: [] }),
      await hashOf({ seed: 1, plan: [], schedule: [1, 1, 1, 1] }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe('Cluster', () => {
  test('has the system namespaces', async () => {
    await using cluster = await createCluster();
    const { items } = await cluster.admin.list(namespaces);
    expect(items.map(({ metadata }) => metadata.name)).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
  });

  test('delays its clients by the latency of messages', async () => {
    await using cluster = await createCluster({ latencyMs: 25 });
    await cluster.settle(cluster.connect('client').list(configMaps));
    expect(cluster.sim.elapsedMs).toBe(50);
  });

  test('answers its admin at once, however far behind the replicas are', async () => {
    await using cluster = await createCluster();
    cluster.replicas[0]?.hold();
    const metadata = { namespace: 'default', name: 'a' };
    await cluster.admin.create(configMaps, { metadata });
    const { items } = await cluster.as('kubectl').list(configMaps, { namespace: 'default' });
    expect(items).toMatchObject([{ metadata }]);
    expect(cluster.sim.elapsedMs).toBe(0);
  });

  test('accepts every name once', async () => {
    await using cluster = await createCluster();
    cluster.connect('one');
    expect(() => cluster.connect('one')).toThrow('Failed to run one: a process of that name exists already.');
    expect(() => cluster.run('one', async () => {})).toThrow('Failed to run one');
  });

  test('names the missing component when an informer is requested without components', async () => {
    await using cluster = await createCluster();
    const process = cluster.run('mirror', mirror);
    await cluster.runFor(1);
    expect(String(process.failure)).toContain('this cluster was created without components.informer');
  });

  test.each([
    [0, 10],
    [5, 3],
  ])('with syncs of %d ms, a worker syncs %d times for ten events, one per ms', async (syncMs, syncs) => {
    await using cluster = await createCluster({ components, syncMs });
    let ran = 0;
    cluster.run('worker', async ({ clock, newWorkQueue, runWorkers }) => {
      const queue = newWorkQueue<string>();
      for (let event = 0; event < 10; event++) clock.after(event, () => queue.add('web'));
      const sync = async (): Promise<void> => void ran++;
      await runWorkers({ queue, sync, workers: 1 });
    });
    await cluster.runFor(1_000);
    expect(ran).toBe(syncs);
  });

  test('runs until a condition holds, and returns whether it holds', async () => {
    await using cluster = await createCluster();
    expect(await cluster.runUntil(() => cluster.sim.elapsedMs >= 0, 10)).toBe(true);
    expect(await cluster.runUntil(() => false, 10)).toBe(false);
    expect(cluster.sim.elapsedMs).toBe(10);
  });

  test('compacts revisions that were five minutes old, silently', async () => {
    await using cluster = await createCluster();
    const { admin, storage } = cluster;
    const writeAt = async (ms: number, name: string): Promise<number> => {
      await cluster.runFor(ms - cluster.sim.elapsedMs);
      return Number((await admin.create(configMaps, { metadata: key(name) })).metadata.resourceVersion);
    };
    await writeAt(1_000, 'a');
    const last = await writeAt(299_999, 'b');
    const next = await writeAt(300_000, 'c');
    await cluster.runFor(299_999);
    expect(storage.compactedRevision).toBe(0);
    await cluster.runFor(1);
    expect(storage.compactedRevision).toBe(last);
    // A watch can start at the compacted revision, but not before it.
    const firstOf = async (resourceVersion: string) => {
      const watch = await admin.watch(configMaps, { resourceVersion, timeoutSeconds: 1 });
      for await (const { type } of watch) return type;
      return 'nothing';
    };
    expect(await firstOf(String(last))).toBe('ADDED');
    expect(await firstOf(String(last - 1))).toBe('ERROR');
    await cluster.runFor(300_000);
    expect(storage.compactedRevision).toBe(next);
    expect(cluster.trace.entries).toEqual([]);
    await cluster.sim.run();
  });

  test('compacts nothing if compaction is off', async () => {
    await using cluster = await createCluster({ compactionIntervalMs: 0 });
    await cluster.runFor(86_400_000);
    expect(cluster.storage.compactedRevision).toBe(0);
  });

  test('runs its controllers under their names in Kubernetes', async () => {
    const idle: Component = ({ clock, signal }) => clock.sleep(3_600_000, signal);
    await using cluster = await createCluster({ components: { replicaSetController: idle } });
    const [process] = cluster.runComponents('replicaSetController');
    await cluster.runFor(1);
    expect(process).toMatchObject({ name: 'replicaset-controller', running: true });
    const bare = await createCluster();
    expect(() => bare.runComponents('replicaSetController')).toThrow(
      'Failed to give replicaset-controller its replicaSetController: this cluster was created without',
    );
  });

  test('stops completely when it is disposed: no task is left, and no process starts again', async () => {
    let disposed: Cluster;
    let steps = 0;
    {
      await using cluster = await live({ seed: 3, plan: [] });
      disposed = cluster;
      const client = cluster.connect('client');
      const watch = await cluster.settle(client.watch(configMaps));
      void (async () => {
        for await (const _ of watch) steps++;
      })();
      cluster.run('ticking', async ({ clock }) => {
        for (;;) {
          steps++;
          await clock.sleep(1_000);
        }
      });
      cluster.nemesis.strike({
        fault: 'crash',
        process: 'heartbeat',
        skip: 0,
        performed: true,
        restartAfterMs: 5_000,
      });
      cluster.nemesis.schedule([{ atMs: 999_000, fault: 'compact' }]);
      await cluster.runFor(12_000);
    }
    const { length } = disposed.trace.entries;
    const stepsBefore = steps;
    await disposed.admin.create(configMaps, { metadata: key('late') });
    await disposed.runFor(10_000_000);
    expect([disposed.trace.entries.length, steps]).toEqual([length, stepsBefore]);
    expect(disposed.replicas.map(({ server }) => server.cache.watcherCount)).toEqual([0, 0]);
    expect(disposed.sim.pending).toBe(0);
  });
});

describe('Process', () => {
  const forever: Component = ({ clock, signal }) => clock.sleep(3_600_000, signal);

  test('runs until its component returns', async () => {
    await using cluster = await createCluster();
    const process = cluster.run('short', async ({ clock }) => clock.sleep(100));
    await cluster.runFor(99);
    expect(process.running).toBe(true);
    await cluster.runFor(1);
    expect([process.running, process.starts, process.failure]).toEqual([false, 1, undefined]);
  });

  test.each([
    ['rejects', async () => Promise.reject(new Error('cannot go on'))],
    [
      'throws synchronously',
      () => {
        throw new Error('cannot go on');
      },
    ],
  ] as const)('records the error if its component %s', async (_, component) => {
    await using cluster = await createCluster();
    const process = cluster.run('failing', component);
    await cluster.runFor(1);
    expect(process.running).toBe(false);
    expect(String(process.failure)).toBe('Error: cannot go on');
    expect(cluster.trace.entries.at(-1)).toMatchObject({ verb: 'exit', note: 'Error: cannot go on' });
  });

  test('can be stopped, which is not a failure', async () => {
    await using cluster = await createCluster();
    const process = cluster.run('polite', forever);
    await cluster.runFor(1);
    process.stop();
    await cluster.runFor(1);
    expect([process.running, process.failure]).toEqual([false, undefined]);
  });

  test('may take any time to stop', async () => {
    await using cluster = await createCluster();
    const process = cluster.run('tidy', async (context) => {
      await forever(context).catch(() => {});
      await context.client.create(configMaps, { metadata: key('last-words') });
    });
    await cluster.runFor(1);
    process.stop();
    await cluster.runFor(10);
    expect(cluster.storage.get(configMaps, key('last-words'))).toBeDefined();
  });

  test('receives no signal when it crashes, and its remaining code has no effect', async () => {
    await using cluster = await createCluster();
    const told: string[] = [];
    const process = cluster.run('ghost', async ({ client, clock, signal, log }) => {
      signal.addEventListener('abort', () => told.push('aborted'));
      const wait = Promise.resolve();
      clock.after(50, () => told.push('timer'));
      cluster.clock.after(50, () => {
        log('I live');
        void client.create(configMaps, { metadata: key('ghost') }).then(() => told.push('created'));
        void wait.then(() => told.push('its own code runs on'));
      });
      await forever({ clock, signal } as never);
    });
    await cluster.runFor(10);
    process.crash();
    process.crash();
    await cluster.runFor(1_000);
    expect(told).toEqual(['its own code runs on']);
    expect(cluster.storage.get(configMaps, key('ghost'))).toBeUndefined();
    expect(cluster.trace.entries.map(({ verb }) => verb)).toEqual(['start', 'crash']);
  });

  test('restarts with other random numbers and a new signal, but not while it runs', async () => {
    await using cluster = await createCluster();
    const draws: number[] = [];
    const process = cluster.run('drawing', async (context) => {
      draws.push(context.random.float());
      await forever(context);
    });
    process.start();
    process.crash();
    process.start();
    await cluster.runFor(1);
    expect([process.starts, new Set(draws).size]).toEqual([2, 2]);
  });
});
