import { center, type Rect } from './wires.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The directions of the arrow keys. */
export const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/**
 * Returns the position of the box that an arrow key goes to: the nearest in that direction, where a box straight ahead
 * counts as nearer than a box aside.
 *
 * @returns undefined if no box lies in that direction
 */
export function boxInDirection(boxes: readonly Rect[], from: Rect, direction: Direction): number | undefined {
  const origin = center(from);
  let best: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  boxes.forEach((box, index) => {
    const { x, y } = center(box);
    const [dx, dy] = [x - origin.x, y - origin.y];
    const [ahead, aside] = {
      left: [-dx, gap(from.y, from.height, box.y, box.height)],
      right: [dx, gap(from.y, from.height, box.y, box.height)],
      up: [-dy, gap(from.x, from.width, box.x, box.width)],
      down: [dy, gap(from.x, from.width, box.x, box.width)],
    }[direction] as [number, number];
    if (ahead < 3) return;
    const cost = ahead + 3 * aside + 0.1 * Math.abs(direction === 'left' || direction === 'right' ? dy : dx);
    if (cost < least) [best, least] = [index, cost];
  });
  return best;
}

/** The room between two intervals; 0 if they overlap. */
const gap = (a: number, lengthA: number, b: number, lengthB: number): number =>
  Math.max(0, b - (a + lengthA), a - (b + lengthB));
