import { expect, test } from 'vitest';
import { answerOf } from './answer-of.ts';

const piece = (text: string) => ({ text, isError: false });

test('The answer to a request is its first line', () => {
  const pieces = [piece('HTTP 200 from web-1 on node-1\n<h1>Welcome</h1>\n')];
  expect(answerOf({ kind: 'action', pieces })).toBe('HTTP 200 from web-1 on node-1');
});

test('The answer of a command is its last line, over pieces', () => {
  const pieces = [piece('evicting pod a\nnode/node-1'), piece(' drained\n\n')];
  expect(answerOf({ kind: 'command', pieces })).toBe('node/node-1 drained');
  expect(answerOf({ kind: 'command', pieces: [] })).toBe('');
});
