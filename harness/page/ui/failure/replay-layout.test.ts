import { describe, expect, test } from 'vitest';
import type { Replay } from '../../../workbook/replay.ts';
import { layoutOf, partingStarts, type RunName, STEP } from './replay-layout.ts';
import { calls, runs } from './replays.fixture.ts';

const all = () => true;
const layout = layoutOf(runs, all);

function placeOf(run: RunName, index: number, of = layout): number {
  const found = of.entries.find((entry) => entry.run === run && entry.index === index);
  return found?.x ?? expect.fail(`Entry ${index} of ${run} has no place.`);
}

describe('The places of two runs', () => {
  test('put entries of one moment side by side, in their order', () => {
    expect(placeOf('mine', 4) - placeOf('mine', 3)).toBe(STEP);
  });

  test('put the same moment of both runs at the same place', () => {
    expect(placeOf('reference', 3)).toBe(placeOf('mine', 3));
    expect(placeOf('reference', 5)).toBe(placeOf('mine', 6));
  });

  test('grow with the time between two moments', () => {
    const spaces = [placeOf('mine', 1) - placeOf('mine', 0), placeOf('mine', 2) - placeOf('mine', 1)];
    expect(spaces[0]).toBeGreaterThan(STEP);
    expect(spaces[1]).toBeGreaterThan(spaces[0] ?? 0);
  });

  test('fold a long silence', () => {
    expect(layout.folds).toMatchObject([{ ms: 299_997 }]);
    expect(layout.width).toBeLessThan(400);
  });

  test('leave the reference out until the runs part', () => {
    const first = Math.min(
      ...layout.entries.flatMap(({ run, index }) => (run === 'reference' ? [index] : [])),
    );
    expect(first).toBe(3);
    expect(layout.referenceX).toBe(placeOf('reference', 3) - STEP / 2);
  });

  test('have a line for the parting and one for the violation', () => {
    expect(layout.partingX).toBe(placeOf('mine', 4) - STEP / 2);
    expect(layout.violationX).toBe(placeOf('mine', 4) + STEP);
    expect(layout.entries.some(({ run, index }) => run === 'mine' && index === 5)).toBe(false);
  });

  test('know the place of any time, also within a fold', () => {
    const [middle, end] = [layout.xAt(150_000), layout.xAt(400_000)];
    expect(middle).toBeGreaterThan(placeOf('mine', 2));
    expect(middle).toBeLessThan(placeOf('mine', 3));
    expect(end).toBeGreaterThan(placeOf('mine', 6));
    expect(end).toBeLessThanOrEqual(layout.width);
  });

  test('leave out the kinds that a reader hides, and keep the violation', () => {
    const some = layoutOf(runs, ({ kind }) => kind === 'call');
    expect(some.entries.map(({ run, index }) => `${run} ${index}`)).toEqual([
      'mine 0',
      'mine 6',
      'reference 5',
    ]);
    expect(some.violationX).toBeDefined();
  });

  test('follow the order of calls, which have no times', () => {
    const order = layoutOf(calls, all);
    expect(placeOf('mine', 1, order) - placeOf('mine', 0, order)).toBe(STEP);
    expect(placeOf('reference', 1, order)).toBe(placeOf('mine', 1, order));
    expect([order.ticks, order.folds]).toEqual([[], []]);
  });

  test('have no line for the violation if the code failed before its history was complete', () => {
    const thrown: Replay = { ...runs, mine: runs.mine.slice(5, 6) };
    expect(layoutOf(thrown, all).violationX).toBeUndefined();
  });
});

describe('The start of the comparison', () => {
  test('is the moment of the earlier one of the two entries', () => {
    const parting = { by: 'act', actor: 'controller', mine: 6, reference: 4 } as const;
    expect(partingStarts({ ...runs, parting })).toEqual({ mine: 3, reference: 3 });
  });

  test('is known from one run, if the other one does nothing more', () => {
    expect(partingStarts({ ...runs, parting: { by: 'act', actor: 'controller', reference: 4 } })).toEqual({
      mine: 3,
      reference: 3,
    });
  });

  test('is the begin of both runs if they never part', () => {
    const { parting: _, ...without } = runs;
    expect(partingStarts(without)).toEqual({ mine: 0, reference: 0 });
  });
});
