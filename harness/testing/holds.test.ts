import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteCaught } from '../contracts/caught.ts';
import { NotImplemented, todo } from '../contracts/todo.ts';
import { holds, lawAbout, type Run, remembering, type Workload } from './holds.ts';
import { configureProperties, defaultRuns, takeEvidence } from './property.ts';

interface Sum extends Run {
  readonly sum: number;
}

const live = async (numbers: readonly number[]): Promise<Sum> => {
  const sum = numbers.reduce((a, b) => a + b, 0);
  return { sum, hash: String(sum), timeline: () => [] };
};
const digits = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 });
const workload = (name: string, min: number, runs?: number): Workload<number[]> => ({
  name,
  scenarios: fc.array(fc.integer({ min, max: min + 9 }), { minLength: 1, maxLength: 4 }),
  ...(runs === undefined ? {} : { runs }),
});

// A law does not fail because of a missing situation if it has fewer runs than usual. And another file of this process may
// have left the settings of a replay.
const settings = fc.readConfigureGlobal();
beforeAll(() => configureProperties({ seed: settings.seed ?? 1, runs: defaultRuns }));
afterAll(() => fc.configureGlobal(settings));

describe('A law', () => {
  const isSmall = ({ sum }: Sum) => (sum < 1_000 ? [] : [{ atMs: 0, message: `${sum} is large` }]);

  test('holds over any scenarios', () => holds(isSmall, digits, live));

  test('is checked in each scenario class, and a failure names the class', async () => {
    await holds(isSmall, [workload('small', 0), workload('larger', 100)], live);
    await expect(holds(isSmall, [workload('small', 0), workload('huge', 1_000)], live)).rejects.toThrow(
      /Scenario "huge", at 0 ms: 1000 is large/,
    );
  });

  test('runs each scenario class as often as the class requires', async () => {
    const gone = { often: 0, seldom: 0 };
    const counted = async (numbers: readonly number[]): Promise<Sum> => {
      gone[(numbers[0] ?? 0) < 100 ? 'often' : 'seldom']++;
      return live(numbers);
    };
    const { numRuns = 100 } = fc.readConfigureGlobal();
    await holds(() => [], [workload('often', 0, 50), workload('seldom', 100)], counted);
    expect(gone).toEqual({ often: Math.ceil(numRuns / 2), seldom: Math.ceil((6 * numRuns) / 100) });
  });

  test('that fails over a remembered run reports the errors caught in that run', async () => {
    const simulate = remembering(async (numbers: readonly number[]) => {
      const sum = await live(numbers);
      noteCaught(new Error(`caught ${sum.sum}`));
      return sum;
    });
    await holds(isSmall, digits, simulate);
    await expect(
      holds(({ sum }) => (sum < 9 ? [] : [{ atMs: 0, message: 'red' }]), digits, simulate),
    ).rejects.toThrow('red');
    expect(takeEvidence().caught).toMatchObject([{ message: 'caught 9', times: 1 }]);
  });

  test('reaches an unwritten function itself, even in a run that another law reached first', async () => {
    const simulate = remembering(async () => todo('00-none', 'sum', 'Level 1'));
    for (let law = 0; law < 2; law++) {
      NotImplemented.last = undefined;
      await expect(holds(isSmall, digits, simulate)).rejects.toThrow('sum is not written yet');
      expect(NotImplemented.last).toBeDefined();
    }
  });

  test('about a situation fails if no run reached it', async () => {
    const about = (least: number) =>
      lawAbout<Sum>({ name: `a sum of ${least}`, isMet: ({ sum }) => sum >= least }, isSmall);
    await holds(about(5), digits, live);
    await expect(holds(about(500), digits, live)).rejects.toThrow(
      'No scenario led to the situation that this law checks: a sum of 500.',
    );
  });

  test('about a situation that no run reached shows a failed attempt', async () => {
    const never = lawAbout<Sum>(
      {
        name: 'a sum of 500',
        isMet: () => false,
        inVain: ({ sum }) => (sum > 9 ? { atMs: 3, message: `${sum} is too small` } : undefined),
      },
      isSmall,
    );
    await expect(holds(never, digits, live)).rejects.toThrow(
      /checks: a sum of 500.* at 3 ms: \d+ is too small$/,
    );
    expect(takeEvidence().timeline).toMatchObject([expect.stringMatching(/^✗ \d+ is too small$/)]);
  });
});
