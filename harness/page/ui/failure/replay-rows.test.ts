import { describe, expect, test } from 'vitest';
import type { Replay } from '../../../workbook/replay.ts';
import { rowsOf } from './replay-rows.ts';
import { calls, runs } from './replays.fixture.ts';

const linesOf = (replay: Replay): readonly string[] =>
  rowsOf(replay).map(({ how, mine = '–', reference = '–' }) => `${how} ${mine} ${reference}`);

describe('The rows of two runs', () => {
  test('list the learner’s entries until the runs part, and then both side by side', () => {
    expect(linesOf(runs)).toEqual([
      'before 0 –',
      'before 1 –',
      'before 2 –',
      'same 3 3',
      'parts 4 4',
      'violation 5 –',
      'same 6 5',
    ]);
  });

  test('have each entry once', () => {
    const { parting: _, ...without } = runs;
    const rows = rowsOf(without);
    expect(rows.flatMap(({ mine }) => mine ?? [])).toEqual([...runs.mine.keys()]);
    expect(rows.flatMap(({ reference }) => reference ?? [])).toEqual([...runs.reference.keys()]);
  });

  test('keep the order of time if the runs part at different times', () => {
    const reference = runs.reference.map((entry, index) =>
      index === 4 ? { ...entry, atMs: 200_000 } : entry,
    );
    const earlier = { ...runs, reference: [...reference.slice(0, 3), ...reference.slice(4)] };
    const lines = linesOf({ ...earlier, parting: { by: 'act', actor: 'controller', mine: 4, reference: 3 } });
    expect(lines.slice(3)).toEqual(['reference – 3', 'mine 3 –', 'mine 4 –', 'violation 5 –', 'same 6 4']);
  });

  test('compare the answers of calls', () => {
    expect(linesOf(calls)).toEqual(['before 0 –', 'answer 1 1', 'violation 2 –', 'reference – 2']);
  });
});
