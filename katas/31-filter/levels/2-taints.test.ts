import { describe, expect, test } from 'vitest';
import type { framework } from '#harness';
import { findMatchingUntoleratedTaint, taintToleration } from '#kata/31-filter/filter';
import { aSchedulingNode, aSchedulingPod } from '#laws/scheduling';
import { type NodeRow, nodeOf, type PodRow, podOf } from './rows.fixture.ts';
import { table } from './tables.fixture.ts';
import { about, askOne, expectOne, inLine } from './verdicts.fixture.ts';

describe('Level 2 · Taints', () => {
  const untolerated = 'UnschedulableAndUnresolvable: node(s) had untolerated taint(s)';
  const spot: framework.Taint = { key: 'spot', effect: 'NoSchedule' };
  const gpu: framework.Taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
  const down: framework.Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };
  const rather: framework.Taint = { key: 'busy', effect: 'PreferNoSchedule' };

  const expectFound = (taints?: readonly framework.Taint[], tolerations?: readonly framework.Toleration[]) =>
    expect(
      findMatchingUntoleratedTaint(taints, tolerations),
      `taints ${inLine(taints)}, tolerations ${inLine(tolerations)}`,
    );

  test('returns undefined without taints', () => {
    expectFound([], []).toBeUndefined();
    expectFound(undefined, undefined).toBeUndefined();
  });

  test('returns the first taint that no toleration tolerates', () => {
    expectFound([spot, gpu, down], undefined).toEqual(spot);
    expectFound([spot, gpu, down], [{ key: 'spot', operator: 'Exists' }]).toEqual(gpu);
    expectFound([spot, gpu, down], [{ operator: 'Exists' }]).toBeUndefined();
  });

  test('accepts a node if each taint is tolerated by some toleration', () => {
    const tolerations: framework.Toleration[] = [
      { key: 'dedicated', value: 'gpu' },
      { key: 'spot', operator: 'Exists' },
    ];
    expectFound([spot, gpu], tolerations).toBeUndefined();
    expectFound([spot, gpu], tolerations.slice(0, 1)).toEqual(spot);
  });

  test('ignores PreferNoSchedule', () => {
    expectFound([rather], []).toBeUndefined();
    expectFound([rather, down], []).toEqual(down);
  });

  test('accepts a pod on a node without taints', () =>
    expectOne(taintToleration, aSchedulingPod(), aSchedulingNode('a')).toBe('Success'));

  test('returns the same reason for every taint, so that such nodes are counted together', () => {
    const on = (...taints: framework.Taint[]) =>
      expectOne(taintToleration, aSchedulingPod(), aSchedulingNode('a', { taints }));
    on(gpu).toBe(untolerated);
    on(spot).toBe(untolerated);
    on(rather, down, gpu).toBe(untolerated);
  });

  test('rejects a pod for NoExecute too', () =>
    expectOne(taintToleration, aSchedulingPod(), aSchedulingNode('a', { taints: [down] })).toBe(untolerated));

  interface TaintsRow {
    readonly pod: PodRow;
    readonly node: NodeRow;
    readonly comparisonOperatorsGate?: boolean;
  }
  // The rows with the gate are not applicable: harness/conformance/not-applicable.json names them, the gate and its release.
  const ungated = ({ input }: { readonly input: TaintsRow }): boolean => !input.comparisonOperatorsGate;
  test.each(table<TaintsRow, { fits: boolean; code?: string }>('taints', 6, ungated))(
    'judges taints as upstream does: %s',
    (_, { input, expect: { fits } }) => {
      const [pod, node] = [podOf(input.pod), nodeOf(input.node)];
      expect(askOne(taintToleration, pod, node), about(pod, [node])).toBe(fits ? 'Success' : untolerated);
    },
  );
});
