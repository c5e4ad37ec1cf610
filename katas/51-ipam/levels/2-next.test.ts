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
  test('is the first address at the start, but never the gateway', () => {
    expect(
      order(undefined, small),
      'all addresses of the range in order when none was allocated before, without 10.1.2.1, the gateway',
    ).toEqual(['10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6']);
  });

  test('is the address after the last one; the last one comes last', () => {
    expect(
      order('10.1.2.4', small),
      'the order starts after the last allocated address, 10.1.2.4, wraps around, and ends with it',
    ).toEqual(['10.1.2.5', '10.1.2.6', '10.1.2.2', '10.1.2.3', '10.1.2.4']);
  });

  test('is the first address again after the end of the range', () => {
    expect(
      order('10.1.2.6', small),
      '10.1.2.6 is the end of the range: the order continues at the start, without the gateway 10.1.2.1',
    ).toEqual(['10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6']);
  });

  test('skips a gateway in the middle of the range, and at its end', () => {
    expect(
      order('10.1.2.2', { ...small, gateway: '10.1.2.3' }),
      'the gateway 10.1.2.3 must be skipped, and the order ends with the last allocated address, 10.1.2.2',
    ).toEqual(['10.1.2.4', '10.1.2.5', '10.1.2.6', '10.1.2.1', '10.1.2.2']);
    expect(
      order(undefined, { ...small, gateway: '10.1.2.6' }),
      'the gateway 10.1.2.6 at the end of the range must be skipped, and 10.1.2.1 is no gateway here',
    ).toEqual(['10.1.2.1', '10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5']);
  });

  test('ignores a gateway outside of the range', () => {
    expect(
      order('10.1.2.3', { ...small, rangeStart: '10.1.2.3', rangeEnd: '10.1.2.4' }),
      'the gateway 10.1.2.1 lies outside of the range, and the order starts after 10.1.2.3',
    ).toEqual(['10.1.2.4', '10.1.2.3']);
  });

  test('is the same address again if the range has only one', () => {
    expect(
      order('10.1.2.2', { subnet: '10.1.2.0/30' }),
      'the range has one address beside the gateway: it was the last, and is the next',
    ).toEqual(['10.1.2.2']);
  });

  test('continues in the next range, and after the last range in the first', () => {
    const ranges = [{ subnet: '10.1.2.0/30' }, { subnet: '10.1.3.0/29' }, { subnet: '10.1.4.0/30' }];
    expect(
      order('10.1.3.5', ...ranges),
      'the order continues in the next range, then in the first one, and ends with the last allocated address, 10.1.3.5',
    ).toEqual(['10.1.3.6', '10.1.4.2', '10.1.2.2', '10.1.3.2', '10.1.3.3', '10.1.3.4', '10.1.3.5']);
  });

  test('is the first address if the last one is in none of the ranges', () => {
    expect(
      order('10.9.9.9', small)[0],
      'the last address 10.9.9.9 is in no range of the set: start at the beginning',
    ).toBe('10.1.2.2');
    expect(
      order('::2', small)[0],
      'the last address ::2 is of the other family, in no range of the set: start at the beginning',
    ).toBe('10.1.2.2');
  });

  test('carries over into the next octet', () => {
    const range = { subnet: '10.1.0.0/16', rangeStart: '10.1.2.254', rangeEnd: '10.1.3.1' };
    expect(order(undefined, range), 'the address after 10.1.2.255 is 10.1.3.0').toEqual([
      '10.1.2.254',
      '10.1.2.255',
      '10.1.3.0',
      '10.1.3.1',
    ]);
  });

  test('is computed at once, however large the range is', () => {
    expect(
      texts(offers(setOf({ subnet: '2001:db8::/64' }), parseIP('2001:db8::ffff')), 2),
      'the first two addresses after 2001:db8::ffff',
    ).toEqual(['2001:db8::1:0', '2001:db8::1:1']);
  });

  test('comes with its range', () => {
    const set = setOf({ subnet: '10.1.2.0/30' }, { subnet: '10.1.3.0/29', rangeEnd: '10.1.3.2' });
    expect(
      [...offers(set)].map(({ range }) => range),
      'the range that comes with each address must be the range that contains it',
    ).toEqual([...set]);
  });

  test.each(named(vectors<Row, { order: readonly string[] }>('cni-ipam', 'iterate', 2)))(
    'agrees: %s',
    (_, { input: { ranges, lastReserved }, expect: { order: wanted } }) => {
      expect(
        order(lastReserved ?? undefined, ...ranges),
        `all addresses in order, after ${lastReserved ?? 'none'}`,
      ).toEqual(wanted);
    },
  );
});
