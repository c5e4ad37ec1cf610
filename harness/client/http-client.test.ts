import { describe, expect, test } from 'vitest';
import { configMaps, deployments, nodes, pods } from '../api/resource.ts';
import { StatusError } from '../api/status.ts';
import type { Client } from '../contracts/client.ts';
import { ConnectionError } from '../contracts/connection-error.ts';
import { HttpClient } from './http-client.ts';

const key = { namespace: 'default', name: 'a' };
const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } };

/** Returns a client that receives every response from `answer`, and the list of its requests. */
function answered(answer: () => Response | Promise<Response>) {
  const requests: Request[] = [];
  const client = new HttpClient({
    baseUrl: 'http://apiserver.test',
    headers: { Authorization: 'Bearer token' },
    fetch: async (input, init) => {
      requests.push(new Request(input, init));
      return answer();
    },
  });
  return { client, requests };
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('HttpClient', () => {
  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['GET /api/v1/namespaces/default/pods/a', (c) => c.get(pods, key)],
    [
      'GET /api/v1/namespaces/default/pods/a?resourceVersion=0',
      (c) => c.get(pods, key, { resourceVersion: '0' }),
    ],
    ['GET /api/v1/nodes/a', (c) => c.get(nodes, { name: 'a' })],
    [
      'GET /api/v1/pods?labelSelector=app%3Dweb&limit=5',
      (c) => c.list(pods, { labelSelector: 'app=web', limit: 5 }),
    ],
    ['GET /api/v1/namespaces/x/pods', (c) => c.list(pods, { namespace: 'x' })],
    [
      'GET /apis/apps/v1/deployments?watch=true&resourceVersion=7&allowWatchBookmarks=true&timeoutSeconds=9',
      (c) => c.watch(deployments, { resourceVersion: '7', allowWatchBookmarks: true, timeoutSeconds: 9 }),
    ],
    [
      'POST /api/v1/namespaces/default/configmaps?fieldManager=me&fieldValidation=Strict',
      (c) => c.create(configMaps, { metadata: { ...key } }, { fieldManager: 'me' }),
    ],
    [
      'PATCH /apis/apps/v1/namespaces/default/deployments/a/scale?dryRun=All&fieldValidation=Warn',
      (c) =>
        c.patch(
          deployments,
          key,
          { type: 'merge', body: {} },
          {
            subresource: 'scale',
            dryRun: true,
            fieldValidation: 'Warn',
          },
        ),
    ],
    ['DELETE /api/v1/namespaces/default/pods/a', (c) => c.delete(pods, key, { gracePeriodSeconds: 0 })],
    [
      'DELETE /api/v1/namespaces/x/pods?fieldSelector=spec.nodeName%3Dn',
      (c) => c.deleteCollection(pods, { namespace: 'x', fieldSelector: 'spec.nodeName=n' }),
    ],
    ['POST /api/v1/namespaces/default/pods/a/binding', (c) => c.bind(key, 'node-1')],
    ['POST /api/v1/namespaces/default/pods/a/eviction', (c) => c.evict(key)],
    ['GET /api/v1/namespaces/default/pods/..%2Fb', (c) => c.get(pods, { ...key, name: '../b' })],
  ])('sends %s', async (expected, call) => {
    const { client, requests } = answered(() => Response.json({ ...object, items: [] }));
    await call(client);
    const [request] = requests;
    expect(request?.headers.get('authorization')).toBe('Bearer token');
    expect(`${request?.method} ${request?.url.replace('http://apiserver.test', '')}`).toBe(expected);
  });

  test('rejects with the error of a Status', async () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'TooManyRequests',
      code: 429,
    };
    const { client } = answered(() =>
      Response.json({ ...status, message: 'slow down' }, { status: 429, headers: { 'Retry-After': '3' } }),
    );
    const error = await errorOf(client.get(pods, key));
    expect(error).toBeInstanceOf(StatusError);
    const { reason, message, retryAfterSeconds } = error as StatusError;
    expect([reason, message, retryAfterSeconds]).toEqual(['TooManyRequests', 'slow down', 3]);
  });

  test.each([
    [
      503,
      'no upstream',
      'ServiceUnavailable',
      'the server is currently unable to handle the request (get pods a)',
    ],
    [404, '', 'NotFound', 'the server could not find the requested resource (get pods a)'],
    [
      502,
      'bad gateway',
      'InternalError',
      'an error on the server ("bad gateway") has prevented the request from succeeding (get pods a)',
    ],
    [
      418,
      '',
      'BadRequest',
      'the server responded with the status code 418 but did not return more information (get pods a)',
    ],
  ])('generates a message for a bare %i', async (code, text, reason, message) => {
    const { client } = answered(() => new Response(text, { status: code, headers: { 'Retry-After': '7' } }));
    const error = await errorOf(client.get(pods, key));
    expect(error).toBeInstanceOf(StatusError);
    const { status } = error as StatusError;
    expect([status.code, status.reason, status.message]).toEqual([code, reason, message]);
    expect(status.details).toEqual({
      name: 'a',
      kind: 'pods',
      causes: [{ reason: 'UnexpectedServerResponse', message: text }],
      retryAfterSeconds: 7,
    });
  });

  test('distinguishes a missing answer from a rejection', async () => {
    const refused = new TypeError('fetch failed', {
      cause: new Error('connect ECONNREFUSED 127.0.0.1:6443'),
    });
    const { client } = answered(() => Promise.reject(refused));
    const error = await errorOf(client.get(pods, key));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      message:
        'Failed to GET http://apiserver.test/api/v1/namespaces/default/pods/a: connect ECONNREFUSED 127.0.0.1:6443. Is the apiserver running?',
      cause: refused,
    });
  });

  test("rejects with the reason of an abort instead of the transport's error", async () => {
    const reason = new Error('enough');
    const { client } = answered(() => Promise.reject(new DOMException('aborted', 'AbortError')));
    expect(await errorOf(client.get(pods, key, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  test('ends a watch if its connection breaks', async () => {
    let broken = false;
    const { client } = answered(() => {
      const pull = (controller: ReadableStreamDefaultController) => {
        if (broken) controller.error(new TypeError('terminated'));
        else
          controller.enqueue(
            new TextEncoder().encode(`{"type":"ADDED","object":${JSON.stringify(object)}}\n`),
          );
        broken = true;
      };
      return new Response(new ReadableStream({ pull }));
    });
    const types: string[] = [];
    for await (const { type } of await client.watch(configMaps)) types.push(type);
    expect(types).toEqual(['ADDED']);
  });

  test.each(['{"type":', '{"type":"ADDED"}', '{"type":"OTHER","object":{}}'])(
    'reports that it cannot decode %s as an error event',
    async (line) => {
      const { client } = answered(() => new Response(`\n${line}\n`));
      const events = [];
      for await (const event of await client.watch(configMaps)) events.push(event);
      expect(events).toMatchObject([{ type: 'ERROR', object: { code: 500, reason: 'InternalError' } }]);
      const causes = [{ reason: 'UnexpectedServerResponse' }, { reason: 'ClientWatchDecoding' }];
      expect(events).toMatchObject([{ object: { details: { causes } } }]);
    },
  );

  test('closes the connection when the loop ends early', async () => {
    let cancelled = false;
    const { client, requests } = answered(() => {
      const start = (controller: ReadableStreamDefaultController) =>
        controller.enqueue(new TextEncoder().encode(`{"type":"ADDED","object":${JSON.stringify(object)}}\n`));
      const cancel = () => {
        cancelled = true;
      };
      return new Response(new ReadableStream({ start, cancel }));
    });
    for await (const _ of await client.watch(configMaps)) break;
    expect([cancelled, requests[0]?.signal.aborted]).toEqual([true, true]);
  });
});
