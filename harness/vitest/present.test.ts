import { describe, expect, test } from 'vitest';
import { explain } from './present.ts';
import { compared } from './present-difference.ts';

describe('What differs', () => {
  const diff = ['- Expected', '+ Received', '', '  [', '-   2,', '+   1,', '  ]'].join('\n');

  test('stands below a message that says that a thing is not itself', () => {
    const message =
      "deltas: expected [ { type: 'Added', …(1) } ] to deeply equal [ { type: 'Added', …(1) } ]";
    expect(compared({ message, diff })).toBe(
      `deltas: what came is not what was expected: see the lines marked - and +\n\n${diff}`,
    );
  });

  test('leaves a message alone that says what differs', () => {
    const message = 'expected { a: 1, …(9) } to deeply equal { a: 2, …(9) }';
    expect(compared({ message, diff })).toBe(`${message}\n\n${diff}`);
    expect(compared({ message: 'expected 1 to be 2', diff: '- 2\n+ 1' })).toBe('expected 1 to be 2');
    expect(compared({ message: 'no', diff: '' })).toBe('no');
  });

  test('is shown however far down it stands', () => {
    const same = Array.from({ length: 40 }, (_, index) => `    ${index},`);
    const lines = compared({
      message: 'expected [ …(41) ] to deeply equal [ …(41) ]',
      diff: ['- Expected', '+ Received', '', '  [', ...same, '-   2,', '+   1,', ...same, '  ]'].join('\n'),
    }).split('\n');
    expect(lines).toContain('-   2,');
    expect(lines).toContain('+   1,');
    expect(lines.length).toBeLessThan(30);
  });
});

test('A message is told without the colours of its comparison', () => {
  const told = explain([{ name: 'AssertionError', message: '\u001b[31mno\u001b[39m', stack: '' }]);
  expect(told?.message).toBe('no');
});
