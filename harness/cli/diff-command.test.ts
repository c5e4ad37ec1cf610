import { describe, expect, test } from 'vitest';
import { hashOfKata, writeVerdict } from '../workbook/verdict.ts';
import { HALF, SmallWorkbook, STUB, WHOLE } from './workbook.fixture.ts';

const REFERENCE = WHOLE.replace('this.n += 1; // mine', '// One more.\n    this.n += 2;')
  .replace('return this.n; // mine', 'return this.n; // theirs')
  .replace('drain(): number {', 'drain(): number {\n    this.emptied = true;');

interface Written {
  /** The learner's file. @defaultValue every function is written */
  readonly stub?: string;
  /** The numbers of the levels whose tests pass. */
  readonly passing: readonly number[];
}

/** Returns a workbook with a reference, whose tests have run. */
function written({ stub = WHOLE, passing }: Written): SmallWorkbook {
  const workbook = new SmallWorkbook();
  const { root } = workbook;
  workbook.write(STUB, stub);
  workbook.write('solutions/21-counter/counter.ts', REFERENCE);
  const levels = ['Level 1 · Add', "Level 2 · The sum of it's parts"].map((name, index) => {
    const failed = passing.includes(index + 1) ? 0 : 1;
    return { name, optional: false, passed: 1 - failed, failed, notRun: 0, todo: 0 };
  });
  writeVerdict(root, '21-counter', { levels, laws: [], at: hashOfKata(root, '21-counter') });
  return workbook;
}

const ADD = [
  'Counter.add  - katas/21-counter/counter.ts  + solutions/21-counter/counter.ts:5',
  '',
  '    add(_n: number): void {',
  '-     this.n += 1; // mine',
  '+     this.n += 2;',
  '    }',
];
const DRAIN = [
  'Counter.drain  - katas/21-counter/counter.ts  + solutions/21-counter/counter.ts:14',
  '',
  '    drain(): number {',
  '+     this.emptied = true;',
  '      return this.n; // mine',
  '    }',
];
const notPassed = 'Not shown, because their tests have not passed for this code';

describe('npm run kata -- diff', () => {
  test('shows the lines that differ between a function and the reference, without lines of comment', async () => {
    using workbook = written({ passing: [1] });
    const { code, out } = await workbook.kata('diff', '21', 'Counter.add');
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual(ADD);
  });

  test('finds no difference in comments and spaces', async () => {
    const stub = WHOLE.replace(
      'return this.n; // mine',
      '\treturn   this.n;\n\n    /* the sum\n       of all */',
    );
    using workbook = written({ stub, passing: [1, 2] });
    expect((await workbook.kata('diff', '21', 'Counter.sum')).out).toBe(
      'Equal to the reference, apart from comments and spaces: Counter.sum.',
    );
  });

  test('shows every function that differs, in order, if no function is named', async () => {
    using workbook = written({ passing: [1, 2] });
    expect((await workbook.kata('diff', '21')).out.split('\n')).toEqual([
      ...ADD,
      '',
      ...DRAIN,
      '',
      'Equal to the reference, apart from comments and spaces: Counter.sum.',
    ]);
  });

  test('names the functions whose tests have not passed, and hides their answer', async () => {
    using workbook = written({ passing: [1] });
    expect((await workbook.kata('diff', '21')).out.split('\n')).toEqual([
      ...ADD,
      '',
      `${notPassed}: Counter.sum, Counter.drain.`,
    ]);
  });

  test('shows the answer of a failing level with --give-up, and says so', async () => {
    using workbook = written({ passing: [1] });
    expect((await workbook.kata('diff', '21', 'Counter.drain', '--give-up')).out.split('\n')).toEqual([
      'You give up on functions whose tests have not passed for this code: Counter.drain.',
      '',
      ...DRAIN,
    ]);
    const { out } = await workbook.kata('diff', '21', '--give-up');
    expect(out.split('\n')[0]).toMatch(/^You give up on .*: Counter\.sum, Counter\.drain\.$/);
    expect(out).toContain(ADD.join('\n'));
  });

  test('names the functions that the learner has removed', async () => {
    const stub = WHOLE.replace(/ {2}sum\(\)[\s\S]*?\n {2}\}\n/, '');
    using workbook = written({ stub, passing: [1, 2] });
    expect((await workbook.kata('diff', '21')).out).toContain(
      `Missing in ${STUB} or in the reference: Counter.sum.`,
    );
  });

  const next = 'and run npx vitest katas/21-counter. Or add --give-up to see the reference now.';
  test.each([
    [
      'Counter.sum',
      `show the diff of Counter.sum: the tests of Level 2 have not passed for this code. Write it, ${next}`,
    ],
    [
      'Counter.nope',
      'show the diff of Counter.nope: 21-counter has no such function. Its functions: Counter.add, Counter.sum, Counter.drain.',
    ],
  ])('does not show %s', async (symbol, why) => {
    using workbook = written({ stub: HALF, passing: [1] });
    const { code, out, err } = await workbook.kata('diff', '21', symbol);
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: `Failed to ${why}` });
  });

  test('shows nothing if the code has changed since its tests passed', async () => {
    using workbook = written({ passing: [1, 2] });
    workbook.write(STUB, `${WHOLE}\n`);
    expect((await workbook.kata('diff', '21')).err).toBe(
      `Failed to show the diff of 21-counter: the tests of no level have passed for this code. Write a level, ${next}`,
    );
  });
});
