import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { semanticEqual, semanticText } from './semantic-equality.ts';

describe('semantic equality', () => {
  test.each<[string, unknown, unknown]>([
    ['absent and null', {}, { a: null }],
    ['absent and an empty string', {}, { a: '' }],
    ['absent and an empty list', {}, { a: [] }],
    ['absent and an empty map', {}, { labels: {} }],
    ['absent and a plain false', {}, { hostNetwork: false }],
    ['two spellings of an amount', { limits: { cpu: '1' } }, { limits: { cpu: '1000m' } }],
    ['two orders of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ])('treats %s as equal', (_, a, b) => {
    expect(semanticEqual(a, b)).toBe(true);
    expect(semanticEqual(b, a)).toBe(true);
    expect(semanticText(a)).toBe(semanticText(b));
  });

  test.each<[string, unknown, unknown]>([
    ['absent and 0', {}, { replicas: 0 }],
    ['absent and false of an optional boolean', {}, { enableServiceLinks: false }],
    ['absent and an empty object that enables a feature', {}, { emptyDir: {} }],
    ['an absent field and one that every object inherits', {}, { constructor: 'x' }],
    ['two amounts', { limits: { cpu: '1' } }, { limits: { cpu: '1001m' } }],
    [
      'two labels that would be equal quantities elsewhere',
      { labels: { v: '1' } },
      { labels: { v: '1000m' } },
    ],
    ['two orders of a list', [1, 2], [2, 1]],
    ['a list and an object', { a: ['x'] }, { a: { 0: 'x' } }],
    ['an amount and another text', { limits: { cpu: '1' } }, { limits: { cpu: 'many' } }],
  ])('treats %s as different', (_, a, b) => {
    expect(semanticEqual(a, b)).toBe(false);
    expect(semanticEqual(b, a)).toBe(false);
    expect(semanticText(a)).not.toBe(semanticText(b));
  });

  test('holds between any value and its copy', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => semanticEqual(value, structuredClone(value))));
  });

  test('gives two values the same text exactly if they are equal', () => {
    const leaf = fc.constantFrom(null, '', [], {}, false, 0, 1, '1', '1000m', '1k', 'many');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, tie('list'), tie('fields')),
      list: fc.array(tie('value'), { maxLength: 2 }),
      fields: fc.dictionary(fc.constantFrom('a', 'labels', 'limits', 'hostNetwork'), tie('value'), {
        maxKeys: 2,
      }),
    }));
    fc.assert(
      fc.property(value, value, (a, b) => semanticEqual(a, b) === (semanticText(a) === semanticText(b))),
      { numRuns: 2_000 },
    );
  });
});
