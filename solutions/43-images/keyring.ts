/** Level 3 · Credentials for an image. */
import { type Credential, type DockerConfigEntry, dockerConfigOf, type KeyringEntry } from '#given/43-images';
import type { core } from '#harness';

export function registryKey(registry: string): string {
  const [host = '', ...path] = registry.replace(/^https?:\/\//, '').split('/');
  // A version followed by a slash is part of the protocol, not of the name.
  if (path.length > 1 && /^v[12]$/.test(path[0] ?? '')) path.shift();
  return path.join('/') === '' ? host : `${host}/${path.join('/')}`;
}

export function keyMatches(key: string, repository: string): boolean {
  const [wanted, given] = [partsOf(key), partsOf(repository)];
  return (
    wanted.port === given.port &&
    wanted.labels.length === given.labels.length &&
    given.path.startsWith(wanted.path) &&
    wanted.labels.every((label, i) => globMatches(label, given.labels[i] ?? ''))
  );
}

function partsOf(text: string) {
  const [host = '', ...path] = text.split('/');
  const [, name = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  return { labels: name.split('.'), port, path: path.join('/') };
}

function globMatches(pattern: string, label: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(label);
}

export function lookup(entries: readonly KeyringEntry[], repository: string): readonly Credential[] {
  const byKey = new Map<string, KeyringEntry[]>();
  for (const entry of entries) {
    const key = registryKey(entry.registry);
    byKey.set(key, [...(byKey.get(key) ?? []), entry]);
  }
  // A longer key sorts after its prefix, so the reverse order puts more specific keys first.
  const keys = [...byKey.keys()].sort().reverse();
  const matching = keys.filter((key) => keyMatches(key, repository));
  if (matching.length === 0 && repository.startsWith('docker.io/')) matching.push('index.docker.io');
  return matching.flatMap((key) => byKey.get(key) ?? []);
}

/** Differs: external credential providers are missing, and so are service account tokens for them. */
export function pullCredentials(
  repository: string,
  {
    pullSecrets,
    node,
  }: { readonly pullSecrets: readonly core.Secret[]; readonly node: readonly DockerConfigEntry[] },
): readonly Credential[] {
  const ofPod = pullSecrets.flatMap((secret) =>
    (dockerConfigOf(secret) ?? []).map((entry) => ({ ...entry, secret })),
  );
  return [...lookup(ofPod, repository), ...lookup(node, repository)];
}
