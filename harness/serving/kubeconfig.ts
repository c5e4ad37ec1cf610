import { stringify } from 'yaml';
import type { KeyPair } from '../mount/tls.ts';
import { ADMIN } from './cluster-pki.ts';

interface KubeconfigOptions {
  /** The URL of the apiserver: `https://127.0.0.1:6443`. */
  readonly server: string;
  /** The CA certificate in PEM; absent for plain HTTP. */
  readonly ca?: string;
  /** The credentials of the user: a certificate and its key in PEM, or a token. */
  readonly user: KeyPair | { readonly token: string };
  /** The namespace of the context. @defaultValue `default` */
  readonly namespace?: string;
}

const NAME = 'kubernetes-katas';

/**
 * Returns the kubeconfig for one cluster: the content of a file for `KUBECONFIG`.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/clientcmd/api/v1/types.go Config
 */
export function kubeconfig({ server, ca, user, namespace }: KubeconfigOptions): string {
  const authority = ca === undefined ? {} : { 'certificate-authority-data': inBase64(ca) };
  const credentials =
    'token' in user
      ? user
      : { 'client-certificate-data': inBase64(user.cert), 'client-key-data': inBase64(user.key) };
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: NAME, cluster: { server, ...authority } }],
      users: [{ name: ADMIN.name, user: credentials }],
      contexts: [
        { name: NAME, context: { cluster: NAME, user: ADMIN.name, ...(namespace && { namespace }) } },
      ],
      'current-context': NAME,
    },
    { lineWidth: 0 },
  );
}

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');
