import { expect, test } from 'vitest';
import { goFormat } from './go-format.ts';

test('goFormat prints as Go does', () => {
  expect(goFormat({ b: [1, 'two', { c: null }], a: { paused: true }, e: {} })).toBe(
    'map[a:map[paused:true] b:[1 two map[c:<nil>]] e:map[]]',
  );
});
