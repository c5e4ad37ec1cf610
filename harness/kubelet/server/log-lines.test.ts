import { describe, expect, test } from 'vitest';
import { lastLines, parseLogLine } from './log-lines.ts';

describe('A log line', () => {
  const time = '2016-10-20T18:39:20.570000000Z';

  test('has a time, a stream and a text', () => {
    expect(parseLogLine(`${time} stderr F a  b`)).toEqual({
      time,
      atMs: Date.parse('2016-10-20T18:39:20.570Z'),
      stream: 'stderr',
      text: 'a  b\n',
    });
  });

  test('ends with a newline, unless it is partial', () => {
    const textOf = (tags: string): string | undefined => parseLogLine(`${time} stdout ${tags} x`)?.text;
    expect(['F', 'P', 'P:TAG1', 'F:TAG1'].map(textOf)).toEqual(['x\n', 'x', 'x', 'x\n']);
  });

  test('may be empty', () => {
    expect(parseLogLine(`${time} stdout F `)?.text).toBe('\n');
  });

  test.each(['', 'nonsense', `${time} stdin F x`, `yesterday stdout F x`, `${time} stdout`])(
    'is rejected if malformed: %j',
    (line) => expect(parseLogLine(line)).toBeUndefined(),
  );
});

describe('The last lines', () => {
  test.each([
    [undefined, 'a\nb\nc\n'],
    [0, ''],
    [1, 'c\n'],
    [2, 'b\nc\n'],
    [3, 'a\nb\nc\n'],
    [9, 'a\nb\nc\n'],
  ])('are %s of three', (count, wanted) => expect(lastLines('a\nb\nc\n', count)).toBe(wanted));

  test('of an empty log are empty', () => expect(lastLines('', 5)).toBe(''));
});
