import { describe, expect, test } from 'vitest';
import { namespaces } from '../../api/resource.ts';
import type { Attributes } from '../../contracts/access/index.ts';
import type { Template } from '../../platform/x509/authority.ts';
import { newAuthority, leaf as newLeaf } from '../../platform/x509/certificates.fixture.ts';
import { PURPOSE } from '../../platform/x509/extensions.ts';
import { type Peer, Simulation, seededRandom } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { Guard } from './guard.ts';
import { createHandler } from './handler.ts';
import { scriptedAccess } from './scripted-access.fixture.ts';
import { host, podsPath } from './served.fixture.ts';
import { createUpgradeHandler } from './upgrade.ts';

const DAY_MS = 86_400_000;
const startMs = Date.UTC(2026, 10, 28);
const valid = { notBeforeMs: startMs, notAfterMs: startMs + DAY_MS };
const authority = newAuthority('kubernetes', { ...valid, notAfterMs: startMs + 10 * DAY_MS });
const peer = (changes: Partial<Template> = {}, issuer = authority): Peer => ({
  certificates: [newLeaf({ ...valid, ...changes }, issuer)],
});
const janes = peer();
const staticTokens = new Map([['secret', { name: 'bob', uid: '7', groups: ['dev'] }]]);

interface Options {
  readonly may?: (attributes: Attributes) => boolean;
  readonly error?: string;
}

/** A front end with a guard. `asked` has the decisions of its access control. */
async function guarded(options: Options = {}) {
  const sim = new Simulation({ startMs });
  const { access: newAccess, asked } = scriptedAccess(options);
  const server = new ApiServer({
    ...{
      clock: sim.clock,
      random: seededRandom(1),
      access: newAccess,
      accessConfiguration: { staticTokens },
    },
  });
  const admin = server.authorized({ name: 'admin', groups: [] });
  await admin.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  const { access } = server;
  if (!access) throw new Error('the apiserver has no access control');
  const clientOf: (typeof server)['authorized'] = (user) => server.authorized(user);
  const guard = new Guard({ access, clientOf, clientAuthorities: authority.pem });
  const handler = createHandler(server, { guard });
  const upgrades = createUpgradeHandler(server, { kubelets: () => undefined, watch: handler, guard });
  const request = (path: string, init: RequestInit = {}) => new Request(`${host}${path}`, init);
  const send = (path: string, init?: RequestInit, from?: Peer) => handler(request(path, init), from);
  const codeOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).status;
  const upgrade = (path: string, headers: Record<string, string>, from?: Peer) =>
    upgrades(request(path, { headers: { upgrade: 'websocket', ...headers } }), from);
  return { sim, server, asked, send, codeOf, upgrade };
}

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const acting = (headers: Record<string, string>): RequestInit => ({ headers });

describe('A request over HTTP', () => {
  test('without credentials is anonymous', async () => {
    const { codeOf, asked } = await guarded();
    expect([await codeOf(podsPath), await codeOf('/version')]).toEqual([200, 200]);
    expect(asked).toEqual(['system:anonymous: list pods default/', 'system:anonymous: get /version']);
  });

  test('has the user of its certificate, or of its token', async () => {
    const { codeOf, asked } = await guarded();
    expect([await codeOf(podsPath, {}, janes), await codeOf(podsPath, bearer('secret'))]).toEqual([200, 200]);
    expect(asked).toEqual(['jane: list pods default/', 'bob: list pods default/']);
  });

  test('with bad credentials is refused, and nothing decides about it', async () => {
    const { send, asked } = await guarded();
    const response = await send(podsPath, bearer('wrong'));
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}\n',
    );
    expect(asked).toEqual([]);
  });

  test.each([
    ['another authority', peer({}, newAuthority('kubernetes', valid))],
    ['another purpose', peer({ purposes: [PURPOSE.serverAuth] })],
    ['an earlier time', peer({ notAfterMs: startMs - 1_000 })],
    ['nothing that can be read', { certificates: [Buffer.from('jane')] }],
  ])('with a certificate of %s is refused', async (_, from) => {
    const { codeOf } = await guarded();
    expect(await codeOf(podsPath, {}, from)).toBe(401);
    expect(await codeOf('/healthz', {}, from)).toBe(401);
  });

  test('is refused once the certificate of its connection has expired', async () => {
    const { codeOf, sim } = await guarded();
    expect(await codeOf(podsPath, {}, janes)).toBe(200);
    await sim.run({ forMs: DAY_MS });
    expect(await codeOf(podsPath, {}, janes)).toBe(200);
    await sim.run({ forMs: 1_000 });
    expect(await codeOf(podsPath, {}, janes)).toBe(401);
  });

  test('that the user may not send is refused before anything else looks at it', async () => {
    const { send } = await guarded({ may: () => false });
    const refused: readonly (readonly [string, RequestInit])[] = [
      [`${podsPath}/absent`, {}],
      [podsPath, { method: 'POST', body: '{' }],
      [podsPath, { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/csv' } }],
      [podsPath, { headers: { Accept: 'image/png' } }],
      [podsPath, { method: 'PUT', body: '{}' }],
      ['/apis/no.such/v1/things', {}],
      ['/no/such/path', {}],
      ['/api/v1/proxy/nodes/a', {}],
    ];
    for (const [path, init] of refused) expect([path, (await send(path, init)).status]).toEqual([path, 403]);
  });

  test('is refused with the reason, and with the same words whether the object exists or not', async () => {
    const { send } = await guarded({ may: () => false });
    const path = '/api/v1/namespaces/default';
    const response = await send(path, {}, janes);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const why = (name: string) =>
      `namespaces "${name}" is forbidden: User "jane" cannot get resource "namespaces" in API group "" in the namespace "${name}": the script`;
    expect(await response.json()).toEqual({
      ...{
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        reason: 'Forbidden',
        code: 403,
      },
      message: why('default'),
      details: { name: 'default', kind: 'namespaces' },
    });
    expect(await (await send('/api/v1/namespaces/absent', {}, janes)).json()).toMatchObject({
      message: why('absent'),
    });
  });

  test('for a path is refused in the words of paths', async () => {
    const { send } = await guarded({ may: () => false });
    expect(await (await send('/metrics')).json()).toMatchObject({
      message: 'forbidden: User "system:anonymous" cannot get path "/metrics": the script',
    });
  });

  test('that no authorizer can decide about fails with a text', async () => {
    const { send } = await guarded({ error: 'the webhook <a> is down' });
    const response = await send(`${podsPath}?limit=1&a=b`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      500,
      'text/plain; charset=utf-8',
    ]);
    expect(await response.text()).toBe(
      `Internal Server Error: "${podsPath}?limit=1&amp;a=b": the webhook &lt;a&gt; is down\n`,
    );
  });

  test('in the name of another user is decided about as that user', async () => {
    const { codeOf, asked } = await guarded();
    const headers = { 'Impersonate-User': 'ann', 'Impersonate-Group': 'dev' };
    expect(await codeOf(podsPath, acting(headers), janes)).toBe(200);
    expect(asked).toEqual(['ann: list pods default/']);
    expect(await codeOf(podsPath, acting({ 'Impersonate-User': 'root' }), janes)).toBe(403);
    expect(await codeOf(podsPath, acting({ 'Impersonate-Group': 'dev' }), janes)).toBe(400);
    expect(
      await codeOf(podsPath, acting({ 'Impersonate-User': 'ann' }), peer({ notAfterMs: startMs - 1 })),
    ).toBe(401);
  });
});

describe('An upgrade', () => {
  const exec = '/api/v1/namespaces/default/pods/web/exec?command=sh';

  test.each(['exec', 'attach', 'portforward'])('to %s needs the right to it', async (subresource) => {
    const { upgrade, asked } = await guarded({ may: () => false });
    const answer = await upgrade(exec.replace('exec?', `${subresource}?`), {}, janes);
    expect((answer as Response).status).toBe(403);
    expect(asked).toEqual([`jane: get pods/${subresource} default/web`]);
  });

  test.each(['exec', 'attach', 'portforward'])(
    'to %s needs more than the right to get it',
    async (subresource) => {
      const { upgrade, asked } = await guarded({ may: ({ verb }) => verb === 'get' });
      const answer = (await upgrade(exec.replace('exec?', `${subresource}?`), {}, janes)) as Response;
      expect(await answer.json()).toMatchObject({
        code: 403,
        message: 'pods "web" is forbidden: the script',
      });
      expect(asked).toEqual([
        `jane: get pods/${subresource} default/web`,
        `jane: create pods/${subresource} default/web`,
      ]);
    },
  );

  test('with bad credentials is refused', async () => {
    const { upgrade } = await guarded();
    expect(((await upgrade(exec, { authorization: 'Bearer wrong' })) as Response).status).toBe(401);
  });

  test('of a watch needs the right to watch', async () => {
    const { upgrade, asked } = await guarded({ may: () => false });
    expect(((await upgrade(`${podsPath}?watch=1`, { origin: host }, janes)) as Response).status).toBe(403);
    expect(asked).toEqual(['jane: watch pods default/']);
  });

  const protocol = (token: string): string =>
    `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;

  test('carries a token among its protocols, which is none of them', async () => {
    const { upgrade, asked } = await guarded();
    const offered = { origin: host, 'sec-websocket-protocol': `${protocol('secret')}, v1.json` };
    expect(await upgrade(`${podsPath}?watch=1`, offered)).toMatchObject({ protocol: 'v1.json' });
    expect(asked).toEqual(['bob: watch pods default/']);
  });

  test.each([
    ['a wrong token', `${protocol('wrong')}, v1.json`],
    ['two tokens', `${protocol('secret')}, ${protocol('secret')}, v1.json`],
    ['no other protocol', protocol('secret')],
    ['a token that is not base64url', 'base64url.bearer.authorization.k8s.io.c2V+, v1.json'],
    ['a token that is no text', 'base64url.bearer.authorization.k8s.io._w, v1.json'],
  ])('with %s is refused', async (_, protocols) => {
    const { upgrade } = await guarded();
    const answer = await upgrade(`${podsPath}?watch=1`, {
      origin: host,
      'sec-websocket-protocol': protocols,
    });
    expect((answer as Response).status).toBe(401);
  });

  test('with an unreadable token, but a valid certificate, has the user of the certificate', async () => {
    const { upgrade, asked } = await guarded();
    const offered = { origin: host, 'sec-websocket-protocol': protocol('secret') };
    expect(await upgrade(`${podsPath}?watch=1`, offered, janes)).toMatchObject({ protocol: '' });
    expect(asked).toEqual(['jane: watch pods default/']);
  });
});
