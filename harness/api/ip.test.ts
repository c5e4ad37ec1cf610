import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCanonicalCIDR, isCanonicalIP, isValidCIDR, isValidIP, warnOfCIDR, warnOfIP } from './ip.ts';

describe('isValidIP', () => {
  test.each([
    '10.9.8.7',
    '0.10.0.0',
    '::',
    '::1',
    '1::',
    '2001:db8::ffff',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:1.2.3.4',
    '1:2:3:4:5:6:7::',
    'ABCD::',
  ])('accepts %s', (value) => {
    expect(isValidIP(value)).toEqual([]);
  });

  test.each([
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '256.0.0.1',
    '1.2.3.4/8',
    ' 1.2.3.4',
    '1..2.3',
    ':',
    ':::',
    '1:',
    ':1',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    'g::',
    '10000::',
    '1:1.2.3.4::',
    '::1.2.3.4:1',
    '::1%eth0',
    '1.2.3.4:5',
    '0x1.2.3.4',
  ])('rejects %j', (value) => {
    expect(isValidIP(value)).toHaveLength(1);
  });

  test.each([
    ['010.0.0.1', 'must not have leading 0s'],
    ['10.0.0.01', 'must not have leading 0s'],
    ['::1.2.3.04', 'must not have leading 0s'],
    ['00001::', 'must not have leading 0s'],
    ['::ffff:1.2.3.4', 'must not be an IPv4-mapped IPv6 address'],
    ['::ffff:102:304', 'must not be an IPv4-mapped IPv6 address'],
  ])('rejects %s, which %s, unless the stored object has it', (value, reason) => {
    expect(isValidIP(value)).toEqual([reason]);
    expect(isValidIP(value, [value])).toEqual([]);
  });

  test('accepts every IPv4 and IPv6 address', () => {
    fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (value) => isValidIP(value).length === 0));
  });
});

describe('isValidCIDR', () => {
  test.each(['10.9.8.0/24', '0.0.0.0/0', '10.9.8.7/32', '2001:db8::/64', '::/0', '2001:DB8:0::/48'])(
    'accepts %s',
    (value) => expect(isValidCIDR(value)).toEqual([]),
  );

  test.each(['', '10.9.8.0', '10.9.8.0/33', '10.9.8.0/x', '::/129', '10.9.8/24', '/24'])(
    'rejects %j',
    (value) =>
      expect(isValidCIDR(value)).toEqual(['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']),
  );

  test.each([
    ['010.9.8.0/24', 'must not have leading 0s in IP or prefix length'],
    ['10.9.8.0/024', 'must not have leading 0s in IP or prefix length'],
    ['::ffff:10.9.8.0/120', 'must not have an IPv4-mapped IPv6 address'],
    ['10.9.8.7/24', 'must not have bits set beyond the prefix length'],
    ['2001:db8::1/64', 'must not have bits set beyond the prefix length'],
  ])('rejects %s, which %s, unless the stored object has it', (value, reason) => {
    expect(isValidCIDR(value)).toEqual([reason]);
    expect(isValidCIDR(value, [value])).toEqual([]);
  });
});

describe('isCanonicalIP, isCanonicalCIDR', () => {
  test.each(['10.9.8.7', '2001:db8::1', '::1'])('accept %s', (value) => {
    expect(isCanonicalIP(value)).toEqual([]);
    const network = value.includes(':') ? `${value}/128` : `${value}/32`;
    expect(isCanonicalCIDR(network)).toEqual([]);
  });

  test.each([
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8:0:0::1', '2001:db8::1'],
  ])('reject %s, whose canonical form is %s', (value, canonical) => {
    expect(isCanonicalIP(value)).toEqual([`must be in canonical form ("${canonical}")`]);
    expect(isCanonicalCIDR(`${value}/128`)).toEqual([`must be in canonical form ("${canonical}/128")`]);
  });

  test('reject a value that is not an address or a network', () => {
    expect(isCanonicalIP('10.9.8')).toEqual([
      'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
    expect(isCanonicalCIDR('10.9.8.7/24')).toEqual(['must not have bits set beyond the prefix length']);
  });
});

describe('warnOfIP, warnOfCIDR', () => {
  test.each(['10.9.8.7', '2001:db8::1', 'x', ''])('return no warning for %j', (value) => {
    expect(warnOfIP(value, 'ip')).toEqual([]);
    expect(warnOfCIDR(`${value}/0`, 'ip')).toEqual([]);
  });

  test.each([
    ['010.9.8.7', 'ip: non-standard IP address "010.9.8.7" is invalid: use "10.9.8.7"'],
    ['::ffff:1.2.3.4', 'ip: non-standard IP address "::ffff:1.2.3.4" is invalid: use "1.2.3.4"'],
    ['00001::', 'ip: non-standard IP address "00001::" is invalid: use "1::"'],
    [
      '2001:DB8:0::1',
      'ip: IPv6 address "2001:DB8:0::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    ],
  ])('warn about the spelling of %s', (value, told) => {
    expect(warnOfIP(value, 'ip')).toEqual([told]);
  });

  test('warn about the spelling of a network', () => {
    expect(warnOfCIDR('2001:DB8:0::/48', 'net')).toEqual([
      'net: IPv6 CIDR value "2001:DB8:0::/48" should be in RFC 5952 canonical format ("2001:db8::/48")',
    ]);
  });
});
