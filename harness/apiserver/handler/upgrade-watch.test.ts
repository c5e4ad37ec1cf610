import { describe, expect, test } from 'vitest';
import { configMaps, namespaces } from '../../api/resource.ts';
import { type MessageSocket, Simulation, seededRandom, type Upgrade } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { createHandler } from './handler.ts';
import { createUpgradeHandler } from './upgrade.ts';

const WATCH = '/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=0';
const BROWSER = { upgrade: 'websocket', origin: 'http://localhost:8001' };

async function served() {
  const server = new ApiServer({ clock: new Simulation().clock, random: seededRandom(1) });
  const namespace = 'default';
  await server.create(namespaces, { metadata: { name: namespace }, spec: {} });
  const create = (name: string) => server.create(configMaps, { metadata: { name, namespace } });
  await create('first');
  const upgrades = createUpgradeHandler(server, {
    kubelets: () => undefined,
    watch: createHandler(server),
  });
  const ask = (path: string, headers: Record<string, string> = BROWSER) =>
    upgrades(new Request(`http://apiserver.test${path}`, { headers }));
  return { create, ask };
}

/** A socket whose client reads `count` messages and leaves. Resolves with the messages when the server closes. */
function reading({ serve }: Upgrade, count: number): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const read: string[] = [];
    let leave = (): void => {};
    const left = new Promise<void>((done) => {
      leave = done;
    });
    const socket: MessageSocket = {
      messages: new ReadableStream({
        async start(controller) {
          await left;
          controller.close();
        },
      }),
      async send(message) {
        read.push(new TextDecoder().decode(message));
        if (read.length === count) leave();
      },
      close: () => resolve(read),
    };
    serve(socket);
  });
}

describe('A watch over a WebSocket', () => {
  test('sends each event as a line of JSON, until the client leaves', async () => {
    const { ask, create } = await served();
    const upgrade = (await ask(WATCH)) as Upgrade;
    expect(upgrade).toMatchObject({ protocol: '', sendsText: true });
    const messages = reading(upgrade, 2);
    await create('second');
    const events = (await messages).map((message) => [message.at(-1), JSON.parse(message)]);
    expect(events).toMatchObject([
      ['\n', { type: 'ADDED', object: { kind: 'ConfigMap', metadata: { name: 'first' } } }],
      ['\n', { type: 'ADDED', object: { kind: 'ConfigMap', metadata: { name: 'second' } } }],
    ]);
  });

  test('accepts the only protocol that the client offers', async () => {
    const { ask } = await served();
    expect(await ask(WATCH, { ...BROWSER, 'sec-websocket-protocol': 'any' })).toMatchObject({
      protocol: 'any',
    });
    const several = await ask(WATCH, { ...BROWSER, 'sec-websocket-protocol': 'a, b' });
    expect((several as Response).status).toBe(400);
  });

  test.each([
    ['without an origin', WATCH, { upgrade: 'websocket' }, 403],
    ['in protobuf', WATCH, { ...BROWSER, accept: 'application/vnd.kubernetes.protobuf' }, 406],
    ['with an invalid selector', `${WATCH}&labelSelector=%3D`, BROWSER, 400],
    ['of an unknown resource', '/api/v1/nothings?watch=1', BROWSER, 404],
  ])('is refused %s', async (_, path, headers, code) => {
    const { ask } = await served();
    expect(((await ask(path, headers)) as Response).status).toBe(code);
  });
});

describe('A request for an upgrade', () => {
  test.each([
    ['/api/v1/namespaces/default/configmaps', 'websocket'],
    ['/api/v1/namespaces/default/configmaps?watch=1', 'h2c'],
    ['/api/v1/namespaces/default/pods/one/status', 'websocket'],
    ['/version', 'h2c'],
    ['/nothing', 'h2c'],
  ])('of %s to %s upgrades nothing', async (path, upgrade) => {
    const { ask } = await served();
    expect(await ask(path, { ...BROWSER, upgrade })).toBeUndefined();
  });
});
