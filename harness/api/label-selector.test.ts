import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LabelSelector } from '#api/meta/v1';
import {
  everything,
  labelSelectorAsSelector,
  newRequirement,
  nothing,
  type Operator,
  parse,
  Requirement,
  Selector,
  SelectorError,
  selectorFromSet,
} from './label-selector.ts';

describe('Label selector', () => {
  test('without requirements selects every object, with or without labels', () => {
    for (const selector of [
      parse(''),
      parse(' \t'),
      everything,
      selectorFromSet({}),
      selectorFromSet(undefined),
    ]) {
      expect(selector.empty).toBe(true);
      expect(selector.matches({ a: 'b' })).toBe(true);
      expect(selector.matches(undefined)).toBe(true);
    }
  });

  test('nothing matches no object, also after changes', () => {
    for (const selector of [nothing, nothing.add(newRequirement('a', '!', []))]) {
      expect(selector.empty).toBe(false);
      expect(selector.matches({ a: 'b' })).toBe(false);
      expect(selector.matches(undefined)).toBe(false);
    }
  });

  test('is nothing for a missing object, and everything for an empty object', () => {
    expect(labelSelectorAsSelector(null)).toBe(nothing);
    expect(labelSelectorAsSelector(undefined)).toBe(nothing);
    expect(labelSelectorAsSelector({}).empty).toBe(true);
    expect(labelSelectorAsSelector({ matchLabels: {}, matchExpressions: [] }).empty).toBe(true);
  });

  test('matches an absent label only with !, != and notin', () => {
    for (const text of ['!a', 'a!=b', 'a notin (b)', 'a notin ()'])
      expect(parse(text).matches({})).toBe(true);
    for (const text of ['a', 'a=', 'a=b', 'a in ()', 'a in (b)', 'a>0', 'a<9']) {
      expect(parse(text).matches({})).toBe(false);
    }
  });

  test('ignores inherited properties', () => {
    expect(parse('constructor').matches({})).toBe(false);
    expect(parse('!toString').matches({})).toBe(true);
  });

  test('compares 64-bit integers exactly', () => {
    expect(parse('a>9007199254740992').matches({ a: '9007199254740993' })).toBe(true);
    expect(parse('a<9007199254740992').matches({ a: '9007199254740993' })).toBe(false);
    expect(parse('a>0').matches({ a: '9223372036854775808' })).toBe(false);
    expect(parse('a>0').matches({ a: '' })).toBe(false);
  });

  test('recognizes keywords by their position', () => {
    expect(parse('in in (in,notin)').requirements).toEqual([new Requirement('in', 'in', ['in', 'notin'])]);
    expect(parse('notin=in').matches({ notin: 'in' })).toBe(true);
  });

  test('sorts requirements by key, and the values in its text', () => {
    expect(parse('b in (z, y),a').toString()).toBe('a,b in (y,z)');
    expect(labelSelectorAsSelector({ matchLabels: { b: '1', a: '2' } }).toString()).toBe('a=2,b=1');
  });

  test('returns the only value that a label can have', () => {
    expect(parse('a=b').requiresExactMatch('a')).toBe('b');
    expect(parse('a in (b)').requiresExactMatch('a')).toBe('b');
    for (const text of ['a in (b,c)', 'a!=b', 'a', '!a', 'b=a', '']) {
      expect(parse(text).requiresExactMatch('a')).toBeUndefined();
    }
  });

  test('adds requirements without changing itself', () => {
    const selector = parse('b');
    expect(selector.add(newRequirement('a', '=', ['1'])).toString()).toBe('a=1,b');
    expect(selector.toString()).toBe('b');
    expect(() => Object.assign(selector.requirements[0] ?? {}, { key: 'c' })).toThrow(TypeError);
  });

  const label =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  const name =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

  test.each([
    ['x,', "found '', expected: identifier after ','"],
    ['x,,y', "found ',', expected: identifier after ','"],
    [',x', "found ',', expected: !, identifier, or 'end of string'"],
    ['x y', "unable to parse requirement: found 'y', expected: in, notin, =, ==, !=, gt, lt"],
    ['!x=y', "found '=', expected: ',' or 'end of string'"],
    ['x=y z', "found 'z', expected: ',' or 'end of string'"],
    ['x==', undefined],
    ['x===y', "unable to parse requirement: found '=', expected: identifier"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['x in y', "unable to parse requirement: found 'y' expected: '('"],
    ['x in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['x in (a', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['x in (a,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['-x', `unable to parse requirement: <nil>: Invalid value: "-x": ${name}`],
    ['x=-', `unable to parse requirement: values[0][x]: Invalid value: "-": ${label}`],
    [
      'x>y',
      "unable to parse requirement: values[0]: Invalid value: \"y\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
  ])('parses %j, or rejects it with the message of the API', (text, message) => {
    if (message === undefined) expect(parse(text)).toBeInstanceOf(Selector);
    else expect(() => parse(text)).toThrow(new SelectorError(message));
  });

  test.each<[LabelSelector, string]>([
    [
      { matchExpressions: [{ key: 'a', operator: 'in', values: ['b'] }] },
      '"in" is not a valid label selector operator',
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b', 'c'] }] },
      'values: Invalid value: ["b","c"]: values set must be empty for exists and does not exist',
    ],
    [
      { matchLabels: { '-': '-' } },
      `[key: Invalid value: "-": ${name}, values[0][-]: Invalid value: "-": ${label}]`,
    ],
  ])('rejects the object %j with the message of the API', (object, message) => {
    expect(() => labelSelectorAsSelector(object)).toThrow(new SelectorError(message));
  });
});

const keys = fc.constantFrom('a', 'b', 'in', 'notin', 'x.io/c', 'constructor');
const values = fc.constantFrom('', '0', '1', '10', 'a', 'in', 'notin', 'B_c.d');
// Values are a set: upstream cannot parse "a in (,,)", the text of three empty values.
const requirements = fc.oneof(
  fc.tuple(
    keys,
    fc.constantFrom<Operator>('in', 'notin'),
    fc.uniqueArray(values, { minLength: 1, maxLength: 4 }),
  ),
  fc.tuple(keys, fc.constantFrom<Operator>('=', '==', '!='), fc.tuple(values)),
  fc.tuple(keys, fc.constantFrom<Operator>('gt', 'lt'), fc.tuple(fc.nat(20).map(String))),
  fc.tuple(keys, fc.constantFrom<Operator>('exists', '!'), fc.constant([])),
);
const selectors = fc
  .array(requirements, { maxLength: 4 })
  .map((all) => new Selector(all.map(([key, operator, each]) => newRequirement(key, operator, each))));
const labelSets = fc.dictionary(keys, values, { noNullPrototype: true });

describe('Label selector, laws', () => {
  test('Readable: its text parses to a selector with the same text and the same matches', () => {
    fc.assert(
      fc.property(selectors, labelSets, (selector, labels) => {
        const again = parse(selector.toString());
        expect(again.toString()).toBe(selector.toString());
        expect(again.matches(labels)).toBe(selector.matches(labels));
      }),
    );
  });

  test('Conjunctive: added requirements only remove matches', () => {
    fc.assert(
      fc.property(selectors, selectors, labelSets, (x, y, labels) => {
        expect(x.add(...y.requirements).matches(labels)).toBe(x.matches(labels) && y.matches(labels));
      }),
    );
  });

  test('Complementary: each object matches either an operator or its negation', () => {
    const pairs = fc.constantFrom<[Operator, Operator]>(['in', 'notin'], ['=', '!='], ['==', '!=']);
    fc.assert(
      fc.property(keys, values, pairs, labelSets, (key, value, [operator, negation], labels) => {
        expect(newRequirement(key, operator, [value]).matches(labels)).not.toBe(
          newRequirement(key, negation, [value]).matches(labels),
        );
      }),
    );
  });

  test('Faithful: the selector from a set matches exactly the supersets of that set', () => {
    fc.assert(
      fc.property(labelSets, labelSets, (set, labels) => {
        const superset = Object.entries(set).every(
          ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
        );
        expect(selectorFromSet(set).matches(labels)).toBe(superset);
        expect(labelSelectorAsSelector({ matchLabels: set }).matches(labels)).toBe(superset);
        expect(selectorFromSet(set).matches({ ...labels, ...set })).toBe(true);
      }),
    );
  });

  test('Total: any text is a selector or a SelectorError', () => {
    const words = fc.constantFrom(
      'a',
      'in',
      'notin',
      '(',
      ')',
      ',',
      '=',
      '==',
      '!=',
      '!',
      '>',
      '<',
      ' ',
      '1',
      '-',
      '\0',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 8 }).map((all) => all.join('')),
        ),
        (text) => {
          try {
            expect(parse(text)).toBeInstanceOf(Selector);
          } catch (error) {
            expect(error).toBeInstanceOf(SelectorError);
          }
        },
      ),
    );
  });
});
