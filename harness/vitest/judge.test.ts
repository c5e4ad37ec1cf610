import { describe, expect, test } from 'vitest';
import { applyEdits, speaksOf } from '../testing/mistakes.ts';
import { outcomes, runFixture } from './fixtures/run-fixture.ts';

const args = ['--project', 'mistakes', '--reporter', 'verbose'];

describe('A replay', () => {
  test.concurrent('fails where no recorded kill happens again, and names the command that records one', async ({
    expect,
  }) => {
    const { exitCode, output } = await runFixture('misjudged', args, { KATA_STALL_MS: '800' });
    expect(outcomes(output).filter((line) => line.includes('its mistakes'))).toEqual([
      '× 01-counter, its mistakes > ambiguous is killed by "Level 1"',
      '× 01-counter, its mistakes > broken is killed by "Level 1"',
      '× 01-counter, its mistakes > drifted is killed by "Level 1"',
      '× 01-counter, its mistakes > each edit applies to the reference',
      '× 01-counter, its mistakes > killed-by-another is killed by "Vacuous"',
      '× 01-counter, its mistakes > nameless is killed by "Level 3"',
      '× 01-counter, its mistakes > spins-without-notice is killed by "Level 1"',
      '× 01-counter, its mistakes > survivor is killed by "Level 1"',
      '✓ 01-counter, its mistakes > its signatures, if it has any, fit its mistakes',
      '✓ 01-counter, its mistakes > killed is killed by "Level 1"',
    ]);
    expect(output).toContain(
      'No kill by "Vacuous" is recorded. npm run judge -- --record 01 makes the record anew.',
    );
    expect(output).toContain(
      'killed it on seed 20240, and kills it no longer. npm run judge -- --record 01 makes',
    );
    expect(exitCode).toBe(1);
  });
});

describe('A law', () => {
  test('matches the tests whose names contain it, up to the end of a word', () => {
    expect(speaksOf('Level 1', 'Level 1 · Indexer > adds')).toBe(true);
    expect(speaksOf('Level 1', 'Level 10 · housekeeping > reaps')).toBe(false);
    expect(speaksOf('No ghosts', 'No ghosts: what was deleted in a gap is reported')).toBe(true);
    expect(speaksOf('a', 'ab and a')).toBe(true);
  });
});

describe('An edit', () => {
  const sources = new Map([
    ['a.ts', 'let a = 1;\nlet b = $1;'],
    ['c.ts', 'let c = 1;'],
  ]);
  const apply = (...edits: readonly (readonly [string, string])[]) => applyEdits(sources, { id: 'x', edits });

  test('changes the one file with its anchor', () => {
    expect([...apply(['let c', 'let d'])]).toEqual([['c.ts', 'let d = 1;']]);
  });

  test('applies after earlier edits', () => {
    expect(apply(['a = 1', 'a = 2'], ['let b', 'let z']).get('a.ts')).toBe('let a = 2;\nlet z = $1;');
  });

  test('inserts its replacement as plain text', () => {
    expect(apply(['a = 1', "a = $&$'"]).get('a.ts')).toBe("let a = $&$';\nlet b = $1;");
  });

  test('is rejected when its anchor is missing, ambiguous or unchanged', () => {
    expect(() => apply(['let d', ''])).toThrow('occurs 0 times');
    expect(() => apply(['= 1', '= 2'])).toThrow('occurs 2 times');
    expect(() => apply(['let a', 'let a'])).toThrow('by itself');
  });
});
