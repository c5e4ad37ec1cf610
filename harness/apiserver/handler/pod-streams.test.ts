import { describe, expect, test } from 'vitest';
import { namespaces, nodes, pods } from '../../api/resource.ts';
import { KubeletError, type KubeletServer, type LogOptions } from '../../contracts/node/kubelet-server.ts';
import type { MessageSocket, Upgrade } from '../../sim/index.ts';
import { Simulation, seededRandom } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { createHandler } from './handler.ts';
import { createUpgradeHandler } from './upgrade.ts';

const host = 'http://apiserver.test';
const path = '/api/v1/namespaces/default/pods';

/** Starts an apiserver with pods on a node whose kubelet is the given one. */
async function served(kubelet: Partial<KubeletServer> | undefined) {
  const server = new ApiServer({ clock: new Simulation().clock, random: seededRandom(1) });
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  const addresses = [{ type: 'InternalIP', address: '192.168.0.1' }];
  await server.create(nodes, { metadata: { name: 'node-1' }, spec: {} });
  await server.updateStatus(nodes, {
    ...(await server.get(nodes, { name: 'node-1' })),
    status: { addresses },
  } as never);
  const container = (name: string) => ({ name, image: 'nginx' });
  const pod = (name: string, spec: object) =>
    server.create(pods, { metadata: { name, namespace: 'default' }, spec } as never);
  await pod('one', { nodeName: 'node-1', containers: [container('web')] });
  await pod('two', {
    nodeName: 'node-1',
    initContainers: [container('first')],
    containers: [container('web'), container('side')],
  });
  await pod('nowhere', { containers: [container('web')] });
  const kubelets = (node: string) => (node === 'node-1' ? (kubelet as KubeletServer) : undefined);
  const handler = createHandler(server, { kubelets });
  const upgrades = createUpgradeHandler(server, { kubelets, watch: handler });
  const upgradeHandler = async (request: Request): Promise<Upgrade | Response> => {
    const upgrade = await upgrades(request);
    if (!upgrade) throw new Error('nothing to upgrade');
    return upgrade;
  };
  const get = async (rest: string): Promise<[number, string]> => {
    const response = await handler(new Request(`${host}${path}${rest}`));
    const text = await response.text();
    if (response.status === 200) return [200, text];
    return [response.status, (JSON.parse(text) as { message: string }).message];
  };
  return { get, upgradeHandler };
}

async function* chunks(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

describe('GET …/pods/{name}/log', () => {
  test("returns the kubelet's output as text", async () => {
    const asked: unknown[] = [];
    const { get } = await served({
      containerLogs: async ({ pod, container }, options) => {
        asked.push([pod.metadata.name, container, options]);
        return chunks('a\n', 'b\n');
      },
    });
    expect(await get('/one/log')).toEqual([200, 'a\nb\n']);
    const all = '?container=side&follow=true&previous=1&timestamps&tailLines=5&limitBytes=9&sinceSeconds=60';
    expect(await get(`/two/log${all}`)).toEqual([200, 'a\nb\n']);
    expect(await get('/one/log?sinceTime=2024-04-17T00:00:00Z&stream=Stderr')).toEqual([200, 'a\nb\n']);
    const nothing: LogOptions = { follow: false, previous: false, timestamps: false, stream: 'All' };
    expect(asked).toEqual([
      ['one', 'web', nothing],
      [
        'two',
        'side',
        {
          ...nothing,
          follow: true,
          previous: true,
          timestamps: true,
          tailLines: 5,
          limitBytes: 9,
          sinceSeconds: 60,
        },
      ],
      ['one', 'web', { ...nothing, stream: 'Stderr', sinceMs: Date.UTC(2024, 3, 17) }],
    ]);
  });

  const noLogs = { containerLogs: async () => chunks() };
  test.each([
    ['/nope/log', 404, 'pods "nope" not found'],
    ['/one/log?container=x', 400, 'container x is not valid for pod one'],
    ['/two/log', 400, 'a container name must be specified for pod two, choose one of: [first web side]'],
    ['/one/log?tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      '/one/log?tailLines=-1',
      422,
      'PodLogOptions "one" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      '/one/log?limitBytes=0',
      422,
      'PodLogOptions "one" is invalid: limitBytes: Invalid value: 0: must be greater than 0',
    ],
    ['/one/exec?command=ls', 400, 'Upgrade request required'],
    ['/one/portforward?ports=80', 400, 'Upgrade request required'],
  ])('rejects %s', async (rest, code, message) => {
    const { get } = await served(noLogs);
    expect(await get(rest)).toEqual([code, message]);
  });

  test('is empty for a pod that has no node', async () => {
    const { get } = await served(undefined);
    expect(await get('/nowhere/log')).toEqual([200, '']);
  });

  test('forwards an error of the kubelet', async () => {
    const refuse = (code: 400 | 500) => async (): Promise<never> => {
      throw new KubeletError(code, 'no');
    };
    expect(await (await served({ containerLogs: refuse(400) })).get('/one/log')).toEqual([400, 'no']);
    const internal = [500, 'Internal error occurred: no'];
    expect(await (await served({ containerLogs: refuse(500) })).get('/one/log')).toEqual(internal);
  });

  test('reports that no kubelet answers', async () => {
    const { get } = await served(undefined);
    const [code, message] = await get('/one/log');
    expect(code).toBe(500);
    expect(message).toContain('dial tcp 192.168.0.1:10250: connect: connection refused');
  });
});

/** A socket whose client sends these messages and records the answers. */
function socket(said: readonly (readonly [channel: number, text: string])[]) {
  const heard: string[] = [];
  let closed = false;
  const server: MessageSocket = {
    messages: (async function* () {
      for (const [channel, text] of said) {
        yield Uint8Array.from([channel, ...new TextEncoder().encode(text)]);
      }
      // The client stays connected until the server closes.
      while (!closed) await new Promise(setImmediate);
    })(),
    send: async (message) => {
      heard.push(`${message[0]} ${new TextDecoder().decode(message.subarray(1))}`);
    },
    close: () => {
      closed = true;
    },
  };
  return { server, heard, isClosed: () => closed };
}

const SUCCESS = '3 {"metadata":{},"status":"Success"}';

describe('An upgrade for …/pods/{name}/exec', () => {
  const ask = (rest: string, protocols: string, headers: Record<string, string> = { upgrade: 'websocket' }) =>
    new Request(`${host}${path}${rest}`, { headers: { ...headers, 'sec-websocket-protocol': protocols } });
  const all = 'v5.channel.k8s.io, v4.channel.k8s.io';

  /** Runs a command over a socket to its end. */
  async function talk(
    kubelet: Partial<KubeletServer>,
    rest: string,
    said: readonly (readonly [number, string])[] = [],
  ) {
    const { upgradeHandler } = await served(kubelet);
    const upgrade = await upgradeHandler(ask(rest, all));
    if (upgrade instanceof Response) throw new Error(await upgrade.text());
    const { server, heard, isClosed } = socket(said);
    upgrade.serve(server);
    while (!isClosed()) await new Promise(setImmediate);
    return heard;
  }

  test('gives each stream its channel, and reports the outcome of the command', async () => {
    const heard = await talk(
      {
        exec: async ({ container }, command, { stdout, stderr, tty }) => {
          stdout(`${container} ${command.join(' ')} ${tty}`);
          stderr('oops');
          return 0;
        },
      },
      '/one/exec?command=ls&command=-l&stdout=true&stderr=true',
    );
    expect(heard).toEqual(['1 ', '1 web ls -l false', '2 oops', SUCCESS]);
  });

  test('sends nothing on channels that the client did not request', async () => {
    const exec: KubeletServer['exec'] = async (_of, _command, { stdout, stderr, stdin }) => {
      stdout('x');
      stderr('y');
      return stdin === undefined ? 0 : 1;
    };
    expect(await talk({ exec }, '/one/exec?command=ls')).toEqual(['3 ', SUCCESS]);
  });

  test('passes input to the command until the client closes that channel', async () => {
    const exec: KubeletServer['exec'] = async (_of, _command, { stdin, stdout }) => {
      for await (const text of stdin ?? chunks()) stdout(text.toUpperCase());
      return 0;
    };
    const heard = await talk({ exec }, '/one/exec?command=cat&stdin=true&stdout=true', [
      [0, 'a'],
      [0, 'b'],
      [255, '\0'],
    ]);
    expect(heard.slice(0, 3)).toEqual(['1 ', '1 A', '1 B']);
  });

  test('reports an exit code as the cause of the failure', async () => {
    const [, end = ''] = await talk({ exec: async () => 3 }, '/one/exec?command=x');
    expect(JSON.parse(end.slice(2))).toEqual({
      metadata: {},
      status: 'Failure',
      reason: 'NonZeroExitCode',
      message: 'command terminated with non-zero exit code: exit status 3',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    });
  });

  test('reports why a command could not start', async () => {
    const exec = async (): Promise<never> => {
      throw new KubeletError(500, 'no such file');
    };
    const [, end = ''] = await talk({ exec }, '/one/exec?command=x');
    expect(JSON.parse(end.slice(2))).toMatchObject({
      status: 'Failure',
      message: 'Internal error occurred: no such file',
    });
  });

  test('works for attach as well', async () => {
    const attach: KubeletServer['attach'] = async (_of, { stdout }) => stdout('written');
    expect(await talk({ attach }, '/one/attach?stdout=true')).toEqual(['1 ', '1 written', SUCCESS]);
  });

  test.each([
    ['/one/exec', 'v5.channel.k8s.io,v4.channel.k8s.io', 'v5.channel.k8s.io'],
    ['/one/exec', 'v4.channel.k8s.io', 'v4.channel.k8s.io'],
  ])('chooses the best offered protocol: %s, %s', async (rest, offered, protocol) => {
    const { upgradeHandler } = await served({});
    expect(await upgradeHandler(ask(rest, offered))).toMatchObject({ protocol });
  });

  test('accepts SPDY and lets the kubelet open the streams', async () => {
    const said: string[] = [];
    const exec: KubeletServer['exec'] = async (_of, command, { stdout }) => {
      stdout(command.join(' '));
      return 3;
    };
    const openStreams: KubeletServer['openStreams'] = async (_socket, wanted) => {
      said.push(JSON.stringify(wanted));
      const { signal } = new AbortController();
      const stdout = (text: string): void => void said.push(text);
      const end = async (status: string): Promise<void> => void said.push(status);
      return { streams: { stdout, stderr: () => {}, tty: false, signal }, end };
    };
    const { upgradeHandler } = await served({ exec, openStreams });
    const old = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io, channel.k8s.io' };
    const upgrade = await upgradeHandler(ask('/one/exec?command=ls&stdin=true&stdout=true', '', old));
    if (upgrade instanceof Response) throw new Error(await upgrade.text());
    const headers = { Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': 'v4.channel.k8s.io' };
    expect(upgrade).toMatchObject({ headers });
    upgrade.serve(socket([]).server);
    while (said.length < 3) await new Promise(setImmediate);
    expect(said.slice(0, 2)).toEqual(['{"stdin":true,"stdout":true,"stderr":false,"tty":false}', 'ls']);
    expect(JSON.parse(said[2] ?? '')).toMatchObject({ status: 'Failure', reason: 'NonZeroExitCode' });
  });

  test('rejects SPDY without a common protocol', async () => {
    const { upgradeHandler } = await served({});
    const old = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v3.channel.k8s.io' };
    const refusal = (await upgradeHandler(ask('/one/exec?command=ls', '', old))) as Response;
    const why = 'client supports [v3.channel.k8s.io], server accepts [v4.channel.k8s.io]';
    expect([refusal.status, await refusal.text()]).toEqual([
      403,
      `unable to upgrade: unable to negotiate protocol: ${why}\n`,
    ]);
  });

  test.each([
    ['/one/exec', 'chat', {}, 400, /none of .* is among the protocols offered/],
    ['/nowhere/exec', all, {}, 400, /pod nowhere does not have a host assigned/],
    ['/one/exec?container=x', all, {}, 400, /container x is not valid for pod one/],
    ['/nope/exec', all, {}, 404, /not found/],
  ])('rejects %s with %s %j', async (rest, protocols, headers, code, message) => {
    const { upgradeHandler } = await served({});
    const refusal = (await upgradeHandler(ask(rest, protocols, headers))) as Response;
    expect(refusal.status).toBe(code);
    expect(((await refusal.json()) as { message: string }).message).toMatch(message);
  });
});

describe('An upgrade for …/pods/{name}/portforward', () => {
  const protocol = 'SPDY/3.1+portforward.k8s.io';
  const silent = { spdy: async () => {}, channels: async () => {} };
  const runs: Partial<KubeletServer> = { portForward: async () => silent };
  const ask = (name: string, headers: Record<string, string>, query = '') =>
    new Request(`${host}${path}/${name}/portforward${query}`, { headers });
  const bare = (protocols: string) => ({ upgrade: 'SPDY/3.1', 'x-stream-protocol-version': protocols });
  const offering = (protocols: string) => ({ upgrade: 'websocket', 'sec-websocket-protocol': protocols });

  test('passes the socket to the kubelet of the pod', async () => {
    const given: unknown[] = [];
    const portForward: KubeletServer['portForward'] = async ({ metadata }) => ({
      ...silent,
      spdy: async (socket) => void given.push(metadata.name, socket),
    });
    const { upgradeHandler } = await served({ portForward });
    const upgrade = await upgradeHandler(ask('two', offering(`SPDY/3.1+other.k8s.io, ${protocol}`)));
    if (upgrade instanceof Response) throw new Error(await upgrade.text());
    expect(upgrade).toMatchObject({ protocol });
    const { server } = socket([]);
    upgrade.serve(server);
    expect(given).toEqual(['two', server]);
  });

  test.each([
    ['v5.channel.k8s.io, v4.channel.k8s.io', '?ports=80,443', 'v4.channel.k8s.io'],
    ['v4.channel.k8s.io', '?ports=80&ports=443', 'v4.channel.k8s.io'],
    [undefined, '?ports=80&ports=443', ''],
  ])('opens the channels of each requested port, with %s', async (protocols, query, protocol) => {
    const given: unknown[] = [];
    const portForward: KubeletServer['portForward'] = async () => ({
      ...silent,
      channels: async (socket, ports) => void given.push(socket, ports),
    });
    const { upgradeHandler } = await served({ portForward });
    const headers = protocols === undefined ? { upgrade: 'websocket' } : offering(protocols);
    const upgrade = await upgradeHandler(ask('one', headers, query));
    if (upgrade instanceof Response) throw new Error(await upgrade.text());
    expect(upgrade).toMatchObject({ protocol });
    const { server } = socket([]);
    upgrade.serve(server);
    expect(given).toEqual([server, [80, 443]]);
  });

  test.each([
    ['v4.channel.k8s.io', '', 400, /^query parameter "port" is required\n$/],
    ['v4.channel.k8s.io', '?ports=80,0', 400, /^port "80,0" must be > 0\n$/],
    [
      'v4.channel.k8s.io',
      '?ports=web',
      400,
      /cannot convert to .*ParseUint: parsing \\"web\\": invalid syntax/,
    ],
    ['v4.channel.k8s.io', '?ports=65536', 400, /ParseUint: parsing \\"65536\\": value out of range/],
    ['v5.channel.k8s.io', '?ports=80', 403, /^$/],
  ])('rejects invalid ports or protocols for channels: %s, %s', async (protocols, query, code, message) => {
    const { upgradeHandler } = await served(runs);
    const refusal = (await upgradeHandler(ask('one', offering(protocols), query))) as Response;
    expect(refusal.status).toBe(code);
    expect(await refusal.text()).toMatch(message);
  });

  test('accepts SPDY without a WebSocket', async () => {
    const { upgradeHandler } = await served(runs);
    const headers = { Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': 'portforward.k8s.io' };
    expect(await upgradeHandler(ask('one', bare('portforward.k8s.io')))).toMatchObject({ headers });
  });

  test.each([
    ['nowhere', runs, offering(protocol), 400, /pod nowhere does not have a host assigned/],
    ['nope', runs, offering(protocol), 404, /not found/],
    ['one', undefined, offering(protocol), 500, /dial tcp 192.168.0.1:10250: connect: connection refused/],
    [
      'one',
      runs,
      bare('other.k8s.io'),
      403,
      /client supports \[other.k8s.io\], server accepts \[portforward/,
    ],
    [
      'one',
      runs,
      offering('SPDY/3.1+other.k8s.io'),
      403,
      /unable to negotiate protocol: client supports \[other.k8s.io\], server accepts \[portforward.k8s.io\]/,
    ],
  ])('rejects %s, %j, %j', async (name, kubelet, headers, code, message) => {
    const { upgradeHandler } = await served(kubelet);
    const refusal = (await upgradeHandler(ask(name, headers))) as Response;
    expect(refusal.status).toBe(code);
    expect(await refusal.text()).toMatch(message);
  });

  test("forwards the kubelet's error for every kind of connection", async () => {
    const portForward = async (): Promise<never> => {
      throw new KubeletError(500, 'pod not found ("one_default")');
    };
    const { upgradeHandler } = await served({ portForward });
    for (const headers of [offering(protocol), bare('portforward.k8s.io')]) {
      const refusal = (await upgradeHandler(ask('one', headers))) as Response;
      expect([refusal.status, await refusal.text()]).toEqual([500, 'pod not found ("one_default")\n']);
    }
  });
});
