import { describe, expect, test } from 'vitest';
import { explain } from './present.ts';
import { compared } from './present-difference.ts';

/** Returns the lines that Vitest prints below a failed comparison. */
const diffOf = (...lines: readonly string[]): string => ['- Expected', '+ Received', '', ...lines].join('\n');

describe('An explanation', () => {
  test('cuts a message that is too long to read', () => {
    const message = 'x'.repeat(1_000_000);
    const stack = `Error: ${message}\n    at add (/w/katas/51-ipam/ipam.ts:7:3)`;
    const { message: shown = '', position } = explain([{ name: 'Error', message, stack }]) ?? {};
    expect(shown).toMatch(/^x{20000}… and 980000 characters more$/);
    expect(position).toMatchObject({ line: 7 });
  });
});

describe('A difference', () => {
  const diff = diffOf('  [', '-   2,', '+   1,', '  ]');

  test('replaces a message whose two sides look the same', () => {
    const message =
      "deltas: expected [ { type: 'Added', …(1) } ] to deeply equal [ { type: 'Added', …(1) } ]";
    expect(compared({ message, diff })).toBe(`deltas: element 0 is 1; expected 2\n\n${diff}`);
  });

  test('replaces a message that Vitest truncated', () => {
    const message = 'expected { a: 1, …(9) } to deeply equal { a: 2, …(9) }';
    expect(compared({ message, diff })).toBe(`element 0 is 1; expected 2\n\n${diff}`);
  });

  test('stays below a complete message', () => {
    expect(compared({ message: 'expected 1 to be 2', diff: '- 2\n+ 1' })).toBe('expected 1 to be 2');
    expect(compared({ message: 'no', diff: '' })).toBe('no');
  });

  test.each([
    ['a field', ['  {', '-   "calls": 1,', '+   "calls": 3,', '  }'], 'calls is 3; expected 1'],
    [
      'a field of an element',
      [
        '  [',
        '    1,',
        '    {',
        '-     "reason": "FailedDelete",',
        '+     "reason": "FailedCreate",',
        '    },',
        '  ]',
      ],
      'element 1: reason is "FailedCreate"; expected "FailedDelete"',
    ],
    [
      'a missing value of several lines',
      ['  {', '-   "annotations": {', '-     "note": "hello",', '-   },', '    "name": "web",', '  }'],
      'annotations is missing; expected { note: "hello" }',
    ],
    [
      'a text of several lines',
      ['  {', '-   "10.1.2.2": "a\r', '- eth0",', '+   "10.1.2.2": "b\r', '+ eth0",', '  }'],
      'the values differ in the lines marked - and +',
    ],
    ['an element too few', ['  [', '-   "a",', '    "b",', '  ]'], 'the list lacks element 0, which is "a"'],
    [
      'an element too few in a field',
      ['  {', '    "ips": [', '      "a",', '-     "b",', '    ],', '  }'],
      'ips lacks element 1, which is "b"',
    ],
    [
      'elements at their places, where the diff pairs others',
      ['  [', '-   "a",', '    "b",', '-   undefined,', '+   "b",', '+   "b",', '  ]'],
      'element 0 is "b" (expected "a"), element 2 is "b" (expected undefined)',
    ],
    ['an element too many', ['  [', '    "a",', '+   "b",', '  ]'], 'element 1 is "b", but must be absent'],
    [
      'a field whose outer fields are left out',
      ['@@ -9,3 +9,3 @@', '      "a": 1,', '-     "app/name": "web",', '+     "app/name": "shop",'],
      '["app/name"] is "shop"; expected "web"',
    ],
    [
      'an element that moved',
      ['  [', '-   "b",', '    "a",', '+   "b",', '  ]'],
      'the values differ in the lines marked - and +',
    ],
    [
      'a field of an element whose place is left out',
      ['@@ -9,3 +9,3 @@', '    [', '      "a",', '-     "b",', '+     "c",', '    ],'],
      'the values differ in the lines marked - and +',
    ],
  ])('names %s', (_, lines, words) => {
    const message = 'expected [ …(3) ] to deeply equal [ …(3) ]';
    expect(compared({ message, diff: diffOf(...lines) }).split('\n\n')[0]).toBe(words);
  });

  test('is left out when a promise did not reject', () => {
    const message = 'promise resolved "undefined" instead of rejecting';
    expect(compared({ message, diff })).toBe('the promise must reject, but it resolved with undefined');
  });

  test('does not change a message that compares a value with none', () => {
    const message = 'lost: expected undefined to deeply equal { a: 1, …(1) }';
    const lines = ['- Expected:', '{', '  "a": 1,', '}', '', '+ Received:', 'undefined'].join('\n');
    expect(compared({ message, diff: lines })).toBe(`${message}\n\n${lines}`);
  });

  test('is shown even far down in the diff', () => {
    const same = Array.from({ length: 40 }, (_, index) => `    ${index},`);
    const lines = compared({
      message: 'expected [ …(41) ] to deeply equal [ …(41) ]',
      diff: diffOf('  [', ...same, '-   2,', '+   1,', ...same, '  ]'),
    }).split('\n');
    expect(lines[0]).toBe('element 40 is 1; expected 2');
    expect(lines).toContain('-   2,');
    expect(lines).toContain('+   1,');
    expect(lines.length).toBeLessThan(30);
  });
});

test('A message is shown without the colours of its comparison', () => {
  const told = explain([{ name: 'AssertionError', message: '\u001b[31mno\u001b[39m', stack: '' }]);
  expect(told?.message).toBe('no');
});
