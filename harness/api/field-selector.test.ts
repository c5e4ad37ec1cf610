import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  escapeValue,
  everything,
  nothing,
  parseSelector,
  Selector,
  selectorFromSet,
  splitTerms,
  unescapeValue,
} from './field-selector.ts';
import { SelectorError } from './label-selector.ts';

describe('Field selector', () => {
  test('without requirements selects everything', () => {
    for (const selector of [parseSelector(''), parseSelector(','), everything, selectorFromSet({})]) {
      expect(selector.empty).toBe(true);
      expect(selector.matches({})).toBe(true);
    }
  });

  test('nothing matches no object, also after changes', () => {
    for (const selector of [nothing, nothing.transform((field, value) => ({ field, value }))]) {
      expect(selector.empty).toBe(false);
      expect(selector.matches({})).toBe(false);
    }
  });

  test('reads a missing field as the empty value', () => {
    expect(parseSelector('spec.nodeName=').matches({})).toBe(true);
    expect(parseSelector('spec.nodeName!=').matches({})).toBe(false);
    expect(parseSelector('constructor=').matches({})).toBe(true);
  });

  test('treats = and == alike, and splits a term at its first operator', () => {
    expect(parseSelector('a==b').toString()).toBe('a=b');
    expect(parseSelector('a!=b').requirements).toEqual([{ field: 'a', operator: '!=', value: 'b' }]);
    expect(parseSelector('a!b=c').requirements).toEqual([{ field: 'a!b', operator: '=', value: 'c' }]);
    expect(parseSelector('=b').requirements).toEqual([{ field: '', operator: '=', value: 'b' }]);
  });

  test('sorts its terms by their text', () => {
    expect(parseSelector('b=1,a=2').toString()).toBe('a=2,b=1');
  });

  test('returns the value that a field must have', () => {
    const selector = parseSelector('a!=x,a=y,b!=z');
    expect(selector.requiresExactMatch('a')).toBe('y');
    expect(selector.requiresExactMatch('b')).toBeUndefined();
    expect(selector.requiresExactMatch('c')).toBeUndefined();
    expect(parseSelector('a=').requiresExactMatch('a')).toBe('');
  });

  test('is rewritten term by term, and drops empty terms', () => {
    const rename = (field: string, value: string) =>
      field === 'drop' ? { field: '', value: '' } : { field: `spec.${field}`, value };
    expect(parseSelector('host!=a,drop=b').transform(rename).toString()).toBe('spec.host!=a');
    expect(parseSelector('drop=b').transform(rename).empty).toBe(true);
  });

  test('passes on the error of a rewrite', () => {
    const refuse = () => {
      throw new RangeError('field label not supported: spec.foo');
    };
    expect(() => parseSelector('spec.foo=a').transform(refuse)).toThrow(RangeError);
  });

  test.each([
    ['x', "invalid selector: 'x'; can't understand 'x'"],
    ['a=b,x', "invalid selector: 'a=b,x'; can't understand 'x'"],
    ['x=a=b', 'invalid field selector: unescaped character in value: 61'],
    ['x=a\\', 'invalid field selector: invalid escape sequence: \\'],
    ['x=\\a', 'invalid field selector: invalid escape sequence: \\a'],
  ])('rejects %j with the message of the API', (text, message) => {
    expect(() => parseSelector(text)).toThrow(new SelectorError(message));
  });

  test('rejects an unescaped comma in a value', () => {
    expect(() => unescapeValue('a,b')).toThrow(
      new SelectorError('invalid field selector: unescaped character in value: 44'),
    );
  });
});

const names = fc.constantFrom('metadata.name', 'spec.nodeName', 'a', 'constructor');
const texts = fc.oneof(fc.string({ unit: fc.constantFrom('\\', ',', '=', '!', 'a', ' ') }), fc.string());
const selectors = fc
  .array(fc.record({ field: names, operator: fc.constantFrom('=' as const, '!=' as const), value: texts }))
  .map((requirements) => new Selector(requirements));

describe('Field selector, laws', () => {
  test('Lossless: an escaped value is one term, and unescapes to the same value', () => {
    fc.assert(
      fc.property(texts, (value) => {
        expect(unescapeValue(escapeValue(value))).toBe(value);
        expect(splitTerms(`a=${escapeValue(value)}`)).toHaveLength(1);
      }),
    );
  });

  test('Complete: the joined terms are the text', () => {
    fc.assert(fc.property(texts, (text) => splitTerms(text).join(',') === text));
  });

  test('Readable: its text parses to an equivalent selector', () => {
    fc.assert(
      fc.property(selectors, fc.dictionary(names, texts, { noNullPrototype: true }), (selector, fields) => {
        const again = parseSelector(selector.toString());
        expect(again.matches(fields)).toBe(selector.matches(fields));
        expect(again.requirements).toHaveLength(selector.requirements.length);
      }),
    );
  });

  test('Faithful: the selector from a set matches every superset of that set', () => {
    fc.assert(
      fc.property(fc.dictionary(names, texts), fc.dictionary(names, texts), (set, others) => {
        expect(selectorFromSet(set).matches({ ...others, ...set })).toBe(true);
        for (const [field, value] of Object.entries(set)) {
          expect(selectorFromSet(set).requiresExactMatch(field)).toBe(value);
          expect(selectorFromSet(set).matches({ ...others, ...set, [field]: `${value}x` })).toBe(false);
        }
      }),
    );
  });

  test('Total: any text is a selector or a SelectorError', () => {
    fc.assert(
      fc.property(texts, (text) => {
        try {
          expect(parseSelector(text)).toBeInstanceOf(Selector);
        } catch (error) {
          expect(error).toBeInstanceOf(SelectorError);
        }
      }),
    );
  });
});
