import { describe, expect, test } from 'vitest';
import { densityOf } from './density.ts';

/** The area of the nodes on a screen of 1280 × 800. */
const area = { width: 700, height: 400 };

describe('Nodes and pods', () => {
  test('have a line a pod with 3 nodes and 30 pods', () => {
    expect(densityOf({ ...area, nodes: 3, pods: 12 })).toMatchObject({ columns: 3, rows: 1, pods: 'rows' });
  });

  test('are brief when a line for taints takes the room of a pod', () => {
    const options = { ...area, nodes: 3, pods: 12 };
    expect(densityOf(options)).toMatchObject({ pods: 'rows', isBrief: false, podsMax: 12 });
    expect(densityOf({ ...options, hasTaints: true })).toMatchObject({ pods: 'rows', isBrief: true });
  });

  test('have chips with 3 nodes and 60 pods', () => {
    expect(densityOf({ ...area, nodes: 3, pods: 22 })).toMatchObject({ columns: 3, pods: 'chips' });
  });

  test('have chips and brief heads when a drawer leaves half of the height', () => {
    expect(densityOf({ width: 700, height: 170, nodes: 3, pods: 12 })).toMatchObject({
      pods: 'chips',
      isBrief: true,
    });
  });

  test('have cells with 30 nodes and 300 pods, and room for all', () => {
    const density = densityOf({ ...area, nodes: 30, pods: 16 });
    expect(density.pods).toBe('cells');
    expect(density.podsMax).toBeGreaterThanOrEqual(16);
    expect(density.columns * density.rows).toBeGreaterThanOrEqual(30);
  });

  test('count the pods that have no room', () => {
    const density = densityOf({ ...area, nodes: 30, pods: 4000 });
    expect(density.pods).toBe('cells');
    expect(density.podsMax).toBeLessThan(4000);
  });

  test('stand below each other in a narrow window', () => {
    const density = densityOf({ width: 370, height: 1200, nodes: 3, pods: 10 });
    expect(density).toMatchObject({ columns: 1, rows: 3, pods: 'rows' });
  });

  test.each([
    [1, 0],
    [1, 110],
    [5, 3],
    [100, 1],
  ])('have a place for each of %d nodes with %d pods', (nodes, pods) => {
    const { columns, rows } = densityOf({ ...area, nodes, pods });
    expect(columns * rows).toBeGreaterThanOrEqual(nodes);
  });
});
