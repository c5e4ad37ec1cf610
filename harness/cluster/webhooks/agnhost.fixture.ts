import type { KubeObject, New } from '../../api/objects.ts';
import { deployments, namespaces, type Resource, secrets, services } from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import { portmap } from '../../node/cni/portmap.ts';
import type { Cluster } from '../cluster.ts';
import { runSecuredControllers } from '../controllers/index.ts';
import { nodeNames } from '../nodes/scripted-nodes.ts';

const IMAGE = 'registry.k8s.io/e2e-test-images/agnhost:2.63.0';
const NAMESPACE = 'hooks';
const app = { app: 'hook' };
const metadata = { namespace: NAMESPACE, name: 'hook' };

const pem = (type: string): string =>
  Buffer.from(`-----BEGIN ${type}-----\nMA==\n-----END ${type}-----\n`).toString('base64');

/** A container with one of the webhooks of agnhost. */
function server(command: string, port: number) {
  return {
    name: command,
    image: IMAGE,
    args: [command, '--tls-cert-file=/tls/tls.crt', '--tls-private-key-file=/tls/tls.key', `--port=${port}`],
    ports: [{ containerPort: port }],
    volumeMounts: [{ name: 'tls', mountPath: '/tls', readOnly: true }],
    readinessProbe: { httpGet: { scheme: 'HTTPS', port, path: '/readyz' }, periodSeconds: 1 },
  };
}

/**
 * Runs the components that a webhook in a pod needs, on two machines with network plugins. Deploys agnhost behind the
 * Service `hook` of the namespace `hooks`: `webhook` on port 443, and `crd-conversion-webhook` on port 9443. Its pod runs on
 * `node-2`. Waits until it is ready.
 */
export async function deployAgnhost(cluster: Cluster, { ipam, podNetwork }: Components): Promise<void> {
  cluster.runComponents('deploymentController', 'replicaSetController', 'scheduler');
  cluster.runComponents('endpointSliceController', 'nodeIpamController', 'nodeLifecycleController');
  for (const node of nodeNames(2)) {
    const plugins = { 'host-local': ipam, bridge: podNetwork, portmap };
    cluster.addMachine(node, { preloaded: [IMAGE], plugins });
    cluster.runOnNode(node, 'kubelet', 'routeController', 'serviceProxy');
  }
  runSecuredControllers(cluster);
  const create = <T extends KubeObject>(resource: Resource<T>, object: object): Promise<T> =>
    cluster.settle(cluster.admin.create(resource, object as New<T>));
  await create(namespaces, { metadata: { name: NAMESPACE }, spec: {} });
  // The namespace gets its default objects.
  await cluster.runFor(1_000);
  await create(secrets, {
    metadata,
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': pem('CERTIFICATE'), 'tls.key': pem('PRIVATE KEY') },
  });
  await create(deployments, {
    metadata,
    spec: {
      replicas: 1,
      selector: { matchLabels: app },
      template: {
        metadata: { labels: app },
        spec: {
          containers: [server('webhook', 8443), server('crd-conversion-webhook', 9443)],
          // The requests of the apiserver start on the first node.
          nodeSelector: { 'kubernetes.io/hostname': 'node-2' },
          volumes: [{ name: 'tls', secret: { secretName: 'hook' } }],
        },
      },
    },
  });
  await create(services, {
    metadata,
    spec: {
      selector: app,
      ports: [
        { name: 'admission', port: 443, targetPort: 8443 },
        { name: 'conversion', port: 9443 },
      ],
    },
  });
  await cluster.runFor(30_000);
}
