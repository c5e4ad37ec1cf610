import type { Namespace, New, Service } from '../api/objects.ts';
import { namespaces, services } from '../api/resource.ts';
import type { Client } from '../contracts/client.ts';

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controlplane/apiserver/options/options.go Options.SystemNamespaces, and
 * cmd/kube-apiserver/app/options for that of the nodes' leases
 */
const SYSTEM_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/**
 * The way to the apiserver from within the cluster. It has the first address of the range, which is never another
 * Service's.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controlplane/controller/kubernetesservice/controller.go
 * Controller.CreateOrUpdateMasterServiceIfNeeded
 *
 * Differs: without endpoints, and the namespaces without a ServiceAccount and the ConfigMap `kube-root-ca.crt`.
 */
const KUBERNETES: New<Service> = {
  metadata: {
    name: 'kubernetes',
    namespace: 'default',
    labels: { provider: 'kubernetes', component: 'apiserver' },
  },
  spec: {
    ports: [{ protocol: 'TCP', port: 443, name: 'https', targetPort: 6443 }],
    clusterIP: '10.96.0.1',
    ipFamilyPolicy: 'SingleStack',
    sessionAffinity: 'None',
    type: 'ClusterIP',
  },
};

/**
 * As whom the apiserver asks itself.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/user/user.go APIServerUser
 */
export const APISERVER = 'system:apiserver';

/** Creates what every cluster has from the start. */
export async function bootstrap(client: Client): Promise<void> {
  for (const name of SYSTEM_NAMESPACES) await client.create(namespaces, namespace(name));
  await client.create(services, KUBERNETES);
}

function namespace(name: string): New<Namespace> {
  return { metadata: { name }, spec: {} };
}
