import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoints } from '../../testing/arbitraries/code-points.ts';
import { parseYaml } from './yaml-body.ts';

const value = (text: string): unknown => parseYaml(text).value;

/** Returns the parsed text, or the error message. */
function read(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    return (error as Error).message;
  }
}

describe('parseYaml', () => {
  test.each<[string, unknown]>([
    ['a: 1\nb: [x, {c: true}]\n', { a: 1, b: ['x', { c: true }] }],
    ['yes', true],
    ['"yes"', 'yes'],
    ["'1'", '1'],
    ['n', false],
    ['~', null],
    ['', null],
    ['# nothing', null],
    ['0644', 420],
    ['0o17', 15],
    ['0x1F', 31],
    ['0b101', 5],
    ['-0x10', -16],
    ['08', 8],
    ['1_000', 1000],
    ['1e3', 1000],
    ['+12', 12],
    ['.5', 0.5],
    ['-1.5e2', -150],
    ['80:80', '80:80'],
    ['2026-01-02', '2026-01-02'],
    ['1.2.3', '1.2.3'],
    ['99999999999999999999', 1e20],
    ['|\n 1\n', '1\n'],
    ['!!str 1', '1'],
    ['! 1', '1'],
    ['!!int "7"', 7],
    ['!!float 7', 7],
    ['!!binary aGk=', 'hi'],
    ['!mine x', 'x'],
    ['1: a\ntrue: b\n1.5: c\n', { '1': 'a', true: 'b', '1.5': 'c' }],
    ['a: 1\n---\nb: 2\n', { a: 1 }],
    ['{"a": "\\u00e9"}', { a: 'é' }],
  ])('reads %j as Go does', (text, expected) => {
    expect(value(text)).toStrictEqual(expected);
  });

  test('reads text written as JSON as if it were YAML', () => {
    const object = fc.dictionary(fc.string({ unit: codePoints }), fc.jsonValue({ stringUnit: codePoints }));
    fc.assert(
      fc.property(object, (value) => {
        const text = JSON.stringify(value);
        // The comment makes the text invalid as JSON.
        expect(read(`${text}\n`)).toEqual(read(`${text}\n# so it is YAML`));
      }),
    );
  });

  test.each([
    [
      'a duplicate key',
      '{"a":1,"a":2}',
      { value: { a: 2 }, duplicates: ['line 1: key "a" already set in map'] },
    ],
    [
      'an excessive nesting depth',
      `${'{"a":'.repeat(1_001)}1${'}'.repeat(1_001)}`,
      'yaml: exceeded max depth of 1000',
    ],
  ])('finds in JSON, too, %s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('copies the node of an anchor to each alias', () => {
    expect(value('a: &x {b: 1}\nc: *x\nd: &x 2\ne: [*x, *x]\n')).toEqual({
      a: { b: 1 },
      c: { b: 1 },
      d: 2,
      e: [2, 2],
    });
  });

  test('merges maps in place: later keys override, and the first of several maps wins', () => {
    expect(value('x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz: {a: 0, <<: [*x, *y], c: 3}\n')).toHaveProperty(
      'z',
      { a: 1, b: 1, c: 3 },
    );
    expect(value('"<<": 1')).toEqual({ '<<': 1 });
  });

  test('keeps __proto__ as an ordinary key', () => {
    const read = value('__proto__: {polluted: true}') as object;
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('takes the last of two values under one key and reports the line', () => {
    expect(parseYaml('a: 1\nb:\n  c: 1\n  c: 2\na: 3\n')).toEqual({
      value: { a: 3, b: { c: 2 } },
      duplicates: ['line 4: key "c" already set in map', 'line 5: key "a" already set in map'],
    });
  });

  test.each([
    ['a: *b', "yaml: unknown anchor 'b' referenced"],
    ['&a [*a]', "yaml: anchor 'a' value contains itself"],
    ['a: &a {b: {<<: *a}}', "yaml: anchor 'a' value contains itself"],
    ['<<: 1', 'yaml: map merge requires map or sequence of maps as the value'],
    ['.nan', 'json: unsupported value: NaN'],
    ['-.inf', 'json: unsupported value: -Inf'],
    ['? [a]\n: 1', 'yaml: invalid map key'],
    ['~: 1', 'unsupported map key of type: %!s(<nil>)'],
    ['!!int x', 'yaml: cannot decode !!str `x` as a !!int'],
    ['"\\ud800"', 'yaml: found invalid Unicode character escape code'],
  ])('rejects %j', (text, message) => {
    expect(() => value(text)).toThrow(message);
  });

  test.each(['a:\n\t- b', '{a: 1', 'a: b: c', '"a'])('rejects %j and reports its line', (text) => {
    expect(() => value(text)).toThrow(/^yaml: line \d+: /);
  });

  test('rejects aliases that multiply without end', () => {
    const levels = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`);
    expect(() => value(['a0: &a0 x', ...levels].join('\n'))).toThrow(
      'yaml: document contains excessive aliasing',
    );
  });

  test.each([
    ['lists', '['.repeat(1_001) + ']'.repeat(1_001)],
    ['maps', '{a: '.repeat(1_001) + '}'.repeat(1_001)],
    ['unclosed brackets', '['.repeat(20_000)],
    ['dashes', '- '.repeat(20_000)],
    ['question marks', '? '.repeat(20_000)],
  ])('rejects %s nested too deep', (_, text) => {
    expect(() => value(text)).toThrow('yaml: exceeded max depth of 1000');
  });

  test('reports the first error and reads no further', () => {
    expect(() => value(`a: 1\n[${','.repeat(20_000)}`)).toThrow(/^yaml: line 2: /);
  });

  // The library's own check for unique keys, and its merging, take quadratic time in the number of keys.
  test('reads five thousand keys, anchors and aliases', () => {
    const keys = Array.from({ length: 5_000 }, (_, i) => `k${i}: &a${i} 1\nl${i}: *a${i}\n`);
    expect(Object.keys(value(keys.join('')) as object)).toHaveLength(10_000);
  });
});
