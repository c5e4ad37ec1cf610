import { describe, expect, test } from 'vitest';
import { CONDITION_TAINTS, EXECUTE_TAINTS } from '#given/61-node-lifecycle';
import type { core } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { taintChanges, taintsByCondition } from '#kata/61-node-lifecycle/node-lifecycle';
import { aNode, type NodeParts } from './objects.fixture.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';

const taint = (key: string, effect = 'NoSchedule'): core.Taint => ({ key, effect });

describe('Level 2 · Taints follow conditions', () => {
  interface Conditions {
    readonly conditions: readonly core.NodeCondition[];
  }
  test.each(
    named(
      vectors<Conditions, { readonly noScheduleTaints: readonly string[] }>(
        'node-lifecycle',
        'conditionTaints',
        3,
      ),
    ),
  )('agrees with Kubernetes: %s', (_, { input, expect: { noScheduleTaints } }) => {
    const found = taintsByCondition(aNode('node-1', { ready: null, conditions: input.conditions }));
    const wanted = noScheduleTaints.map((key) => taint(key));
    expect(found, ruleFor('taints by condition', input)).toEqual(expect.arrayContaining(wanted));
    expect(found).toHaveLength(wanted.length);
  });

  test('distinguishes a node that reports a problem from a node that reports nothing', () => {
    const keys = (parts: NodeParts) => taintsByCondition(aNode('node-1', parts)).map(({ key }) => key);
    expect(keys({ ready: 'True' })).toEqual([]);
    expect(keys({ ready: 'False' })).toEqual([NOT_READY]);
    expect(keys({ ready: 'Unknown' })).toEqual([UNREACHABLE]);
    expect(keys({ ready: null }), 'no condition Ready').toEqual([]);
  });

  test('ignores pressure that is False or Unknown', () => {
    const conditions = [
      { type: 'MemoryPressure', status: 'Unknown' },
      { type: 'DiskPressure', status: 'False' },
      { type: 'PIDPressure', status: 'True' },
    ];
    expect(taintsByCondition(aNode('node-1', { conditions }))).toEqual([
      taint('node.kubernetes.io/pid-pressure'),
    ]);
  });

  test('taints a cordoned node', () => {
    const cordoned = aNode('node-1', { unschedulable: true });
    expect(taintsByCondition(cordoned)).toEqual([taint('node.kubernetes.io/unschedulable')]);
  });

  test('adds the missing taints, and removes the outdated ones', () => {
    const node = aNode('node-1', { taints: [taint(UNREACHABLE), taint('node.kubernetes.io/disk-pressure')] });
    const wanted = [taint(NOT_READY), taint('node.kubernetes.io/disk-pressure')];
    expect(taintChanges(node, wanted, CONDITION_TAINTS)).toEqual({
      add: [taint(NOT_READY)],
      remove: [taint(UNREACHABLE)],
    });
  });

  test('changes nothing if the node has the wanted taints, whatever their time', () => {
    const timeAdded = '2024-04-17T00:00:10Z';
    const node = aNode('node-1', { taints: [{ ...taint(NOT_READY), timeAdded }] });
    expect(taintChanges(node, [taint(NOT_READY)], CONDITION_TAINTS)).toEqual({ add: [], remove: [] });
  });

  test('leaves the taints of others alone: another key, or another effect', () => {
    const taints = [
      taint('gpu'),
      taint(NOT_READY, 'NoExecute'),
      taint('node.kubernetes.io/disk-pressure', 'NoExecute'),
    ];
    const node = aNode('node-1', { taints });
    expect(taintChanges(node, [], CONDITION_TAINTS), 'managed: NoSchedule').toEqual({ add: [], remove: [] });
    expect(taintChanges(node, [], EXECUTE_TAINTS), 'managed: NoExecute').toEqual({
      add: [],
      remove: [taint(NOT_READY, 'NoExecute')],
    });
    expect(
      taintChanges(node, [taint(NOT_READY)], CONDITION_TAINTS).add,
      'a taint with another effect is another taint',
    ).toEqual([taint(NOT_READY)]);
  });
});
