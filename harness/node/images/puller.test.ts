import { describe, expect, test } from 'vitest';
import type { AuthConfig } from '../../contracts/node/cri/index.ts';
import { privateAccount } from '../registry/index.ts';
import { machine, refusal } from './machine.fixture.ts';

const APP = 'registry.example.com/team/app:1';
const DENIED = 'pull access denied, repository does not exist or may require authorization';

/** Returns the start of the error message for a failed pull. */
function failed(image: string, code = 'Unknown'): string {
  return `rpc error: code = ${code} desc = failed to pull and unpack image "${image}": `;
}

describe('A pull', () => {
  test('fetches any image of Docker Hub without an account', async () => {
    const { pull } = machine();
    expect(await pull('nginx')).toMatch(/^sha256:/);
  });

  test('fetches an image by its digest', async () => {
    const { images, pull } = machine();
    const id = await pull('nginx:1.27');
    const [digest = ''] = images.resolve(id)?.repoDigests ?? [];
    await images.removeImage({ image: id });
    expect(await pull(digest)).toBe(id);
    expect(images.resolve(id)?.repoTags).toEqual([]);
  });

  test('reports an unknown tag', async () => {
    const { pull } = machine();
    const image = 'docker.io/library/nginx:nope';
    expect(await refusal(pull('nginx:nope'))).toBe(
      `${failed(image, 'NotFound')}failed to resolve image: ${image}: not found`,
    );
  });

  test('reports an unknown registry', async () => {
    const { pull } = machine();
    const url = 'https://nowhere.example.com/v2/app/manifests/1';
    expect(await refusal(pull('nowhere.example.com/app:1'))).toBe(
      `${failed('nowhere.example.com/app:1')}failed to resolve image: failed to do request: ` +
        `Head "${url}": dial tcp: lookup nowhere.example.com: no such host`,
    );
  });

  test('reports that a registry is unavailable, after two attempts', async () => {
    const { registry, sim, pull } = machine();
    const host = registry.at('registry.k8s.io');
    host.unavailable = true;
    host.latencyMs = 1_000;
    expect(await refusal(pull('registry.k8s.io/pause:3.10'))).toBe(
      `${failed('registry.k8s.io/pause:3.10')}failed to resolve image: unexpected status from HEAD request to ` +
        'https://registry.k8s.io/v2/pause/manifests/3.10: 503 Service Unavailable',
    );
    expect(sim.elapsedMs).toBe(2_000);
  });

  test('reports an unavailable registry to the kubelet on some runtimes', async () => {
    const said = async (profile: 'containerd' | 'cri-o' | 'cri-dockerd', image: string): Promise<boolean> => {
      const { registry, pull } = machine({ profile });
      registry.at('registry.k8s.io').unavailable = true;
      return (await refusal(pull(image))).includes('desc = RegistryUnavailable: failed to pull');
    };
    const [unreachable, unavailable] = ['nowhere.example.com/app:1', 'registry.k8s.io/pause:3.10'] as const;
    expect([await said('cri-o', unreachable), await said('cri-o', unavailable)]).toEqual([true, false]);
    expect([await said('cri-dockerd', unreachable), await said('cri-dockerd', unavailable)]).toEqual([
      false,
      true,
    ]);
    expect([await said('containerd', unreachable), await said('containerd', unavailable)]).toEqual([
      false,
      false,
    ]);
  });

  test("reports Docker Hub's message at the rate limit", async () => {
    const { registry, pull } = machine();
    registry.at('registry-1.docker.io').rateLimit = { pulls: 0, windowMs: 21_600_000 };
    expect(await refusal(pull('redis'))).toMatch(
      new RegExp(
        `^${failed('docker.io/library/redis:latest')}failed to copy: httpReadSeeker: failed open: unexpected ` +
          'status from GET request to https://registry-1\\.docker\\.io/v2/library/redis/manifests/sha256:[0-9a-f]{64}: ' +
          '429 Too Many Requests\\ntoomanyrequests: You have reached your unauthenticated pull rate limit\\. ' +
          'https://www\\.docker\\.com/increase-rate-limit$',
      ),
    );
  });

  test('fetches a new token if the old one expires during the pull', async () => {
    const { registry, pull } = machine();
    registry.at('registry-1.docker.io').bytesPerSecond = 50_000;
    expect(await refusal(pull('nginx'))).toBe('it was pulled');
  });
});

describe('Credentials', () => {
  const { username, password } = privateAccount;
  const auth = Buffer.from(`${username}:${password}`).toString('base64');
  const wrong = { username, password: 'wrong' };

  test.each<[string, AuthConfig]>([
    ['a name and password', { username, password }],
    ['both in base64', { auth }],
    ['an identity token', { identityToken: password }],
    ["with the registry's address", { auth, serverAddress: 'https://registry.example.com' }],
  ])('allow a pull of a private image: %s', async (_, credentials) => {
    const { pull } = machine();
    expect(await refusal(pull(APP, credentials))).toBe('it was pulled');
  });

  test.each<[string, AuthConfig | undefined]>([
    ['without any', undefined],
    ['with empty ones', {}],
    ['with those of another registry', { username, password, serverAddress: 'https://registry.k8s.io' }],
  ])('are required for a private image: it cannot be pulled %s', async (_, credentials) => {
    const { pull } = machine();
    expect(await refusal(pull(APP, credentials))).toBe(
      `${failed(APP)}failed to resolve image: ${DENIED}: server message: insufficient_scope: authorization failed`,
    );
  });

  test('are rejected by the token server if they are wrong, with the form and with the header', async () => {
    const { pull } = machine();
    const url =
      'https://registry.example.com/token?scope=repository%3Ateam%2Fapp%3Apull&service=registry.example.com';
    expect(await refusal(pull(APP, wrong))).toBe(
      `${failed(APP)}failed to resolve image: failed to authorize: failed to fetch oauth token: ` +
        `unexpected status from GET request to ${url}: 401 Unauthorized`,
    );
  });

  test('are sent in a header if the token server does not support the form', async () => {
    const { registry, pull } = machine();
    const tokens = { realm: 'https://old.example.com/token', service: 'old', getOnly: true };
    const host = registry.add('old.example.com', { access: tokens, users: { ann: 'secret' } });
    host.push('app', { config: {}, layers: [] }, '1');
    host.restrict('app', ['ann']);
    expect(await refusal(pull('old.example.com/app:1', { username: 'ann', password: 'secret' }))).toBe(
      'it was pulled',
    );
  });

  test('are sent with each request if the registry requires it', async () => {
    const { registry, pull } = machine();
    const host = registry.add('basic.example.com', { access: 'basic', users: { ann: 'a:b' } });
    host.push('app', { config: {}, layers: [] }, '1');
    const app = 'basic.example.com/app:1';
    expect(await refusal(pull(app))).toBe(
      `${failed(app)}failed to resolve image: ${DENIED}: authorization failed: no basic auth credentials`,
    );
    expect(await refusal(pull(app, { username: 'ann', password: 'wrong' }))).toBe(
      `${failed(app)}failed to resolve image: unexpected status from HEAD request to ` +
        'https://basic.example.com/v2/app/manifests/1: 401 Unauthorized',
    );
    expect(await refusal(pull(app, { username: 'ann', password: 'a:b' }))).toBe('it was pulled');
  });
});
