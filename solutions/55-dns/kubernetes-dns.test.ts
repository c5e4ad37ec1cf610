import { describe, expect, test } from 'vitest';
import { components } from '#components';
import {
  type DnsMessage,
  type DnsQuestion,
  endpointSlices,
  type KubernetesDns,
  type KubernetesDnsOptions,
  services,
} from '#harness';
import { createCluster } from '#harness/testing';
import { newKubernetesDns } from './kubernetes-dns.ts';

const options: Omit<KubernetesDnsOptions, 'context'> = {
  zones: ['cluster.local.', 'in-addr.arpa.'],
  ttl: 30,
  pods: 'verified',
  fallthrough: ['in-addr.arpa.'],
  lookup: async (question) => ({
    question,
    rcode: 'NOERROR',
    authoritative: false,
    answer: [{ name: question.name, ttl: 60, type: 'A', address: '203.0.113.7' }],
    authority: [],
    additional: [],
  }),
};

/** Creates a cluster with the plugin in its own process. */
async function start(more: Partial<KubernetesDnsOptions> = {}) {
  const cluster = await createCluster({ components });
  let dns: KubernetesDns | undefined;
  cluster.run('coredns', async (context) => {
    dns = newKubernetesDns({ ...options, ...more, context });
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
  });
  const ask = async (name: string, type: DnsQuestion['type'] = 'A'): Promise<DnsMessage | undefined> =>
    dns?.answer({ name, type });
  return {
    cluster,
    ask,
    hasSynced: () => dns?.hasSynced(),
    addresses: async (name: string) =>
      (await ask(name))?.answer.flatMap((record) => ('address' in record ? [record.address] : [])),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

const meta = { namespace: 'default', name: 'web' };
const ports = [{ name: 'http', port: 80 }];

describe('The name server of a cluster', () => {
  test('answers SERVFAIL for unknown names until it has synced', async () => {
    await using dns = await start();
    expect(dns.hasSynced()).toBe(false);
    expect(await dns.ask('web.default.svc.cluster.local.')).toMatchObject({ rcode: 'SERVFAIL' });
    await dns.cluster.runFor(1_000);
    expect(dns.hasSynced()).toBe(true);
    expect(await dns.ask('web.default.svc.cluster.local.')).toMatchObject({ rcode: 'NXDOMAIN' });
  });

  test('follows changes of services and their endpoints', async () => {
    await using dns = await start();
    const { admin } = dns.cluster;
    await admin.create(services, { metadata: meta, spec: { clusterIP: 'None', ports } });
    const slice = await admin.create(endpointSlices, {
      metadata: { ...meta, labels: { 'kubernetes.io/service-name': 'web' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.244.1.2'] }],
      ports,
    });
    await dns.cluster.runFor(1_000);
    expect(await dns.addresses('web.default.svc.cluster.local.')).toEqual(['10.244.1.2']);
    await admin.update(endpointSlices, { ...slice, endpoints: [{ addresses: ['10.244.2.9'] }] });
    await dns.cluster.runFor(1_000);
    expect(await dns.addresses('web.default.svc.cluster.local.')).toEqual(['10.244.2.9']);
    await admin.delete(services, meta);
    await dns.cluster.runFor(1_000);
    expect(await dns.ask('web.default.svc.cluster.local.')).toMatchObject({ rcode: 'NXDOMAIN' });
  });

  test('resolves the target of an alias outside the cluster through another server', async () => {
    await using dns = await start();
    const spec = { type: 'ExternalName', externalName: 'db.example.com' };
    await dns.cluster.admin.create(services, { metadata: meta, spec });
    await dns.cluster.runFor(1_000);
    expect((await dns.ask('web.default.svc.cluster.local.'))?.answer).toEqual([
      { name: 'web.default.svc.cluster.local.', ttl: 30, type: 'CNAME', target: 'db.example.com.' },
      { name: 'db.example.com.', ttl: 60, type: 'A', address: '203.0.113.7' },
    ]);
  });

  test('leaves out an alias whose target it cannot resolve', async () => {
    await using dns = await start({ lookup: () => Promise.reject(new Error('no servers')) });
    const spec = { type: 'ExternalName', externalName: 'db.example.com' };
    await dns.cluster.admin.create(services, { metadata: meta, spec });
    await dns.cluster.runFor(1_000);
    expect(await dns.ask('web.default.svc.cluster.local.')).toMatchObject({ rcode: 'NOERROR', answer: [] });
  });

  test('puts the time of the last change into the serial of the zone', async () => {
    await using dns = await start();
    const serial = async () => {
      const [soa] = (await dns.ask('cluster.local.', 'SOA'))?.answer ?? [];
      return soa?.type === 'SOA' ? soa.serial : 0;
    };
    await dns.cluster.runFor(10_000);
    const before = await serial();
    await dns.cluster.admin.create(services, { metadata: meta, spec: { ports } });
    await dns.cluster.runFor(5_000);
    expect((await serial()) - before).toBe(10);
  });

  test('leaves names of other zones to other plugins', async () => {
    await using dns = await start();
    await dns.cluster.runFor(1_000);
    expect(await dns.ask('example.com.')).toBeUndefined();
    expect(await dns.ask('9.9.9.9.in-addr.arpa.', 'PTR')).toBeUndefined();
  });
});
