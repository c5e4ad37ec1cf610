import { controllerRevisions, type DaemonSet, daemonSets, type New, type Pod, pods } from '#harness';
import { type Cluster, createCluster, runScriptedNodes } from '#harness/testing';
import { components } from '../components.ts';

export const AGENT = { namespace: 'default', name: 'agent' };

/** A DaemonSet; a test replaces the parts of its spec that it is about. */
export function agent(spec: Partial<DaemonSet['spec']> = {}, image = 'agent:1'): New<DaemonSet> {
  return {
    metadata: { ...AGENT },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: {
        metadata: { labels: { app: 'agent' } },
        spec: { containers: [{ name: 'agent', image }] },
      },
      ...spec,
    },
  };
}

/** A cluster with three scripted nodes, the scheduler and the controller. */
export async function daemonCluster(count = 3): Promise<Cluster> {
  const cluster = await createCluster({ components, seed: 7 });
  runScriptedNodes(cluster, { count, scheduler: 'real' });
  cluster.runComponents('daemonSetController');
  await cluster.runFor(100);
  return cluster;
}

/** Returns the stored DaemonSet. */
export const agentIn = (cluster: Cluster): Promise<DaemonSet> => cluster.admin.get(daemonSets, AGENT);

/** Returns the pods of the namespace, by node. */
export async function podsIn(cluster: Cluster): Promise<Pod[]> {
  const { items } = await cluster.admin.list(pods, { namespace: 'default' });
  return items.toSorted((a, b) => ((a.spec.nodeName ?? '') < (b.spec.nodeName ?? '') ? -1 : 1));
}

/** Returns the number and the image of each revision, in order. */
export async function revisionsIn(cluster: Cluster): Promise<[number, string | undefined][]> {
  const { items } = await cluster.admin.list(controllerRevisions, { namespace: 'default' });
  return items
    .map(({ revision, data }): [number, string | undefined] => [
      revision,
      (data as { spec: DaemonSet['spec'] }).spec.template.spec?.containers[0]?.image,
    ])
    .sort(([a], [b]) => a - b);
}

/** Gives the DaemonSet another image. */
export async function setImage(cluster: Cluster, image: string): Promise<void> {
  const body = { spec: { template: { spec: { containers: [{ name: 'agent', image }] } } } };
  await cluster.admin.patch(daemonSets, AGENT, { type: 'strategic', body });
}
