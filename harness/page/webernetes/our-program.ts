import type { Deployment } from '../../api/objects.ts';
import { deployments, services } from '../../api/resource.ts';
import { applyManifest } from '../../cli/applying.ts';
import { registriesFor } from '../../cli/images.ts';
import { createWholeCluster } from '../../cluster/whole-cluster.ts';
import type { Components } from '../../contracts/component.ts';
import { FOLLOWED_MS, NODES, runProgram } from './program.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** The program of the whole cluster that `npm start` and the page run. It begins when CoreDNS is available. */
await runProgram(async ({ secured }) => {
  const registry = registriesFor({ anyImage: true, tell: () => {} });
  const { cluster } = await createWholeCluster({ components, nodes: NODES, secured, registry });
  const until = async (condition: () => boolean): Promise<void> => {
    if (!(await cluster.runUntil(condition, FOLLOWED_MS)))
      throw new Error('The cluster did not become ready.');
  };
  const isAvailable = ({ spec, status }: Deployment): boolean =>
    (status.availableReplicas ?? 0) >= (spec.replicas ?? 1);
  await until(() => (cluster.storage.list(deployments) as Deployment[]).every(isAvailable));
  const key = { namespace: 'default', name: 'web' };
  return {
    async applyUntilReady([deployment, service]) {
      const manifest = [
        { resource: deployments, key, object: deployment },
        { resource: services, key, object: service },
      ];
      await applyManifest(cluster, manifest, 'the manifest');
      const readyReplicas = (): number =>
        (cluster.storage.get(deployments, key) as Deployment).status.readyReplicas ?? 0;
      await until(() => readyReplicas() === deployment.spec.replicas);
      return readyReplicas();
    },
    close: async () => cluster[Symbol.asyncDispose](),
  };
});
