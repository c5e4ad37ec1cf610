/** A parsed image name: the repository and the selected image. */
export interface ImageName {
  /** The registry's domain in names: `docker.io`, `registry.example.com:5000`. */
  readonly domain: string;
  /** The path of the repository, such as `library/nginx`. */
  readonly repository: string;
  /** Either the tag or the digest is set. */
  readonly tag?: string;
  readonly digest?: string;
}

const DEFAULT_DOMAIN = 'docker.io';
const OFFICIAL = 'library/';

const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const LABEL = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const DOMAIN = `(?:${LABEL}(?:\\.${LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(
  `^(${DOMAIN})/(${COMPONENT}(?:/${COMPONENT})*)(?::(\\w[\\w.-]{0,127}))?(?:@(${DIGEST}))?$`,
);
const IDENTIFIER = /^[a-f0-9]{64}$/;

/**
 * Parses an image name like Docker: the default registry is docker.io, an official image there is in `library`, the
 * default tag is `latest`, and a digest overrides a tag.
 *
 * @throws Error with the message of the library that all runtimes use for names
 *
 * Upstream: distribution/reference@v0.6.0 normalize.go ParseDockerRef
 */
export function parseImageName(name: string): ImageName {
  if (IDENTIFIER.test(name)) {
    throw new Error(`invalid repository name (${name}), cannot specify 64-byte hexadecimal strings`);
  }
  const { domain, remainder } = splitDomain(name);
  const [remote = ''] = remainder.split(':');
  if (remote.toLowerCase() !== remote) {
    throw new Error(`invalid reference format: repository name (${remote}) must be lowercase`);
  }
  const [, , repository, tag, digest] = REFERENCE.exec(`${domain}/${remainder}`) ?? [];
  if (repository === undefined) throw new Error('invalid reference format');
  if (digest !== undefined) return { domain, repository, digest };
  return { domain, repository, tag: tag ?? 'latest' };
}

/** Formats the full name: `docker.io/library/nginx:latest`. */
export function formatImageName({ domain, repository, tag, digest }: ImageName): string {
  return `${domain}/${repository}${digest === undefined ? `:${tag}` : `@${digest}`}`;
}

function splitDomain(name: string): { readonly domain: string; readonly remainder: string } {
  const slash = name.indexOf('/');
  if (slash < 0) return { domain: DEFAULT_DOMAIN, remainder: OFFICIAL + name };
  const first = name.slice(0, slash);
  const rest = name.slice(slash + 1);
  const isDomain = first === 'localhost' || /[.:]/.test(first) || first.toLowerCase() !== first;
  const domain = !isDomain || first === 'index.docker.io' ? DEFAULT_DOMAIN : first;
  const remainder = isDomain ? rest : name;
  return {
    domain,
    remainder: domain === DEFAULT_DOMAIN && !remainder.includes('/') ? OFFICIAL + remainder : remainder,
  };
}
