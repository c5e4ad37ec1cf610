import { Registry } from '../../../node/registry/index.ts';
import { buildImage, type ImageSource } from '../../../node/registry/repository.ts';
import type { Clock } from '../../../sim/index.ts';

/** The registry of short names. */
export const HUB = 'registry-1.docker.io';
/** A registry with private images. */
export const OWN = 'registry.example.com';
/** Another registry, on another port of the same host. */
export const OTHER = 'registry.example.com:5000';

interface Published {
  readonly host: string;
  readonly repository: string;
  readonly tags: readonly string[];
  readonly sizeBytes: number;
  /** The accounts with access; absent if the image is public. */
  readonly readers?: readonly string[];
  /** The repository of which this one is a copy: its images have the same IDs. */
  readonly copyOf?: string;
}

const MB = 1_000_000;

/** All images of all registries. */
const published: readonly Published[] = [
  { host: HUB, repository: 'library/web', tags: ['1', 'latest'], sizeBytes: 10 * MB },
  { host: HUB, repository: 'library/web', tags: ['2'], sizeBytes: 20 * MB },
  { host: HUB, repository: 'library/cache', tags: ['1'], sizeBytes: 15 * MB },
  { host: HUB, repository: 'acme/app', tags: ['1'], sizeBytes: 12 * MB, readers: ['acme'] },
  { host: OWN, repository: 'open/tool', tags: ['1'], sizeBytes: 8 * MB },
  { host: OWN, repository: 'team/app', tags: ['1', 'latest'], sizeBytes: 25 * MB, readers: ['team'] },
  { host: OWN, repository: 'team/db', tags: ['1'], sizeBytes: 30 * MB, readers: ['team', 'acme'] },
  {
    host: OWN,
    repository: 'mirror/app',
    tags: ['1', 'latest'],
    sizeBytes: 25 * MB,
    readers: ['acme'],
    copyOf: 'team/app',
  },
  { host: OTHER, repository: 'team/app', tags: ['1', 'latest'], sizeBytes: 5 * MB, readers: ['team'] },
];

/** The image of every sandbox. */
export const PAUSE = 'registry.k8s.io/pause:3.10.2';

export const password = (user: string, generation = 0): string => `${user}-${generation}`;

/** The rate at which a registry sends a layer. */
const BYTES_PER_SECOND = 10 * MB;

/** Creates the registries in their initial state. */
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

/** Returns the content of an image. @param name - the full name: `docker.io/library/web:1` */
export function sourceNamed(name: string): ImageSource {
  const found = published.find((image) => fullNames(image).includes(name));
  return found ? sourceOf(found) : { config: { Cmd: [name] }, layers: [{ sizeBytes: MB, executables: [] }] };
}

/** Whether two full names are names of one image. */
export function isCopy(one: string, other: string): boolean {
  return JSON.stringify(sourceNamed(one)) === JSON.stringify(sourceNamed(other));
}

/** Whether every account may pull the image with this full name. */
export function isPublic(name: string): boolean {
  return published.every((image) => image.readers === undefined || !fullNames(image).includes(name));
}

/** The digest of an image, for names with a digest. */
export const WEB_DIGEST = buildImage(sourceNamed('docker.io/library/web:1')).index.digest;
export const WEB_2_DIGEST = buildImage(sourceNamed('docker.io/library/web:2')).index.digest;
export const APP_DIGEST = buildImage(sourceNamed(`${OWN}/team/app:1`)).index.digest;

function sourceOf({ repository, tags, sizeBytes, copyOf: content = repository }: Published): ImageSource {
  return {
    config: { Cmd: [content, tags[0] ?? ''] },
    layers: [{ sizeBytes, executables: ['app', content, tags[0] ?? ''] }],
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
