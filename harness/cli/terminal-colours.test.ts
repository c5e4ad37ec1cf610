import { describe, expect, test } from 'vitest';
import { paintFor } from './terminal-colours.ts';

describe('Colours', () => {
  test('are on if the stream is a terminal', () => {
    expect(paintFor({ isTTY: true }, {})('red', 'no')).toBe('\u001b[31mno\u001b[39m');
    expect(paintFor({}, {})('red', 'no')).toBe('no');
  });

  test('are off if NO_COLOR is set or the terminal is dumb', () => {
    expect(paintFor({ isTTY: true }, { NO_COLOR: '1' })('red', 'no')).toBe('no');
    expect(paintFor({ isTTY: true }, { TERM: 'dumb' })('red', 'no')).toBe('no');
  });

  test('are on if NO_COLOR is empty', () => {
    expect(paintFor({ isTTY: true }, { NO_COLOR: '' })('red', 'no')).toContain('\u001b[31m');
  });
});
