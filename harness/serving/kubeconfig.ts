import { stringify } from 'yaml';

interface KubeconfigOptions {
  /** The URL of the apiserver: `https://127.0.0.1:6443`. */
  readonly server: string;
  /** The CA certificate in PEM; absent for plain HTTP. */
  readonly ca?: string;
}

const NAME = 'kubernetes-katas';

/** The apiserver ignores the token. Without credentials kubectl prompts for a name and a password. */
const TOKEN = 'none-is-asked-for';

/**
 * Returns the kubeconfig for one cluster: the content of a file for `KUBECONFIG`.
 *
 * Differs: the credentials have no effect, because the apiserver requires none.
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
