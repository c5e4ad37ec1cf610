import { describe, expect, test } from 'vitest';
import { type Range, type RangeConfiguration, readRangeSets } from '#given/51-ipam';
import { parseIP } from '#harness';
import { named, vectors } from '#harness/testing';
import { canonicalRange, rangeContains, rangesOverlap } from '#kata/51-ipam/ipam';
import { type RawRange, rangeOf, said } from './ranges.fixture.ts';

const canonical = (raw: RawRange): Range => canonicalRange(rangeOf(raw));
const message = (raw: RawRange): string => said(() => canonical(raw));

interface CanonicalRow {
  readonly rangeStart?: string;
  readonly rangeEnd?: string;
  readonly gateway?: string;
  readonly error?: boolean;
  readonly networkAddress?: string;
}

describe('Level 1 · A range', () => {
  test('starts with the gateway, after the network address, and ends before the broadcast address', () => {
    const { gateway, rangeStart, rangeEnd } = canonical({ subnet: '10.1.2.0/24' });
    expect(
      [gateway.text, rangeStart.text, rangeEnd.text],
      'gateway, rangeStart, rangeEnd of 10.1.2.0/24: the gateway is the first address after the network, and the end is one before the broadcast address',
    ).toEqual(['10.1.2.1', '10.1.2.1', '10.1.2.254']);
  });

  test('keeps the start, end and gateway of the configuration', () => {
    const { gateway, rangeStart, rangeEnd } = canonical({
      subnet: '10.1.2.0/24',
      rangeStart: '10.1.2.10',
      rangeEnd: '10.1.2.20',
      gateway: '10.1.2.254',
    });
    expect(
      [gateway.text, rangeStart.text, rangeEnd.text],
      'gateway, rangeStart, rangeEnd: the configuration names all three, so canonicalRange must keep them',
    ).toEqual(['10.1.2.254', '10.1.2.10', '10.1.2.20']);
  });

  test('fills in only the missing end', () => {
    expect(
      canonical({ subnet: '10.1.2.0/24', rangeStart: '10.1.2.10' }).rangeEnd.text,
      'rangeEnd without a configured end: the last address before the broadcast address',
    ).toBe('10.1.2.254');
    expect(
      canonical({ subnet: '10.1.2.0/24', rangeEnd: '10.1.2.20' }).rangeStart.text,
      'rangeStart without a configured start: the first address after the network',
    ).toBe('10.1.2.1');
  });

  test('ends with the last address in IPv6, which has no broadcast address', () => {
    const { gateway, rangeStart, rangeEnd } = canonical({ subnet: '2001:db8:1::/126' });
    expect(
      [gateway.text, rangeStart.text, rangeEnd.text],
      'gateway, rangeStart, rangeEnd in IPv6: the range ends with the last address of the subnet, because IPv6 has no broadcast address',
    ).toEqual(['2001:db8:1::1', '2001:db8:1::1', '2001:db8:1::3']);
  });

  test('handles subnets that end within an octet', () => {
    const { gateway, rangeEnd } = canonical({ subnet: '10.1.4.0/22' });
    expect(
      [gateway.text, rangeEnd.text],
      'gateway and rangeEnd of a /22, which has 1024 addresses from 10.1.4.0 on',
    ).toEqual(['10.1.4.1', '10.1.7.254']);
  });

  test.each([
    ['10.1.2.4/31', 'Network 10.1.2.4/31 too small to allocate from'],
    ['10.1.2.4/32', 'Network 10.1.2.4/32 too small to allocate from'],
    ['10.1.2.5/31', 'Network 10.1.2.5/31 too small to allocate from'],
    ['2001:db8::/127', 'Network 2001:db8::/127 too small to allocate from'],
  ])('rejects %s, which is too small', (subnet, wanted) => {
    expect(message({ subnet }), 'the error for a subnet with fewer than four addresses').toBe(wanted);
  });

  test('accepts the smallest subnet that is large enough', () => {
    expect(
      canonical({ subnet: '10.1.2.4/30' }).rangeEnd.text,
      'rangeEnd of a /30: four addresses, with a broadcast address at 10.1.2.7',
    ).toBe('10.1.2.6');
  });

  test('accepts the broadcast address as rangeEnd', () => {
    const ends = { rangeStart: '10.1.2.255', rangeEnd: '10.1.2.255' };
    expect(
      canonical({ subnet: '10.1.2.0/24', ...ends }).rangeEnd.text,
      'rangeEnd: the configuration names the broadcast address as the end, and it must be kept',
    ).toBe('10.1.2.255');
  });

  test('rejects a subnet with host bits set', () => {
    expect(
      message({ subnet: '10.1.2.3/24' }),
      'the error for a subnet whose address is not the network address of its prefix',
    ).toBe('Network has host bits set. For a subnet mask of length 24 the network address is 10.1.2.0');
  });

  test.each<[string, Omit<RawRange, 'subnet'>, string]>([
    ['a start outside', { rangeStart: '10.1.3.0' }, 'RangeStart 10.1.3.0 not in network 10.1.2.0/24'],
    ['an end outside', { rangeEnd: '10.1.3.0' }, 'RangeEnd 10.1.3.0 not in network 10.1.2.0/24'],
    ['a start of the other family', { rangeStart: '::1' }, 'RangeStart ::1 not in network 10.1.2.0/24'],
    [
      'a start after the end',
      { rangeStart: '10.1.2.9', rangeEnd: '10.1.2.8' },
      'RangeStart 10.1.2.9 not in network 10.1.2.0/24',
    ],
    [
      'the broadcast address as a start without an end, because the end that is filled in lies before it',
      { rangeStart: '10.1.2.255' },
      'RangeEnd 10.1.2.254 not in network 10.1.2.0/24',
    ],
    [
      'an end before the first address',
      { rangeEnd: '10.1.2.0' },
      'RangeEnd 10.1.2.0 not in network 10.1.2.0/24',
    ],
  ])('rejects %s', (_, ends, wanted) => {
    expect(
      message({ subnet: '10.1.2.0/24', ...ends }),
      'the error of canonicalRange; it checks both ends against the subnet, and the start against the end',
    ).toBe(wanted);
  });

  test('contains its first and its last address, and the addresses between them', () => {
    const range = canonical({ subnet: '10.1.2.0/24', rangeStart: '10.1.2.10', rangeEnd: '10.1.2.20' });
    const inside = (ip: string): boolean => rangeContains(range, parseIP(ip));
    expect(
      ['10.1.2.9', '10.1.2.10', '10.1.2.15', '10.1.2.20', '10.1.2.21'].map(inside),
      'whether 10.1.2.9, .10, .15, .20 and .21 are in the range 10.1.2.10-10.1.2.20: both ends belong to it',
    ).toEqual([false, true, true, true, false]);
  });

  test('contains no address of the other family', () => {
    expect(
      rangeContains(canonical({ subnet: '0.0.0.0/24' }), parseIP('::2')),
      'an IPv6 address is in no IPv4 range, even if both have the same numeric value',
    ).toBe(false);
  });

  test('overlaps with a range that shares one address', () => {
    const low = canonical({ subnet: '10.1.2.0/24', rangeEnd: '10.1.2.100' });
    const high = canonical({ subnet: '10.1.2.0/24', rangeStart: '10.1.2.101' });
    const inner = canonical({ subnet: '10.1.2.0/24', rangeStart: '10.1.2.100', rangeEnd: '10.1.2.120' });
    expect(
      [rangesOverlap(low, high), rangesOverlap(high, low)],
      'rangesOverlap(low, high) and (high, low): low ends at .100 and high starts at .101, so they share no address',
    ).toEqual([false, false]);
    expect(
      [rangesOverlap(low, inner), rangesOverlap(inner, low)],
      'rangesOverlap(low, inner) and (inner, low): both contain 10.1.2.100, the last of low and the first of inner',
    ).toEqual([true, true]);
    expect(
      [rangesOverlap(high, inner), rangesOverlap(inner, high)],
      'rangesOverlap(high, inner) and (inner, high): both contain 10.1.2.101 to .120',
    ).toEqual([true, true]);
  });

  test('overlaps with a range inside it, and the other way round', () => {
    const wide = canonical({ subnet: '10.1.0.0/16' });
    const narrow = canonical({ subnet: '10.1.9.0/24' });
    expect(
      [rangesOverlap(wide, narrow), rangesOverlap(narrow, wide)],
      'rangesOverlap(wide, narrow) and (narrow, wide): 10.1.9.0/24 is inside 10.1.0.0/16',
    ).toEqual([true, true]);
  });

  test.each(named(vectors<RawRange, CanonicalRow>('cni-ipam', 'canonicalRange', 8)))(
    'agrees on canonical ranges: %s',
    (_, { input, expect: { error, networkAddress, ...ends } }) => {
      if (!error) {
        const range = canonical(input);
        expect(
          {
            rangeStart: range.rangeStart.text,
            rangeEnd: range.rangeEnd.text,
            gateway: range.gateway.text,
          },
          `the ends and the gateway that canonicalRange fills in for ${JSON.stringify(input)}`,
        ).toEqual(ends);
        return;
      }
      expect(message(input), `the error of canonicalRange for ${JSON.stringify(input)}`).toContain(
        networkAddress ?? 'not in network',
      );
    },
  );

  test.each(
    named(
      vectors<{ range: RawRange; ips: readonly string[] }, { contains: readonly boolean[] }>(
        'cni-ipam',
        'rangeContains',
        2,
      ),
    ),
  )('agrees on contained addresses: %s', (_, { input, expect: { contains } }) => {
    const range = canonical(input.range);
    expect(
      input.ips.map((ip) => rangeContains(range, parseIP(ip))),
      `whether each of ${input.ips.join(', ')} is in the range ${JSON.stringify(input.range)}`,
    ).toEqual(contains);
  });

  test.each(named(vectors<{ a: RawRange; b: RawRange }, { overlaps: boolean }>('cni-ipam', 'overlap', 4)))(
    'agrees on overlaps: %s',
    (_, { input: { a, b }, expect: { overlaps } }) => {
      const [one, other] = [canonical(a), canonical(b)];
      expect(
        [rangesOverlap(one, other), rangesOverlap(other, one)],
        `whether ${JSON.stringify(a)} and ${JSON.stringify(b)} overlap, asked both ways`,
      ).toEqual([overlaps, overlaps]);
    },
  );

  test.each<[string, readonly (readonly RangeConfiguration[])[], string]>([
    ['no range', [[rangeOf({ subnet: '10.1.2.0/24' })], []], 'invalid range set 1: empty range set'],
    [
      'mixed families',
      [[rangeOf({ subnet: '10.1.2.0/24' }), rangeOf({ subnet: '2001:db8::/64' })]],
      'mixed address families',
    ],
    [
      'an address twice in a set',
      [[rangeOf({ subnet: '10.1.2.0/24' }), rangeOf({ subnet: '10.1.0.0/16' })]],
      'subnets 10.1.2.1-10.1.2.254 and 10.1.0.1-10.1.255.254 overlap',
    ],
    [
      'an address in two sets',
      [[rangeOf({ subnet: '10.1.2.0/24' })], [rangeOf({ subnet: '10.1.0.0/16' })]],
      'range set 0 overlaps with 1',
    ],
  ])('rejects range sets with %s', (_, ranges, wanted) => {
    const rules = { canonicalRange, rangesOverlap };
    expect(
      said(() => readRangeSets({ ranges, cniVersion: '1.1.0' }, rules)),
      'the error of the configuration, which calls canonicalRange and rangesOverlap',
    ).toContain(wanted);
  });
});
