import { describe, expect, test } from 'vitest';
import { screenLines } from './reporter-screen.ts';

/** `t=0ms  user  touch pods/a`, and so on, one a millisecond. */
function rows(names: readonly string[]): readonly string[] {
  return names.map((name, i) => `  t=${i}ms  user  touch pods/${name}`);
}

/** What is shown of a timeline. */
function shown(timeline: readonly string[], object?: string): readonly string[] {
  const next = { test: 'a law', replay: 'replay', read: 'README.md', timeline };
  const lines = screenLines({
    katas: [],
    durationMs: 0,
    next: object === undefined ? next : { ...next, object },
  });
  const from = lines.indexOf(' timeline');
  return lines.slice(from + 1, lines.indexOf('', from)).map((line) => line.trim());
}

describe('What the screen shows of a timeline', () => {
  const others = (count: number): readonly string[] => Array<string>(count).fill('other');
  const timeline = [
    ...rows([...others(4), 'web-1', 'web-10', 'web-1', ...others(20)]),
    '✗ web-1 is gone',
    ...rows([...others(9), 'web-1', ...others(2)]),
  ];

  test('is what is around the breach', () => {
    const lines = shown(timeline);
    expect(lines).toHaveLength(18);
    expect(lines[0]).toBe('… 15 earlier');
    expect(lines[13]).toBe('✗ web-1 is gone');
    expect(lines.at(-1)).toBe('… 9 later');
  });

  test('is also every row that names the object at fault, and no other that is far away', () => {
    const lines = shown(timeline, 'web-1');
    expect(lines.slice(0, 6)).toEqual([
      '… 4 earlier',
      't=4ms  user  touch pods/web-1',
      't=5ms  user  touch pods/web-10',
      't=6ms  user  touch pods/web-1',
      '… 8 more',
      't=15ms  user  touch pods/other',
    ]);
    expect(lines.slice(-3)).toEqual(['… 6 more', 't=9ms  user  touch pods/web-1', '… 2 later']);
  });

  test('hides no single row: to say so would take a line, too', () => {
    expect(shown(timeline, 'web-1').filter((line) => line.startsWith('… 1 '))).toEqual([]);
  });
});
