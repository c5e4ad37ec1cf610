import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { hostsFile, podDns, podHostname } from './dns.ts';

const configuration = {
  clusterDNS: ['10.96.0.10'],
  clusterDomain: 'cluster.local',
  host: { servers: ['192.168.0.53'], searches: ['example.com'], options: [] },
};

function pod(spec: Partial<core.PodSpec> = {}, name = 'web-1'): Pod {
  return {
    metadata: { name, namespace: 'shop', uid: 'u1' },
    spec: { containers: [], ...spec },
  } as unknown as Pod;
}

function dns(spec: Partial<core.PodSpec>, more = {}) {
  const told: string[] = [];
  const recorder = { event: (_: unknown, __: string, reason: string) => void told.push(reason) };
  return { ...podDns(pod(spec), { ...configuration, ...more }, recorder), told };
}

describe('The names that a pod can look up', () => {
  test('are those of its namespace, of all services, and of the node', () => {
    expect(dns({})).toEqual({
      servers: ['10.96.0.10'],
      searches: ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local', 'example.com'],
      options: ['ndots:5'],
      told: [],
    });
  });

  test.each([
    ['of the node, by the policy Default', { dnsPolicy: 'Default' }, ['192.168.0.53']],
    ['of the node, in its network', { hostNetwork: true }, ['192.168.0.53']],
    [
      'of the cluster, if asked for',
      { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' },
      ['10.96.0.10'],
    ],
    [
      'its own, by the policy None',
      { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'] } },
      ['1.1.1.1'],
    ],
  ] as const)('are %s', (_, spec, servers) => {
    expect(dns(spec as Partial<core.PodSpec>).servers).toEqual(servers);
  });

  test('are joined by what its spec says', () => {
    const { searches, options } = dns({
      dnsConfig: { searches: ['my.example'], options: [{ name: 'ndots', value: '2' }] },
    });
    expect(searches.at(-1)).toBe('my.example');
    expect(options).toEqual(['ndots:2']);
  });

  test('are no more than three servers', () => {
    const { servers, told } = dns({ dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3'] } });
    expect([servers.length, told]).toEqual([3, ['DNSConfigForming']]);
  });

  test('are those of the node when the cluster has none', () => {
    expect(dns({}, { clusterDNS: [] })).toMatchObject({
      servers: ['192.168.0.53'],
      told: ['MissingClusterDNS'],
    });
  });
});

describe('The name of a pod', () => {
  test.each([
    ['its own', {}, 'web-1', { hostname: 'web-1', domain: '' }],
    ['that of its spec', { hostname: 'db' }, 'web-1', { hostname: 'db', domain: '' }],
    [
      'in a domain',
      { subdomain: 'all' },
      'web-1',
      { hostname: 'web-1', domain: 'all.shop.svc.cluster.local' },
    ],
    ['as short as a kernel takes it', {}, `${'a'.repeat(62)}-bc`, { hostname: 'a'.repeat(62), domain: '' }],
  ])('is %s', (_, spec, name, expected) => {
    expect(podHostname(pod(spec, name), 'cluster.local')).toEqual(expected);
  });

  test('stands in its hosts file, and after it what its spec adds', () => {
    const hostAliases = [{ ip: '10.0.0.9', hostnames: ['a', 'b'] }];
    const file = hostsFile(pod({ subdomain: 'all', hostAliases }), ['10.244.1.2'], 'cluster.local');
    expect(file).toContain('10.244.1.2\tweb-1.all.shop.svc.cluster.local\tweb-1\n');
    expect(file).toMatch(/\n# Entries added by HostAliases\.\n10\.0\.0\.9\ta\tb\n$/);
  });
});
