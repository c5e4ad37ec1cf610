import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { semanticEqual, semanticText } from './semantic-equality.ts';

describe('semantic equality', () => {
  test.each<[string, unknown, unknown]>([
    ['absent and null', {}, { a: null }],
    ['absent and an empty text', {}, { a: '' }],
    ['absent and an empty list', {}, { a: [] }],
    ['absent and an empty map', {}, { labels: {} }],
    ['absent and a plain false', {}, { hostNetwork: false }],
    ['two spellings of an amount', { limits: { cpu: '1' } }, { limits: { cpu: '1000m' } }],
    ['two orders of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ])('does not tell %s apart', (_, a, b) => {
    expect(semanticEqual(a, b)).toBe(true);
    expect(semanticEqual(b, a)).toBe(true);
    expect(semanticText(a)).toBe(semanticText(b));
  });

  test.each<[string, unknown, unknown]>([
    ['absent and 0', {}, { replicas: 0 }],
    ['absent and a false that has a third state', {}, { enableServiceLinks: false }],
    ['absent and an empty object that switches something on', {}, { emptyDir: {} }],
    ['two amounts', { limits: { cpu: '1' } }, { limits: { cpu: '1001m' } }],
    ['two texts that would be one amount elsewhere', { labels: { v: '1' } }, { labels: { v: '1000m' } }],
    ['two orders of a list', [1, 2], [2, 1]],
    ['a list and an object', { a: ['x'] }, { a: { 0: 'x' } }],
    ['a text and no amount', { limits: { cpu: '1' } }, { limits: { cpu: 'many' } }],
  ])('tells %s apart', (_, a, b) => {
    expect(semanticEqual(a, b)).toBe(false);
    expect(semanticEqual(b, a)).toBe(false);
    expect(semanticText(a)).not.toBe(semanticText(b));
  });

  test('holds between any value and its copy', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => semanticEqual(value, structuredClone(value))));
  });

  test('of any two values the texts are one exactly if the values are equal', () => {
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
