import { describe, expect, test } from 'vitest';
import { todosIn } from '../workbook/stub.ts';
import { hashOfKata, writeVerdict } from '../workbook/verdict.ts';
import { HALF, ORIGINAL, SmallWorkbook, STUB, WHOLE } from './workbook.fixture.ts';

const SOLVED = ORIGINAL.replace(/(?:return )?todo\([^)]*\);/g, 'return this.n; // theirs');
const TESTS = "describe('Level 1 · Add', () => {});\ndescribe('Level 2 · Sum', () => {});\n";

/** Returns a workbook with katas 21 to 24 and their references. */
function workbookOfFour(): SmallWorkbook {
  const workbook = new SmallWorkbook();
  for (const id of ['22-twice', '23-thrice', '24-often']) {
    workbook.write(`katas/${id}/counter.ts`, ORIGINAL.replaceAll('21-counter', id));
    workbook.write(`katas/${id}/counter.test.ts`, TESTS);
  }
  for (const id of ['21-counter', '22-twice', '23-thrice', '24-often'])
    workbook.write(`solutions/${id}/counter.ts`, SOLVED);
  workbook.commit();
  return workbook;
}

const NOW = "3 functions now have the reference's code";
const AFTER = [
  '',
  'To undo it for a kata: npm run kata -- reset 21',
  'Read katas/24-often/README.md, and run',
  '  npx vitest katas/24-often',
];

describe('npm run kata -- catch-up', () => {
  test("fills the reference's code into every todo of all earlier katas", async () => {
    using workbook = workbookOfFour();
    const { code, out, err } = await workbook.kata('catch-up', '24');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      `✓ 21-counter  ${NOW}`,
      `✓ 22-twice    ${NOW}`,
      `✓ 23-thrice   ${NOW}`,
      ...AFTER,
    ]);
    expect(workbook.read(STUB)).toContain('return this.n; // theirs');
    for (const id of ['21-counter', '22-twice', '23-thrice'])
      expect(todosIn(workbook.read(`katas/${id}/counter.ts`)), id).toEqual([]);
    expect(todosIn(workbook.read('katas/24-often/counter.ts'))).toHaveLength(3);
  });

  test('is undone by reset', async () => {
    using workbook = workbookOfFour();
    await workbook.kata('catch-up', '24');
    expect((await workbook.kata('reset', '21', '--force')).code).toBe(0);
    expect(workbook.read(STUB)).toBe(ORIGINAL);
  });

  test("keeps the learner's code, and saves the old file", async () => {
    using workbook = workbookOfFour();
    const mine = `${ORIGINAL}\nexport const mine = 1;\n`;
    workbook.write(STUB, mine);
    const { out } = await workbook.kata('catch-up', '24');
    expect(workbook.read(STUB)).toContain('export const mine = 1;');
    const [, kept = ''] = /The previous file: git cat-file -p ([0-9a-f]{12})$/m.exec(out) ?? [];
    expect(workbook.show(kept)).toBe(mine);
  });

  test('leaves a half-written class as it is, names it, and fills in the other katas', async () => {
    using workbook = workbookOfFour();
    const half = HALF.replaceAll('21-counter', '22-twice');
    workbook.write('katas/22-twice/counter.ts', half);
    const { code, out } = await workbook.kata('catch-up', '24');
    expect(code).toBe(0);
    const [first, second, third] = out.split('\n');
    expect([first, third]).toEqual([`✓ 21-counter  ${NOW}`, `✓ 23-thrice   ${NOW}`]);
    expect(second).toMatch(
      /^✗ 22-twice {4}Failed to fill in 22-twice: you have written a part of Counter, .* Nothing was changed\.$/,
    );
    expect(workbook.read('katas/22-twice/counter.ts')).toBe(half);
  });

  test('leaves the katas that come last on the path, whatever their number', async () => {
    using workbook = workbookOfFour();
    const late = ORIGINAL.replaceAll('21-counter', '13-late');
    workbook.write('katas/13-late/counter.ts', late);
    workbook.write('katas/13-late/counter.test.ts', '');
    workbook.commit();
    const { out } = await workbook.kata('catch-up', '22');
    expect(out.split('\n').slice(0, 2)).toEqual([`✓ 21-counter  ${NOW}`, '']);
    expect(workbook.read('katas/13-late/counter.ts')).toBe(late);
  });

  test('leaves finished and written katas as they are', async () => {
    using workbook = workbookOfFour();
    workbook.write('katas/22-twice/counter.ts', WHOLE);
    const laws = [{ name: 'The laws', optional: false, passed: 1, failed: 0, notRun: 0, todo: 0 }];
    const at = hashOfKata(workbook.root, '21-counter');
    writeVerdict(workbook.root, '21-counter', { levels: [], laws, at });
    const { out } = await workbook.kata('catch-up', '23');
    expect(out.split('\n').slice(0, 3)).toEqual(['✓ 21-counter  done', '✓ 22-twice    already written', '']);
    expect(workbook.read(STUB)).toBe(ORIGINAL);
  });

  test('makes next begin with the kata, not with the katas that it filled in', async () => {
    using workbook = workbookOfFour();
    await workbook.kata('catch-up', '24');
    expect((await workbook.kata('next')).out).toContain('Kata 4 of 4\nBegin with katas/24-often/README.md');
    const [first] = (await workbook.kata()).out.split('\n');
    expect(first).toBe('… 21-counter  filled in, not run yet');
    workbook.write(STUB, `${workbook.read(STUB)}// mine\n`);
    expect((await workbook.kata('next')).out).toContain('You left off at 21-counter:');
  });

  test('fails if it could fill in no kata', async () => {
    using workbook = workbookOfFour();
    workbook.write(STUB, HALF);
    const { code, out, err } = await workbook.kata('catch-up', '22');
    expect(code).toBe(1);
    expect(out).toMatch(
      /^✗ 21-counter {2}Failed to fill in 21-counter: you have written a part of Counter, /,
    );
    expect(err).toBe(
      'Failed to catch up with 22-twice: no kata could be filled in. The lines above name the reasons.',
    );
    workbook.remove(STUB);
    expect((await workbook.kata('catch-up', '22')).out).toContain(
      `Failed to fill in 21-counter: ${STUB} does not exist. npm run kata -- reset 21 restores it.`,
    );
  });

  test('rejects the first kata', async () => {
    using workbook = workbookOfFour();
    expect((await workbook.kata('catch-up', '21')).err).toBe(
      'Failed to catch up with 21-counter: no kata is before it. Begin it: npx vitest katas/21-counter.',
    );
  });
});
