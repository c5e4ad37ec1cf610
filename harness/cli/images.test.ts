import { describe, expect, test } from 'vitest';
import { isReady } from '../api/predicates.ts';
import { pods, secrets } from '../api/resource.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { registriesFor } from './images.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const KEY = { namespace: 'default', name: 'shop' };

interface RunOptions {
  readonly anyImage: boolean;
  /** The content of the Secret `login`. */
  readonly login?: object;
}

/** Runs a pod for half a minute. Returns it, and the paragraphs about its images. */
async function run(spec: object, { anyImage, login = {} }: RunOptions) {
  const told: string[] = [];
  const registry = registriesFor({ anyImage, tell: (paragraph) => told.push(paragraph) });
  const { cluster: whole } = await createWholeCluster({ components, registry, nodes: 1, names: false });
  await using cluster = whole;
  await cluster.runFor(5_000);
  await cluster.admin.create(secrets, {
    metadata: { namespace: 'default', name: 'login' },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': btoa(JSON.stringify({ auths: {}, ...login })) },
  });
  await cluster.admin.create(pods, { metadata: KEY, spec } as never);
  await cluster.runFor(30_000);
  return { told, pod: await cluster.admin.get(pods, KEY) };
}

describe('An image outside the catalogue', () => {
  test('cannot be pulled: a paragraph names the images of the cluster, once', async () => {
    const containers = ['ghcr.io/team/shop:v2', 'nginx:typo'].map((image, at) => ({ name: `c${at}`, image }));
    const { told, pod } = await run({ containers }, { anyImage: false });
    expect(isReady(pod)).toBe(false);
    expect(told).toEqual([
      expect.stringMatching(
        /^ghcr\.io\/team\/shop:v2 cannot be pulled: .* images alpine, busybox, .*catalogue\.ts .* --any-image/,
      ),
      'nginx:typo cannot be pulled: it is not in the catalogue.',
    ]);
  });

  test('has a stand-in with --any-image, which serves the ports of its container', async () => {
    const image = 'ghcr.io/team/shop:v2';
    const { told, pod } = await run(
      {
        initContainers: [{ name: 'migrate', image, command: ['/app/migrate'] }],
        containers: [
          {
            name: 'shop',
            image,
            command: ['sh', '-c', '/app/prepare && exec /app/server'],
            ports: [{ containerPort: 8080, name: 'http' }],
            startupProbe: { tcpSocket: { port: 9000 } },
            readinessProbe: { httpGet: { path: '/healthz', port: 'http' } },
            livenessProbe: { exec: { command: ['/app/check'] } },
          },
          { name: 'other', image: `quay.io/x/y@sha256:${'0'.repeat(64)}` },
          { name: 'cache', image: 'redis:7.2-alpine' },
        ],
      },
      { anyImage: true },
    );
    expect(isReady(pod)).toBe(true);
    expect(pod.status.containerStatuses?.map(({ restartCount }) => restartCount)).toEqual([0, 0, 0]);
    expect(told).toEqual([
      'A stand-in takes the place of ghcr.io/team/shop:v2. It listens on the ports of its container, and answers 200 to every request.',
      `A stand-in takes the place of quay.io/x/y@sha256:${'0'.repeat(64)}.`,
      'redis:8.2 takes the place of redis:7.2-alpine, which is not in the catalogue.',
    ]);
  });

  test('has a stand-in also for the client of an account that no registry here knows', async () => {
    const auths = { 'https://index.docker.io/v1/': { auth: btoa('me:mine') } };
    const { pod } = await run(
      {
        imagePullSecrets: [{ name: 'login' }],
        containers: [
          { name: 'own', image: 'me/own:1' },
          { name: 'web', image: 'nginx:1.27' },
        ],
      },
      { anyImage: true, login: { auths } },
    );
    expect(isReady(pod)).toBe(true);
  });

  test('has a stand-in that ends in a pod that does not restart', async () => {
    const { pod } = await run(
      { restartPolicy: 'Never', containers: [{ name: 'job', image: 'ghcr.io/team/job' }] },
      { anyImage: true },
    );
    expect(pod.status.phase).toBe('Succeeded');
  });
});
