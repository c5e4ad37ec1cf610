import { expect, test } from 'vitest';
import { goFormat, goNumber } from './go-format.ts';

test('goFormat prints as Go does', () => {
  expect(goFormat({ b: [1, 'two', { c: null }], a: { paused: true }, e: {} })).toBe(
    'map[a:map[paused:true] b:[1 two map[c:<nil>]] e:map[]]',
  );
});

test.each([
  [7, '7'],
  [9007199254740991, '9007199254740991'],
  [0.5, '0.5'],
  [0.00001, '1e-05'],
  [123456.5, '123456.5'],
  [1234567.5, '1.2345675e+06'],
  [1e30, '1e+30'],
])('goNumber(%d) is %s', (value, text) => {
  expect(goNumber(value)).toBe(text);
});
