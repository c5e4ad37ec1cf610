import { describe, expect, test } from 'vitest';
import type { framework } from '#harness';
import { nodeName, nodeUnschedulable, toleratesTaint } from '#kata/31-filter/filter';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '#laws/scheduling';
import { type NodeRow, nodeOf, type PodRow, podOf } from './rows.fixture.ts';
import { table } from './tables.fixture.ts';
import { ask, expectOne, inLine } from './verdicts.fixture.ts';

describe('Level 1 · Name and unschedulable', () => {
  const OTHER_NAME = "UnschedulableAndUnresolvable: node(s) didn't match the requested node name";
  const CORDONED = 'UnschedulableAndUnresolvable: node(s) were unschedulable';

  test('accepts a pod without nodeName on every node', () => {
    expectOne(nodeName, aSchedulingPod(), aSchedulingNode('a')).toBe('Success');
    expectOne(nodeName, aSchedulingPod({ nodeName: '' }), aSchedulingNode('a')).toBe('Success');
  });

  test('accepts a pod with nodeName on that node only', () => {
    const said = ask(
      nodeName,
      aSchedulingPod({ nodeName: 'b' }),
      aSnapshot(['a', 'b', 'bb'].map((name) => aSchedulingNode(name))),
    );
    expect(said).toEqual({ a: OTHER_NAME, b: 'Success', bb: OTHER_NAME });
  });

  interface OneRow {
    readonly pod: PodRow;
    readonly node: NodeRow;
  }
  interface Fits {
    readonly fits: boolean;
    readonly code?: framework.Code;
  }
  test.each(table<OneRow, Fits>('nodeName', 2))('compares the name as upstream does: %s', (_, row) => {
    const [pod, node] = [podOf(row.input.pod), nodeOf(row.input.node)];
    expectOne(nodeName, pod, node).toBe(row.expect.fits ? 'Success' : OTHER_NAME);
  });

  const taint: framework.Taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
  test.each<[string, framework.Toleration, framework.Taint, boolean]>([
    [
      'all the same',
      { key: 'dedicated', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' },
      taint,
      true,
    ],
    ['another key', { key: 'reserved', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' }, taint, false],
    ['another value', { key: 'dedicated', operator: 'Equal', value: 'cpu' }, taint, false],
    ['another effect', { key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }, taint, false],
    ['no operator, which is Equal', { key: 'dedicated', value: 'gpu' }, taint, true],
    ['no operator, and another value', { key: 'dedicated', value: 'cpu' }, taint, false],
    ['an empty operator, which is none', { key: 'dedicated', operator: '', value: 'gpu' }, taint, true],
    ['no operator and no value', { key: 'dedicated' }, taint, false],
    ['no effect, which is every effect', { key: 'dedicated', operator: 'Exists' }, taint, true],
    ['an empty effect, which is none', { key: 'dedicated', operator: 'Exists', effect: '' }, taint, true],
    ['Exists, whatever the value', { key: 'dedicated', operator: 'Exists' }, { ...taint, value: 'x' }, true],
    ['Exists, and another key', { key: 'reserved', operator: 'Exists' }, taint, false],
    ['no key and Exists, which is everything', { operator: 'Exists' }, taint, true],
    ['no key and Exists, for one effect', { operator: 'Exists', effect: 'NoExecute' }, taint, false],
    ['an empty key, which is none', { key: '', operator: 'Exists' }, taint, true],
    ['neither has a value', { key: 'spot', operator: 'Equal' }, { key: 'spot', effect: 'NoSchedule' }, true],
    ['an empty value and none', { key: 'spot', value: '' }, { key: 'spot', effect: 'NoSchedule' }, true],
    ['Exists, whatever its own value', { key: 'dedicated', operator: 'Exists', value: 'x' }, taint, true],
    ['no key, Equal, and the value', { operator: 'Equal', value: 'gpu' }, taint, true],
    ['no key, Equal, and another value', { operator: 'Equal', value: 'cpu' }, taint, false],
    ['an operator that does not exist', { key: 'dedicated', operator: 'In', value: 'gpu' }, taint, false],
  ])('decides whether a toleration tolerates a taint: %s', (_, toleration, on, tolerates) => {
    const message = `${inLine(toleration)} tolerates ${inLine(on)}`;
    expect(toleratesTaint(toleration, on), message).toBe(tolerates);
  });

  test.each(table<OneRow, Fits>('nodeUnschedulable', 2))(
    'treats a cordoned node as upstream does: %s',
    (_, row) => {
      const [pod, node] = [podOf(row.input.pod), nodeOf(row.input.node)];
      expectOne(nodeUnschedulable, pod, node).toBe(row.expect.fits ? 'Success' : CORDONED);
    },
  );

  test('accepts a pod on a node without spec.unschedulable', () =>
    expectOne(nodeUnschedulable, aSchedulingPod(), aSchedulingNode('a')).toBe('Success'));

  const key = 'node.kubernetes.io/unschedulable';
  test.each<[string, readonly framework.Toleration[], boolean]>([
    ['its taint', [{ key, operator: 'Exists', effect: 'NoSchedule' }], true],
    ['its taint, whatever the effect', [{ key, operator: 'Exists' }], true],
    ['its taint by its value, which is empty', [{ key, effect: 'NoSchedule' }], true],
    [
      'its taint, among others',
      [
        { key: 'other', operator: 'Exists' },
        { key, operator: 'Exists' },
      ],
      true,
    ],
    ['everything', [{ operator: 'Exists' }], true],
    ['something else', [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }], false],
    ['its taint, but with another effect', [{ key, operator: 'Exists', effect: 'NoExecute' }], false],
    ['its taint, but with another value', [{ key, operator: 'Equal', value: 'true' }], false],
  ])('decides on a cordoned node whether the pod tolerates it: %s', (_, tolerations, goes) => {
    const pod = aSchedulingPod({ spec: { tolerations: [...tolerations] } });
    expectOne(nodeUnschedulable, pod, aSchedulingNode('a', { unschedulable: true })).toBe(
      goes ? 'Success' : CORDONED,
    );
  });

  test('ignores the taints of the node', () => {
    const tainted = aSchedulingNode('a', { taints: [{ key, effect: 'NoSchedule' }] });
    expectOne(nodeUnschedulable, aSchedulingPod(), tainted).toBe('Success');
    expectOne(nodeName, aSchedulingPod(), tainted).toBe('Success');
  });
});
