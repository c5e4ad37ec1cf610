import { describe, expect, test } from 'vitest';
import { countIntolerableTaintsPreferNoSchedule, taintToleration } from '#kata/32-score/score';
import { askScorePlugin } from '#laws/32-score';
import { aSchedulingNode, aSchedulingPod, aSnapshot, type SchedulingNodeParts } from '#laws/scheduling';
import { nodesOf, only } from './nodes.fixture.ts';
import type { Spec } from './pods.fixture.ts';
import { expectScores, type Scores } from './scores.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 4 · Taints that would rather not', () => {
  type Taints = NonNullable<SchedulingNodeParts['taints']>;
  type Tolerations = NonNullable<Spec['tolerations']>;
  const rather = (key: string, value = '') => ({ key, value, effect: 'PreferNoSchedule' });
  /** Expects something of a count; a failure shows the taints and the tolerations. */
  const expectCount = (taints: Taints | undefined, tolerations: Tolerations | undefined) =>
    expect(
      countIntolerableTaintsPreferNoSchedule(taints, tolerations),
      `PreferNoSchedule taints that nothing tolerates: taints ${JSON.stringify(taints)}, tolerations ${JSON.stringify(tolerations)}`,
    );

  test('counts the PreferNoSchedule taints that the pod does not tolerate', () => {
    const taints = [rather('a', '1'), rather('b'), rather('c')];
    const count = (...tolerations: Tolerations) => expectCount(taints, tolerations);
    count().toBe(3);
    count({ key: 'a', value: '1', effect: 'PreferNoSchedule' }).toBe(2);
    count({ key: 'a', value: '2' }, { key: 'b', operator: 'Exists' }).toBe(2);
    count({ operator: 'Exists' }).toBe(0);
  });

  test('counts 0 without taints', () => {
    expectCount(undefined, undefined).toBe(0);
    expectCount([], [{ operator: 'Exists' }]).toBe(0);
    expectCount([rather('a')], undefined).toBe(1);
  });

  test('leaves taints of other effects to the filter, and tolerations of other effects do not help', () => {
    const hard = ['NoSchedule', 'NoExecute'].map((effect) => ({ key: 'a', effect }));
    expectCount(hard, []).toBe(0);
    const tolerations = hard.map(({ key, effect }) => ({ key, operator: 'Exists', effect }));
    expectCount([...hard, rather('a')], tolerations).toBe(1);
    expectCount([rather('a')], [{ key: 'a', operator: 'Exists' }]).toBe(0);
  });

  interface TaintRow {
    readonly pod: { readonly spec: Partial<Spec> };
    readonly nodes: readonly {
      readonly metadata: { readonly name: string };
      readonly spec: { readonly taints: Taints };
    }[];
    readonly comparisonOperatorsGate?: boolean;
  }
  const ask = ({ pod, nodes }: TaintRow) =>
    askScorePlugin(
      taintToleration,
      aSchedulingPod({ spec: pod.spec }),
      aSnapshot(nodes.map(({ metadata, spec }) => aSchedulingNode(metadata.name, spec))),
    );

  // The rows with the gate are not applicable: harness/conformance/not-applicable.json names them, the gate and its release.
  test.each(table<TaintRow, Scores>('taintScore', 3, ({ input }) => !input.comparisonOperatorsGate))(
    'avoids nodes as Kubernetes does: %s',
    (_, row) => {
      expectScores(ask(row.input)).toEqual(row.expect.scores);
    },
  );

  test('knows no toleration that compares numbers, as Kubernetes with its gate off', () => {
    const than = (operator: string): Tolerations => [{ key: 'sla', operator, value: '950' }];
    for (const operator of ['Gt', 'Lt']) {
      expectCount([rather('sla', '999')], than(operator)).toBe(1);
      expectCount([rather('sla', '800')], than(operator)).toBe(1);
    }
  });

  test('is a plugin named TaintToleration that scores 100 on all nodes without such taints', () => {
    expect(taintToleration.name).toBe('TaintToleration');
    const nodes = nodesOf({ a: {}, b: { taints: [{ key: 'x', effect: 'NoSchedule' }] } });
    expectScores(askScorePlugin(taintToleration, aSchedulingPod(), aSnapshot(nodes))).toEqual({
      a: 100,
      b: 100,
    });
  });

  test('scores a node lower, the more such taints it has', () => {
    const [x, y, z] = [rather('x'), rather('y'), rather('z')];
    const nodes = nodesOf({ a: { taints: [x] }, b: { taints: [x, y, z] }, c: { taints: [y, z] }, d: {} });
    const snapshot = aSnapshot(nodes);
    const pod = aSchedulingPod();
    expectScores(askScorePlugin(taintToleration, pod, snapshot)).toEqual({ a: 67, b: 0, c: 34, d: 100 });
    const feasible = only(snapshot, 'a', 'd');
    expectScores(askScorePlugin(taintToleration, pod, snapshot, { feasible })).toEqual({ a: 0, d: 100 });
  });
});
