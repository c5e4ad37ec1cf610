import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { duplicateFields, fieldsOf } from './duplicate-fields.ts';

describe('duplicateFields', () => {
  test.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}', []],
    ['{"a":1,"a":2}', ['a']],
    ['{"a":1,"a":2,"a":3}', ['a']],
    ['{"spec":{"containers":[{},{"image":"x","name":"c","image":"y"}]}}', ['spec.containers[1].image']],
    ['{"a":{"b":1,"b":2},"a":[[{"c":1,"c":1}]]}', ['a.b', 'a', 'a[0][0].c']],
    ['{"a":"{\\"b\\":1,\\"b\\":2}","b":["a","a",",","}"]}', []],
    [String.raw`{"a":1,"\u0061":2}`, ['a']],
    [' [ ] ', []],
    ['"a"', []],
  ])('finds in %s', (text, found) => {
    expect(duplicateFields(text)).toEqual(found);
  });

  test('Exact: the output of JSON.stringify has none, and a repeated key is one', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, key) => {
        const text = JSON.stringify(value);
        expect(duplicateFields(text)).toEqual([]);
        expect(duplicateFields(`{${JSON.stringify(key)}:${text},${JSON.stringify(key)}:0}`)).toEqual([key]);
      }),
    );
  });
});

describe('fieldsOf', () => {
  test('returns each field with its path', () => {
    const told = fieldsOf('{"a":[{"b":1},{"b":2,"b":3}],"a":null}');
    expect(told.map(({ path, repeated }) => (repeated ? `${path} again` : path))).toEqual([
      'a',
      'a[0].b',
      'a[1].b',
      'a[1].b again',
      'a again',
    ]);
  });
});
