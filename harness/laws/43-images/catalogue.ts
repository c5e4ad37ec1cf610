import { Registry } from '../../node/registry/index.ts';
import { buildImage, type ImageSource } from '../../node/registry/repository.ts';
import type { Clock } from '../../sim/index.ts';

/** Where a short name leads. */
export const HUB = 'registry-1.docker.io';
/** Where some images are private. */
export const OWN = 'registry.example.com';
/** Another one, on another port of the same machine. */
export const OTHER = 'registry.example.com:5000';

interface Published {
  readonly host: string;
  readonly repository: string;
  readonly tags: readonly string[];
  readonly sizeBytes: number;
  /** The accounts that may read it; absent: it is public. */
  readonly readers?: readonly string[];
}

const MB = 1_000_000;

/** What there is in the world. */
const published: readonly Published[] = [
  { host: HUB, repository: 'library/web', tags: ['1', 'latest'], sizeBytes: 10 * MB },
  { host: HUB, repository: 'library/web', tags: ['2'], sizeBytes: 20 * MB },
  { host: HUB, repository: 'library/cache', tags: ['1'], sizeBytes: 15 * MB },
  { host: HUB, repository: 'acme/app', tags: ['1'], sizeBytes: 12 * MB, readers: ['acme'] },
  { host: OWN, repository: 'open/tool', tags: ['1'], sizeBytes: 8 * MB },
  { host: OWN, repository: 'team/app', tags: ['1', 'latest'], sizeBytes: 25 * MB, readers: ['team'] },
  { host: OWN, repository: 'team/db', tags: ['1'], sizeBytes: 30 * MB, readers: ['team', 'acme'] },
  { host: OTHER, repository: 'team/app', tags: ['1', 'latest'], sizeBytes: 5 * MB, readers: ['team'] },
];

/** The image of every sandbox. */
export const PAUSE = 'registry.k8s.io/pause:3.10.2';

export const password = (user: string, generation = 0): string => `${user}-${generation}`;

/** The bytes of a layer that come in a second. */
const BYTES_PER_SECOND = 10 * MB;

/** The registries as they are at the start. */
export function registries(clock: Clock): Registry {
  const registry = new Registry(clock);
  for (const host of [HUB, OWN, OTHER]) {
    registry.add(host, {
      access: { realm: `https://auth.${host.replace(':', '-')}/token`, service: host },
      users: Object.fromEntries(['team', 'acme'].map((user) => [user, password(user)])),
      bytesPerSecond: BYTES_PER_SECOND,
    });
  }
  for (const image of published) {
    const host = registry.at(image.host);
    for (const tag of image.tags) host.push(image.repository, sourceOf(image), tag);
    if (image.readers) host.restrict(image.repository, image.readers);
  }
  return registry;
}

/** What an image is made of. @param name in full: `docker.io/library/web:1` */
export function sourceNamed(name: string): ImageSource {
  const found = published.find((image) => fullNames(image).includes(name));
  return found ? sourceOf(found) : { config: { Cmd: [name] }, layers: [{ sizeBytes: MB, executables: [] }] };
}

/** Whether every account may read what is called so, in full. */
export function isPublic(name: string): boolean {
  return published.every((image) => image.readers === undefined || !fullNames(image).includes(name));
}

/** The digest by which an image can be asked for. */
export const WEB_DIGEST = buildImage(sourceNamed('docker.io/library/web:1')).index.digest;
export const APP_DIGEST = buildImage(sourceNamed(`${OWN}/team/app:1`)).index.digest;

function sourceOf({ repository, tags, sizeBytes }: Published): ImageSource {
  return {
    config: { Cmd: [repository, tags[0] ?? ''] },
    layers: [{ sizeBytes, executables: ['app', repository, tags[0] ?? ''] }],
  };
}

function fullNames(image: Published): readonly string[] {
  const registry = image.host === HUB ? 'docker.io' : image.host;
  const name = `${registry}/${image.repository}`;
  return [
    ...image.tags.map((tag) => `${name}:${tag}`),
    `${name}@${buildImage(sourceOf(image)).index.digest}`,
  ];
}
