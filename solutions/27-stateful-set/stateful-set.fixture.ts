import {
  controllerRevisions,
  type New,
  type Pod,
  persistentVolumeClaims,
  pods,
  type StatefulSet,
  statefulSets,
} from '#harness';
import { type Cluster, createCluster, runScriptedNodes } from '#harness/testing';
import { components } from '../components.ts';

export const WEB = { namespace: 'default', name: 'web' };

/** A StatefulSet; a test replaces the parts of its spec that it is about. */
export function web(spec: Partial<StatefulSet['spec']> = {}, image = 'web:1'): New<StatefulSet> {
  return {
    metadata: { ...WEB },
    spec: {
      replicas: 3,
      serviceName: 'web',
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
      ...spec,
    },
  };
}

/** A claim template named `data`. */
export const data = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

/** A cluster with two scripted nodes, a scripted scheduler and the controller. */
export async function statefulCluster(): Promise<Cluster> {
  const cluster = await createCluster({ components, seed: 7 });
  runScriptedNodes(cluster, { count: 2 });
  cluster.runComponents('statefulSetController');
  await cluster.runFor(100);
  return cluster;
}

/** Returns the stored StatefulSet. */
export const webIn = (cluster: Cluster): Promise<StatefulSet> => cluster.admin.get(statefulSets, WEB);

/** Returns the pods of the namespace, by name. */
export async function podsIn(cluster: Cluster): Promise<Pod[]> {
  return (await cluster.admin.list(pods, { namespace: 'default' })).items;
}

/** Returns the name and the image of each pod: `web-0 web:1`. */
export async function imagesIn(cluster: Cluster): Promise<string[]> {
  return (await podsIn(cluster)).map(({ metadata, spec }) => `${metadata.name} ${spec.containers[0]?.image}`);
}

/** Returns the names of all claims. */
export async function claimsIn(cluster: Cluster): Promise<string[]> {
  const { items } = await cluster.admin.list(persistentVolumeClaims, { namespace: 'default' });
  return items.map(({ metadata }) => metadata.name);
}

/** Returns the numbers of all revisions, in order. */
export async function revisionsIn(cluster: Cluster): Promise<number[]> {
  const { items } = await cluster.admin.list(controllerRevisions, { namespace: 'default' });
  return items.map(({ revision }) => revision).sort((a, b) => a - b);
}

/** Changes the spec of the StatefulSet. */
export async function change(cluster: Cluster, spec: unknown): Promise<void> {
  await cluster.admin.patch(statefulSets, WEB, { type: 'strategic', body: { spec } });
}

/** Gives the StatefulSet another image. */
export const setImage = (cluster: Cluster, image: string): Promise<void> =>
  change(cluster, { template: { spec: { containers: [{ name: 'web', image }] } } });
