import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { endpointSlices, type HttpAnswer, nodes, parseIP, services, ToolError } from '#harness';
import { createCluster, openConnection } from '#harness/testing';
import {
  addressesOf,
  type Backend,
  connect,
  connectEachWay,
  NODE,
  NODE_IP,
  OUTSIDE_IP,
  ProxyNetwork,
  podIPs,
  type Shape,
  serviceSpec,
  serviceStatus,
  sliceOf,
} from '#laws/54-service-proxy';
import { defaultConfiguration } from './configuration.ts';
import { runServiceProxy } from './service-proxy.ts';

const within: Shape = {
  external: 'none',
  isExternalLocal: false,
  isInternalLocal: false,
  isSticky: false,
  isGuarded: false,
};
const { clusterIP, nodePort } = addressesOf('web');
const web = { ip: clusterIP, port: addressesOf('web').port, protocol: 'tcp' as const };
const key = { namespace: 'default', name: 'web' };

const ready = (pod: Backend['pod']): Backend => ({ pod, state: 'ready', slice: 0 });

/** Creates a node with a proxy, and the service `web` with these pods as endpoints. */
async function nodeWith(shape: Shape, backends: readonly Backend[]) {
  const asked = new Map<number, () => HttpAnswer>();
  const cluster = await createCluster({
    components: {
      ...components,
      serviceProxy: (context) =>
        runServiceProxy(context, {
          tools: context.host.tools,
          configuration: defaultConfiguration,
          listen: (port, answer) => {
            asked.set(port, answer);
            return () => asked.delete(port);
          },
        }),
    },
  });
  const network = new ProxyNetwork(cluster);
  const { admin } = cluster;
  await admin.create(nodes, { metadata: { name: NODE }, spec: {} });
  const service = await admin.create(services, { metadata: key, spec: serviceSpec('web', shape) });
  await admin.updateStatus(services, { ...service, status: serviceStatus('web', shape) });
  await admin.create(endpointSlices, sliceOf('web', 0, { backends, hints: 'none' }));
  const [proxy] = cluster.runOnNode(NODE, 'serviceProxy');
  const setBackends = async (after: readonly Backend[]): Promise<void> => {
    const name = 'web-0';
    const slice = await admin.get(endpointSlices, { ...key, name });
    const { endpoints = [] } = sliceOf('web', 0, { backends: after, hints: 'none' });
    await admin.update(endpointSlices, { ...slice, endpoints });
    await cluster.runFor(3_000);
  };
  await cluster.runFor(3_000);
  return {
    cluster,
    network,
    proxy,
    asked,
    setBackends,
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

describe('A service', () => {
  test('leads to its endpoints, which see the address of the client pod', async () => {
    await using node = await nodeWith(within, [ready('here-1'), ready('there-1')]);
    const outcomes = connectEachWay({ ...node, place: 'pod', frontend: web });
    expect(outcomes.map(({ reached }) => reached).sort()).toEqual([podIPs['here-1'], podIPs['there-1']]);
    expect(outcomes.map(({ seenFrom }) => seenFrom)).toEqual(['10.244.1.110', '10.244.1.110']);
  });

  test('without endpoints rejects connections at once', async () => {
    await using node = await nodeWith(within, []);
    expect(connect({ ...node, place: 'pod', frontend: web })).toMatchObject({ isRefused: true });
  });

  test('leads a pod to itself, which then sees the address of its node', async () => {
    await using node = await nodeWith(within, [ready('here-1')]);
    const { reached, seenFrom } = connect({ ...node, place: 'self', frontend: web });
    expect({ reached, seenFrom }).toEqual({ reached: podIPs['here-1'], seenFrom: NODE_IP });
  });

  test('with externalTrafficPolicy Local leads external clients only to endpoints on the node, which see their addresses', async () => {
    const shape: Shape = { ...within, external: 'node-port', isExternalLocal: true };
    await using node = await nodeWith(shape, [ready('here-1'), ready('there-1')]);
    const frontend = { ip: NODE_IP, port: nodePort, protocol: 'tcp' } as const;
    expect(connectEachWay({ ...node, place: 'outside', frontend })).toEqual([
      { reached: podIPs['here-1'], seenFrom: OUTSIDE_IP, isRefused: false },
    ]);
    await node.setBackends([ready('there-1')]);
    expect(connectEachWay({ ...node, place: 'outside', frontend })).toMatchObject([
      { reached: undefined, isRefused: false },
    ]);
  });

  test('keeps connections to a draining endpoint, and opens no new ones', async () => {
    await using node = await nodeWith(within, [ready('here-1')]);
    const { connection } = openConnection(node.network.from.pod, { ...web, ip: parseIP(clusterIP) });
    await node.setBackends([{ pod: 'here-1', state: 'draining', slice: 0 }, ready('there-1')]);
    expect(connection?.ask().fate).toEqual({ kind: 'delivered' });
    expect(connectEachWay({ ...node, place: 'pod', frontend: web })).toMatchObject([
      { reached: podIPs['there-1'] },
    ]);
    await node.setBackends([{ pod: 'here-1', state: 'draining', slice: 0 }]);
    expect(connectEachWay({ ...node, place: 'pod', frontend: web })).toMatchObject([
      { reached: podIPs['here-1'] },
    ]);
  });

  test('with session affinity leads a client to its previous endpoint until the timeout', async () => {
    await using node = await nodeWith({ ...within, isSticky: true }, [ready('here-1'), ready('there-1')]);
    const { netfilter } = node.network;
    const visit = (first: boolean): string | undefined => {
      netfilter.dice = { float: () => (first ? 0 : 0.999) };
      return connect({ ...node, place: 'pod', frontend: web }).reached;
    };
    const [before, other] = [visit(true), visit(false)];
    expect(other).toBe(before);
    await node.cluster.runFor(10_801_000);
    expect(visit(false)).not.toBe(before);
  });
});

describe('A service proxy', () => {
  test('reports the number of endpoints on its node to load balancers', async () => {
    const shape: Shape = { ...within, external: 'load-balancer', isExternalLocal: true };
    await using node = await nodeWith(shape, [ready('here-1'), ready('there-1')]);
    const ask = (): HttpAnswer | undefined => [...node.asked.values()][0]?.();
    expect(ask()).toMatchObject({ status: 200, headers: { 'x-load-balancing-endpoint-weight': '1' } });
    await node.setBackends([ready('there-1')]);
    expect(ask()).toMatchObject({ status: 503 });
    await node.cluster.admin.delete(services, key);
    await node.cluster.runFor(3_000);
    expect(node.asked.size).toBe(0);
  });

  test('retries half a minute after rules could not be applied', async () => {
    await using node = await nodeWith(within, [ready('here-1')]);
    const { tools } = node.network.machine.network;
    const run = tools.run.bind(tools);
    tools.run = async (argv, stdin) => {
      if (argv[0] !== 'iptables-restore') return run(argv, stdin);
      tools.run = run;
      throw new ToolError({
        command: argv.join(' '),
        exitCode: 4,
        stderr: 'Another app is holding the xtables lock',
      });
    };
    await node.setBackends([ready('there-1')]);
    expect(connect({ ...node, place: 'pod', frontend: web }).reached).toBe(podIPs['here-1']);
    await node.cluster.runFor(28_000);
    expect(connect({ ...node, place: 'pod', frontend: web }).reached).toBe(podIPs['there-1']);
  });

  test('retries a failed cleanup of stale chains', async () => {
    await using node = await nodeWith(within, [ready('here-1')]);
    const leftovers = (): readonly string[] =>
      node.network.rules.filter((rule) => rule.includes(String(podIPs['here-1'])));
    const { tools } = node.network.machine.network;
    const run = tools.run.bind(tools);
    tools.run = async (argv, stdin) => {
      if (argv[0] !== 'iptables-save') return run(argv, stdin);
      tools.run = run;
      throw new ToolError({ command: argv.join(' '), exitCode: 1, stderr: 'Killed' });
    };
    await node.setBackends([ready('there-1')]);
    expect(leftovers()).not.toEqual([]);
    await node.cluster.runFor(30_000);
    expect(leftovers()).toEqual([]);
  });

  test('writes the chains of a service again only after a change', async () => {
    await using node = await nodeWith(within, [ready('here-1')]);
    const texts: string[] = [];
    const { tools } = node.network.machine.network;
    const run = tools.run.bind(tools);
    tools.run = (argv, stdin = '') => {
      if (argv[0] === 'iptables-restore') texts.push(stdin);
      return run(argv, stdin);
    };
    const spec = serviceSpec('api', within);
    await node.cluster.admin.create(services, { metadata: { namespace: 'default', name: 'api' }, spec });
    await node.cluster.runFor(3_000);
    await node.setBackends([ready('here-1'), ready('there-1')]);
    expect(texts.map((text) => text.includes(':KUBE-SVC-'))).toEqual([false, true]);
    expect(texts.every((text) => text.includes(`-d ${clusterIP}`))).toBe(true);
  });
});
