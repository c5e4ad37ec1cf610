import { stringify } from 'yaml';

interface KubeconfigOptions {
  /** Where the apiserver is: `https://127.0.0.1:6443`. */
  readonly server: string;
  /** The certificate of its authority, in PEM; absent for plain HTTP. */
  readonly ca?: string;
}

const NAME = 'kubernetes-katas';

/** The apiserver does not read it. Without credentials kubectl asks for a name and a password. */
const TOKEN = 'none-is-asked-for';

/**
 * What tells kubectl of one cluster: a file for `KUBECONFIG`.
 *
 * Differs: the credentials mean nothing, because the apiserver asks for none.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/clientcmd/api/v1/types.go Config
 */
export function kubeconfig({ server, ca }: KubeconfigOptions): string {
  const authority =
    ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: NAME, cluster: { server, ...authority } }],
      users: [{ name: NAME, user: { token: TOKEN } }],
      contexts: [{ name: NAME, context: { cluster: NAME, user: NAME } }],
      'current-context': NAME,
    },
    { lineWidth: 0 },
  );
}
