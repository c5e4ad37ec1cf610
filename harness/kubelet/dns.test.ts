import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { hostsFile, kernelHostname, parseResolvConf, podDns, podHostname } from './dns.ts';

const configuration = {
  clusterDNS: ['10.96.0.10'],
  clusterDomain: 'cluster.local',
  resolvConf: '/etc/resolv.conf',
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
  const recorder = {
    event: (about: { kind?: string }, _: string, reason: string) =>
      void told.push(`${about.kind ?? 'Pod'} ${reason}`),
  };
  const found = podDns(pod(spec), { ...configuration, ...more }, { node: 'node-1', recorder });
  return { ...found, told };
}

describe('The DNS configuration of a pod', () => {
  test('has the search domains of its namespace, of all Services, of the cluster and of the node', () => {
    expect(dns({})).toEqual({
      servers: ['10.96.0.10'],
      searches: ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local', 'example.com'],
      options: ['ndots:5'],
      told: [],
    });
  });

  test.each([
    ['of the node with policy Default', { dnsPolicy: 'Default' }, ['192.168.0.53']],
    ['of the node with host network', { hostNetwork: true }, ['192.168.0.53']],
    [
      'of the cluster with policy ClusterFirstWithHostNet',
      { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' },
      ['10.96.0.10'],
    ],
    [
      'of its spec with policy None',
      { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'] } },
      ['1.1.1.1'],
    ],
  ] as const)('has the name servers %s', (_, spec, servers) => {
    expect(dns(spec as Partial<core.PodSpec>).servers).toEqual(servers);
  });

  test('includes the search domains and options of dnsConfig', () => {
    const { searches, options } = dns({
      dnsConfig: { searches: ['my.example'], options: [{ name: 'ndots', value: '2' }] },
    });
    expect(searches.at(-1)).toBe('my.example');
    expect(options).toEqual(['ndots:2']);
  });

  test('has at most three name servers', () => {
    const { servers, told } = dns({ dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3'] } });
    expect([servers.length, told]).toEqual([3, ['Pod DNSConfigForming']]);
  });

  test.each([
    ['32 domains', Array.from({ length: 40 }, (_, i) => `d${i}.example`), 32],
    ['the length of a domain name', ['a'.repeat(254), 'b.example'], 5],
    ['2,048 characters', Array.from({ length: 20 }, (_, i) => `${'a'.repeat(200)}${i}`), 13],
  ])('limits the search domains to %s', (_, searches, count) => {
    const { searches: found, told } = dns({ dnsConfig: { searches } });
    expect([found.length, told]).toEqual([count, ['Pod DNSConfigForming']]);
  });

  test('has the name servers of the node when the cluster has none', () => {
    expect(dns({}, { clusterDNS: [] })).toMatchObject({
      servers: ['192.168.0.53'],
      told: ['Node MissingClusterDNS', 'Pod MissingClusterDNS'],
    });
  });

  test('has 127.0.0.1 and no search domain when the node has no resolv.conf', () => {
    expect(dns({ dnsPolicy: 'Default' }, { host: undefined })).toMatchObject({
      servers: ['127.0.0.1'],
      searches: ['.'],
    });
  });

  test('has only the search domains of the cluster when the node has none', () => {
    expect(dns({}, { host: undefined }).searches).toHaveLength(3);
  });
});

describe('The resolv.conf of a node', () => {
  test('lists one name server per line', () => {
    const text = '# mine\nnameserver 192.168.0.53\nnameserver 1.1.1.1\n\nsearch a.example. . b.example\n';
    expect(parseResolvConf(text)).toEqual({
      servers: ['192.168.0.53', '1.1.1.1'],
      searches: ['a.example', 'b.example'],
      options: [],
    });
  });

  test('applies the last search line, and the last value of each option', () => {
    const text = 'search a\noptions ndots:1 rotate\nsearch b\noptions ndots:2\n';
    expect(parseResolvConf(text)).toEqual({
      servers: [],
      searches: ['b'],
      options: ['ndots:2', 'rotate'],
    });
  });

  test('is rejected if a nameserver line has no address', () => {
    expect(() => parseResolvConf('nameserver\n')).toThrow('nameserver list is empty');
  });
});

describe('The hostname of a pod', () => {
  test.each([
    ['the name of the pod', {}, 'web-1', { hostname: 'web-1', domain: '' }],
    ['the hostname of the spec', { hostname: 'db' }, 'web-1', { hostname: 'db', domain: '' }],
    [
      'qualified by a subdomain',
      { subdomain: 'all' },
      'web-1',
      { hostname: 'web-1', domain: 'all.shop.svc.cluster.local' },
    ],
    ['truncated to the kernel limit', {}, `${'a'.repeat(62)}-bc`, { hostname: 'a'.repeat(62), domain: '' }],
  ])('is %s', (_, spec, name, expected) => {
    expect(podHostname(pod(spec, name), 'cluster.local')).toEqual(expected);
  });

  test('includes the domain for the kernel with setHostnameAsFQDN, and is rejected if it is too long', () => {
    const whole = { subdomain: 'all', setHostnameAsFQDN: true };
    expect(kernelHostname(pod({ subdomain: 'all' }), 'cluster.local')).toBe('web-1');
    expect(kernelHostname(pod(whole), 'cluster.local')).toBe('web-1.all.shop.svc.cluster.local');
    expect(kernelHostname(pod({ setHostnameAsFQDN: true }), 'cluster.local')).toBe('web-1');
    expect(() => kernelHostname(pod({ ...whole, hostname: 'a'.repeat(40) }), 'cluster.local')).toThrow(
      /is too long \(64 characters is the max, 67 characters requested\)$/,
    );
  });

  test('is in the hosts file, followed by the hostAliases of the spec', () => {
    const hostAliases = [{ ip: '10.0.0.9', hostnames: ['a', 'b'] }];
    const file = hostsFile(pod({ subdomain: 'all', hostAliases }), ['10.244.1.2'], 'cluster.local');
    expect(file).toContain('10.244.1.2\tweb-1.all.shop.svc.cluster.local\tweb-1\n');
    expect(file).toMatch(/\n# Entries added by HostAliases\.\n10\.0\.0\.9\ta\tb\n$/);
  });
});
