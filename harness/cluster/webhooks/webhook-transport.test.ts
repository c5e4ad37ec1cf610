import { describe, expect, test } from 'vitest';
import type * as admissionregistration from '#api/admissionregistration/v1';
import type { Service } from '../../api/objects.ts';
import type { AdmissionReview } from '../../contracts/admission/index.ts';
import { type HttpAnswer, type HttpRequest, NetworkError } from '../../contracts/node/index.ts';
import { type WebhookSurroundings, webhookTransport } from './webhook-transport.ts';

const review: AdmissionReview = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };

function service(spec: Partial<Service['spec']>): Service {
  const ports = [{ port: 443 }, { port: 8443 }];
  return {
    metadata: { name: 'web' },
    spec: { type: 'ClusterIP', clusterIP: '10.96.1.2', ports, ...spec },
  } as Service;
}

const json = (body: unknown, status = 200): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const text = (body: string, status = 200): HttpAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});

/** Sends a review, and returns the requests that reach the network, and the answer or the error message. */
async function sent(
  client: Partial<admissionregistration.ServiceReference> | string,
  {
    answer = async () => json({ response: {} }),
    spec = {},
    signal = new AbortController().signal,
    ...others
  }: {
    readonly answer?: (request: HttpRequest) => Promise<HttpAnswer>;
    readonly spec?: Partial<Service['spec']>;
    readonly signal?: AbortSignal;
  } & Partial<WebhookSurroundings> = {},
) {
  const requests: HttpRequest[] = [];
  const { send } = webhookTransport({
    network: {
      request(request) {
        requests.push(request);
        return answer(request);
      },
    },
    service: ({ namespace, name }) => (namespace === 'hooks' && name === 'web' ? service(spec) : undefined),
    lookUp: async (host) => `address of ${host}`,
    ...others,
  });
  const config =
    typeof client === 'string'
      ? { url: client, caBundle: 'UEVN' }
      : { service: { namespace: 'hooks', name: 'web', ...client } };
  const outcome = await send(config, review, { timeoutSeconds: 10, signal }).catch(
    (error: Error) => error.message,
  );
  return { requests, outcome };
}

describe('The transport to webhooks', () => {
  test('posts a review to the cluster IP of a Service, and returns the answer', async () => {
    const { requests, outcome } = await sent({ path: '/validate/' });
    expect(outcome).toEqual({ response: {} });
    expect(requests).toEqual([
      {
        scheme: 'https',
        method: 'POST',
        host: '10.96.1.2',
        port: 443,
        path: '/validate?timeout=10s',
        headers: {
          host: 'web.hooks.svc:443',
          'user-agent': 'kube-apiserver-admission',
          accept: 'application/json, */*',
          'content-type': 'application/json',
          'content-length': '61',
        },
        body: JSON.stringify(review),
        timeoutMs: 11_000,
      },
    ]);
  });

  test.each<[url: string, host: string, port: number, path: string, header: string]>([
    ['https://hooks.example.com/a//b/', 'hooks.example.com', 443, '/a/b?timeout=10s', 'hooks.example.com'],
    ['https://10.0.0.1:8443', '10.0.0.1', 8443, '/?timeout=10s', '10.0.0.1:8443'],
    ['https://[2001:db8::1]/x', '2001:db8::1', 443, '/x?timeout=10s', '[2001:db8::1]'],
  ])('posts to a host outside: %s', async (url, host, port, path, header) => {
    const { requests } = await sent(url);
    expect(requests).toMatchObject([{ host: `address of ${host}`, port, path, headers: { host: header } }]);
  });

  test('looks up the external name of a Service', async () => {
    const { requests } = await sent(
      { port: 8443 },
      { spec: { type: 'ExternalName', externalName: 'example.com' } },
    );
    expect(requests).toMatchObject([
      { host: 'address of example.com', port: 8443, headers: { host: 'web.hooks.svc:8443' } },
    ]);
  });

  test('leaves the simulation for a URL, with its authorities, if the network has a way out', async () => {
    const outside: object[] = [];
    const { requests } = await sent('https://hooks.example.com/x', {
      requestOutside: async (request) => {
        outside.push(request);
        return json({});
      },
    });
    expect(requests).toEqual([]);
    expect(outside).toMatchObject([
      { host: 'hooks.example.com', port: 443, path: '/x?timeout=10s', ca: 'PEM' },
    ]);
  });

  test.each<[outcome: string, Parameters<typeof sent>]>([
    ['service "none" not found', [{ name: 'none' }]],
    ['no service port 8080 found for service "web"', [{ port: 8080 }]],
    ['cannot route to service with ClusterIP "None"', [{}, { spec: { clusterIP: 'None' } }]],
  ])('reports why a Service leads nowhere: %s', async (why, [client, options]) => {
    const { outcome } = await sent(client, options);
    expect(outcome).toMatch(new RegExp(`^Post "https://.*\\.svc:\\d+/\\?timeout=10s": ${why}$`));
  });

  test.each<[outcome: string, code: NetworkError['code'], message: string]>([
    [
      'Post "https://web.hooks.svc:443/?timeout=10s": dial tcp 10.96.1.2:443: connect: connection refused',
      'ECONNREFUSED',
      'dial tcp 10.96.1.2:443: connect: connection refused',
    ],
    [
      'Post "https://web.hooks.svc:443/?timeout=10s": context deadline exceeded',
      'ETIMEDOUT',
      'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    ],
  ])("reports the network's error: %s", async (expected, code, message) => {
    const answer = (): Promise<HttpAnswer> => Promise.reject(new NetworkError(code, message));
    expect((await sent({}, { answer })).outcome).toBe(expected);
  });

  test('gives up as soon as its signal is aborted', async () => {
    const controller = new AbortController();
    const answer = (): Promise<HttpAnswer> => {
      controller.abort(new Error('context deadline exceeded'));
      return new Promise(() => {});
    };
    expect((await sent({}, { answer, signal: controller.signal })).outcome).toBe(
      'Post "https://web.hooks.svc:443/?timeout=10s": context deadline exceeded',
    );
  });

  test.each<[outcome: string, answer: HttpAnswer]>([
    ['the server could not find the requested resource', text('404 page not found\n', 404)],
    [
      'an error on the server ("it broke") has prevented the request from succeeding',
      text('it broke\n', 500),
    ],
    ['an error on the server ("unknown") has prevented the request from succeeding', json({}, 500)],
    ['the server is currently unable to handle the request', text('', 503)],
    [
      'configmaps "a" not found',
      json(
        {
          kind: 'Status',
          status: 'Failure',
          code: 404,
          reason: 'NotFound',
          message: 'configmaps "a" not found',
        },
        404,
      ),
    ],
    [
      '0-length response with status code: 200 and content type: application/json',
      { status: 200, headers: {}, body: '' },
    ],
  ])('reports an answer that is a failure: %s', async (expected, answer) => {
    expect((await sent({}, { answer: async () => answer })).outcome).toBe(expected);
  });

  test('posts a review of a conversion without a time limit in the query', async () => {
    const requests: HttpRequest[] = [];
    const { convert } = webhookTransport({
      network: {
        async request(request) {
          requests.push(request);
          return json({ response: {} });
        },
      },
      service: () => service({}),
      lookUp: async (host) => host,
    });
    const config = { service: { namespace: 'hooks', name: 'web', path: '/convert' } };
    const { signal } = new AbortController();
    expect(await convert(config, { kind: 'ConversionReview' }, { signal })).toEqual({ response: {} });
    expect(requests).toMatchObject([{ path: '/convert', body: '{"kind":"ConversionReview"}' }]);
  });

  test('returns an answer that is not JSON as text', async () => {
    expect((await sent({}, { answer: async () => text('hello') })).outcome).toBe('hello');
  });
});
