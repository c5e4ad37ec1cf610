import type { Clock } from '../../sim/index.ts';
import { ANY_EXECUTABLE, type Layer } from './oci.ts';
import { Registry } from './registry.ts';
import type { ImageSource } from './repository.ts';

/** An image with a well-known name. */
export interface CatalogueImage extends ImageSource {
  /** The host of its registry. */
  readonly host: string;
  readonly repository: string;
  /** All tags of this image. */
  readonly tags: readonly string[];
}

const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const HUB = 'registry-1.docker.io';
const K8S = 'registry.k8s.io';

const shell = [
  'sh',
  'cat',
  'date',
  'echo',
  'env',
  'false',
  'hostname',
  'ls',
  'mkdir',
  'printenv',
  'rm',
  'sleep',
  'tail',
  'tar',
  'test',
  '[',
  'touch',
  'true',
];
/** Differs: the real image has some hundred programs more. */
const busybox = [...shell, 'chroot', 'httpd', 'nc', 'nslookup', 'ps', 'wget'];

/** The programs of a machine itself, for a container that mounts its files. */
export const MACHINE_EXECUTABLES: readonly string[] = [...busybox, 'bash', 'curl'];

/** The base layer of many images below. A machine that has one of them does not fetch this layer again. */
const debian: Layer = { sizeBytes: 28_200_000, executables: [...shell, 'bash'] };
const alpineBase: Layer = { sizeBytes: 3_640_000, executables: busybox };

/** Images since 1.18 also contain curl. */
function nginx(sizeBytes: number, tools: readonly string[] = ['curl']): Layer {
  return { sizeBytes, executables: ['nginx', 'docker-entrypoint.sh', ...tools] };
}

const nginxConfig = {
  Entrypoint: ['/docker-entrypoint.sh'],
  Cmd: ['nginx', '-g', 'daemon off;'],
  StopSignal: 'SIGQUIT',
};

function onHub(name: string, tags: readonly string[], image: ImageSource): CatalogueImage {
  return { host: HUB, repository: `library/${name}`, tags, ...image };
}

function nginxImage(
  version: string,
  sizeBytes: number,
  tags: readonly string[],
  tools?: readonly string[],
): CatalogueImage {
  return onHub('nginx', [version, ...tags], {
    config: { ...nginxConfig, Env: [PATH, `NGINX_VERSION=${version}`] },
    layers: [debian, nginx(sizeBytes, tools)],
  });
}

/**
 * Images with well-known names.
 *
 * Differs: their sizes are similar to the real ones, their digests are not.
 */
export const catalogue: readonly CatalogueImage[] = [
  nginxImage('1.29.1', 44_100_000, ['1.29', '1', 'latest', 'stable']),
  nginxImage('1.28.0', 44_000_000, ['1.28']),
  nginxImage('1.27.5', 43_900_000, ['1.27']),
  nginxImage('1.26.3', 43_700_000, ['1.26']),
  nginxImage('1.25.5', 42_300_000, ['1.25']),
  nginxImage('1.16.1', 23_500_000, ['1.16'], []),
  nginxImage('1.14.2', 22_500_000, ['1.14'], []),
  onHub('nginx', ['alpine', '1.29-alpine', '1-alpine'], {
    config: { ...nginxConfig, Env: [PATH, 'NGINX_VERSION=1.29.1'] },
    layers: [alpineBase, nginx(17_000_000)],
  }),
  onHub('busybox', ['1.37', '1', 'latest', 'stable'], {
    config: { Cmd: ['sh'], Env: [PATH] },
    layers: [{ sizeBytes: 2_160_000, executables: busybox }],
  }),
  onHub('busybox', ['1.36'], {
    config: { Cmd: ['sh'], Env: [PATH] },
    layers: [{ sizeBytes: 2_150_000, executables: busybox }],
  }),
  onHub('busybox', ['1.28'], {
    config: { Cmd: ['sh'], Env: [PATH] },
    layers: [{ sizeBytes: 727_000, executables: busybox }],
  }),
  onHub('alpine', ['3.22', '3', 'latest'], {
    config: { Cmd: ['/bin/sh'], Env: [PATH] },
    layers: [alpineBase],
  }),
  onHub('redis', ['8.2', '8', 'latest'], {
    config: {
      Entrypoint: ['docker-entrypoint.sh'],
      Cmd: ['redis-server'],
      Env: [PATH, 'REDIS_VERSION=8.2.1'],
      WorkingDir: '/data',
    },
    layers: [
      debian,
      { sizeBytes: 24_000_000, executables: ['redis-server', 'redis-cli', 'docker-entrypoint.sh'] },
    ],
  }),
  onHub('httpd', ['2.4', '2', 'latest'], {
    config: {
      Cmd: ['httpd-foreground'],
      Env: [PATH, 'HTTPD_PREFIX=/usr/local/apache2'],
      WorkingDir: '/usr/local/apache2',
      StopSignal: 'SIGWINCH',
    },
    layers: [debian, { sizeBytes: 29_000_000, executables: ['httpd-foreground'] }],
  }),
  onHub('hello-world', ['linux', 'latest'], {
    config: { Cmd: ['/hello'], Env: [PATH] },
    layers: [{ sizeBytes: 2_400, executables: ['hello'] }],
  }),
  {
    host: HUB,
    repository: 'polinux/stress',
    tags: ['1.0.4', 'latest'],
    config: { Cmd: ['stress'], Env: [PATH] },
    layers: [alpineBase, { sizeBytes: 200_000, executables: ['stress'] }],
  },
  {
    host: HUB,
    repository: 'curlimages/curl',
    tags: ['8.14.1', 'latest'],
    config: { Entrypoint: ['/entrypoint.sh'], Cmd: ['curl'], Env: [PATH, 'CURL_VERSION=8_14_1'] },
    layers: [alpineBase, { sizeBytes: 5_600_000, executables: ['curl', 'entrypoint.sh'] }],
  },
  {
    host: K8S,
    repository: 'coredns/coredns',
    tags: ['v1.14.2'],
    config: { Entrypoint: ['/coredns'], Env: [PATH], WorkingDir: '/' },
    layers: [{ sizeBytes: 24_000_000, executables: ['coredns'] }],
  },
  {
    host: K8S,
    repository: 'e2e-test-images/agnhost',
    tags: ['2.63.0', '2.55'],
    config: { Entrypoint: ['/agnhost'], Cmd: ['pause'], Env: [PATH] },
    layers: [alpineBase, { sizeBytes: 51_000_000, executables: ['agnhost', 'bash', 'curl', ANY_EXECUTABLE] }],
  },
  {
    host: K8S,
    repository: 'pause',
    tags: ['3.10.2', '3.10.1', '3.10'],
    config: { Entrypoint: ['/pause'], Env: [PATH] },
    layers: [{ sizeBytes: 318_000, executables: ['pause'] }],
  },
];

/** Returns the name of a repository as people write it: `nginx`, `curlimages/curl`, `registry.k8s.io/pause`. */
export function familiarName({ host, repository }: Pick<CatalogueImage, 'host' | 'repository'>): string {
  return host === HUB ? repository.replace(/^library\//, '') : `${host}/${repository}`;
}

/** An image that requires {@link privateAccount}. */
const privateApp: CatalogueImage = {
  host: 'registry.example.com',
  repository: 'team/app',
  tags: ['1', 'latest'],
  config: { ...nginxConfig, Env: [PATH] },
  layers: [debian, { sizeBytes: 5_000_000, executables: ['nginx', 'docker-entrypoint.sh'] }],
};

/** An image that can take the place of any other: its program plays every executable that is not a tool of busybox. */
export const standInImage: ImageSource = {
  config: { Entrypoint: ['/stand-in'], Env: [PATH] },
  layers: [alpineBase, { sizeBytes: 5_000_000, executables: [ANY_EXECUTABLE] }],
};

/** The account that can read `registry.example.com/team/app`. */
export const privateAccount = { username: 'team', password: 'open sesame' } as const;

/**
 * Creates the registries that a cluster can reach: Docker Hub, which issues a token to every client; registry.k8s.io,
 * which requires none; and registry.example.com with the private `team/app`, which {@link privateAccount} can read.
 */
export function publicRegistries(clock: Clock): Registry {
  const registry = new Registry(clock);
  registry.add(HUB, { access: { realm: 'https://auth.docker.io/token', service: 'registry.docker.io' } });
  registry.add(K8S);
  const own = registry.add(privateApp.host, {
    users: { [privateAccount.username]: privateAccount.password },
    access: { realm: 'https://registry.example.com/token', service: 'registry.example.com' },
  });
  for (const image of [...catalogue, privateApp]) {
    for (const tag of image.tags) registry.at(image.host).push(image.repository, image, tag);
  }
  own.restrict(privateApp.repository, [privateAccount.username]);
  return registry;
}
