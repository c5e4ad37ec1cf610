import type { Namespace, New, Service } from '../api/objects.ts';
import { endpointSlices, endpoints, namespaces, services } from '../api/resource.ts';
import type { Client } from '../contracts/client.ts';
import { ensure } from './ensure.ts';

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controlplane/apiserver/options/options.go Options.SystemNamespaces, and
 * cmd/kube-apiserver/app/options for that of the nodes' leases
 */
const SYSTEM_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/**
 * The Service that pods use to reach the apiserver. It has the first address of the range, which no other Service gets.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controlplane/controller/kubernetesservice/controller.go
 * Controller.CreateOrUpdateMasterServiceIfNeeded
 *
 * Differs: without endpoints if the cluster has no address for its apiserver. The namespaces lack a ServiceAccount and
 * the ConfigMap `kube-root-ca.crt` until the controllers of a secured cluster create them.
 */
const KUBERNETES = {
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
} satisfies New<Service>;

/**
 * The apiserver's own user.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/user/user.go APIServerUser
 */
export const APISERVER = 'system:apiserver';

interface BootstrapOptions {
  /** The apiserver's address for pods. @defaultValue none */
  readonly advertiseAddress?: string;
}

/** Creates the objects of every new cluster. */
export async function bootstrap(client: Client, { advertiseAddress }: BootstrapOptions = {}): Promise<void> {
  for (const name of SYSTEM_NAMESPACES) await client.create(namespaces, namespace(name));
  await client.create(services, KUBERNETES);
  if (advertiseAddress !== undefined) await advertise(client, advertiseAddress);
}

/**
 * Makes an address the endpoint of the Service of the apiserver, unless it has one.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controlplane/reconcilers/endpointsadapter.go EndpointsAdapter
 */
export async function advertise(client: Client, address: string): Promise<void> {
  const { name, namespace: within } = KUBERNETES.metadata;
  const ports = [{ name: 'https', port: 6443, protocol: 'TCP' }];
  // The label keeps the mirroring controller from creating a second slice.
  await ensure(client, endpoints, {
    metadata: { name, namespace: within, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: address }], ports }],
  });
  await ensure(client, endpointSlices, {
    metadata: { name, namespace: within, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports,
  });
}

function namespace(name: string): New<Namespace> {
  return { metadata: { name }, spec: {} };
}
