import { describe, expect, test } from 'vitest';
import { scheduling } from '#given/33-bind';
import { framework, type Node, NotImplemented } from '#harness';
import { schedulePod } from '#kata/33-bind/bind';
import { aNode, aPod } from './objects.fixture.ts';
import { broken, byName, disk, filteringOf, room } from './profile.fixture.ts';

describe('Level 4 · One pod, one node', () => {
  const snapshotOf = (...nodes: readonly Node[]) =>
    new framework.Snapshot(nodes.map((node) => framework.NodeInfo.of(node)));
  const random = { int: () => 0 };
  const state = () => new framework.CycleState();
  /** What it throws. */
  const thrownBy = (request: scheduling.SchedulePod): unknown => {
    try {
      schedulePod(request);
    } catch (error) {
      return error;
    }
    return 'it did not throw';
  };

  test('returns the node that fits', () => {
    const snapshot = snapshotOf(aNode('node-1', { pods: 0 }), aNode('node-2'));
    const profile = { filtering: filteringOf([room]), scoring: byName };
    const result = schedulePod({ profile, state: state(), pod: aPod('web'), snapshot, random });
    expect(result, 'the only node that fits').toMatchObject({ suggestedHost: 'node-2' });
  });

  test('chooses the node with the highest score', () => {
    const profile = { filtering: filteringOf([]), scoring: byName };
    const snapshot = snapshotOf(aNode('node-3'), aNode('node-1'), aNode('node-2'));
    const result = schedulePod({ profile, state: state(), pod: aPod('web'), snapshot, random });
    expect(result, 'all three nodes fit, and node-1 has the highest score').toMatchObject({
      suggestedHost: 'node-1',
    });
  });

  test('does not score a single feasible node', () => {
    const scoring: framework.Scoring = {
      ...byName,
      prioritizeNodes: () => {
        throw new Error('prioritizeNodes was asked about one node');
      },
    };
    const profile = { filtering: filteringOf([]), scoring };
    const request = {
      profile,
      state: state(),
      pod: aPod('web'),
      snapshot: snapshotOf(aNode('node-1')),
      random,
    };
    expect(schedulePod(request).suggestedHost, 'node-1 is the only node that fits').toBe('node-1');
  });

  test('passes on the plugins, the state, the start index and the random source', () => {
    const asked: unknown[] = [];
    const filtering = filteringOf([room]);
    const plugins = [{ plugin: { name: 'Score', score: () => 1 }, weight: 1 }];
    const profile = {
      filtering: {
        ...filtering,
        findNodesThatFit: (request: framework.FindNodes) => {
          asked.push([request.plugins, request.state, request.startIndex]);
          return { ...filtering.findNodesThatFit(request), nextStartIndex: 7 };
        },
      },
      scoring: {
        plugins,
        prioritizeNodes: (request: framework.PrioritizeNodes) => {
          asked.push([request.plugins, request.state]);
          return byName.prioritizeNodes(request);
        },
        selectHost: (scores: readonly framework.NodePluginScores[], chance: { int(max: number): number }) =>
          scores[chance.int(scores.length)]?.name ?? '',
      },
    };
    const cycle = state();
    const result = schedulePod({
      profile,
      state: cycle,
      pod: aPod('web'),
      snapshot: snapshotOf(aNode('node-1'), aNode('node-2')),
      random: { int: () => 1 },
      startIndex: 1,
    });
    expect(
      asked,
      'plugins, state and startIndex of findNodesThatFit, then plugins and state of prioritizeNodes',
    ).toEqual([
      [filtering.plugins, cycle, 1],
      [plugins, cycle],
    ]);
    expect(result, 'the choice of selectHost, and the nextStartIndex of findNodesThatFit').toEqual({
      suggestedHost: 'node-2',
      nextStartIndex: 7,
    });
  });

  test('throws a FitError with the rejecting plugins and the message', () => {
    const snapshot = snapshotOf(aNode('node-1', { pods: 0 }), aNode('node-2', { labels: { disk: 'hdd' } }));
    const profile = { filtering: filteringOf([room, disk]), scoring: byName };
    const pod = aPod('web', { labels: { disk: 'ssd' } });
    const error = thrownBy({ profile, state: state(), pod, snapshot, random }) as scheduling.FitError;
    if (!(error instanceof scheduling.FitError)) throw error;
    expect(error.message, 'the message of the FitError').toBe(
      '0/2 nodes are available: 1 Too many pods, 1 Wrong disk.',
    );
    expect(error, 'the pod and the number of nodes in the FitError').toMatchObject({ pod, numAllNodes: 2 });
    expect([...error.diagnosis.unschedulablePlugins].sort(), 'the plugins that rejected the pod').toEqual([
      'Disk',
      'Room',
    ]);
  });

  test('throws NoNodesAvailableError for an empty snapshot', () => {
    const profile = { filtering: filteringOf([room]), scoring: byName };
    const error = thrownBy({ profile, state: state(), pod: aPod('web'), snapshot: snapshotOf(), random });
    if (error instanceof NotImplemented) throw error;
    expect(error, 'the error for an empty snapshot').toBeInstanceOf(scheduling.NoNodesAvailableError);
    expect(String(error), 'the error for an empty snapshot').toContain('no nodes available to schedule pods');
  });

  test('lets the error of a plugin through', () => {
    const profile = { filtering: filteringOf([broken]), scoring: byName };
    const request = {
      profile,
      state: state(),
      pod: aPod('web'),
      snapshot: snapshotOf(aNode('node-1')),
      random,
    };
    const error = thrownBy(request);
    if (error instanceof NotImplemented) throw error;
    expect(String(error), 'the error that the plugin threw').toMatch(/out of order/);
  });
});
