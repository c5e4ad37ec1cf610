import type { Deployment, New, Secret, Service } from '../../api/objects.ts';
import { deployments, namespaces, secrets, services } from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import { portmap } from '../../node/cni/portmap.ts';
import type { Cluster } from '../cluster.ts';
import { nodeNames } from '../nodes/scripted-nodes.ts';

const IMAGE = 'registry.k8s.io/e2e-test-images/agnhost:2.63.0';
const NAMESPACE = 'hooks';
const app = { app: 'hook' };
const metadata = { namespace: NAMESPACE, name: 'hook' };

const pem = (type: string): string =>
  Buffer.from(`-----BEGIN ${type}-----\nMA==\n-----END ${type}-----\n`).toString('base64');

/**
 * Runs the components that a webhook in a pod needs, on two machines with network plugins, and deploys `agnhost webhook`
 * behind the Service `hook` of the namespace `hooks`. The caller must advance the time.
 */
export async function deployAgnhost(
  cluster: Cluster,
  { ipam, podNetwork }: Components,
  { replicas = 1 } = {},
): Promise<void> {
  cluster.runComponents('deploymentController', 'replicaSetController', 'scheduler');
  cluster.runComponents('endpointSliceController', 'nodeIpamController');
  for (const node of nodeNames(2)) {
    const plugins = { 'host-local': ipam, bridge: podNetwork, portmap };
    cluster.addMachine(node, { preloaded: [IMAGE], plugins });
    cluster.runOnNode(node, 'kubelet', 'routeController', 'serviceProxy');
  }
  const { admin } = cluster;
  await admin.create(namespaces, { metadata: { name: NAMESPACE }, spec: {} });
  await admin.create(secrets, {
    metadata,
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': pem('CERTIFICATE'), 'tls.key': pem('PRIVATE KEY') },
  } as New<Secret>);
  const args = [
    'webhook',
    '--tls-cert-file=/tls/tls.crt',
    '--tls-private-key-file=/tls/tls.key',
    '--port=8443',
  ];
  await admin.create(deployments, {
    metadata,
    spec: {
      replicas,
      selector: { matchLabels: app },
      template: {
        metadata: { labels: app },
        spec: {
          containers: [
            {
              name: 'hook',
              image: IMAGE,
              args,
              ports: [{ containerPort: 8443 }],
              volumeMounts: [{ name: 'tls', mountPath: '/tls', readOnly: true }],
              readinessProbe: { httpGet: { scheme: 'HTTPS', port: 8443, path: '/readyz' }, periodSeconds: 1 },
            },
          ],
          volumes: [{ name: 'tls', secret: { secretName: 'hook' } }],
        },
      },
    },
  } as unknown as New<Deployment>);
  await admin.create(services, {
    metadata,
    spec: { selector: app, ports: [{ port: 443, targetPort: 8443 }] },
  } as New<Service>);
}
