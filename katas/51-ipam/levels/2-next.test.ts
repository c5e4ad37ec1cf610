import { describe, expect, test } from 'vitest';
import { parseIP } from '#harness';
import { named, vectors } from '#harness/testing';
import { offers } from '#kata/51-ipam/ipam';
import { type RawRange, setOf, texts } from './ranges.fixture.ts';

const order = (last: string | undefined, ...ranges: readonly RawRange[]): readonly string[] =>
  texts(offers(setOf(...ranges), last === undefined ? undefined : parseIP(last)));

const small: RawRange = { subnet: '10.1.2.0/29' };

interface Row {
  readonly ranges: readonly RawRange[];
  readonly lastReserved: string | null;
}

describe('Level 2 · The next address', () => {
  test('is the first, to begin with; the gateway is none', () => {
    expect(order(undefined, small)).toEqual(['10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6']);
  });

  test('is the one after the last, and the last comes last', () => {
    expect(order('10.1.2.4', small)).toEqual(['10.1.2.5', '10.1.2.6', '10.1.2.2', '10.1.2.3', '10.1.2.4']);
  });

  test('is the first again after the end of the range', () => {
    expect(order('10.1.2.6', small)).toEqual(['10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6']);
  });

  test('passes over a gateway in the middle of the range, and at its end', () => {
    expect(order('10.1.2.2', { ...small, gateway: '10.1.2.3' })).toEqual([
      '10.1.2.4',
      '10.1.2.5',
      '10.1.2.6',
      '10.1.2.1',
      '10.1.2.2',
    ]);
    expect(order(undefined, { ...small, gateway: '10.1.2.6' })).toEqual([
      '10.1.2.1',
      '10.1.2.2',
      '10.1.2.3',
      '10.1.2.4',
      '10.1.2.5',
    ]);
  });

  test('does not mind a gateway outside of the range', () => {
    expect(order('10.1.2.3', { ...small, rangeStart: '10.1.2.3', rangeEnd: '10.1.2.4' })).toEqual([
      '10.1.2.4',
      '10.1.2.3',
    ]);
  });

  test('is the only one, again and again', () => {
    expect(order('10.1.2.2', { subnet: '10.1.2.0/30' })).toEqual(['10.1.2.2']);
  });

  test('goes on to the next range, and from the last range to the first', () => {
    const ranges = [{ subnet: '10.1.2.0/30' }, { subnet: '10.1.3.0/29' }, { subnet: '10.1.4.0/30' }];
    expect(order('10.1.3.5', ...ranges)).toEqual([
      '10.1.3.6',
      '10.1.4.2',
      '10.1.2.2',
      '10.1.3.2',
      '10.1.3.3',
      '10.1.3.4',
      '10.1.3.5',
    ]);
  });

  test('is the first if the last is in none of the ranges', () => {
    expect(order('10.9.9.9', small)[0]).toBe('10.1.2.2');
    expect(order('::2', small)[0]).toBe('10.1.2.2');
  });

  test('crosses the end of an octet', () => {
    const range = { subnet: '10.1.0.0/16', rangeStart: '10.1.2.254', rangeEnd: '10.1.3.1' };
    expect(order(undefined, range)).toEqual(['10.1.2.254', '10.1.2.255', '10.1.3.0', '10.1.3.1']);
  });

  test('comes at once, however large the range is', () => {
    expect(texts(offers(setOf({ subnet: '2001:db8::/64' }), parseIP('2001:db8::ffff')), 2)).toEqual([
      '2001:db8::1:0',
      '2001:db8::1:1',
    ]);
  });

  test('says of which range it is', () => {
    const set = setOf({ subnet: '10.1.2.0/30' }, { subnet: '10.1.3.0/29', rangeEnd: '10.1.3.2' });
    expect([...offers(set)].map(({ range }) => range)).toEqual([...set]);
  });

  test.each(named(vectors<Row, { order: readonly string[] }>('cni-ipam', 'iterate', 2)))(
    'agrees: %s',
    (_, { input: { ranges, lastReserved }, expect: { order: wanted } }) => {
      expect(order(lastReserved ?? undefined, ...ranges)).toEqual(wanted);
    },
  );
});
