import { describe, expect, test } from 'vitest';
import { failureIn } from './failure-in.ts';
import { layoutOf } from './replay-layout.ts';
import { entryFor, firstEntry, partingEntries, violatedEntry } from './replay-steps.ts';
import { runs } from './replays.fixture.ts';

const layout = layoutOf(runs, () => true);
const mine = (index: number) => ({ run: 'mine', index }) as const;
const reference = (index: number) => ({ run: 'reference', index }) as const;

describe('The first entry to read', () => {
  test('is the place where the runs part', () => {
    expect(firstEntry(runs)).toEqual(mine(4));
  });

  test('is the earlier one of the two entries', () => {
    const parting = { by: 'act', actor: 'controller', mine: 6, reference: 4 } as const;
    expect(firstEntry({ ...runs, parting })).toEqual(reference(4));
  });

  test('is the last entry before the violation, if the runs never part', () => {
    const { parting: _, ...without } = runs;
    expect(firstEntry(without)).toEqual(violatedEntry(runs));
  });
});

describe('The entries that part the runs', () => {
  test('are one of each run in the same moment', () => {
    expect(partingEntries(runs)).toEqual([mine(4), reference(4)]);
  });

  test('are only the earlier one at different moments', () => {
    const parting = { by: 'act', actor: 'controller', mine: 6, reference: 4 } as const;
    expect(partingEntries({ ...runs, parting })).toEqual([reference(4)]);
  });
});

describe('A key', () => {
  test.each([
    ['ArrowRight', mine(3), mine(4)],
    ['ArrowRight', mine(4), mine(6)],
    ['ArrowRight', mine(6), mine(6)],
    ['ArrowLeft', mine(1), mine(0)],
    ['ArrowLeft', mine(0), mine(0)],
    ['Home', mine(4), mine(0)],
    ['End', reference(3), reference(5)],
    ['ArrowDown', mine(4), reference(4)],
    ['ArrowDown', mine(0), reference(3)],
    ['ArrowUp', reference(5), mine(6)],
    ['ArrowUp', mine(3), mine(3)],
    ['x', mine(3), undefined],
  ] as const)('%s leads from %o to %o', (key, from, to) => {
    expect(entryFor(key, from, layout)).toEqual(to);
  });
});

describe('An address', () => {
  test('names the kata of a failure', () => {
    expect(failureIn('#failure=23')).toBe('23');
    expect([failureIn(''), failureIn('#run=abc'), failureIn('#failure=')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
