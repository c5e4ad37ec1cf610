import { describe, expect, test } from 'vitest';
import { hashOfKata, writeVerdict } from '../workbook/verdict.ts';
import { HALF, SmallWorkbook, STUB } from './workbook.fixture.ts';

const REFERENCE = HALF.replace('this.n += 1; // mine', 'this.n += 1; // theirs');

/** Returns a workbook with Level 1 written, whose tests had this result. */
function writtenTo(failed: number): SmallWorkbook {
  const workbook = new SmallWorkbook();
  const { root } = workbook;
  workbook.write(STUB, HALF);
  workbook.write('solutions/21-counter/counter.ts', REFERENCE);
  const name = 'Level 1 · Add';
  const levels = [{ name, optional: false, passed: 1 - failed, failed, notRun: 0, todo: 0 }];
  writeVerdict(root, '21-counter', { levels, laws: [], at: hashOfKata(root, '21-counter') });
  return workbook;
}

describe('npm run kata -- compare', () => {
  test("shows the learner's function and the reference's", async () => {
    using workbook = writtenTo(0);
    const { code, out } = await workbook.kata('compare', '21', 'Counter.add');
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'Yours, in katas/21-counter/counter.ts:',
      '',
      '  add(_n: number): void {',
      '    this.n += 1; // mine',
      '  }',
      '',
      'The reference, in solutions/21-counter/counter.ts:',
      '',
      '  add(_n: number): void {',
      '    this.n += 1; // theirs',
      '  }',
    ]);
  });

  test.each([
    [
      'Counter.sum',
      /^Failed to compare Counter\.sum: the tests of Level 2 have not passed for this code\. Write it/,
    ],
    [
      'Counter.nope',
      /^Failed to compare Counter\.nope: 21-counter has no such function\. Its functions: Counter\.add, /,
    ],
  ])('does not show %s', async (symbol, err) => {
    using workbook = writtenTo(0);
    expect(await workbook.kata('compare', '21', symbol)).toMatchObject({
      code: 1,
      err: expect.stringMatching(err),
    });
  });

  test('does not show the answer of a level that fails', async () => {
    using workbook = writtenTo(1);
    const { err } = await workbook.kata('compare', '21', 'Counter.add');
    expect(err).toContain('the tests of Level 1 have not passed for this code');
  });
});
