import type * as core from '#api/core/v1';
import { createHash } from '#platform/hash';

/** A user and a password of a docker config, and the registry or repository for which they are valid. */
export interface DockerConfigEntry {
  /** The registry as written: `quay.io`, `https://index.docker.io/v1/`, `registry.example.com:5000/team`. */
  readonly registry: string;
  readonly username: string;
  readonly password: string;
}

/** A user and a password for a pull, and their source. */
export interface Credential {
  readonly username: string;
  readonly password: string;
  /** Absent for the node's own credential. */
  readonly secret?: core.Secret;
}

/**
 * Returns the entries of a docker `config.json`, as written by `docker login` and `kubectl create secret
 * docker-registry`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/credentialprovider/config.go DockerConfigJSON
 *
 * @throws Error when the file is invalid. The message does not quote the text
 */
export function parseDockerConfig(text: string): readonly DockerConfigEntry[] {
  const { auths } = parsed<{ readonly auths?: DockerConfig } | null>(text) ?? {};
  return entriesOf(auths ?? {});
}

/**
 * Returns the entries of a secret of type `kubernetes.io/dockerconfigjson`, or of the older `kubernetes.io/dockercfg`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/credentialprovider/secrets/secrets.go secretsToTrackedDockerConfigs
 *
 * @returns undefined if the secret has another type or no data
 * @throws Error when the content is invalid. The message does not quote the content
 */
export function dockerConfigOf(secret: core.Secret): readonly DockerConfigEntry[] | undefined {
  const json = secret.data?.['.dockerconfigjson'];
  if (secret.type === 'kubernetes.io/dockerconfigjson' && json) return parseDockerConfig(fromBase64(json));
  const legacy = secret.data?.['.dockercfg'];
  if (secret.type === 'kubernetes.io/dockercfg' && legacy) {
    return entriesOf(parsed<DockerConfig | null>(fromBase64(legacy)) ?? {});
  }
  return undefined;
}

/**
 * Returns a hash of a credential that can be stored on disk: equal for equal credentials, and useless to a reader of
 * the disk.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/credentialprovider/keyring.go hashAuthConfig
 */
export function credentialHash({
  username,
  password,
}: Pick<DockerConfigEntry, 'username' | 'password'>): string {
  return createHash('sha256').update(JSON.stringify({ username, password })).digest('hex');
}

type DockerConfig = Readonly<
  Record<string, { readonly username?: string; readonly password?: string; readonly auth?: string }>
>;

/** Replaces the error of `JSON.parse`: it quotes the text, which may be a password, and appears in the pod's status. */
function parsed<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Error('unable to parse docker config: it is not valid JSON');
  }
}

function entriesOf(config: DockerConfig): readonly DockerConfigEntry[] {
  return Object.entries(config).map(([registry, { username = '', password = '', auth }]) => {
    if (!auth) return { registry, username, password };
    const both = fromBase64(auth);
    const colon = both.indexOf(':');
    if (colon < 0)
      throw new Error('unable to parse auth field, must be formatted as base64(username:password)');
    return { registry, username: both.slice(0, colon), password: both.slice(colon + 1) };
  });
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}
