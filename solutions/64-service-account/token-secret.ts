import { LEGACY } from '#given/64-service-account';
import type { ComponentContext, Secret, ServiceAccount } from '#harness';

/** A Secret with a token of a service account, as far as a queue remembers it after its deletion. */
export interface TokenSecret {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly account: string;
  /** Empty for a Secret that does not name the uid of its account. */
  readonly accountUID: string;
}

/** Returns a Secret with a token as a queue remembers it; undefined for any other Secret. */
export function tokenSecretOf({ type, metadata }: Secret): TokenSecret | undefined {
  const { namespace = '', name, uid, annotations = {} } = metadata;
  const account = annotations[LEGACY.account] ?? '';
  if (type !== LEGACY.type || account === '') return undefined;
  return { namespace, name, uid, account, accountUID: annotations[LEGACY.accountUID] ?? '' };
}

/**
 * Returns the data that a Secret with a token lacks; undefined if it lacks none. A token that exists stays, whether or
 * not it is valid.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/serviceaccount/tokens_controller.go secretUpdateNeeded,
 * generateTokenIfNeeded
 */
export function missingData(
  { metadata, data = {} }: Secret,
  account: ServiceAccount,
  keys: ComponentContext['keys'],
): Readonly<Record<string, string>> | undefined {
  const { namespace = '', name } = metadata;
  const authority = btoa(keys.rootCA);
  const missing = {
    ...(data['ca.crt'] !== authority && { 'ca.crt': authority }),
    ...(!data.namespace && { namespace: btoa(namespace) }),
    ...(!data[LEGACY.token] && { [LEGACY.token]: btoa(tokenFor(name, account, keys)) }),
  };
  return Object.keys(missing).length > 0 ? missing : undefined;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/legacy.go LegacyClaims */
function tokenFor(secret: string, { metadata }: ServiceAccount, keys: ComponentContext['keys']): string {
  const { namespace = '', name, uid } = metadata;
  return keys.signLegacyToken({
    iss: 'kubernetes/serviceaccount',
    sub: `system:serviceaccount:${namespace}:${name}`,
    'kubernetes.io/serviceaccount/namespace': namespace,
    'kubernetes.io/serviceaccount/secret.name': secret,
    'kubernetes.io/serviceaccount/service-account.name': name,
    'kubernetes.io/serviceaccount/service-account.uid': uid,
  });
}

/** Returns a Secret with more data, and with the name and the uid of its account. */
export function filled(
  secret: Secret,
  { metadata: { name, uid } }: ServiceAccount,
  data: Readonly<Record<string, string>>,
): Secret {
  const { metadata } = secret;
  const annotations = { ...metadata.annotations, [LEGACY.account]: name, [LEGACY.accountUID]: uid };
  return { ...secret, metadata: { ...metadata, annotations }, data: { ...secret.data, ...data } };
}
