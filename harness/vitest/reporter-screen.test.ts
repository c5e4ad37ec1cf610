import { describe, expect, test } from 'vitest';
import { wrapped } from './present-width.ts';
import { screenLines } from './reporter-screen.ts';

/** Returns rows such as `t=0ms  user  touch pods/a`, one per millisecond. */
function rows(names: readonly string[]): readonly string[] {
  return names.map((name, i) => `  t=${i}ms  user  touch pods/${name}`);
}

/** Returns the rows of a timeline that are shown. */
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

describe('The end of a failure', () => {
  const endOf = (more: { readonly see?: string }): readonly string[] => {
    const next = { test: 'a law', replay: 'again', read: 'README.md', hint: 'kata -- hint 21 Calm', ...more };
    return screenLines({ katas: [], durationMs: 0, next }).slice(-5, -1);
  };

  test('names the page that draws the run, after the hint', () => {
    expect(endOf({ see: 'npm run page -- --failure 21' })).toEqual([
      ' replay  again',
      ' read    README.md',
      ' hint    kata -- hint 21 Calm',
      ' see     npm run page -- --failure 21',
    ]);
  });

  test('names the components that cause the failure, before the replay', () => {
    const next = { test: 'a law', replay: 'again', read: 'README.md', culprit: '23-replicaset: it is wrong' };
    expect(screenLines({ katas: [], durationMs: 0, next }).slice(-6, -1)).toEqual([
      '',
      ' culprit 23-replicaset: it is wrong',
      '',
      ' replay  again',
      ' read    README.md',
    ]);
  });

  test('names no page for a run without a history', () => {
    expect(endOf({}).at(-1)).toBe(' hint    kata -- hint 21 Calm');
  });
});

describe("The screen's part of a timeline", () => {
  const others = (count: number): readonly string[] => Array<string>(count).fill('other');
  const timeline = [
    ...rows([...others(4), 'web-1', 'web-10', 'web-1', ...others(20)]),
    '✗ it is gone',
    ...rows([...others(9), 'web-1', ...others(2)]),
  ];

  test('shows the rows around the violation', () => {
    const lines = shown(timeline);
    expect(lines).toHaveLength(14);
    expect(lines[0]).toBe('… 19 earlier');
    expect(lines[9]).toBe('✗ it is gone');
    expect(lines.at(-1)).toBe('… 9 later');
  });

  test('also shows every row that names the object at fault, and no other distant row', () => {
    const lines = shown(timeline, 'web-1');
    expect(lines.slice(0, 6)).toEqual([
      '… 4 earlier',
      't=4ms  user  touch pods/web-1',
      't=5ms  user  touch pods/web-10',
      't=6ms  user  touch pods/web-1',
      '… 12 more',
      't=19ms  user  touch pods/other',
    ]);
    expect(lines.slice(-3)).toEqual(['… 6 more', 't=9ms  user  touch pods/web-1', '… 2 later']);
  });

  test('also shows every row that names an object from the message', () => {
    const named = timeline.map((line) => (line.startsWith('✗') ? '✗ web-1 has the address of web-10' : line));
    expect(shown(named).filter((line) => /web-10?$/.test(line))).toHaveLength(4);
  });

  test('also shows every fault, however long ago', () => {
    const cut = '  t=0ms  nemesis  cut-watches  {"process":"informer"}';
    expect(shown([cut, ...timeline]).slice(0, 2)).toEqual([cut.trim(), '… 19 more']);
  });

  test('hides no single row, because the note about it would take a line, too', () => {
    expect(shown(timeline, 'web-1').filter((line) => line.startsWith('… 1 '))).toEqual([]);
  });
});

describe('A narrow terminal', () => {
  test('breaks lines between words, and indents the continuation', () => {
    expect(wrapped('expect(order(small)).toEqual([1, 2, 3]);', 34, '    ')).toEqual([
      'expect(order(small)).toEqual([1,',
      '    2, 3]);',
    ]);
  });
});
