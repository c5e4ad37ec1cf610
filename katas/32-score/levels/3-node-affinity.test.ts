import { describe, expect, test } from 'vitest';
import type { framework, labels, Pod } from '#harness';
import { defaultNormalizeScore, nodeAffinity } from '#kata/32-score/score';
import { askScorePlugin } from '#laws/32-score';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '#laws/scheduling';
import { labelled, only } from './nodes.fixture.ts';
import type { Spec } from './pods.fixture.ts';
import { expectScores, type Scores } from './scores.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 3 · Preferred node affinity', () => {
  const scoresOf = (...scores: readonly number[]): framework.NodeScore[] =>
    scores.map((score, i) => Object.freeze({ name: `node-${i}`, score }));
  /** Expects something of scores that were normalised; a failure shows the arguments. */
  const expectNormalised = (max: number, reverse: boolean, ...scores: readonly number[]) =>
    expect(
      normalised(max, reverse, ...scores),
      `each × ${max} / the highest, rounded down${reverse ? `, then taken from ${max}` : ''}: scores ${scores.join(', ') || 'none'}`,
    );
  const normalised = (max: number, reverse: boolean, ...scores: readonly number[]): number[] =>
    defaultNormalizeScore(max, reverse, Object.freeze(scoresOf(...scores))).map(({ score }) => score + 0);

  test('scales the highest score to 100, and the others in proportion', () => {
    expect(
      normalised(100, false, 1, 2, 4),
      'each score × 100 / the highest, which is 4; the lowest does not count',
    ).toEqual([25, 50, 100]);
    expect(
      normalised(100, false, 3_000, 0, 1_000),
      'each score × 100 / the highest, 3000, rounded down',
    ).toEqual([100, 0, 33]);
    expect(normalised(10, false, 1, 2, 4), 'each score × 10 / the highest, rounded down').toEqual([2, 5, 10]);
  });

  test('keeps names and order, and gives new scores', () => {
    const scores = scoresOf(4, 1);
    expect(defaultNormalizeScore(100, false, scores)).toEqual([
      { name: 'node-0', score: 100 },
      { name: 'node-1', score: 25 },
    ]);
    expect(scores, 'the scores that were passed in').toEqual(scoresOf(4, 1));
  });

  test('goes by the highest alone, however low the lowest is', () => {
    expect(normalised(100, false, 9, 10), 'each score × 100 / 10').toEqual([90, 100]);
    expect(normalised(100, false, 7, 7), 'all equal: each is the highest').toEqual([100, 100]);
  });

  test('rounds down, and takes the share of whole numbers', () => {
    expectNormalised(100, false, 2, 3).toEqual([66, 100]);
    expectNormalised(100, false, 29, 57, 58, 100).toEqual([29, 57, 58, 100]);
  });

  test('turns it over when less is better, after rounding', () => {
    expectNormalised(100, true, 0, 1, 2).toEqual([100, 50, 0]);
    expectNormalised(100, true, 1, 2, 3).toEqual([67, 34, 0]);
    expectNormalised(10, true, 1, 4).toEqual([8, 0]);
  });

  test('leaves all at 0 when all have 0, or at the best when less is better', () => {
    expectNormalised(100, false, 0, 0).toEqual([0, 0]);
    expectNormalised(100, true, 0, 0).toEqual([100, 100]);
    expectNormalised(100, false).toEqual([]);
    expectNormalised(100, true).toEqual([]);
  });

  type Preferred = NonNullable<
    NonNullable<
      NonNullable<Spec['affinity']>['nodeAffinity']
    >['preferredDuringSchedulingIgnoredDuringExecution']
  >;
  const preferring = (...terms: Preferred): Pod =>
    aSchedulingPod({
      spec: { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms } } },
    });
  const has = (key: string, ...values: string[]) => ({ key, operator: 'In', values });
  const snapshot = aSnapshot(
    labelled({ ssd: { disk: 'ssd' }, both: { disk: 'ssd', zone: 'a' }, zone: { zone: 'a' }, none: {} }),
  );

  interface AffinityRow {
    readonly pod: { readonly spec: Partial<Spec> };
    readonly nodes: readonly {
      readonly metadata: { readonly name: string; readonly labels: labels.Labels };
    }[];
    readonly addedPreferred?: Preferred;
  }
  const ask = ({ pod, nodes, addedPreferred = [] }: AffinityRow) => {
    const own = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    // Upstream's addedAffinity counts like preferences of the pod; this plugin has no such argument.
    const terms = [...own, ...addedPreferred];
    const where = aSnapshot(
      nodes.map(({ metadata }) => aSchedulingNode(metadata.name, { labels: metadata.labels })),
    );
    return askScorePlugin(nodeAffinity, terms.length > 0 ? preferring(...terms) : aSchedulingPod(), where);
  };

  test.each(
    table<AffinityRow, Scores>('nodeAffinityScore', 3, ({ input }) => input.pod.spec.affinity !== undefined),
  )('prefers nodes as Kubernetes does: %s', (_, row) => {
    expectScores(ask(row.input)).toEqual(row.expect.scores);
  });

  test.each(
    table<AffinityRow, Scores>('nodeAffinityScore', 1, ({ input }) => input.pod.spec.affinity === undefined),
  )('has nothing to say of a pod that prefers no node, which is 0 for all: %s', (_, row) => {
    expectScores(ask(row.input)).toBe('Skip');
    expect(new Set(Object.values(row.expect.scores))).toEqual(new Set([0]));
  });

  test('skips a pod with required affinity only', () => {
    const required = { nodeSelectorTerms: [{ matchExpressions: [has('disk', 'ssd')] }] };
    const pod = aSchedulingPod({
      spec: {
        nodeSelector: { disk: 'ssd' },
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
      },
    });
    expect(nodeAffinity.name).toBe('NodeAffinity');
    expectScores(askScorePlugin(nodeAffinity, pod, snapshot)).toBe('Skip');
  });

  test('adds the weights of the matching terms', () => {
    const pod = preferring(
      { weight: 30, preference: { matchExpressions: [has('disk', 'ssd')] } },
      { weight: 20, preference: { matchExpressions: [has('zone', 'a')] } },
      { weight: 50, preference: { matchExpressions: [has('disk', 'ssd'), has('zone', 'a')] } },
    );
    expectScores(askScorePlugin(nodeAffinity, pod, snapshot)).toEqual({
      ssd: 30,
      both: 100,
      zone: 20,
      none: 0,
    });
  });

  test('knows nodes by their names, too', () => {
    const matchFields = [{ key: 'metadata.name', operator: 'NotIn', values: ['none'] }];
    const pod = preferring({ weight: 1, preference: { matchFields } });
    expectScores(askScorePlugin(nodeAffinity, pod, snapshot)).toEqual({
      ssd: 100,
      both: 100,
      zone: 100,
      none: 0,
    });
  });

  test('matches no node with an empty or invalid term', () => {
    const nonsense = [{ key: 'disk', operator: 'Likes', values: ['ssd'] }];
    const pod = preferring(
      { weight: 100, preference: {} },
      { weight: 100, preference: { matchExpressions: nonsense } },
      { weight: 1, preference: { matchExpressions: [has('disk', 'ssd')] } },
    );
    expectScores(askScorePlugin(nodeAffinity, pod, snapshot)).toEqual({
      ssd: 100,
      both: 100,
      zone: 0,
      none: 0,
    });
    expectScores(askScorePlugin(nodeAffinity, preferring({ weight: 9, preference: {} }), snapshot)).toEqual({
      ssd: 0,
      both: 0,
      zone: 0,
      none: 0,
    });
  });

  test('compares the nodes that are left with each other, and no others', () => {
    const pod = preferring(
      { weight: 30, preference: { matchExpressions: [has('disk', 'ssd')] } },
      { weight: 20, preference: { matchExpressions: [has('zone', 'a')] } },
    );
    const feasible = only(snapshot, 'ssd', 'zone');
    expectScores(askScorePlugin(nodeAffinity, pod, snapshot, { feasible })).toEqual({ ssd: 100, zone: 66 });
  });
});
