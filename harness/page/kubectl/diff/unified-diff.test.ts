import { describe, expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

const text = (letters: string): string => [...letters].map((letter) => `${letter}\n`).join('');

describe('A unified diff', () => {
  test('of equal texts is empty', () => {
    expect(unifiedDiff(text('abc'), text('abc'))).toEqual([]);
  });

  test('has three lines around a change', () => {
    expect(unifiedDiff(text('abcdefghi'), text('abcdXfghi'))).toEqual([
      '@@ -2,7 +2,7 @@',
      ...[' b', ' c', ' d', '-e', '+X', ' f', ' g', ' h'],
    ]);
  });

  test('joins changes with at most six lines between them', () => {
    const [near, far] = ['aXcdefghYj', 'aXcdefghijYl'];
    expect(unifiedDiff(text('abcdefghij'), text(near)).filter((line) => line.startsWith('@@'))).toEqual([
      '@@ -1,10 +1,10 @@',
    ]);
    expect(unifiedDiff(text('abcdefghijkl'), text(far)).filter((line) => line.startsWith('@@'))).toEqual([
      '@@ -1,5 +1,5 @@',
      '@@ -8,5 +8,5 @@',
    ]);
  });

  test('counts the lines of a new text, of a removed text, and of one line', () => {
    expect(unifiedDiff('', text('ab'))).toEqual(['@@ -0,0 +1,2 @@', '+a', '+b']);
    expect(unifiedDiff(text('ab'), '')).toEqual(['@@ -1,2 +0,0 @@', '-a', '-b']);
    expect(unifiedDiff(text('a'), text('b'))).toEqual(['@@ -1 +1 @@', '-a', '+b']);
  });
});
