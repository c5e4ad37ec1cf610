import { describe, expect, test } from 'vitest';
import { digestOf, type Index, type Manifest } from '../oci.ts';
import type { Registry } from '../registry.ts';
import { type RegistryClient, RegistryError, RegistryUnreachable } from '../registry-client.ts';

/** A client with fresh registries of {@link publicRegistries}. */
export interface Opened extends AsyncDisposable {
  readonly client: RegistryClient;
  readonly registry: Registry;
  /** Advances the registries' clock. */
  advance(ms: number): void;
  /** Advances the clock until a download arrives. */
  download<T>(arriving: Promise<T>): Promise<T>;
}

const hub = { host: 'registry-1.docker.io', repository: 'library/nginx' };
const pause = { host: 'registry.k8s.io', repository: 'pause' };
const own = { host: 'registry.example.com', repository: 'team/app' };
const ownTokens = { realm: 'https://registry.example.com/token', service: 'registry.example.com' };
const hubTokens = { realm: 'https://auth.docker.io/token', service: 'registry.docker.io' };
const scopeOf = ({ repository }: { readonly repository: string }) => `repository:${repository}:pull`;
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

/** Runs the contract tests of every {@link RegistryClient}. They call `open` once per test. */
export function describeRegistryClient(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    describe('manifests and blobs', () => describeContent(open));
    describe('tokens', () => describeTokens(open));
    describe('refusals', () => describeRefusals(open));
  });
}

function describeContent(open: () => Promise<Opened>): void {
  test('resolves a tag to a descriptor', async () => {
    await using opened = await open();
    const head = await opened.client.headManifest({ ...pause, reference: '3.10.2' });
    const { mediaType, text } = await opened.client.getManifest({ ...pause, reference: '3.10.2' });
    expect(head).toEqual({ mediaType, digest: digestOf(text), size: text.length });
  });

  test('returns the same content by digest and by tag', async () => {
    await using opened = await open();
    const { digest } = await opened.client.headManifest({ ...pause, reference: '3.10.2' });
    const [byDigest, byTag] = await Promise.all(
      [digest, '3.10.2'].map((reference) => opened.client.getManifest({ ...pause, reference })),
    );
    expect(byDigest).toEqual(byTag);
  });

  test('returns each part of an image under the digest of its content', async () => {
    await using opened = await open();
    const { client } = opened;
    const index = JSON.parse((await client.getManifest({ ...pause, reference: '3.10.2' })).text) as Index;
    const [{ digest: reference = '' } = {}] = index.manifests;
    const manifest = JSON.parse((await client.getManifest({ ...pause, reference })).text) as Manifest;
    const pieces = [manifest.config, ...manifest.layers];
    for (const { digest, mediaType } of pieces) {
      const blob = await opened.download(client.getBlob({ ...pause, digest }));
      expect([digestOf(blob.text), blob.mediaType]).toEqual([digest, mediaType]);
    }
    expect(pieces).toHaveLength(2);
  });
}

function describeTokens(open: () => Promise<Opened>): void {
  test('reads a public image with an anonymous token', async () => {
    await using opened = await open();
    const { token } = await opened.client.getToken({ ...hubTokens, scopes: [scopeOf(hub)] });
    const head = opened.client.headManifest({ ...hub, reference: '1.27', authorization: `Bearer ${token}` });
    expect((await head).digest).toMatch(/^sha256:/);
  });

  test('answers an anonymous request with a challenge that names the token server', async () => {
    await using opened = await open();
    expect(await refusal(opened.client.headManifest({ ...hub, reference: '1.27' }))).toMatchObject({
      status: 401,
      challenge:
        'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:library/nginx:pull"',
    });
  });

  test('issues an account a token for its scopes, with the header and with the form', async () => {
    await using opened = await open();
    const { client } = opened;
    const asked = { ...ownTokens, scopes: [scopeOf(own)] };
    const tokens = await Promise.all([
      client.getToken({ ...asked, authorization: basic('team:open sesame') }),
      client.postToken({ ...asked, grant: { type: 'password', username: 'team', password: 'open sesame' } }),
      client.postToken({ ...asked, grant: { type: 'refresh_token', refreshToken: 'open sesame' } }),
    ]);
    for (const { token } of tokens) {
      const head = client.headManifest({ ...own, reference: '1', authorization: `Bearer ${token}` });
      expect((await head).digest).toMatch(/^sha256:/);
    }
  });

  test('reports that a token lacks the scope', async () => {
    await using opened = await open();
    const { token } = await opened.client.getToken({ ...ownTokens, scopes: [scopeOf(own)] });
    const head = opened.client.headManifest({ ...own, reference: '1', authorization: `Bearer ${token}` });
    expect(await refusal(head)).toMatchObject({
      status: 401,
      challenge: expect.stringMatching(/,error="insufficient_scope"$/),
    });
  });

  test('accepts a token for five minutes', async () => {
    await using opened = await open();
    const { token, expiresInSeconds } = await opened.client.getToken({
      ...hubTokens,
      scopes: [scopeOf(hub)],
    });
    expect(expiresInSeconds).toBe(300);
    opened.advance(300_000);
    const head = opened.client.headManifest({ ...hub, reference: '1.27', authorization: `Bearer ${token}` });
    expect(await refusal(head)).toMatchObject({
      challenge: expect.stringMatching(/,error="invalid_token"$/),
    });
  });

  test('accepts a name and password with each request if the registry uses basic authentication', async () => {
    await using opened = await open();
    const host = opened.registry.add('basic.example.com', { access: 'basic', users: { ann: 'a:b' } });
    host.push('app', { config: {}, layers: [] }, '1');
    const app = { host: host.host, repository: 'app', reference: '1' };
    expect(await refusal(opened.client.headManifest(app))).toMatchObject({
      status: 401,
      challenge: 'Basic realm="Registry"',
    });
    const head = opened.client.headManifest({ ...app, authorization: basic('ann:a:b') });
    expect((await head).digest).toMatch(/^sha256:/);
  });
}

function describeRefusals(open: () => Promise<Opened>): void {
  test('reports an unknown tag', async () => {
    await using opened = await open();
    const url = 'https://registry.k8s.io/v2/pause/manifests/nope';
    const error = await refusal(opened.client.getManifest({ ...pause, reference: 'nope' }));
    expect(error).toMatchObject({
      status: 404,
      message: `unexpected status from GET request to ${url}: 404 Not Found\nmanifest unknown: manifest unknown`,
    });
  });

  test('reports only the status for HEAD', async () => {
    await using opened = await open();
    const url = 'https://registry.k8s.io/v2/pause/manifests/nope';
    expect(await refusal(opened.client.headManifest({ ...pause, reference: 'nope' }))).toMatchObject({
      message: `unexpected status from HEAD request to ${url}: 404 Not Found`,
    });
  });

  test('reports an unknown blob', async () => {
    await using opened = await open();
    const digest = digestOf('nothing');
    expect(await refusal(opened.client.getBlob({ ...pause, digest }))).toMatchObject({
      status: 404,
      faults: [{ code: 'BLOB_UNKNOWN' }],
    });
  });

  test('issues no token for a wrong password, with the header or with the form', async () => {
    await using opened = await open();
    const { client } = opened;
    const asked = { ...ownTokens, scopes: [scopeOf(own)] };
    const grant = { type: 'password', username: 'team', password: 'wrong' } as const;
    const refusals = await Promise.all([
      refusal(client.getToken({ ...asked, authorization: basic('team:wrong') })),
      refusal(client.postToken({ ...asked, grant })),
    ]);
    expect(refusals.map(({ status, method }) => [method, status])).toEqual([
      ['GET', 401],
      ['POST', 401],
    ]);
  });

  test('reports that the token server does not support the form', async () => {
    await using opened = await open();
    const tokens = { realm: 'https://old.example.com/token', service: 'old', getOnly: true };
    opened.registry.add('old.example.com', { access: tokens, users: { ann: 'secret' } });
    const grant = { type: 'password', username: 'ann', password: 'secret' } as const;
    expect(await refusal(opened.client.postToken({ ...tokens, scopes: [], grant }))).toMatchObject({
      status: 404,
    });
  });

  test('rejects a pull beyond the rate limit, until the window has passed', async () => {
    await using opened = await open();
    const { client, registry, advance } = opened;
    registry.at(pause.host).rateLimit = { pulls: 2, windowMs: 60_000 };
    const pull = () => client.getManifest({ ...pause, reference: '3.10.2' });
    await pull();
    await pull();
    expect(await refusal(pull())).toMatchObject({
      status: 429,
      message: expect.stringMatching(
        /: 429 Too Many Requests\ntoomanyrequests: You have reached your unauthenticated pull rate limit\. /,
      ),
    });
    await client.headManifest({ ...pause, reference: '3.10.2' });
    advance(60_000);
    await pull();
  });

  test('reports that the registry is unavailable', async () => {
    await using opened = await open();
    opened.registry.at(pause.host).unavailable = true;
    expect(await refusal(opened.client.headManifest({ ...pause, reference: '3.10.2' }))).toMatchObject({
      status: 503,
    });
  });

  test('throws RegistryUnreachable for an unknown or unreachable host', async () => {
    await using opened = await open();
    opened.registry.at(pause.host).unreachable = true;
    const nowhere = { host: 'nowhere.example.com', repository: 'app' };
    for (const where of [pause, nowhere]) {
      const url = `https://${where.host}/v2/${where.repository}/manifests/1`;
      const head = opened.client.headManifest({ ...where, reference: '1' });
      await expect(head).rejects.toThrow(RegistryUnreachable);
      await expect(head).rejects.toThrow(`Head "${url}": `);
    }
  });

  test('stops when its signal is aborted', async () => {
    await using opened = await open();
    opened.registry.at(pause.host).latencyMs = 60_000;
    const abort = new AbortController();
    const head = opened.client.headManifest({ ...pause, reference: '3.10.2', signal: abort.signal });
    abort.abort(new Error('the runtime stopped'));
    await expect(head).rejects.toThrow('the runtime stopped');
  });
}

async function refusal(answer: Promise<unknown>): Promise<RegistryError> {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RegistryError);
  return error as RegistryError;
}
