import { services } from '../../../api/resource.ts';
import { v1_36 } from '../../../apiserver/handler/version.ts';
import type { Command } from '../command.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/version/version.go Options.Run */
export const version: Command = {
  name: 'version',
  usage: '',
  summary: 'Prints the version of the cluster',
  reads: true,
  flags: {},
  run: async ({ io }) => {
    io.out(`Client Version: ${v1_36.gitVersion}\nServer Version: ${v1_36.gitVersion}\n`);
  },
};

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/clusterinfo/clusterinfo.go ClusterInfoOptions.Run */
export const clusterInfo: Command = {
  name: 'cluster-info',
  usage: '',
  summary: 'Prints the addresses of the control plane and of its services',
  reads: true,
  flags: {},
  run: async ({ io, client }) => {
    const own = await client
      .get(services, { namespace: 'default', name: 'kubernetes' })
      .catch(() => undefined);
    const server = `https://${own?.spec.clusterIP ?? '10.96.0.1'}:443`;
    io.out(`Kubernetes control plane is running at ${server}\n`);
    const { items } = await client.list(services, {
      namespace: 'kube-system',
      labelSelector: 'kubernetes.io/cluster-service=true',
    });
    for (const { metadata, spec } of items) {
      const name = metadata.labels?.['kubernetes.io/name'] ?? metadata.name;
      const port = spec.ports?.[0]?.name;
      const path = `${metadata.name}${port ? `:${port}` : ''}`;
      io.out(`${name} is running at ${server}/api/v1/namespaces/kube-system/services/${path}/proxy\n`);
    }
  },
};
