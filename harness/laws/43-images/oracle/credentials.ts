import type { AskingPod } from '../history.ts';
import { sayLogin } from '../render/scenario.ts';
import type { Login } from '../scenario/index.ts';
import { repositoryOf } from './reading.ts';

/**
 * Returns the logins that a pull must try, in this order, until one succeeds; undefined stands for an anonymous pull.
 * Returns none if one of the pod's secrets cannot be read.
 */
export function loginsFor(pod: AskingPod, node: readonly Login[]): readonly (Login | undefined)[] {
  if (pod.isUnreadable) return [];
  const repository = repositoryOf(pod.image);
  const logins = [...fitting(ownLogins(pod), repository), ...fitting(node, repository)];
  return logins.length > 0 ? logins : [undefined];
}

/** Explains for each login whether it matches the pod's image, and the order of the matches. */
export function whyLogins(pod: AskingPod, node: readonly Login[]): readonly string[] {
  if (pod.isUnreadable) return ["one of the pod's secrets cannot be read, so no pull may start"];
  const repository = repositoryOf(pod.image);
  const keyrings = { pod: ownLogins(pod), node };
  const lines = Object.entries(keyrings).flatMap(([owner, logins]) => {
    const good = fitting(logins, repository);
    return logins.map((login) => {
      const verdict = good.includes(login)
        ? 'matches'
        : `does not match: ${whyNoMatch(login, good, repository)}`;
      return `${sayLogin(login)} (of the ${owner}) ${verdict}`;
    });
  });
  return [
    `the image is ${repository}; a key matches if its host does, and its path is the beginning of the image's; its scheme and a path /v1/ or /v2/ do not count`,
    ...lines,
    lines.length === 0
      ? 'no credentials exist, so the pull is anonymous'
      : "the matches are tried one by one, the pod's before the node's, and within each the greatest key first; the pull is anonymous only without a match",
  ];
}

function ownLogins({ secrets }: AskingPod): readonly Login[] {
  return secrets.flatMap(({ logins }) => logins);
}

function whyNoMatch({ registry }: Login, good: readonly Login[], repository: string): string {
  const { host, path } = placeOf(registry);
  const [given = '', ...rest] = repository.split('/');
  if (host === 'index.docker.io' && given === 'docker.io' && good.length > 0) {
    return 'the key of docker login counts only if no other key matches';
  }
  return hostFits(host, given)
    ? `the image's path ${rest.join('/')} does not begin with ${path}`
    : `the host ${host} is not ${given}`;
}

/** Returns the logins of one keyring that match a repository, the greatest key first. */
function fitting(logins: readonly Login[], repository: string): readonly Login[] {
  const keyed = logins.map((login) => ({ login, ...placeOf(login.registry) }));
  const direct = keyed.filter(({ host, path }) => {
    const [given = '', ...rest] = repository.split('/');
    return hostFits(host, given) && rest.join('/').startsWith(path);
  });
  const hub = keyed.filter(({ host, path }) => host === 'index.docker.io' && path === '');
  const chosen = direct.length > 0 || !repository.startsWith('docker.io/') ? direct : hub;
  return chosen.sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0)).map(({ login }) => login);
}

/** Splits a key of a docker config, without its scheme and the version of the protocol. */
export function placeOf(registry: string): {
  readonly key: string;
  readonly host: string;
  readonly path: string;
} {
  const [, host = '', path = ''] = /^(?:https?:\/\/)?([^/]+)(?:\/v[12](?=\/))?\/?(.*)$/.exec(registry) ?? [];
  return { key: path === '' ? host : `${host}/${path}`, host, path };
}

/** Whether a host matches a pattern, in which `*` matches any characters of one part. */
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
