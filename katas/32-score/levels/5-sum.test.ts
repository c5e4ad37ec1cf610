import { describe, expect, test } from 'vitest';
import { framework, type Node } from '#harness';
import { seededRandom } from '#harness/testing';
import {
  defaultNormalizeScore,
  prioritizeNodes,
  scorePlugins,
  scoring,
  selectHost,
} from '#kata/32-score/score';
import { aSchedulingPod, aSnapshot } from '#laws/scheduling';
import { nodesOf, only } from './nodes.fixture.ts';
import { refusal } from './refusal.fixture.ts';

describe('Level 5 · The sum', () => {
  /** The results of a test plugin. */
  interface Said {
    readonly raw?: Readonly<Record<string, number>>;
    readonly skips?: boolean;
    readonly normalize?: (scores: readonly framework.NodeScore[]) => readonly framework.NodeScore[];
    /** Whether it has a preScore. @defaultValue true */
    readonly prepared?: boolean;
  }
  /** A plugin that records its calls. */
  const plugin = (name: string, said: Said, log: string[] = []): framework.ScorePlugin => ({
    name,
    ...(said.prepared === false
      ? {}
      : {
          preScore: (_state, _pod, feasible) => {
            log.push(`preScore ${name} ${feasible.map((info) => info.name)}`);
            return said.skips ? framework.skip : framework.success;
          },
        }),
    score: (_state, _pod, info) => {
      log.push(`score ${name} ${info.name}`);
      return said.raw?.[info.name] ?? 0;
    },
    ...(said.normalize
      ? {
          normalizeScore: (_state, _pod, scores) => {
            log.push(`normalizeScore ${name} ${scores.map((each) => `${each.name}=${each.score}`)}`);
            return said.normalize?.(scores) ?? [];
          },
        }
      : {}),
  });
  const weighed = (weight: number, one: framework.ScorePlugin): framework.WeightedPlugin => ({
    plugin: one,
    weight,
  });
  const three = aSnapshot(nodesOf({ a: {}, b: {}, c: {} }));
  const prioritize = (
    plugins: readonly framework.WeightedPlugin[],
    { feasible = three.nodeInfos, state = new framework.CycleState() } = {},
  ) => prioritizeNodes({ plugins, state, pod: aSchedulingPod(), feasible, snapshot: three });
  const totals = (all: readonly framework.NodePluginScores[]): Record<string, number> =>
    Object.fromEntries(all.map(({ name, totalScore }) => [name, totalScore]));

  test('adds the scores of the plugins, each times its weight', () => {
    const all = prioritize([
      weighed(1, plugin('One', { raw: { a: 10, b: 20, c: 0 } })),
      weighed(3, plugin('Two', { raw: { a: 5, b: 0, c: 100 } })),
    ]);
    const said = (one: number, two: number) => [
      { name: 'One', score: one },
      { name: 'Two', score: two },
    ];
    expect(all, 'each score times its weight, 1 for One and 3 for Two; the total is their sum').toEqual([
      { name: 'a', scores: said(10, 15), totalScore: 25 },
      { name: 'b', scores: said(20, 0), totalScore: 20 },
      { name: 'c', scores: said(0, 300), totalScore: 300 },
    ]);
  });

  test('normalises first and weighs afterwards', () => {
    const normalize = (scores: readonly framework.NodeScore[]) => defaultNormalizeScore(100, false, scores);
    const all = prioritize([weighed(2, plugin('One', { raw: { a: 1, b: 4, c: 2 }, normalize }))]);
    expect(totals(all), 'raw 1, 4 and 2 are normalised to 25, 100 and 50, then times weight 2').toEqual({
      a: 50,
      b: 200,
      c: 100,
    });
  });

  test('calls preScore before score, and normalizeScore after it, with the feasible nodes', () => {
    const log: string[] = [];
    const normalize = (scores: readonly framework.NodeScore[]) => scores;
    const one = plugin('One', { raw: { c: 7, a: 3 }, normalize }, log);
    prioritize([weighed(1, one)], { feasible: only(three, 'a', 'c') });
    const [first, ...scored] = log;
    expect(first, 'the first call').toBe('preScore One a,c');
    expect(scored.toSorted(), 'score for each node, then normalizeScore once with all raw scores').toEqual([
      'normalizeScore One a=3,c=7',
      'score One a',
      'score One c',
    ]);
    expect(log[3], 'the last call').toBe('normalizeScore One a=3,c=7');
  });

  test('calls every preScore in order before any score', () => {
    const log: string[] = [];
    prioritize([
      weighed(1, plugin('One', {}, log)),
      weighed(2, plugin('None', { prepared: false }, log)),
      weighed(1, plugin('Two', {}, log)),
    ]);
    expect(log.slice(0, 2), 'the first calls').toEqual(['preScore One a,b,c', 'preScore Two a,b,c']);
    expect(
      log.slice(2).filter((line) => !line.startsWith('score')),
      'calls after both preScore that are not score',
    ).toEqual([]);
  });

  test.each([
    ['Unschedulable', framework.unschedulable('no')],
    ['UnschedulableAndUnresolvable', framework.unresolvable('no')],
  ])('refuses a preScore of %s: which nodes can was decided before', (code, status) => {
    const rejecting = { ...plugin('Filters', { raw: { a: 1 } }), preScore: () => status };
    const told = refusal(() => prioritize([weighed(1, plugin('One', {})), weighed(1, rejecting)]));
    expect(told, `preScore of a plugin gave ${code}; the error of prioritizeNodes`).not.toBe(
      'nothing was thrown',
    );
  });

  test('calls a plugin without preScore', () => {
    const all = prioritize([weighed(1, plugin('One', { raw: { b: 9 }, prepared: false }))]);
    expect(totals(all)).toEqual({ a: 0, b: 9, c: 0 });
  });

  test('calls no score of a skipped plugin, and records it in the state', () => {
    const log: string[] = [];
    const state = new framework.CycleState();
    const normalize = () => {
      throw new Error('A plugin that was skipped is asked to normalise.');
    };
    const all = prioritize(
      [
        weighed(5, plugin('Silent', { raw: { a: 100 }, skips: true, normalize }, log)),
        weighed(1, plugin('One', { raw: { b: 9 } })),
      ],
      { state },
    );
    expect(totals(all)).toEqual({ a: 0, b: 9, c: 0 });
    expect(all[0]?.scores, 'the scores of a, without the plugin that returned Skip').toEqual([
      { name: 'One', score: 0 },
    ]);
    expect(log, 'the calls of Silent, whose preScore returned Skip').toEqual(['preScore Silent a,b,c']);
    expect([...state.skipScorePlugins], 'state.skipScorePlugins').toEqual(['Silent']);
  });

  test('returns 0 when all plugins skip, and 1 without plugins', () => {
    const silent = prioritize([weighed(5, plugin('Silent', { skips: true }))]);
    expect(silent, 'the only plugin returned Skip: each total is 0').toEqual(
      ['a', 'b', 'c'].map((name) => ({ name, scores: [], totalScore: 0 })),
    );
    expect(prioritize([]), 'without any plugin each total is 1').toEqual(
      ['a', 'b', 'c'].map((name) => ({ name, scores: [], totalScore: 1 })),
    );
  });

  test('returns the nodes in the given order', () => {
    const one = weighed(1, plugin('One', { raw: { a: 1, b: 2, c: 3 } }));
    const feasible = three.nodeInfos.toReversed();
    expect(
      prioritize([one], { feasible }).map(({ name, totalScore }) => [name, totalScore]),
      'the order of feasible: c, b, a',
    ).toEqual([
      ['c', 3],
      ['b', 2],
      ['a', 1],
    ]);
  });

  test.each([101, -1, 0.5, Number.NaN])('refuses a score of %d, and says which plugin gave it', (score) => {
    const raw = { a: 50, b: score };
    const plain = plugin('Wild', { raw });
    const normalising = plugin('Wild', {
      raw: { a: 50 },
      normalize: () => [
        { name: 'a', score },
        { name: 'b', score },
        { name: 'c', score },
      ],
    });
    for (const each of [plain, normalising]) {
      const told = refusal(() => prioritize([weighed(1, each)]));
      const gave = `the plugin Wild gave ${score}, not a whole number from 0 to 100; the error of prioritizeNodes`;
      expect(told, gave).toContain('Wild');
      expect(told, gave).toContain(String(score));
    }
  });

  test('checks only normalised scores, not raw ones', () => {
    const normalize = (scores: readonly framework.NodeScore[]) => defaultNormalizeScore(100, true, scores);
    const all = prioritize([weighed(1, plugin('One', { raw: { a: 3_000, b: 0, c: 1_500 }, normalize }))]);
    expect(totals(all)).toEqual({ a: 0, b: 100, c: 50 });
  });

  const having = (byName: Readonly<Record<string, number>>): framework.NodePluginScores[] =>
    Object.entries(byName).map(([name, totalScore]) => ({ name, totalScore, scores: [] }));

  test('returns the node with the highest total, at any position', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const random = seededRandom(seed);
      expect(selectHost(having({ a: 9, b: 5, c: 1 }), random), 'the highest of a 9, b 5, c 1').toBe('a');
      expect(selectHost(having({ a: 5, b: 9, c: 8 }), random), 'the highest of a 5, b 9, c 8').toBe('b');
      expect(selectHost(having({ a: 1, b: 8, c: 9 }), random), 'the highest of a 1, b 8, c 9').toBe('c');
      expect(selectHost(having({ a: 0 }), random), 'the only node').toBe('a');
    }
  });

  test('returns any of several best nodes, and never another one', () => {
    const scores = having({ low: 1, a: 9, b: 9, less: 8, c: 9, none: 0 });
    for (const seed of [1, 2, 3, 4, 5]) {
      expect(['a', 'b', 'c'], 'the nodes with the highest total, 9').toContain(
        selectHost(scores, seededRandom(seed)),
      );
    }
  });

  test('throws without nodes', () => {
    expect(
      refusal(() => selectHost([], seededRandom(1))),
      'selectHost without any node',
    ).not.toBe('nothing was thrown');
  });

  const core = ['TaintToleration', 'NodeAffinity', 'NodeResourcesFit', 'NodeResourcesBalancedAllocation'];
  /** The plugins of Levels 1 to 4, with or without those of the ★ levels. */
  const corePlugins = scoring.plugins.filter(({ plugin: { name } }) => core.includes(name));

  test('has the plugins of Levels 1 to 4, with the weights that they have in Kubernetes', () => {
    const weights = Object.fromEntries(corePlugins.map(({ plugin: { name }, weight }) => [name, weight]));
    expect(weights).toEqual({
      TaintToleration: 3,
      NodeAffinity: 2,
      NodeResourcesFit: 1,
      NodeResourcesBalancedAllocation: 1,
    });
    expect(scoring.plugins).toEqual(scorePlugins);
  });

  // A cluster in which no plugin skips.
  const ZONE = 'topology.kubernetes.io/zone';
  const WEB = { app: 'web' };
  const allocatable = { cpu: '10', memory: '1000Mi', pods: '110' };
  const cluster = nodesOf({
    old: {
      labels: { [ZONE]: 'a', disk: 'ssd' },
      allocatable,
      taints: [{ key: 'old', effect: 'PreferNoSchedule' }],
    },
    full: { labels: { [ZONE]: 'b', disk: 'ssd' }, allocatable },
    empty: { labels: { [ZONE]: 'b' }, allocatable },
  });
  const busy = [
    aSchedulingPod({
      name: 'db',
      nodeName: 'old',
      labels: { app: 'db' },
      requests: { cpu: '1500m', memory: 0 },
    }),
    aSchedulingPod({ name: 'web', nodeName: 'full', labels: WEB, requests: { cpu: '5', memory: '650Mi' } }),
  ];
  const shop = aSchedulingPod({
    labels: WEB,
    spec: {
      containers: [{ name: 'shop', image: 'shop:1', resources: { requests: { cpu: '1', memory: '100Mi' } } }],
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'disk', operator: 'Exists' }] } },
          ],
        },
      },
    },
  });
  const decide = (nodes: readonly Node[], plugins = corePlugins) => {
    const snapshot = aSnapshot(nodes, busy);
    const state = new framework.CycleState();
    return scoring.prioritizeNodes({ plugins, state, pod: shop, feasible: snapshot.nodeInfos, snapshot });
  };

  test('computes the totals of a whole cluster', () => {
    // Taints 3 × 0, 100, 100; affinity 2 × 100, 100, 0; room 1 × 82, 32, 90; balance 1 × 75: it stays as it is everywhere.
    const wanted = {
      old: {
        TaintToleration: 0,
        NodeAffinity: 200,
        NodeResourcesFit: 82,
        NodeResourcesBalancedAllocation: 75,
      },
      full: {
        TaintToleration: 300,
        NodeAffinity: 200,
        NodeResourcesFit: 32,
        NodeResourcesBalancedAllocation: 75,
      },
      empty: {
        TaintToleration: 300,
        NodeAffinity: 0,
        NodeResourcesFit: 90,
        NodeResourcesBalancedAllocation: 75,
      },
    };
    const said = decide(cluster).map(({ name, scores }) => [
      name,
      Object.fromEntries(scores.map((each) => [each.name, each.score])),
    ]);
    expect(Object.fromEntries(said)).toEqual(wanted);
    expect(totals(decide(cluster))).toEqual({ old: 357, full: 607, empty: 465 });
    expect(scoring.selectHost(decide(cluster), seededRandom(1))).toBe('full');
  });

  test('returns the same totals in any order of nodes and plugins', () => {
    const wanted = { old: 357, full: 607, empty: 465 };
    expect(totals(decide(cluster.toReversed()))).toEqual(wanted);
    expect(totals(decide(cluster, corePlugins.toReversed()))).toEqual(wanted);
  });

  test('skips the plugins that a plain pod does not concern', () => {
    const snapshot = aSnapshot(cluster);
    const state = new framework.CycleState();
    const request = {
      plugins: corePlugins,
      state,
      pod: aSchedulingPod(),
      feasible: snapshot.nodeInfos,
      snapshot,
    };
    const [first] = scoring.prioritizeNodes(request);
    expect(first?.scores.map(({ name }) => name).toSorted()).toEqual(['NodeResourcesFit', 'TaintToleration']);
  });
});
