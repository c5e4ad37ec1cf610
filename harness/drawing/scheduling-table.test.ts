import { describe, expect, test } from 'vitest';
import {
  explain,
  type FilterPlugin,
  type Profile,
  type ScorePlugin,
  success,
  unschedulable,
} from '../contracts/framework/index.ts';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '../laws/scheduling/levels/objects.ts';
import { schedulingTables } from './scheduling-table.ts';

const plugin = { name: 'Images' } as ScorePlugin;

/** Returns the trace of a decision between node-1, which scores 60, and node-2, which two filters may reject. */
function decided(reasons: readonly string[]) {
  const filter = (name: string): FilterPlugin => ({
    name,
    filter: (_state, _pod, { name }) =>
      name === 'node-1' || reasons.length === 0 ? success : unschedulable(...reasons),
    eventsToRegister: () => [],
  });
  const profile = {
    filtering: {
      plugins: [filter('Fit'), filter('Ports')],
      findNodesThatFit: () => expect.unreachable(),
      fitErrorMessage: () => '',
    },
    scoring: {
      plugins: [{ plugin, weight: 3 }],
      selectHost: () => '',
      prioritizeNodes: ({ feasible }) =>
        feasible.map(({ name }) => ({ name, scores: [{ name: 'Images', score: 60 }], totalScore: 60 })),
    },
  } satisfies Pick<Profile, 'filtering' | 'scoring'>;
  const pod = aSchedulingPod({ name: 'web' });
  const snapshot = aSnapshot([aSchedulingNode('node-1'), aSchedulingNode('node-2')]);
  return explain(profile, pod, snapshot)
    .lines()
    .map((note) => ({
      atMs: 7,
      actor: 'default-scheduler',
      verb: 'explain',
      object: 'pods/default/web',
      note,
    }));
}

describe('The tables of a scheduler', () => {
  test('have the verdict on each node, with scores, weights and totals', () => {
    expect(schedulingTables(decided(['too small, too full', 'a · b']), [{ plugin, weight: 3 }])).toEqual([
      {
        ...{ atMs: 7, scheduler: 'default-scheduler', pod: 'pods/default/web', best: ['node-1'] },
        nodes: [
          {
            ...{ node: 'node-1', rejections: [], total: 60 },
            scores: [{ plugin: 'Images', score: 20, weight: 3, weighted: 60 }],
          },
          {
            node: 'node-2',
            rejections: [
              { plugin: 'Fit', reasons: 'too small, too full, a · b' },
              { plugin: 'Ports', reasons: 'too small, too full, a · b' },
            ],
            scores: [],
          },
        ],
      },
    ]);
  });

  test('have weighted scores only, if the plugins are unknown', () => {
    const [table] = schedulingTables(decided([]));
    expect(table?.best).toEqual(['node-1', 'node-2']);
    expect(table?.nodes[0]?.scores).toEqual([{ plugin: 'Images', score: 60, weighted: 60 }]);
  });

  test('are absent for entries that explain nothing', () => {
    const entry = { atMs: 1, actor: 'default-scheduler', object: 'pods/default/web' };
    expect(
      schedulingTables([
        { ...entry, verb: 'explain', note: 'cannot be explained: Error: not now' },
        { ...entry, verb: 'log', note: 'node-1  ✓ 1 = A 1' },
      ]),
    ).toEqual([]);
  });
});
