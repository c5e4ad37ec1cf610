/** Level 1 · A reference. */
import type { ImageName } from '#given/43-images';

export function parseImageName(image: string): ImageName {
  const invalid = (why: string): Error =>
    new Error(`couldn't parse image name ${JSON.stringify(image)}: ${why}`);
  if (/^[a-f0-9]{64}$/.test(image)) {
    throw invalid(`invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`);
  }
  const { registry, path } = splitRegistry(image);
  const [repository = ''] = path.split(':');
  if (repository !== repository.toLowerCase()) {
    throw invalid(`invalid reference format: repository name (${repository}) must be lowercase`);
  }
  const [, name, tag, digest] = REFERENCE.exec(`${registry}/${path}`) ?? [];
  if (name === undefined) throw invalid('invalid reference format');
  if (digest !== undefined && !/^sha256:[a-f0-9]{64}$/.test(digest)) throw invalid('invalid checksum digest');
  if (digest !== undefined) return { repository: name, digest, ...(tag !== undefined && { tag }) };
  return { repository: name, tag: tag ?? 'latest' };
}

/**
 * The first part of a name is a registry if it cannot be a user of Docker Hub: it contains a dot, a port or a capital
 * letter.
 */
function splitRegistry(image: string): { readonly registry: string; readonly path: string } {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isRegistry = first === 'localhost' || /[.:A-Z]/.test(first);
  const registry = isRegistry && first !== 'index.docker.io' ? first : 'docker.io';
  const path = isRegistry ? image.slice(slash + 1) : image;
  return { registry, path: registry === 'docker.io' && !path.includes('/') ? `library/${path}` : path };
}

const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const REGISTRY = String.raw`(?:${LABEL}(?:\.${LABEL})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const TAG = String.raw`\w[\w.-]{0,127}`;
const DIGEST = '[A-Za-z0-9_+.-]+:[a-fA-F0-9]{32,}';
const REFERENCE = new RegExp(`^(${REGISTRY}/${PART}(?:/${PART})*)(?::(${TAG}))?(?:@(${DIGEST}))?$`);

export function applyDefaultTag(image: string): string {
  const { tag, digest } = parseImageName(image);
  // The name stays unchanged: for a short name, a runtime may use other registries than Docker Hub.
  return digest === undefined && !image.endsWith(`:${tag}`) ? `${image}:${tag}` : image;
}
