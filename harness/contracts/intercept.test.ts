import { beforeEach, describe, expect, test } from 'vitest';
import { configMaps, deployments, namespaces, pods } from '../api/resource.ts';
import { errors, isConflict } from '../api/status.ts';
import { ApiServer } from '../apiserver/apiserver.ts';
import { configMap, inDefault, pod } from '../client/contract/objects.ts';
import { seededRandom } from '../sim/index.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import type { Client } from './client.ts';
import { intercept } from './intercept.ts';
import { type ApiRequest, targetOf } from './request.ts';

describe('intercept', () => {
  let server: Client;
  beforeEach(async () => {
    server = new ApiServer({ clock: new ManualClock(), random: seededRandom(1) });
    await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  });

  test('sees each request before it is sent, and each answer', async () => {
    const seen: string[] = [];
    const client = intercept(server, async (request, send) => {
      seen.push(`asked ${request.verb} ${request.resource.plural}`);
      const answer = await send(request);
      seen.push(`answered ${request.verb}`);
      return answer;
    });
    await client.create(pods, pod('a'));
    const { items } = await client.list(pods);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a']);
    expect(seen).toEqual(['asked create pods', 'answered create', 'asked list pods', 'answered list']);
  });

  test('can change the answer of one verb', async () => {
    await server.create(configMaps, configMap('a'));
    const client = intercept(server, async (request, send) => {
      if (request.verb !== 'list') return send(request);
      const list = await send(request);
      return { ...list, items: [] };
    });
    expect((await client.list(configMaps)).items).toEqual([]);
    expect((await client.get(configMaps, inDefault('a'))).metadata.name).toBe('a');
  });

  test('can answer without sending a request to the client', async () => {
    const client = intercept(server, (request, send) =>
      request.verb === 'create'
        ? Promise.reject(errors.conflict(request.resource, 'a', 'changed by the test'))
        : send(request),
    );
    await expect(client.create(pods, pod('a'))).rejects.toSatisfy(isConflict);
    expect((await server.list(pods)).items).toEqual([]);
  });

  test('can send a different request', async () => {
    const client = intercept(server, (request, send) =>
      send(request.verb === 'list' ? { ...request, options: { ...request.options, limit: 1 } } : request),
    );
    await client.create(pods, pod('a'));
    await client.create(pods, pod('b'));
    expect((await client.list(pods)).items).toHaveLength(1);
  });

  test('wraps other interceptors', async () => {
    const order: string[] = [];
    const noting =
      (name: string) =>
      (client: Client): Client =>
        intercept(client, (request, send) => {
          order.push(name);
          return send(request);
        });
    await noting('outer')(noting('inner')(server)).list(pods);
    expect(order).toEqual(['outer', 'inner']);
  });
});

describe('a request', () => {
  const key = inDefault('web');
  const object = { ...pod('web'), apiVersion: 'v1', kind: 'Pod' } as never;

  test.each<[ApiRequest['verb'], (client: Client) => Promise<unknown>, object]>([
    ['get', (c) => c.get(pods, key), key],
    ['list', (c) => c.list(pods, { namespace: 'default' }), { namespace: 'default' }],
    ['watch', (c) => c.watch(pods), {}],
    ['create', (c) => c.create(pods, pod('web')), key],
    ['create', (c) => c.create(namespaces, { metadata: { generateName: 'a-' }, spec: {} }), {}],
    ['update', (c) => c.update(pods, object), key],
    ['updateStatus', (c) => c.updateStatus(pods, object), key],
    ['patch', (c) => c.patch(pods, key, { type: 'merge', body: {} }), key],
    ['delete', (c) => c.delete(pods, key), key],
    ['deleteCollection', (c) => c.deleteCollection(pods, { namespace: 'default' }), { namespace: 'default' }],
    ['bind', (c) => c.bind(key, 'node-1'), key],
    ['evict', (c) => c.evict(key), key],
    ['getScale', (c) => c.getScale(deployments, key), key],
    ['updateScale', (c) => c.updateScale(deployments, key, { replicas: 2 }), key],
  ])('of %s names its object, and passes unchanged through two clients', async (verb, call, target) => {
    const requests: ApiRequest[] = [];
    const note = (client: Client): Client =>
      intercept(client, (request, send) => {
        requests.push(request);
        return send(request);
      });
    const nowhere = intercept({} as Client, () => Promise.reject(errors.badRequest('sent to no server')));
    await expect(call(note(note(nowhere)))).rejects.toThrow('sent to no server');
    const [outer, inner] = requests;
    expect(outer?.verb).toBe(verb);
    expect(inner).toEqual(outer);
    expect(outer && targetOf(outer)).toEqual(target);
    expect(outer?.options).toBeDefined();
  });
});
