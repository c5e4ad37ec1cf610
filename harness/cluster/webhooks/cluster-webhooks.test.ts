import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type * as admissionregistration from '#api/admissionregistration/v1';
import { deployments, pods, services } from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import { serveNames, useNameServer } from '../addons/outside-names.ts';
import { type Cluster, createCluster } from '../cluster.ts';
import { deployAgnhost } from './agnhost.fixture.ts';
import { clusterWebhooks } from './cluster-webhooks.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const always = { namespace: 'hooks', name: 'hook', path: '/always-deny' };
const refused = { response: { allowed: false, status: { message: 'this webhook denies all requests' } } };

describe('The webhooks of a cluster', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await createCluster({ components });
    await deployAgnhost(cluster, components);
  });
  afterEach(() => cluster[Symbol.asyncDispose]());

  /** Sends a review, and returns the answer or the error message. */
  const send = (
    clientConfig: admissionregistration.WebhookClientConfig,
    request: object = {},
  ): Promise<unknown> => {
    const abort = new AbortController();
    cluster.clock.after(2_000, () => abort.abort(new Error('context deadline exceeded')));
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request } as never;
    const options = { timeoutSeconds: 2, signal: abort.signal };
    const sent = clusterWebhooks(cluster).send(clientConfig, review, options);
    return cluster.settle(sent.catch((error: Error) => error.message));
  };
  const failed = (why: string): string => `Post "https://hook.hooks.svc:443/always-deny?timeout=2s": ${why}`;
  const clusterIP = async (): Promise<string> => {
    const { spec } = await cluster.admin.get(services, { namespace: 'hooks', name: 'hook' });
    return spec.clusterIP ?? '';
  };
  test('are pods behind a Service', async () => {
    expect(await send({ service: always })).toMatchObject(refused);
  });

  test('are reached over the network of the cluster at its addresses, even if that has a way out', async () => {
    const outside: string[] = [];
    cluster.network.requestOutside = async ({ host }) => {
      outside.push(host);
      return { status: 200, headers: {}, body: '{}' };
    };
    const { items } = await cluster.admin.list(pods, { namespace: 'hooks' });
    const podIP = items[0]?.status?.podIP ?? '';
    expect(podIP).toMatch(/^10\.244\./);
    expect(await send({ url: `https://${await clusterIP()}/always-deny` })).toMatchObject(refused);
    expect(await send({ url: `https://${podIP}:8443/always-deny` })).toMatchObject(refused);
    expect(await send({ url: 'https://192.168.0.1/x' })).toMatch(
      /dial tcp 192\.168\.0\.1:443: connect: connection refused$/,
    );
    expect(outside).toEqual([]);
    for (const host of ['10.243.255.255', '10.245.0.0', '10.95.255.255', '10.112.0.0', 'hooks.example.com'])
      await send({ url: `https://${host}` });
    expect(outside).toEqual([
      '10.243.255.255',
      '10.245.0.0',
      '10.95.255.255',
      '10.112.0.0',
      'hooks.example.com',
    ]);
  });

  test('refuse connections if no pod is ready', async () => {
    const none = { type: 'merge', body: { spec: { replicas: 0 } } } as const;
    await cluster.admin.patch(deployments, { namespace: 'hooks', name: 'hook' }, none);
    await cluster.runFor(60_000);
    expect(await send({ service: always })).toBe(
      failed(`dial tcp ${await clusterIP()}:443: connect: connection refused`),
    );
  });

  test('do not answer in time if they hang, or if their node is cut off or has no power', async () => {
    const waiting = {
      resource: { group: '', version: 'v1', resource: 'pods' },
      object: { metadata: { labels: { 'webhook-e2e-test': 'wait-forever' } } },
    };
    expect(await send({ service: { ...always, path: '/pods' } }, waiting)).toBe(
      'Post "https://hook.hooks.svc:443/pods?timeout=2s": context deadline exceeded',
    );
    const machine = cluster.machine('node-2');
    const reconnect = machine?.cutOff();
    expect(await send({ service: always })).toBe(failed('context deadline exceeded'));
    reconnect?.();
    expect(await send({ service: always })).toMatchObject(refused);
    machine?.powerOff();
    expect(await send({ service: always })).toBe(failed('context deadline exceeded'));
  });

  test('can be hosts outside, by address or by name', async () => {
    const outside = cluster.network.outside('hooks');
    const { ip, namespace } = outside;
    namespace.sockets.listen(
      { protocol: 'tcp', port: 443 },
      {
        tls: true,
        http: ({ path, body }) => ({ status: 200, headers: {}, body: JSON.stringify({ path, body }) }),
      },
    );
    serveNames(outside, { 'hooks.example.com.': ip });
    const seen = { path: '/x?timeout=2s', body: expect.stringContaining('AdmissionReview') };
    expect(await send({ url: `https://${ip}/x` })).toEqual(seen);
    const machine = cluster.machine('node-1');
    if (machine) await useNameServer(machine, ip);
    expect(await send({ url: 'https://hooks.example.com/x' })).toEqual(seen);
    expect(await send({ url: 'https://none.example.com/x' })).toBe(
      `Post "https://none.example.com/x?timeout=2s": dial tcp: lookup none.example.com on ${ip}:53: no such host`,
    );
  });
});
