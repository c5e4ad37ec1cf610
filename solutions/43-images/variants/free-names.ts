/** Names of images, and the credentials that match them. */
import type { DockerConfigEntry } from '#given/43-images';

interface Name {
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
}

/** Returns a parsed name, or the reason why it is invalid. */
export function readName(image: string): Name | string {
  const wrong = `couldn't parse image name ${JSON.stringify(image)}: invalid reference format`;
  const [whole = '', digest = '', ...more] = image.split('@');
  const parts = whole.split('/');
  const [first = ''] = parts;
  const hasHost = parts.length > 1 && (first === 'localhost' || /[.:]|[A-Z]/.test(first));
  const host = hasHost && first !== 'index.docker.io' ? first : 'docker.io';
  const path = hasHost ? parts.slice(1) : parts;
  const [last = '', tag = 'latest', ...tags] = (path.pop() ?? '').split(':');
  const names = [...(host === 'docker.io' && path.length === 0 ? ['library'] : []), ...path, last];
  const fine =
    more.length + tags.length === 0 &&
    /^[a-zA-Z0-9.[\]:-]+$/.test(host) &&
    names.every((one) => /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*$/.test(one)) &&
    /^\w[\w.-]{0,127}$/.test(tag) &&
    (digest === '' ? !image.includes('@') : /^sha256:[a-f0-9]{64}$/.test(digest)) &&
    !/^[a-f0-9]{64}$/.test(image);
  if (!fine) return wrong;
  const hasTag = whole.split('/').at(-1)?.includes(':') === true;
  return { repository: [host, ...names].join('/'), tag: digest && !hasTag ? '' : tag, digest };
}

/** Returns the full name. */
export function fullName({ repository, tag, digest }: Name): string {
  return digest ? `${repository}@${digest}` : `${repository}:${tag}`;
}

/** Returns the credentials that match a repository, best first. */
export function fitting<T extends DockerConfigEntry>(repository: string, logins: readonly T[]): readonly T[] {
  const keyed = logins.map((login) => {
    const bare = login.registry.replace(/^https?:\/\//, '');
    const slash = bare.indexOf('/');
    const host = slash < 0 ? bare : bare.slice(0, slash);
    const path =
      slash < 0
        ? ''
        : bare
            .slice(slash)
            .replace(/^\/v[12]\//, '/')
            .slice(1);
    return { login, host, path, key: path ? `${host}/${path}` : host };
  });
  const at = repository.indexOf('/');
  const good = keyed.filter(({ host, path }) => {
    const pattern = host
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*/g, '[^.:]*')
      .replace(/\?/g, '[^.:]');
    return (
      new RegExp(`^${pattern}$`).test(repository.slice(0, at)) && repository.slice(at + 1).startsWith(path)
    );
  });
  const hub = keyed.filter(({ key }) => key === 'index.docker.io');
  const chosen = good.length === 0 && repository.startsWith('docker.io/') ? hub : good;
  return chosen.toSorted((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0)).map(({ login }) => login);
}
