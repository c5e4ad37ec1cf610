import { describe, expect, it } from 'vitest';
import type { Pod } from '../../api/objects.ts';
import { deployments, pods } from '../../api/resource.ts';
import { createService, createWeb, type Observed, observedCluster, webPods } from './observed.fixture.ts';

const web = { namespace: 'default', name: 'web' };

async function setImage({ cluster }: Observed, image: string): Promise<void> {
  const template = { spec: { containers: [{ name: 'nginx', image }] } };
  await cluster.admin.patch(deployments, web, { type: 'strategic', body: { spec: { template } } });
}

/** The waits of a component for objects, as `key: text`. */
async function waitsOf({ look }: Observed, name: string): Promise<readonly string[]> {
  const { waitsFor } = await look({ kind: 'component', name });
  return waitsFor.flatMap(({ about, text }) => (about ? [`${about.label}: ${text}`] : []));
}

/** A cluster whose Deployment `web` rolls out an image that does not exist. */
async function stuckRollOut(): Promise<{ readonly observed: Observed; readonly stuck: Pod }> {
  const observed = await observedCluster();
  createWeb(observed, { replicas: 3 });
  await observed.cluster.runFor(10_000);
  await setImage(observed, 'nginx:9.99');
  await observed.cluster.runFor(5_000);
  const stuck = webPods(observed).find(({ spec }) => spec.containers[0]?.image === 'nginx:9.99');
  if (!stuck) throw new Error('Failed to find the new pod.');
  return { observed, stuck };
}

describe('The waits of a component', () => {
  it('name the pods and the deadline of a roll-out that is stuck, and the reason for its old pods', async () => {
    const { observed, stuck } = await stuckRollOut();
    await using _ = observed;
    const { name } = stuck.metadata;
    const { nodes } = observed.observer.view();
    const { status } = nodes.flatMap(({ pods }) => pods).find((pod) => pod.name === name) ?? {};
    const set = stuck.metadata.ownerReferences?.[0]?.name;
    expect(await waitsOf(observed, 'deployment-controller')).toEqual([
      `default/web: 1 pod of ${set} to become ready (${name}: ${status}); ` +
        'it keeps 3 old pods, because 3 of 3 are available and 3 must be: maxUnavailable 25 % of 3 allows 0 fewer; ' +
        'its progress deadline is in 9 min 55 s',
    ]);
    expect(await waitsOf(observed, 'replicaset-controller')).toEqual([
      `default/${set}: 1 pod to become ready (${name}: ${status})`,
    ]);
  });

  it('name the back-off of an image, from pull to pull', async () => {
    const { observed, stuck } = await stuckRollOut();
    await using _ = observed;
    const kubelet = `kubelet-${stuck.spec.nodeName}`;
    const [first] = await waitsOf(observed, kubelet);
    const wait = /the end of the back-off of image nginx:9\.99 after 1 failed pull, in ([\d.]+) s$/.exec(
      first ?? '',
    );
    expect(first).toMatch(new RegExp(`^default/${stuck.metadata.name}: `));
    await observed.cluster.runFor(Number(wait?.[1]) * 1_000);
    expect(await waitsOf(observed, kubelet)).toEqual([
      `default/${stuck.metadata.name}: its next sync, which pulls image nginx:9.99 again after 1 failed pull`,
    ]);
    await observed.cluster.runFor(5_000);
    expect((await waitsOf(observed, kubelet))[0]).toMatch(/after 2 failed pulls, in \d+(\.\d)? s$/);
  });

  it('are none about a Deployment that is complete', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 2 });
    await observed.cluster.runFor(5_000);
    for (const name of ['deployment-controller', 'replicaset-controller', 'kubelet-node-1']) {
      expect(await waitsOf(observed, name)).toEqual([]);
    }
  });

  it('name the condition of a pod that fits on no node', async () => {
    await using observed = await observedCluster();
    const container = { name: 'a', image: 'nginx:1.25', resources: { requests: { cpu: '9999' } } };
    const pod = { metadata: { namespace: 'default', name: 'big' }, spec: { containers: [container] } };
    await observed.cluster.admin.create(pods, pod as unknown as Pod);
    await observed.cluster.runFor(1_000);
    expect(await waitsOf(observed, 'default-scheduler')).toEqual([
      expect.stringMatching(
        /^default\/big: a change in the cluster after which a node fits \(0\/2 nodes are available: 2 Insufficient cpu\./,
      ),
    ]);
  });

  it('name the grace period of a pod that ends, and the back-off of a container that crashes', async () => {
    await using observed = await observedCluster({ nodes: 1 });
    const container = { name: 'a', image: 'busybox:1.36', command: ['sh', '-c', 'exit 3'] };
    const pod = { metadata: { namespace: 'default', name: 'short' }, spec: { containers: [container] } };
    await observed.cluster.admin.create(pods, pod as unknown as Pod);
    await observed.cluster.runFor(5_000);
    expect(await waitsOf(observed, 'kubelet-node-1')).toEqual([
      expect.stringMatching(
        /^default\/short: the end of the back-off of container a, restarted once, in \d+(\.\d)? s$/,
      ),
    ]);
  });
});

describe('The decisions of a component', () => {
  it('give the reason why a Deployment keeps its old pods', async () => {
    const { observed } = await stuckRollOut();
    await using _ = observed;
    const { decisions } = await observed.look({ kind: 'component', name: 'deployment-controller' });
    expect(decisions[0]?.text).toMatch(
      /^updates the status of Deployment web: .*; it keeps 3 old pods, because 3 of 3 are available and 3 must be/,
    );
  });

  it('count the pulls of an image that fail', async () => {
    const { observed, stuck } = await stuckRollOut();
    await using _ = observed;
    await observed.cluster.runFor(15_000);
    const { decisions } = await observed.look({ kind: 'component', name: `kubelet-${stuck.spec.nodeName}` });
    expect(decisions[0]?.text).toBe(
      `tries to pull nginx:9.99 for default/${stuck.metadata.name} again: NotFound, failed pull 2`,
    );
  });

  it('of kube-proxy name the Services whose change replaces rules, and lead to these rules', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 1 });
    createService(observed);
    await observed.cluster.runFor(5_000);
    const { decisions } = await observed.look({ kind: 'component', name: 'kube-proxy-node-1' });
    expect(decisions[0]).toMatchObject({
      text: 'replaces the rules of node-1 after a change of Service default/web',
      subject: { kind: 'node', name: 'node-1', rules: 'default/web' },
    });
  });
});

describe('The log of a component', () => {
  it('explains the errors that are expected', async () => {
    await using observed = await observedCluster({ seed: 3 });
    createWeb(observed, { replicas: 3 });
    await observed.cluster.runFor(5_000);
    const { log } = await observed.look({ kind: 'component', name: 'replicaset-controller' });
    const errors = log.filter(({ text }) => text.includes('ConsistencyError'));
    expect(errors.length).toBeGreaterThan(0);
    expect(new Set(errors.map(({ expected }) => expected))).toEqual(
      new Set(['its cache does not show its own last write yet']),
    );
    expect(log.find(({ text }) => text === 'start')).not.toHaveProperty('expected');
  });
});
