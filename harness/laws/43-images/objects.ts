import type * as core from '#api/core/v1';
import type * as cri from '../../contracts/node/cri/index.ts';
import { password } from './catalogue.ts';
import type { AskingPod } from './history.ts';
import type { Login, SecretPlan } from './scenario.ts';

/** A docker `config.json`. */
export function dockerConfig(logins: readonly Login[]): string {
  const auths = logins.map(({ registry, ...login }) => {
    const { username, password } = accountOf(login);
    // Both ways in which people write it.
    const both = Buffer.from(`${username}:${password}`).toString('base64');
    return [registry, login.user === 'acme' ? { auth: both } : { username, password }];
  });
  return JSON.stringify({ auths: Object.fromEntries(auths) });
}

/** The user of a login, and its password. */
export function accountOf({ user, good }: Pick<Login, 'user' | 'good'>): {
  readonly username: string;
  readonly password: string;
} {
  return { username: user, password: good ? password(user) : `${user}-forgotten` };
}

/** The secrets as the API has them at a time. One that is broken ends in the middle. */
export function pullSecrets(secrets: readonly SecretPlan[], nowMs: number): readonly core.Secret[] {
  return secrets.map((secret) => ({
    metadata: { namespace: secret.namespace, name: secret.name, uid: uidOf(secret) },
    type: 'kubernetes.io/dockerconfigjson',
    data: {
      '.dockerconfigjson': Buffer.from(
        isBroken(secret, nowMs) ? dockerConfig(secret.logins).slice(0, -1) : dockerConfig(secret.logins),
      ).toString('base64'),
    },
  }));
}

/** Whether the content of a secret is not what its type says. */
export function isBroken({ brokenUntilMs = 0 }: SecretPlan, nowMs: number): boolean {
  return nowMs < brokenUntilMs;
}

/** Which object a secret is, among those of its name. */
export function uidOf({ namespace, name, uid = 1 }: Pick<SecretPlan, 'namespace' | 'name' | 'uid'>): string {
  return `${namespace}-${name}-${uid}`;
}

/** What the runtime is told of the pod for which it pulls. */
export function sandboxConfigOf({ namespace, name, uid }: AskingPod): cri.PodSandboxConfig {
  return {
    metadata: { namespace, name, uid, attempt: 0 },
    hostname: name,
    logDirectory: `/var/log/pods/${namespace}_${name}_${uid}`,
    labels: {},
    annotations: {},
    network: 'pod',
  };
}
