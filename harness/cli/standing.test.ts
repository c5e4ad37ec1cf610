import { describe, expect, test } from 'vitest';
import { hashOfKata, type Verdict, writeVerdict } from '../workbook/verdict.ts';
import { ORIGINAL, SmallWorkbook, STUB, WHOLE } from './workbook.fixture.ts';

/** A verdict on two levels and the laws. Each group is the numbers of tests that passed, failed, met a todo and did not run. */
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

describe('The progress of a learner', () => {
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
      'written, Level 1 fails',
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
      'levels pass, laws not run yet',
      [
        [2, 0, 0, 0],
        [3, 0, 0, 0],
        [0, 0, 0, 2],
      ],
    ],
    [
      'levels pass, 1 of 2 laws hold',
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
  ] as const)('reflects the last run: %s', async (text, groups) => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, WHOLE);
    writeVerdict(workbook.root, '21-counter', verdict(workbook.root, ...groups));
    const { out } = await workbook.kata();
    expect(out.split('\n')[0]?.slice('… 21-counter  '.length)).toBe(text);
  });

  test('counts laws instead of levels for an own design', async () => {
    using workbook = new SmallWorkbook();
    const kata = 'katas/21-counter/counter';
    const law = "import { component } from '#kata/21-counter/counter';\n";
    workbook.write(`${kata}.test.ts`, "describe('Level 1 · Add', () => new Counter());\n");
    workbook.write(`${kata}.properties.test.ts`, law);
    workbook.write(STUB, `${ORIGINAL}\nexport const component = (): number => 1;\n`);
    expect((await workbook.kata()).out).toContain('… 21-counter  own design, not run yet\n');
    const told = async (laws: readonly [number, number, number, number]) => {
      const groups = [[0, 0, 0, 2], [0, 0, 0, 1], laws] as const;
      writeVerdict(workbook.root, '21-counter', verdict(workbook.root, ...groups));
      return (await workbook.kata('21')).out;
    };
    expect(await told([1, 1, 0, 0])).toContain('✗ 21-counter  own design, 1 of 2 laws hold\n');
    const done = await told([2, 0, 0, 0]);
    expect(done).toContain('✓ 21-counter  done, own design\n');
    expect(done).toContain('  Level 1 · Add  skipped');
  });

  test('counts as done without the functions that no law needs', async () => {
    using workbook = new SmallWorkbook();
    const { root } = workbook;
    writeVerdict(root, '21-counter', verdict(root, [2, 0, 0, 0], [0, 0, 0, 3], [2, 0, 0, 0]));
    expect((await workbook.kata()).out).toMatch(
      /^✓ 21-counter {2}done, without ★ {2}\d+ functions to write$/m,
    );
  });

  test('has a warning if the code has changed since the last run', async () => {
    using workbook = new SmallWorkbook();
    writeVerdict(
      workbook.root,
      '21-counter',
      verdict(workbook.root, [2, 0, 0, 0], [3, 0, 0, 0], [2, 0, 0, 0]),
    );
    workbook.write(STUB, WHOLE);
    expect((await workbook.kata()).out).toContain('✓ 21-counter  done  changed since its last run');
  });

  test('begins again after a reset of a finished kata', async () => {
    using workbook = new SmallWorkbook();
    const { root } = workbook;
    workbook.write(STUB, WHOLE);
    writeVerdict(root, '21-counter', verdict(root, [2, 0, 0, 0], [3, 0, 0, 0], [2, 0, 0, 0]));
    await workbook.kata('reset', '21', '--force');
    expect((await workbook.kata()).out).toContain('· 21-counter  not started  3 functions to write\n');
  });

  test('appears level by level', async () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, WHOLE);
    const some = verdict(workbook.root, [2, 0, 0, 0], [1, 2, 0, 0], [0, 0, 0, 2]);
    const levels = some.levels.map((level, index) => ({
      ...level,
      name: index === 0 ? 'Level 1 · Add' : "Level 2 · The sum of it's parts",
    }));
    writeVerdict(workbook.root, '21-counter', { ...some, levels });
    const { out } = await workbook.kata('21');
    expect(out).toContain('  Level 1 · Add                    passes');
    expect(out).toContain("  Level 2 · The sum of it's parts  2 of 3 fail");
  });
});
