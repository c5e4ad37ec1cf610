import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/objects.ts';
import { namespaces, nodes, pods } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { AdmissionAttributes } from '../../contracts/admission/index.ts';
import type { KubeletServer } from '../../contracts/node/kubelet-server.ts';
import { Simulation, seededRandom } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { createHandler } from './handler.ts';
import { createUpgradeHandler } from './upgrade.ts';

const path = 'http://apiserver.test/api/v1/namespaces/default/pods/web';

/** An apiserver with the pod `web`, a kubelet that says what it runs, and this plugin for connections. */
async function served(plugin: (attributes: AdmissionAttributes) => KubeObject | undefined) {
  const seen: AdmissionAttributes[] = [];
  const server = new ApiServer({
    clock: new Simulation().clock,
    random: seededRandom(1),
    admission: () => ({
      async admit(attributes) {
        if (attributes.operation !== 'CONNECT') return attributes.object;
        seen.push(attributes);
        return plugin(attributes);
      },
      async validate() {},
    }),
  });
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  await server.create(nodes, { metadata: { name: 'node-1' }, spec: {} });
  const spec = {
    nodeName: 'node-1',
    containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }],
  };
  const pod = await server.create(pods, { metadata: { name: 'web', namespace: 'default' }, spec } as never);
  await server.updateStatus(pods, { ...pod, status: { podIP: '10.244.1.2' } } as never);
  const ran: unknown[] = [];
  const kubelet: Partial<KubeletServer> = {
    exec: async (_of, command, { tty }) => {
      ran.push({ command, tty });
      return 0;
    },
  };
  const kubelets = () => kubelet as KubeletServer;
  const podNetwork = {
    request: async ({ path: asked }: { readonly path: string }) => ({
      status: 200,
      headers: {},
      body: asked,
    }),
  };
  const jane = server.as('jane');
  const handler = createHandler(jane, { kubelets, podNetwork });
  const upgrade = createUpgradeHandler(jane, { kubelets, watch: handler });
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-protocol': 'v5.channel.k8s.io',
  };
  return {
    seen,
    ran,
    get: async (rest: string) => {
      const response = await handler(new Request(`${path}${rest}`));
      return [response.status, await response.text()] as const;
    },
    connect: (rest: string) => upgrade(new Request(`${path}${rest}`, { headers })),
  };
}

const asIs = ({ object }: AdmissionAttributes) => object;

describe('A connection', () => {
  test.each<[rest: string, subresource: string, options: object]>([
    [
      '/exec?stdin=true&stdout=1&stderr=false&tty=0&container=web&command=ls&command=-l',
      'exec',
      { kind: 'PodExecOptions', stdin: true, stdout: true, container: 'web', command: ['ls', '-l'] },
    ],
    ['/exec', 'exec', { kind: 'PodExecOptions', command: null }],
    ['/attach?stdout=true', 'attach', { kind: 'PodAttachOptions', stdout: true }],
    ['/portforward?ports=80,81', 'portforward', { kind: 'PodPortForwardOptions', ports: [80, 81] }],
    ['/proxy/a/b/?c=d', 'proxy', { kind: 'PodProxyOptions', path: '/a/b/' }],
    ['/proxy', 'proxy', { kind: 'PodProxyOptions' }],
  ])('is admitted with its options: %s', async (rest, subresource, options) => {
    const { seen, get } = await served(asIs);
    await get(rest);
    expect(seen).toEqual([
      expect.objectContaining({
        operation: 'CONNECT',
        resource: pods,
        subresource,
        namespace: 'default',
        name: 'web',
        user: { name: 'jane', groups: ['system:authenticated'] },
        object: { apiVersion: 'v1', ...options },
      }),
    ]);
  });

  test('is refused by a plugin before anything else happens', async () => {
    const { connect, get } = await served(({ resource, name }) => {
      throw errors.forbidden(resource, name, 'no connections today');
    });
    const message = 'pods \\"web\\" is forbidden: no connections today';
    expect(await get('/proxy/')).toEqual([403, expect.stringContaining(message)]);
    const refused = (await connect('/exec?command=ls')) as Response;
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining(message)]);
  });

  test('has the options that a plugin leaves', async () => {
    const { connect, get, ran } = await served(({ object }) => {
      const more =
        object?.kind === 'PodExecOptions' ? { command: ['id', 'a b'], tty: true } : { path: '/other' };
      return { ...object, ...more } as KubeObject;
    });
    expect(await get('/proxy/a')).toEqual([200, '/other']);
    const upgrade = (await connect('/exec?stdout=true&command=ls')) as { serve(socket: unknown): void };
    upgrade.serve({ messages: (async function* () {})(), send: async () => {}, close: () => {} });
    await Promise.resolve();
    expect(ran).toEqual([{ command: ['id', 'a b'], tty: true }]);
  });

  test('cannot be a dry run', async () => {
    const { get, seen } = await served(asIs);
    expect(await get('/proxy/?dryRun=All')).toEqual([
      400,
      expect.stringContaining('dryRun is not supported'),
    ]);
    expect(seen).toEqual([]);
  });
});
