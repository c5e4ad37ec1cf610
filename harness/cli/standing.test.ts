import { describe, expect, test } from 'vitest';
import { hashOfKata, type Verdict, writeVerdict } from '../workbook/verdict.ts';
import { ORIGINAL, SmallWorkbook, STUB, WHOLE } from './workbook.fixture.ts';

/** A verdict on two levels and the laws; of each group, how many tests passed, failed, met a todo and were not run. */
function verdict(root: string, ...groups: readonly (readonly [number, number, number, number])[]): Verdict {
  const all = groups.map(([passed, failed, todo, notRun], index) => ({
    name: index < 2 ? `Level ${index + 1} · A` : 'The laws',
    optional: false,
    passed,
    failed,
    todo,
    notRun,
  }));
  return { levels: all.slice(0, 2), laws: all.slice(2), at: hashOfKata(root, '21-counter') };
}

describe('Where a learner is', () => {
  test.each([
    [
      'Level 1 of 2',
      [
        [1, 1, 1, 0],
        [0, 0, 0, 3],
        [0, 0, 0, 2],
      ],
    ],
    [
      'written, red: Level 1',
      [
        [1, 1, 0, 0],
        [0, 0, 0, 3],
        [0, 0, 0, 2],
      ],
    ],
    [
      'Level 2 of 2',
      [
        [2, 0, 0, 0],
        [0, 3, 3, 0],
        [0, 0, 0, 2],
      ],
    ],
    [
      'Level 2 of 2',
      [
        [2, 0, 0, 0],
        [0, 0, 0, 3],
        [0, 0, 0, 2],
      ],
    ],
    [
      'levels green, laws not run yet',
      [
        [2, 0, 0, 0],
        [3, 0, 0, 0],
        [0, 0, 0, 2],
      ],
    ],
    [
      'levels green, laws red',
      [
        [2, 0, 0, 0],
        [3, 0, 0, 0],
        [1, 1, 0, 0],
      ],
    ],
    [
      'done',
      [
        [2, 0, 0, 0],
        [3, 0, 0, 0],
        [2, 0, 0, 0],
      ],
    ],
    [
      'done',
      [
        [0, 2, 2, 0],
        [0, 3, 3, 0],
        [2, 0, 0, 0],
      ],
    ],
  ] as const)('is told by the last run: %s', async (text, groups) => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, WHOLE);
    writeVerdict(workbook.root, '21-counter', verdict(workbook.root, ...groups));
    const { out } = await workbook.kata();
    expect(out.split('\n')[0]?.slice('… 21-counter  '.length)).toBe(text);
  });

  test('is told on the free way, where functions are left that need not be written', async () => {
    using workbook = new SmallWorkbook();
    const kata = 'katas/21-counter/counter';
    const law = "import { component } from '#kata/21-counter/counter';\n";
    workbook.write(`${kata}.test.ts`, "describe('Level 1 · Add', () => new Counter());\n");
    workbook.write(`${kata}.properties.test.ts`, law);
    workbook.write(STUB, `${ORIGINAL}\nexport const component = (): number => 1;\n`);
    expect((await workbook.kata()).out).toContain('… 21-counter  the free way, not run yet\n');
    const told = async (laws: readonly [number, number, number, number]) => {
      const groups = [[0, 0, 0, 2], [0, 0, 0, 1], laws] as const;
      writeVerdict(workbook.root, '21-counter', verdict(workbook.root, ...groups));
      return (await workbook.kata('21')).out;
    };
    expect(await told([1, 1, 0, 0])).toContain('✗ 21-counter  the free way, laws red\n');
    const done = await told([2, 0, 0, 0]);
    expect(done).toContain('✓ 21-counter  done, the free way\n');
    expect(done).toContain('  Level 1 · Add  not taken');
  });

  test('is done with what its laws ask for, and says that something is still to be written', async () => {
    using workbook = new SmallWorkbook();
    const { root } = workbook;
    writeVerdict(root, '21-counter', verdict(root, [2, 0, 0, 0], [0, 0, 0, 3], [2, 0, 0, 0]));
    expect((await workbook.kata()).out).toMatch(
      /^✓ 21-counter {2}done, without ★ {2}\d+ functions to write$/m,
    );
  });

  test('is told with a warning when the code has changed since', async () => {
    using workbook = new SmallWorkbook();
    writeVerdict(
      workbook.root,
      '21-counter',
      verdict(workbook.root, [2, 0, 0, 0], [3, 0, 0, 0], [2, 0, 0, 0]),
    );
    workbook.write(STUB, WHOLE);
    expect((await workbook.kata()).out).toContain('✓ 21-counter  done  changed since its last run');
  });

  test('is told level by level', async () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, WHOLE);
    const some = verdict(workbook.root, [2, 0, 0, 0], [1, 2, 0, 0], [0, 0, 0, 2]);
    const levels = some.levels.map((level, index) => ({
      ...level,
      name: index === 0 ? 'Level 1 · Add' : "Level 2 · The sum of it's parts",
    }));
    writeVerdict(workbook.root, '21-counter', { ...some, levels });
    const { out } = await workbook.kata('21');
    expect(out).toContain('  Level 1 · Add                    green');
    expect(out).toContain("  Level 2 · The sum of it's parts  2 of 3 red");
  });
});
