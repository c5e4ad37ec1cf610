import { describe, expect, test } from 'vitest';
import { applyEdits, speaksOf } from './mistakes.ts';

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
