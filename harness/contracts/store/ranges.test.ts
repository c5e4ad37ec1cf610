import { describe, expect, test } from 'vitest';
import vectors from '../../conformance/resource-version-reads.json' with { type: 'json' };
import type { Compare, KeyValue } from './key-value-store.ts';
import { holds, prefixRange, rangeHas, writesTwice } from './ranges.ts';

describe('The range of a prefix', () => {
  const rows = vectors.cases.filter(
    ({ op, input }) => op === 'prefixEnd' && /^[ -~]+$/.test(input.prefix ?? ''),
  );

  test('the table has a row', () => expect(rows).toHaveLength(1));

  test.each(rows)('$id $name', ({ input: { prefix = '' }, expect: { end } }) => {
    expect(prefixRange(prefix)).toEqual({ key: prefix, end });
  });

  test('has each key that begins with the prefix, and no neighbor', () => {
    const range = prefixRange('/pods/');
    const keys = ['/pod', '/pods', '/pods-a', '/pods.', '/pods/', '/pods/a', '/pods/~', '/pods0', '/podsa'];
    expect(keys.filter((key) => rangeHas(range, key))).toEqual(['/pods/', '/pods/a', '/pods/~']);
  });
});

test('A range without an end has one key', () => {
  expect(['a', 'ab', ''].filter((key) => rangeHas({ key: 'a' }, key))).toEqual(['a']);
});

describe('A condition of a transaction', () => {
  const kv: KeyValue = { key: 'a', value: 'v', createRevision: 2, modRevision: 4, version: 3 };
  const operators = ['=', '!=', '<', '>'] as const;
  const whichHold = (compare: Pick<Compare, 'target' | 'to'>, current: KeyValue | undefined) =>
    operators.filter((is) => holds({ key: 'a', is, ...compare } as Compare, current));

  test.each([
    ['modRevision', 4, ['=']],
    ['modRevision', 5, ['!=', '<']],
    ['createRevision', 1, ['!=', '>']],
    ['version', 3, ['=']],
    ['value', 'v', ['=']],
    ['value', 'w', ['!=', '<']],
  ] as const)('compares %s with %s', (target, to, expected) => {
    expect(whichHold({ target, to } as Compare, kv)).toEqual(expected);
  });

  test('sees 0 for a missing key, and no value', () => {
    expect(whichHold({ target: 'modRevision', to: 0 }, undefined)).toEqual(['=']);
    expect(whichHold({ target: 'version', to: 1 }, undefined)).toEqual(['!=', '<']);
    expect(whichHold({ target: 'value', to: '' }, undefined)).toEqual([]);
  });
});

describe('Operations of a transaction', () => {
  const put = (key: string) => ({ put: { key, value: '' } });

  test.each([
    ['two puts of different keys', [put('a'), put('b')], false],
    ['two puts of a key', [put('a'), put('a')], true],
    ['a put and a delete of a range with it', [{ delete: prefixRange('a') }, put('ab')], true],
    ['two deletes of a key', [{ delete: { key: 'a' } }, { delete: { key: 'a' } }], false],
    ['a put and a range of a key', [put('a'), { range: { key: 'a' } }], false],
  ])('%s', (_, operations, twice) => expect(writesTwice(operations)).toBe(twice));
});
