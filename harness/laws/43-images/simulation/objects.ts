import type * as core from '#api/core/v1';
import type * as cri from '../../../contracts/node/cri/index.ts';
import type { AskingPod } from '../history.ts';
import { password } from '../scenario/catalogue.ts';
import type { Login, SecretPlan } from '../scenario/index.ts';

/** Returns a docker `config.json`. */
export function dockerConfig(logins: readonly Login[]): string {
  const auths = logins.map(({ registry, ...login }) => {
    const { username, password } = accountOf(login);
    // Both formats that occur in practice.
    const both = Buffer.from(`${username}:${password}`).toString('base64');
    return [registry, login.user === 'acme' ? { auth: both } : { username, password }];
  });
  return JSON.stringify({ auths: Object.fromEntries(auths) });
}

/** Returns the user name and the password of a login. */
export function accountOf({ user, good }: Pick<Login, 'user' | 'good'>): {
  readonly username: string;
  readonly password: string;
} {
  return { username: user, password: good ? password(user) : `${user}-forgotten` };
}

/** Returns the secrets of the API at a time. The content of a broken secret is cut off. */
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

/** Whether the content of a secret cannot be read. */
export function isBroken({ brokenUntilMs = 0 }: SecretPlan, nowMs: number): boolean {
  return nowMs < brokenUntilMs;
}

/** Returns the UID of a secret, which distinguishes objects of the same name. */
export function uidOf({ namespace, name, uid = 1 }: Pick<SecretPlan, 'namespace' | 'name' | 'uid'>): string {
  return `${namespace}-${name}-${uid}`;
}

/** Returns the sandbox config of a pod, for its pulls. */
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
