import { describe, expect, test } from 'vitest';
import type { NodeVerdict, SchedulingTable } from '../drawing/scheduling-table.ts';
import { renderSchedulingTable } from './scheduling-lines.ts';

const fits = (node: string, taints: number, fit: number): NodeVerdict => ({
  node,
  rejections: [],
  scores: [
    { plugin: 'TaintToleration', score: taints, weight: 3, weighted: 3 * taints },
    { plugin: 'NodeResourcesFit', score: fit, weight: 1, weighted: fit },
  ],
  total: 3 * taints + fit,
});
const full: NodeVerdict = {
  node: 'node-10',
  rejections: [{ plugin: 'NodeResourcesFit', reasons: 'Insufficient cpu, Insufficient memory' }],
  scores: [],
};

const rendered = (table: Partial<SchedulingTable>, bound?: string): readonly string[] =>
  renderSchedulingTable(
    { atMs: 112, scheduler: 'default-scheduler', pod: 'pods/default/web', best: [], nodes: [], ...table },
    { sinceMs: 100, bound },
  );

describe('The table of a decision', () => {
  test('has each score, its weight and the total, the best node first', () => {
    expect(rendered({ best: ['b'], nodes: [fits('a', 0, 90), fits('b', 100, 63), full] }, 'b')).toEqual([
      'pods/default/web at 12 ms: bound to b',
      '         Taint          Node',
      'node     Toleration     ResourcesFit  total',
      'b        100 × 3 = 300  63              363  ◀',
      'a        0 × 3 = 0      90               90',
      'node-10  ✗ NodeResourcesFit: Insufficient cpu, Insufficient memory',
    ]);
  });

  test('has the filters alone if no node fits', () => {
    expect(rendered({ nodes: [full] })).toEqual([
      'pods/default/web at 12 ms: fits on no node',
      'node-10  ✗ NodeResourcesFit: Insufficient cpu, Insufficient memory',
    ]);
  });

  test('names the best nodes of a pod that is not bound', () => {
    expect(rendered({ best: ['a', 'b'], nodes: [fits('a', 1, 1), fits('b', 1, 1)] })[0]).toBe(
      'pods/default/web at 12 ms: fits best on a or b',
    );
  });
});
