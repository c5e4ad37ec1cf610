import { describe, expect, test } from 'vitest';
import { firstOf, parseIP, plus } from '../../api/ip-prefix.ts';
import { type RangeRules, readIpamConfiguration, readRangeSets } from './ipam-configuration.ts';

const read = (config: object, args: Readonly<Record<string, string>> = {}) =>
  readIpamConfiguration({
    config: { cniVersion: '1.1.0', name: 'cbr0', type: 'bridge', ...config },
    args,
  });

/** Ranges of one hundred addresses from the network's first address. Two ranges overlap if they have the same start. */
const rules: RangeRules = {
  canonicalRange: ({ subnet }) => {
    const rangeStart = firstOf(subnet);
    return { subnet, rangeStart, rangeEnd: plus(rangeStart, 99), gateway: rangeStart };
  },
  rangesOverlap: (one, other) => one.rangeStart.text === other.rangeStart.text,
};

const refusal = (...sets: readonly (readonly string[])[]): string => {
  const config = read({ ipam: { ranges: sets.map((set) => set.map((subnet) => ({ subnet }))) } });
  try {
    readRangeSets(config, rules);
  } catch (error) {
    return (error as Error).message;
  }
  return 'did not fail';
};

describe('The configuration of host-local', () => {
  test('determines the directory of the reservations', () => {
    expect(read({ ipam: { subnet: '10.1.2.0/24' } }).directory).toBe('/var/lib/cni/networks/cbr0');
    expect(read({ ipam: { subnet: '10.1.2.0/24', dataDir: '/run/ipam' } }).directory).toBe('/run/ipam/cbr0');
  });

  test('orders ranges: those of the runtime, the single range, the others', () => {
    const { ranges } = read({
      runtimeConfig: { ipRanges: [[{ subnet: '10.1.3.0/24' }]] },
      ipam: { subnet: '10.1.2.0/24', gateway: '10.1.2.9', ranges: [[{ subnet: '10.1.4.0/24' }]] },
    });
    expect(ranges.map(([first]) => first?.subnet.ip.text)).toEqual(['10.1.3.0', '10.1.2.0', '10.1.4.0']);
    expect(ranges[1]?.[0]?.gateway?.text).toBe('10.1.2.9');
  });

  test('orders requested addresses by their sources, and removes prefix lengths', () => {
    const { requested } = read(
      {
        ipam: { subnet: '10.1.2.0/24' },
        args: { cni: { ips: ['10.1.2.11'] } },
        runtimeConfig: { ips: ['10.1.2.12/24'] },
      },
      { IP: '10.1.2.10' },
    );
    expect(requested).toEqual(['10.1.2.10', '10.1.2.11', '10.1.2.12'].map(parseIP));
  });

  test.each<[object, string]>([
    [{}, "IPAM config missing 'ipam' key"],
    [{ ipam: {} }, 'no IP ranges specified'],
    [{ ipam: { subnet: 'nonsense' } }, 'nonsense'],
    [{ ipam: { subnet: '10.1.2.0/24', gateway: 'x' } }, '"x"'],
  ])('rejects %j', (config, message) => {
    expect(() => read(config)).toThrow(message);
  });
});

describe('Range sets', () => {
  test('are complete', () => {
    const sets = readRangeSets(read({ ipam: { subnet: '10.1.2.0/24' } }), rules);
    expect(sets.map((set) => set.map(({ rangeEnd }) => rangeEnd.text))).toEqual([['10.1.2.99']]);
  });

  test.each<[readonly (readonly string[])[], string]>([
    [[[]], 'invalid range set 0: empty range set'],
    [[['10.1.2.0/24'], ['10.1.3.0/24', '2001:db8::/64']], 'invalid range set 1: mixed address families'],
    [
      [['10.1.2.0/24', '10.1.2.0/25']],
      'invalid range set 0: subnets 10.1.2.0-10.1.2.99 and 10.1.2.0-10.1.2.99 overlap',
    ],
    [[['10.1.2.0/24'], ['10.1.3.0/24'], ['10.1.4.0/24', '10.1.2.0/24']], 'range set 0 overlaps with 2'],
  ])('are rejected for %j', (sets, message) => {
    expect(refusal(...sets)).toBe(message);
  });

  test('contain one range set for each family before 0.3.0', () => {
    const ranges = [[{ subnet: '10.1.2.0/24' }], [{ subnet: '10.1.3.0/24' }]];
    expect(() => readRangeSets(read({ cniVersion: '0.2.0', ipam: { ranges } }), rules)).toThrow(
      'CNI version 0.2.0 does not support more than 1 address per family',
    );
    expect(readRangeSets(read({ cniVersion: '0.3.0', ipam: { ranges } }), rules)).toHaveLength(2);
  });
});
