/**
 * What a pod costs that the scheduler of the cluster binds: from its creation until it is bound and told of. The filters and
 * scores look at nodes, so a pod costs more where there are more of them, but not more than as many as are looked at. How many
 * others wait for a node makes no difference.
 */
import type { Pod } from '../../api/objects.ts';
import { nodes, pods } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../cluster.ts';
import { sideBySide, type Work } from '../side-by-side.ts';

const { components } = await import('#components');

const PODS = 1_000;
const CAPACITY = { cpu: '1000', memory: '1000Gi', pods: '1000' };

sideBySide('Pods, by the scheduler', {
  unit: 'pods',
  rounds: 2,
  contenders: {
    '25 nodes': () => 25,
    '100 nodes': () => 100,
    '1,000 nodes': () => 1_000,
  },
  measures: {
    'bound, none waits': (count) => bound(count, 0),
    'bound, 500 wait for a larger node': (count) => bound(count, 500),
  },
});

/** Lets pods be bound that fit, where so many wait that do not. */
async function bound(count: number, waiting: number): Promise<Work> {
  const cluster = await createCluster({ components });
  for (let i = 0; i < count; i++) {
    const status = { allocatable: CAPACITY, capacity: CAPACITY };
    const labels = { 'kubernetes.io/hostname': `node-${i}` };
    await cluster.admin.create(nodes, { metadata: { name: `node-${i}`, labels }, spec: {}, status } as never);
  }
  cluster.runControllers('scheduler');
  await create(cluster, 'large', waiting, '2000');
  await cluster.runFor(60_000);
  return async () => {
    await create(cluster, 'small', PODS, '100m');
    await cluster.runFor(900);
    const done = cluster.storage.list(pods).filter((pod) => (pod as Pod).spec.nodeName);
    if (done.length !== PODS) throw new Error(`Of ${PODS} pods ${done.length} are bound.`);
    await cluster[Symbol.asyncDispose]();
    return PODS;
  };
}

async function create({ admin }: Cluster, kind: string, count: number, cpu: string): Promise<void> {
  const containers = [{ name: 'web', image: 'nginx', resources: { requests: { cpu } } }];
  for (let i = 0; i < count; i++) {
    await admin.create(pods, {
      metadata: { namespace: 'default', name: `${kind}-${i}` },
      spec: { containers },
    });
  }
}
