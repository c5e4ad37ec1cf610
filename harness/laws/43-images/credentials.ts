import type { AskingPod } from './history.ts';
import { accountOf } from './objects.ts';
import { repositoryOf } from './reading.ts';
import type { Login } from './scenario.ts';

/** The account of a pull; undefined: it is anonymous. */
export interface Account {
  readonly username: string;
  readonly password: string;
}

/** The accounts with which a pod's image is to be pulled, in this order, until one can; none if one of its secrets cannot be read. */
export function accountsFor(pod: AskingPod, node: readonly Login[]): readonly (Account | undefined)[] {
  if (pod.isUnreadable) return [];
  const repository = repositoryOf(pod.image);
  const own = pod.secrets.flatMap(({ logins }) => logins);
  const accounts = [...fitting(own, repository), ...fitting(node, repository)];
  return accounts.length > 0 ? accounts : [undefined];
}

/** The logins of one keyring that are good for a repository: the one with the greatest key first. */
function fitting(logins: readonly Login[], repository: string): readonly Account[] {
  const keyed = logins.map((login) => ({ login, ...placeOf(login.registry) }));
  const direct = keyed.filter(({ host, path }) => {
    const [given = '', ...rest] = repository.split('/');
    return hostFits(host, given) && rest.join('/').startsWith(path);
  });
  const hub = keyed.filter(({ host, path }) => host === 'index.docker.io' && path === '');
  const chosen = direct.length > 0 || !repository.startsWith('docker.io/') ? direct : hub;
  return chosen
    .sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0))
    .map(({ login }) => accountOf(login));
}

/** What of a docker config's key counts: not its scheme, not the version of the protocol. */
export function placeOf(registry: string): {
  readonly key: string;
  readonly host: string;
  readonly path: string;
} {
  const [, host = '', path = ''] = /^(?:https?:\/\/)?([^/]+)(?:\/v[12](?=\/))?\/?(.*)$/.exec(registry) ?? [];
  return { key: path === '' ? host : `${host}/${path}`, host, path };
}

/** A star stands for any letters of one part of a host's name. */
function hostFits(pattern: string, host: string): boolean {
  const [wanted, given] = [pattern.split(/[.:]/), host.split(/[.:]/)];
  return (
    wanted.length === given.length &&
    pattern.includes(':') === host.includes(':') &&
    wanted.every((part, i) => {
      const [before = '', after] = part.split('*');
      const one = given[i] ?? '';
      return after === undefined ? one === part : one.startsWith(before) && one.endsWith(after);
    })
  );
}
