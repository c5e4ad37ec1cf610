import { describe, expect, test } from 'vitest';
import { absent, between, compare, has, lacks, oneOf, present, show, sized, valueAt } from './expectation.ts';

describe('An expectation', () => {
  test.each([
    ['fields that are listed', { a: 1 }, { a: 1, b: 2 }],
    ['lists of the same length', [{ a: 1 }, 2], [{ a: 1, b: 2 }, 2]],
    ['text that a regular expression finds', /^a\d$/, 'a1'],
    ['a missing value', { a: absent }, {}],
    ['any value', { a: present }, { a: null }],
    ['a list with certain elements, in any order', has({ n: 2 }, { n: 1 }), [{ n: 1 }, { n: 3 }, { n: 2 }]],
    ['a list without an element', lacks({ n: 1 }), [{ n: 2 }]],
    ['an absent list', lacks({ n: 1 }), undefined],
    ['a length', sized(2), [1, 2]],
    ['a range', between(1, 3), 3],
    ['alternatives', oneOf('a', /^b/), 'bc'],
  ])('matches %s', (_, expected, observed) => expect(compare(expected, observed)).toEqual([]));

  test.each([
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, [{ path: 'a.b', expected: '1', observed: '2' }]],
    ['a missing field', { a: 1 }, {}, [{ path: 'a', expected: '1', observed: 'no value' }]],
    ['a longer list', { a: [1] }, { a: [1, 2] }, [{ path: 'a', expected: '[1]', observed: '[1,2]' }]],
    ['text', /x/, 'y', [{ path: 'value', expected: '"/x/"', observed: '"y"' }]],
    [
      'a number outside a range',
      between(1, 3),
      4,
      [{ path: 'value', expected: '"<a number from 1 to 3>"', observed: '4' }],
    ],
    ['an unwanted value', { a: absent }, { a: 0 }, [{ path: 'a', expected: '"<no value>"', observed: '0' }]],
  ])('reports %s', (_, expected, observed, mismatches) =>
    expect(compare(expected, observed)).toEqual(mismatches),
  );

  test('about an element of a list reports the differences of the most similar element', () => {
    const list = [
      { type: 'Ready', status: 'False' },
      { type: 'Initialized', status: 'False' },
    ];
    expect(compare({ list: has({ type: 'Initialized', status: 'True' }) }, { list })).toEqual([
      { path: 'list.1.status', expected: '"True"', observed: '"False"' },
    ]);
    expect(compare(has({ n: 1 }), [], 'list')).toEqual([
      { path: 'list', expected: '{"n":1}', observed: '[]' },
    ]);
  });
});

test('valueAt follows names and indices, but not the prototype', () => {
  const object = { spec: { ports: [{ port: 80 }] } };
  expect(valueAt(object, 'spec.ports.0.port')).toBe(80);
  expect([valueAt(object, 'spec.none.port'), valueAt(object, 'constructor')]).toEqual([undefined, undefined]);
});

test('show cuts a long value', () => {
  expect(show('x'.repeat(1_000))).toHaveLength(601);
});
