import { describe, expect, test } from 'vitest';
import { named, ruleFor, vectors } from '#harness/testing';
import { evictionRate, setBrakes, zoneState } from '#kata/61-node-lifecycle/node-lifecycle';
import { TestCluster } from './cluster.fixture.ts';
import { aNode } from './objects.fixture.ts';

describe('Level 3 · Zones and brakes', () => {
  interface Count {
    readonly ready: number;
    readonly notReady: number;
  }
  test.each(named(vectors<Count, { readonly state: string }>('node-lifecycle', 'zoneState', 6)))(
    'agrees with Kubernetes: %s',
    (_, { input: { ready, notReady }, expect: { state } }) => {
      expect(zoneState({ ready, notReady }), ruleFor('state', { ready, notReady })).toBe(state);
    },
  );

  test('is partially disrupted from exactly 55 % on', () => {
    expect(zoneState({ ready: 9, notReady: 11 }), '11 of 20 are 55 %').toBe('PartialDisruption');
    expect(zoneState({ ready: 10, notReady: 12 }), '12 of 22 are 54.5 %').toBe('Normal');
  });

  test('stops in a small zone that is partially disrupted, and slows down in a large one', () => {
    expect(evictionRate('PartialDisruption', 50)).toBe(0);
    expect(evictionRate('PartialDisruption', 51)).toBe(0.01);
  });

  test('works at the usual rate in a normal zone, and in a zone that is wholly down', () => {
    expect([evictionRate('Normal', 3), evictionRate('FullDisruption', 3)]).toEqual([0.1, 0.1]);
  });

  /** Nodes of a zone, as many ready and others as given. */
  const zone = (name: string, ready: number, notReady: number) =>
    Array.from({ length: ready + notReady }, (_, i) =>
      aNode(`${name}-${i}`, { zone: name, ready: i < ready ? 'True' : 'Unknown' }),
    );
  const rates = ([a, b]: readonly string[]) => [`:${a}`, `:${b}`];

  test('sets the rate of each zone by its own state', async () => {
    await using test = await TestCluster.open();
    const lifecycle = await test.startCaches();
    setBrakes(lifecycle, [...zone('a', 1, 4), ...zone('b', 0, 2)]);
    expect(
      rates(['a', 'b']).map((key) => lifecycle.rateOf(key)),
      'a: 1 of 5 ready; b: none',
    ).toEqual([0, 0.1]);
    expect(lifecycle.allZonesDown).toBe(false);
  });

  test('stops all zones when every zone is down, and only then', async () => {
    await using test = await TestCluster.open();
    const lifecycle = await test.startCaches();
    setBrakes(lifecycle, [...zone('a', 0, 2), ...zone('b', 0, 1)]);
    expect(rates(['a', 'b']).map((key) => lifecycle.rateOf(key))).toEqual([0, 0]);
    expect(lifecycle.allZonesDown).toBe(true);
    setBrakes(lifecycle, [...zone('a', 1, 1), ...zone('b', 0, 1)]);
    expect(rates(['a', 'b']).map((key) => lifecycle.rateOf(key))).toEqual([0.1, 0.1]);
    expect(lifecycle.allZonesDown).toBe(false);
  });

  test('gives every node a new grace period when the first one answers again', async () => {
    await using test = await TestCluster.open();
    const lifecycle = await test.startCaches();
    const health = { heartbeatTime: 'h', renewTime: 'r', probeMs: 5 };
    const probes = () => [...lifecycle.healths.values()].map(({ probeMs }) => probeMs);
    lifecycle.healths.set('uid-a-0', health).set('uid-a-1', health);
    setBrakes(lifecycle, zone('a', 0, 2));
    expect(probes(), 'the zones go down').toEqual([5, 5]);
    setBrakes(lifecycle, zone('a', 0, 2));
    expect(probes(), 'they are still down').toEqual([5, 5]);
    setBrakes(lifecycle, zone('a', 1, 1));
    const nowMs = test.cluster.sim.clock.now();
    expect(probes(), 'a node answers').toEqual([nowMs, nowMs]);
    expect(lifecycle.healths.get('uid-a-0')).toEqual({ ...health, probeMs: nowMs });
    lifecycle.healths.set('uid-a-1', health);
    setBrakes(lifecycle, zone('a', 1, 1));
    expect(probes(), 'only once').toEqual([nowMs, 5]);
  });

  test('does not count a node that is excluded from disruption', async () => {
    await using test = await TestCluster.open();
    const lifecycle = await test.startCaches();
    const labels = { 'node.kubernetes.io/exclude-disruption': '' };
    setBrakes(lifecycle, [...zone('a', 0, 2), aNode('edge', { zone: 'a', labels })]);
    expect(lifecycle.allZonesDown).toBe(true);
  });

  test('changes nothing without nodes', async () => {
    await using test = await TestCluster.open();
    const lifecycle = await test.startCaches();
    setBrakes(lifecycle, []);
    expect(lifecycle.allZonesDown, 'no zone is down').toBe(false);
    setBrakes(lifecycle, zone('a', 0, 1));
    setBrakes(lifecycle, []);
    expect(lifecycle.allZonesDown).toBe(true);
  });
});
