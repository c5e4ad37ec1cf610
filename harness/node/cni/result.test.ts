import { describe, expect, test } from 'vitest';
import type { CniResult } from '../../contracts/node/network-plugin.ts';
import { readResult, writtenResult } from './result.ts';

const result: CniResult = {
  cniVersion: '1.1.0',
  interfaces: [{ name: 'eth0', sandbox: '/var/run/netns/a' }],
  ips: [
    { address: '10.1.2.2/24', gateway: '10.1.2.1', interface: 0 },
    { address: '10.1.3.2/24', interface: 0 },
    { address: '2001:db8::2/64', gateway: '2001:db8::1', interface: 0 },
  ],
  routes: [{ dst: '0.0.0.0/0' }, { dst: '::/0', gw: '2001:db8::1' }],
};

const empty: CniResult = { cniVersion: '1.1.0', interfaces: [], ips: [], routes: [] };

describe('A result', () => {
  test('is written without empty lists, and always with dns', () => {
    expect(writtenResult(result, '1.0.0')).toEqual({ ...result, cniVersion: '1.0.0', dns: {} });
    expect(writtenResult(empty, '1.1.0')).toEqual({ cniVersion: '1.1.0', dns: {} });
  });

  test('contains the family of each address until 0.4.0', () => {
    expect(writtenResult(result, '0.4.0')).toEqual({
      ...result,
      cniVersion: '0.4.0',
      ips: result.ips.map((ip, i) => ({ version: i === 2 ? '6' : '4', ...ip })),
      dns: {},
    });
  });

  test('contains the first address of each family with its routes until 0.2.0', () => {
    expect(writtenResult(result, '0.2.0')).toEqual({
      cniVersion: '0.2.0',
      ip4: { ip: '10.1.2.2/24', gateway: '10.1.2.1', routes: [{ dst: '0.0.0.0/0' }] },
      ip6: { ip: '2001:db8::2/64', gateway: '2001:db8::1', routes: [{ dst: '::/0', gw: '2001:db8::1' }] },
      dns: {},
    });
    expect(() => writtenResult(empty, '0.2.0')).toThrow('cannot convert: no valid IP addresses');
  });

  test.each(['1.1.0', '1.0.0', '0.4.0', '0.3.1'])('survives writing and reading in %s', (cniVersion) => {
    const { interfaces, ips, routes } = readResult(JSON.stringify(writtenResult(result, cniVersion)));
    expect({ cniVersion: '1.1.0', interfaces, ips, routes }).toEqual(result);
  });

  test('survives in 0.2.0 except for interfaces and further addresses', () => {
    const { interfaces, ips, routes } = readResult(JSON.stringify(writtenResult(result, '0.2.0')));
    expect({ interfaces, ips, routes }).toEqual({
      interfaces: [],
      ips: [
        { address: '10.1.2.2/24', gateway: '10.1.2.1' },
        { address: '2001:db8::2/64', gateway: '2001:db8::1' },
      ],
      routes: result.routes,
    });
  });

  test('is read even if all lists are missing', () => {
    expect(readResult('{"cniVersion":"1.1.0"}')).toEqual(empty);
  });
});
