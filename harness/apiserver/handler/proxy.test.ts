import { describe, expect, test } from 'vitest';
import { endpoints, namespaces, nodes, pods, services } from '../../api/resource.ts';
import { bytesOfText, type HttpAnswer, type HttpRequest, NetworkError } from '../../contracts/node/index.ts';
import type { KubeletServer } from '../../contracts/node/kubelet-server.ts';
import { Simulation, seededRandom } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { createHandler } from './handler.ts';

const root = 'http://apiserver.test/api/v1/namespaces/default';

/** An apiserver with the pods `web-1` and `new`, and the Services `web`, `empty` and `foreign`. */
async function served(answer: (request: HttpRequest) => HttpAnswer = () => page) {
  const server = new ApiServer({ clock: new Simulation().clock, random: seededRandom(1) });
  const namespace = 'default';
  await server.create(namespaces, { metadata: { name: namespace }, spec: {} });
  const ports = [{ containerPort: 8080 }];
  for (const name of ['web-1', 'new']) {
    const spec = { containers: [{ name: 'web', image: 'nginx', ports }] };
    await server.create(pods, { metadata: { name, namespace }, spec } as never);
  }
  const ip = '10.244.1.2';
  const pod = await server.get(pods, { name: 'web-1', namespace });
  await server.updateStatus(pods, { ...pod, status: { podIP: ip, podIPs: [{ ip }] } } as never);
  const servicePorts = [
    { name: 'http', port: 80, targetPort: 8080 },
    { name: 'admin', port: 81, targetPort: 8081 },
  ];
  for (const name of ['web', 'empty', 'foreign']) {
    await server.create(services, { metadata: { name, namespace }, spec: { ports: servicePorts } } as never);
  }
  const endpointsOf = (name: string, targetRef: object) =>
    server.create(endpoints, {
      metadata: { name, namespace },
      subsets: [
        {
          addresses: [{ ip, targetRef }],
          ports: [
            { name: 'http', port: 8080 },
            { name: 'admin', port: 8081 },
          ],
        },
      ],
    } as never);
  await endpointsOf('web', { kind: 'Pod', name: 'web-1', namespace });
  await endpointsOf('foreign', { kind: 'Pod', name: 'web-1', namespace: 'kube-system' });
  await server.create(endpoints, { metadata: { name: 'empty', namespace } } as never);
  for (const name of ['node-1', 'node-2']) {
    const addresses = [{ type: 'InternalIP', address: `192.168.0.${name.at(-1)}` }];
    const node = await server.create(nodes, { metadata: { name } } as never);
    await server.updateStatus(nodes, { ...node, status: { addresses } } as never);
  }
  const asked: HttpRequest[] = [];
  const kubelet = {
    answer: async ({ method, path }: Pick<HttpRequest, 'method' | 'path'>) => ({
      ...page,
      body: `${method} ${path}`,
    }),
  };
  const handler = createHandler(server, {
    kubelets: (node) => (node === 'node-1' ? (kubelet as KubeletServer) : undefined),
    podNetwork: {
      async request(request) {
        asked.push(request);
        return answer(request);
      },
    },
  });
  return {
    asked,
    ask: (path: string, init?: RequestInit) => handler(new Request(root + path, init)),
    askNode: (path: string) => handler(new Request(`http://apiserver.test/api/v1/nodes/${path}`)),
  };
}

const page: HttpAnswer = { status: 200, headers: { 'content-type': 'text/html' }, body: 'hello' };

describe('…/proxy', () => {
  test.each([
    ['/pods/web-1/proxy/a', 'http', 8080],
    ['/pods/web-1:9090/proxy/a', 'http', 9090],
    ['/pods/https:web-1:9443/proxy/a', 'https', 9443],
    ['/services/web:http/proxy/a', 'http', 8080],
    ['/services/web:81/proxy/a', 'http', 8081],
    ['/services/https:web:admin/proxy/a', 'https', 8081],
  ])('sends a request for %s to the pod over %s, port %i', async (path, scheme, port) => {
    const { asked, ask } = await served();
    const response = await ask(path);
    expect([response.status, await response.text()]).toEqual([200, 'hello']);
    expect(asked).toMatchObject([{ scheme, host: '10.244.1.2', port, path: '/a' }]);
  });

  test('passes on the method, the query and the headers, but not the credentials', async () => {
    const { asked, ask } = await served();
    const headers = { accept: 'text/html', authorization: 'Bearer x', connection: 'x-own', 'x-own': '1' };
    await ask('/pods/web-1/proxy/a%20b/?c=d&watch=1', { method: 'PUT', headers });
    expect(asked).toMatchObject([{ method: 'PUT', path: '/a%20b/?c=d&watch=1' }]);
    expect(asked[0]?.headers).toEqual({
      accept: 'text/html',
      'x-forwarded-uri': '/api/v1/namespaces/default/pods/web-1/proxy/a%20b/',
      'x-forwarded-host': 'apiserver.test',
      'x-forwarded-proto': 'http',
    });
  });

  test('passes on the body, whatever its bytes are', async () => {
    const { asked, ask } = await served();
    await ask('/pods/web-1/proxy/a', { method: 'POST', body: new Uint8Array([0x7b, 0xff, 0x7d]) });
    await ask('/pods/web-1/proxy/a');
    expect(asked.map(({ body }) => [...bytesOfText(body ?? '')])).toEqual([[0x7b, 0xff, 0x7d], []]);
  });

  test("returns the pod's response unchanged", async () => {
    const { ask } = await served(() => ({ status: 404, headers: { etag: '"1"' }, body: 'no such page' }));
    const response = await ask('/services/web:80/proxy/');
    expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([
      404,
      '"1"',
      'no such page',
    ]);
  });

  describe('leads through itself', () => {
    const proxied = '/api/v1/namespaces/default/pods/web-1/proxy';
    const linked = async (headers: Record<string, string>, body = ''): Promise<Response> => {
      const { ask } = await served(() => ({ status: 200, headers, body }));
      return ask('/pods/web-1/proxy/app/');
    };

    test.each([
      ['/login?next=/a#top', `${proxied}/login?next=/a#top`],
      ['/a/../b//./', `${proxied}/b/`],
      ['/', `${proxied}/`],
      ['http://10.244.1.2:8080/login', `${proxied}/login`],
      ['http://apiserver.test/login', `http://apiserver.test${proxied}/login`],
      [`${proxied}/login`, `${proxied}/login`],
      ['login', 'login'],
      ['https://example.com/login', 'https://example.com/login'],
    ])('the redirect to %s', async (location, expected) => {
      expect((await linked({ location })).headers.get('location')).toBe(expected);
    });

    test('the links of a page', async () => {
      const html = `<html><link rel="icon" href='/icon'><a class="/a" href="/b?c=d">/e</a><p href="/f"><img src="g" alt="/h">`;
      const response = await linked({ 'content-type': 'text/html; charset=utf-8' }, html);
      expect(await response.text()).toBe(
        html.replace("'/icon'", `'${proxied}/icon'`).replace('"/b?c=d"', `"${proxied}/b?c=d"`),
      );
    });

    test('no links of other texts', async () => {
      const text = '<a href="/b">';
      expect(await (await linked({ 'content-type': 'text/plain' }, text)).text()).toBe(text);
    });
  });

  test('returns a response without a body', async () => {
    const { ask } = await served(() => ({ status: 204, headers: {}, body: '' }));
    expect((await ask('/pods/web-1/proxy/', { method: 'DELETE' })).status).toBe(204);
  });

  test('redirects to the root of the pod', async () => {
    const { asked, ask } = await served();
    const response = await ask('/services/web:80/proxy?a=b');
    expect(response.status).toBe(301);
    expect(response.headers.get('location')).toBe('/api/v1/namespaces/default/services/web:80/proxy/?a=b');
    expect(asked).toEqual([]);
  });

  test.each([
    ['/pods/nope/proxy/', 404, 'pods "nope" not found'],
    ['/pods/new/proxy/', 400, 'address not allowed'],
    ['/pods/ftp:web-1:21/proxy/', 400, 'invalid pod request "ftp:web-1:21"'],
    ['/pods/web-1:x/proxy/', 503, 'error trying to reach service: dial tcp: lookup tcp/x: unknown port'],
    ['/services/a:b:c:d/proxy/', 400, 'invalid service request "a:b:c:d"'],
    ['/services/nope/proxy/', 404, 'endpoints "nope" not found'],
    ['/services/nope:80/proxy/', 404, 'services "nope" not found'],
    ['/services/web:82/proxy/', 503, 'no service port 82 found for service "web"'],
    ['/services/web:x/proxy/', 503, 'no endpoints available for service "web:x"'],
    ['/services/empty:80/proxy/', 503, 'no endpoints available for service "empty"'],
    ['/services/foreign:80/proxy/', 503, 'no endpoints available for service "foreign:80"'],
  ])('rejects %s', async (path, code, message) => {
    const { ask } = await served();
    expect(await (await ask(path)).json()).toMatchObject({ code, message });
  });

  test('reports why the pod cannot be reached', async () => {
    const { ask } = await served(() => {
      const why = 'dial tcp 10.244.1.2:8080: i/o timeout (Client.Timeout exceeded while awaiting headers)';
      throw new NetworkError('ETIMEDOUT', why);
    });
    const message = 'error trying to reach service: dial tcp 10.244.1.2:8080: i/o timeout';
    expect(await (await ask('/pods/web-1/proxy/')).json()).toMatchObject({ code: 503, message });
  });
});

describe('…/nodes/{name}/proxy', () => {
  test.each([
    ['node-1/proxy/stats/summary?a=b', 'GET /stats/summary?a=b'],
    ['node-1:10250/proxy/healthz', 'GET /healthz'],
    ['https:node-1:/proxy/pods/', 'GET /pods/'],
  ])('sends a request for %s to the kubelet', async (path, body) => {
    const { asked, askNode } = await served();
    const response = await askNode(path);
    expect([response.status, await response.text()]).toEqual([200, body]);
    expect(asked).toEqual([]);
  });

  test('sends a request for another port to the address of the node', async () => {
    const { asked, askNode } = await served();
    expect((await askNode('https:node-2:9100/proxy/metrics')).status).toBe(200);
    expect(asked).toMatchObject([{ scheme: 'https', host: '192.168.0.2', port: 9100, path: '/metrics' }]);
  });

  test('redirects to the root of the node', async () => {
    const { askNode } = await served();
    const { status, headers } = await askNode('node-1/proxy');
    expect([status, headers.get('location')]).toEqual([301, '/api/v1/nodes/node-1/proxy/']);
  });

  test.each([
    ['nope/proxy/healthz', 404, 'nodes "nope" not found'],
    ['ftp:node-1:21/proxy/', 400, 'invalid node request "ftp:node-1:21"'],
    [
      'node-2/proxy/healthz',
      503,
      'error trying to reach service: dial tcp 192.168.0.2:10250: connect: connection refused',
    ],
  ])('rejects %s', async (path, code, message) => {
    const { askNode } = await served();
    expect(await (await askNode(path)).json()).toMatchObject({ code, message });
  });
});
