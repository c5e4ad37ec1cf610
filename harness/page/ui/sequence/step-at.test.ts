import { describe, expect, test } from 'vitest';
import type { SequenceDiagram } from '../../../drawing/sequence/diagram.ts';
import { stepAt, stepFor } from './step-at.ts';

const diagram = {
  participants: [],
  steps: [5, 7, 7, 20].map((atMs) => ({ atMs })),
} as unknown as SequenceDiagram;

describe('The step at a time', () => {
  test.each([
    [4, undefined],
    [5, 0],
    [19, 2],
    [999, 3],
  ])('at %d ms is %s', (nowMs, index) => {
    expect(stepAt(diagram, nowMs)).toBe(index);
  });
});

describe('A key', () => {
  test.each([
    ['ArrowDown', undefined, 0],
    ['ArrowDown', 1, 2],
    ['ArrowDown', 3, 3],
    ['ArrowUp', undefined, 3],
    ['ArrowUp', 0, 0],
    ['Home', 2, 0],
    ['End', 2, 3],
    ['x', 2, undefined],
  ])('%s after step %s chooses %s', (key, chosen, next) => {
    expect(stepFor(key, chosen, 4)).toBe(next);
  });

  test('chooses nothing in an empty diagram', () => {
    expect(stepFor('ArrowDown', undefined, 0)).toBeUndefined();
  });
});
