import { describe, expect, test } from 'vitest';
import { boxInDirection, type Direction } from './spatial-focus.ts';
import type { Rect } from './wires.ts';

/** Two columns of two boxes, and one wide box above. */
const boxes: readonly Rect[] = [
  { x: 0, y: 0, width: 210, height: 20 },
  { x: 0, y: 40, width: 100, height: 20 },
  { x: 0, y: 70, width: 100, height: 20 },
  { x: 110, y: 40, width: 100, height: 20 },
  { x: 110, y: 70, width: 100, height: 20 },
];

const go = (from: number, direction: Direction) =>
  boxInDirection(boxes, boxes[from] ?? { x: 0, y: 0, width: 0, height: 0 }, direction);

describe('An arrow key', () => {
  test('goes to the neighbour in its direction', () => {
    expect([go(1, 'right'), go(1, 'down'), go(4, 'left'), go(4, 'up')]).toEqual([3, 2, 2, 3]);
  });

  test('reaches a wide box from each box below', () => {
    expect([go(1, 'up'), go(3, 'up')]).toEqual([0, 0]);
  });

  test('stays where nothing lies ahead', () => {
    expect([go(0, 'up'), go(4, 'down'), go(3, 'right')]).toEqual([undefined, undefined, undefined]);
  });
});
