import { describe, expect, test } from 'vitest';
import { GRACES } from '#given/61-node-lifecycle';
import type { core } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import {
  checkNode,
  isSilent,
  observeHealth,
  unknownConditions,
} from '#kata/61-node-lifecycle/node-lifecycle';
import { TestCluster } from './cluster.fixture.ts';
import { aLease, aNode, at, CREATED } from './objects.fixture.ts';

const EARLY = '2024-04-17T00:00:10Z';
const LATE = '2024-04-17T00:05:10Z';

describe('Level 1 · Silence', () => {
  test('takes its own time when it sees a node for the first time, however old its signs of life are', () => {
    const node = aNode('node-1', { heartbeat: '2001-01-01T00:00:00Z' });
    const { probeMs } = observeHealth(undefined, node, aLease('2001-01-01T00:00:00.000000Z'), at(500));
    expect(probeMs).toBe(at(500));
  });

  test('takes its own time when the heartbeat or the Lease has changed', () => {
    const node = aNode('node-1', { heartbeat: EARLY });
    const saved = observeHealth(undefined, node, aLease(EARLY), at(10));
    const probe = (heartbeat: string, renewTime: string): number =>
      observeHealth(saved, aNode('node-1', { heartbeat }), aLease(renewTime), at(20)).probeMs;
    expect(probe(EARLY, EARLY), 'neither has changed').toBe(at(10));
    expect(probe(LATE, EARLY), 'the heartbeat has changed').toBe(at(20));
    expect(probe(EARLY, LATE), 'the Lease has changed').toBe(at(20));
  });

  test('accepts a sign of life from a clock that was set back', () => {
    const node = aNode('node-1', { heartbeat: LATE });
    const saved = observeHealth(undefined, node, aLease(LATE), at(10));
    expect(observeHealth(saved, node, aLease(EARLY), at(20)).probeMs).toBe(at(20));
  });

  test('does not take a deleted Lease for a sign of life, and still knows the renewal when it is back', () => {
    const node = aNode('node-1');
    const saved = observeHealth(undefined, node, aLease(EARLY), at(10));
    const without = observeHealth(saved, node, undefined, at(20));
    expect(without.probeMs, 'the Lease is gone').toBe(at(10));
    expect(observeHealth(without, node, aLease(EARLY), at(30)).probeMs, 'the same Lease is back').toBe(
      at(10),
    );
  });

  test('counts from the creation of a node whose kubelet has given no sign of life yet', () => {
    const node = aNode('node-1', { ready: null });
    const health = observeHealth(undefined, node, undefined, at(30));
    expect(health.probeMs, 'neither a condition Ready nor a Lease').toBe(at(0));
    expect(observeHealth(undefined, node, aLease(EARLY), at(30)).probeMs, 'a Lease').toBe(at(30));
    expect(observeHealth(health, aNode('node-1'), undefined, at(40)).probeMs, 'its first Ready').toBe(at(40));
  });

  test('counts a Ready without a heartbeat as a sign of life, and never goes back in time', () => {
    const ready = { type: 'Ready', status: 'True' };
    const mute = aNode('node-1', { ready: null, conditions: [ready] });
    const health = observeHealth(undefined, mute, undefined, at(30));
    expect(health.probeMs, 'a Ready without lastHeartbeatTime').toBe(at(30));
    expect(observeHealth(health, mute, undefined, at(40)).probeMs, 'the same Ready').toBe(at(30));
    const without = observeHealth(health, aNode('node-1', { ready: null }), undefined, at(50));
    expect(without.probeMs, 'Ready was removed: a change, not a new node').toBe(at(50));
  });

  test('is silent only after more than the grace period, which is longer before the first status', () => {
    const silentAfter = (ready: string | null, seconds: number): boolean => {
      const node = aNode('node-1', { ready });
      return isSilent(observeHealth(undefined, node, undefined, at(0)), at(seconds), GRACES);
    };
    expect([silentAfter('True', 50), silentAfter('True', 50.001)], 'with Ready: 50 s').toEqual([false, true]);
    expect([silentAfter(null, 60), silentAfter(null, 60.001)], 'without Ready: 60 s').toEqual([false, true]);
  });

  test('sets the four conditions of the kubelet to Unknown, and no others', () => {
    const disk = {
      type: 'DiskPressure',
      status: 'True',
      lastHeartbeatTime: EARLY,
      reason: 'KubeletHasDiskPressure',
    };
    const network = { type: 'NetworkUnavailable', status: 'False', reason: 'RouteCreated' };
    const memory = {
      type: 'MemoryPressure',
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'long ago',
    };
    const node = aNode('node-1', { heartbeat: EARLY, conditions: [disk, network, memory] });
    const found = new Map(unknownConditions(node, at(310)).map((each) => [each.type, each]));
    const stopped = {
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastTransitionTime: LATE,
    };
    expect(found.get('Ready')).toEqual({ type: 'Ready', lastHeartbeatTime: EARLY, ...stopped });
    expect(found.get('DiskPressure')).toEqual({ ...disk, ...stopped });
    expect(found.get('MemoryPressure'), 'it is Unknown already').toEqual(memory);
    expect(found.get('NetworkUnavailable'), 'the kubelet does not set it').toEqual(network);
    expect(found.get('PIDPressure'), 'it was missing').toEqual({
      type: 'PIDPressure',
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
      lastHeartbeatTime: CREATED,
      lastTransitionTime: LATE,
    });
    expect(found.size).toBe(5);
  });

  interface Heartbeat {
    readonly secondsSinceLastSignal?: number;
    readonly secondsSinceLeaseRenewal?: number;
    readonly gracePeriodSeconds: number;
    readonly conditions: readonly core.NodeCondition[];
  }
  test.each(
    named(
      vectors<Heartbeat, { readonly conditions: readonly core.NodeCondition[] }>(
        'node-lifecycle',
        'heartbeat',
        2,
      ),
    ),
  )('agrees with Kubernetes: %s', (_, { input, expect: { conditions } }) => {
    const signSeconds = input.secondsSinceLeaseRenewal ?? input.secondsSinceLastSignal ?? 0;
    const node = aNode('node-1');
    const first = observeHealth(undefined, node, aLease(EARLY), at(0));
    const health = observeHealth(first, node, aLease(LATE), at(1_000 - signSeconds));
    const graces = { ...GRACES, monitorMs: input.gracePeriodSeconds * 1_000 };
    const isUnknown = conditions.some(({ status }) => status === 'Unknown');
    expect(isSilent(health, at(1_000), graces), ruleFor('silent', input)).toBe(isUnknown);
  });

  test('writes that a silent node is Unknown, and emits an event', async () => {
    await using test = await TestCluster.open();
    const node = await test.addNode('node-1');
    const lifecycle = await test.startCaches();
    expect(await test.settled(checkNode(lifecycle, node)), 'the first look at a node').toEqual(node);
    await test.pass(50.1);
    const after = await test.settled(checkNode(lifecycle, node));
    expect(after, 'the node as the server returns it').toEqual(await test.node('node-1'));
    expect(await test.ready('node-1')).toBe('Unknown');
    expect(await test.events('node-1')).toEqual([
      'Normal NodeNotReady Node node-1 status is now: NodeNotReady',
    ]);
    const { metadata } = await test.settled(checkNode(lifecycle, after));
    expect(metadata.resourceVersion, 'nothing is written twice').toBe(after.metadata.resourceVersion);
  });

  test('looks again when the write fails, because the kubelet may have written', async () => {
    await using test = await TestCluster.open();
    const node = await test.addNode('node-1');
    const lifecycle = await test.startCaches();
    await test.settled(checkNode(lifecycle, node));
    await test.pass(51);
    await test.post('node-1', 'True');
    await test.settled(checkNode(lifecycle, node));
    expect(await test.ready('node-1'), 'the cached node is outdated').toBe('True');
  });
});
