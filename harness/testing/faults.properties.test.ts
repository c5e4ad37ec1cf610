import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConfigMap, KubeObject } from '../api/objects.ts';
import { configMaps, leases } from '../api/resource.ts';
import { type Cluster, createCluster } from '../cluster/cluster.ts';
import {
  AddressPool,
  COPY,
  Hands,
  heartbeat,
  LEASE,
  mirror,
  RENEW_MS,
  SOURCE,
  sameData,
  tenants,
} from '../cluster/sample-programs.ts';
import type { Components } from '../contracts/component.ts';
import { type Fault, faultNames, type ScheduledFault } from '../faults/index.ts';
import { formatMicroTime } from '../sim/index.ts';
import { apiFaults, callFaults, crashes, faultSchedules, nodeFaults } from './arbitraries/faults.ts';
import { pauses, schedules, seeds } from './arbitraries/time.ts';

const { components } = (await import('#components')) as { components: Components };

/** The faults in the runs of each law. Together they cover all faults. */
const faultsOf = {
  mirror: fc.oneof(
    { weight: 3, arbitrary: apiFaults('mirror') },
    { weight: 1, arbitrary: crashes('mirror') },
  ),
  heartbeat: nodeFaults('node-1'),
  tenants: fc.oneof(
    { weight: 2, arbitrary: callFaults('kubelet') },
    { weight: 1, arbitrary: crashes('kubelet') },
  ),
};

/** The faults that affected a component, by law. */
const struck = { mirror: new Set<string>(), heartbeat: new Set<string>(), tenants: new Set<string>() };

function noteStruck(law: keyof typeof struck, { trace }: Cluster): void {
  for (const { actor, verb, outcome } of trace.entries) {
    if (actor !== 'nemesis' || verb === 'heal') continue;
    expect(outcome).toBeUndefined();
    struck[law].add(verb);
  }
}

describe('Faults', () => {
  test('Mirror: the copy finally equals the source, whatever requests fail, watches break, replicas lag or processes crash', async () => {
    const write = fc.record({ data: fc.option(fc.constantFrom('red', 'blue')), afterMs: pauses });
    const strike = fc.record({ strike: faultsOf.mirror, afterMs: pauses });
    const steps = fc.array(fc.oneof(write, strike), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(seeds, schedules, steps, async (seed, schedule, plan) => {
        await using cluster = await createCluster({ seed, schedule, replicas: 2, components });
        const process = cluster.run('mirror', mirror);
        for (const step of plan) {
          await cluster.runFor(step.afterMs);
          if ('strike' in step) cluster.nemesis.strike(step.strike);
          else await writeSource(cluster, step.data);
        }
        cluster.nemesis.heal();
        const [source, copy] = [SOURCE, COPY].map(
          (key) => () => cluster.storage.get(configMaps, key) as ConfigMap | undefined,
        );
        const same = (): boolean => sameData(source?.(), copy?.());
        expect(await cluster.runUntil(same, 600_000)).toBe(true);
        // The copy stays equal.
        await cluster.runFor(200_000);
        expect([same(), process.running, process.failure]).toEqual([true, true, undefined]);
        noteStruck('mirror', cluster);
      }),
    );
  });

  test("Heartbeat: a dead node is silent, a partitioned node is silent meanwhile, and every time is from the node's clock", async () => {
    const plans = faultSchedules(faultsOf.heartbeat, 300_000);
    await fc.assert(
      fc.asyncProperty(seeds, plans, async (seed, plan) => {
        await using cluster = await createCluster({ seed });
        cluster.run('heartbeat', heartbeat, { node: 'node-1' });
        cluster.nemesis.schedule(plan);
        await cluster.runFor(500_000);
        expect(wrongBeats(cluster, plan)).toEqual([]);
        noteStruck('heartbeat', cluster);
      }),
    );
  });

  test('Tenants: no two holders share an address, whichever calls of a runtime or a plugin fail, before or after their effect', async () => {
    const plans = faultSchedules(faultsOf.tenants, 20_000);
    await fc.assert(
      fc.asyncProperty(seeds, schedules, plans, async (seed, schedule, plan) => {
        await using cluster = await createCluster({ seed, schedule });
        const [pool, hands, rounds] = [new AddressPool(4), new Hands(), { left: 40 }];
        const process = cluster.run('kubelet', tenants(pool, hands, rounds));
        cluster.nemesis.schedule(plan);
        await cluster.runFor(21_000);
        cluster.nemesis.heal();
        expect(await cluster.runUntil(() => !process.running, 600_000)).toBe(true);
        expect([hands.clashes, [...pool.holders.keys()], process.failure]).toEqual([[], [], undefined]);
        expect(hands.taken).toBeGreaterThanOrEqual(40);
        noteStruck('tenants', cluster);
      }),
    );
  });

  test('The arbitraries generate every fault, and each law runs with the faults it lists', () => {
    const made = Object.fromEntries(
      Object.entries(faultsOf).map(([law, faults]) => {
        const names = fc
          .sample(faults as fc.Arbitrary<Fault>, { numRuns: 500, seed: 1 })
          .map(({ fault }) => fault);
        return [law, new Set(names)];
      }),
    );
    expect(made).toEqual({
      mirror: new Set([
        'lag',
        'restart-apiserver',
        'compact',
        'cut-watches',
        'delay-watches',
        'fail-watches',
        'refuse',
        'time-out',
        'crash',
      ]),
      heartbeat: new Set(['partition', 'node-death', 'clock-jump']),
      tenants: new Set(['fail-call', 'crash']),
    });
    expect(new Set(Object.values(made).flatMap((names) => [...names]))).toEqual(new Set(faultNames));
    expect(faultNames).toHaveLength(13);
  });

  test('Every fault has affected a component in these runs', () => {
    expect(new Set(Object.values(struck).flatMap((names) => [...names]))).toEqual(new Set(faultNames));
  });
});

async function writeSource({ admin, storage }: Cluster, data: string | null): Promise<void> {
  const present = storage.get(configMaps, SOURCE) as ConfigMap | undefined;
  if (data === null) return present && void (await admin.delete(configMaps, SOURCE));
  if (present) await admin.update(configMaps, { ...present, data: { data } });
  else await admin.create(configMaps, { metadata: SOURCE, data: { data } });
}

/** A message takes 1 ms. */
const LATENCY_MS = 1;
/** A call that starts in a partition ends this much later. The next renewal is due then, and needs two calls. */
const RESUME_MS = 30_000 + RENEW_MS + 10;

/** Returns every renewal of the node's Lease that must not happen, and every missing one. */
function wrongBeats(cluster: Cluster, plan: readonly ScheduledFault[]): string[] {
  const wrong: string[] = [];
  const beats = beatsOf(cluster);
  const deathMs = plan.find(({ fault }) => fault === 'node-death')?.atMs ?? Number.POSITIVE_INFINITY;
  const partitions = plan.flatMap((each) =>
    each.fault === 'partition' ? [[each.atMs, each.atMs + each.forMs] as const] : [],
  );
  const skewAt = (atMs: number): number[] => {
    // At the time of a jump, the clock may show either time.
    const jumps = plan.flatMap((each) => (each.fault === 'clock-jump' && each.atMs <= atMs ? [each] : []));
    const now = jumps.filter((jump) => jump.atMs === atMs).map(({ byMs }) => byMs);
    return [jumps.filter((jump) => jump.atMs < atMs).at(-1)?.byMs ?? 0, ...now];
  };
  for (const { atMs, renewTime, calls } of beats) {
    const sentMs = atMs - LATENCY_MS;
    if (sentMs > deathMs) wrong.push(`${atMs}: a dead node renewed its lease`);
    if (partitions.some(([from, to]) => sentMs > from && sentMs < to))
      wrong.push(`${atMs}: a partitioned node renewed its lease`);
    // The node reads the time before it gets the lease, a round trip earlier.
    const readMs = sentMs - calls * 2 * LATENCY_MS;
    const startMs = cluster.clock.now() - cluster.sim.elapsedMs;
    const may = skewAt(readMs).map((skewMs) => formatMicroTime(startMs + readMs + skewMs));
    if (!may.includes(renewTime)) wrong.push(`${atMs}: renewTime is ${renewTime}, not ${may.join(' or ')}`);
  }
  // Between partitions, a live node renews its lease.
  const endMs = Math.min(deathMs, cluster.sim.elapsedMs);
  const times = [0, ...beats.map(({ atMs }) => atMs), endMs];
  times.slice(1).forEach((atMs, i) => {
    const fromMs = times[i] ?? 0;
    const inPartitions = partitions.filter(([from, to]) => from < atMs && to > fromMs);
    const lastEndMs = Math.max(fromMs, ...inPartitions.map(([, to]) => Math.min(to, atMs)));
    if (atMs - lastEndMs > RESUME_MS) wrong.push(`${atMs}: not heard of since ${lastEndMs}`);
  });
  if (beats.length === 0 && endMs > RESUME_MS && partitions.length === 0) wrong.push('it was never heard of');
  return wrong;
}

interface Beat {
  readonly atMs: number;
  readonly renewTime: string;
  /** Number of earlier calls with the same time. */
  readonly calls: number;
}

function beatsOf({ storage, trace }: Cluster): Beat[] {
  const written = new Map(
    storage
      .entriesSince(0)
      .filter(({ resource, object }) => resource === leases && object.metadata.name === LEASE.name)
      .map(({ revision, object }) => [
        revision,
        (object as KubeObject & { spec: { renewTime: string } }).spec.renewTime,
      ]),
  );
  return trace.entries.flatMap(({ atMs, actor, verb, revision }) => {
    const renewTime =
      actor === 'heartbeat' && (verb === 'update' || verb === 'create')
        ? written.get(revision ?? 0)
        : undefined;
    return renewTime === undefined ? [] : [{ atMs, renewTime, calls: 1 }];
  });
}
