import { describe, expect, test } from 'vitest';
import type { Deployment, Pod } from '../../api/objects.ts';
import { configMaps, deployments, nodes, pods, replicaSets } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import { type ChronicleOptions, chronicle } from './chronicle.ts';
import { sayTally, tallies } from './pod-tally.ts';

const key = (name: string) => ({ namespace: 'default', name });
const owner = (kind: string, name: string) => ({
  apiVersion: 'apps/v1',
  kind,
  name,
  uid: `u-${name}`,
  controller: true,
});
const template = (image = 'nginx') => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image }] },
});
const selector = { matchLabels: { app: 'web' } };
const pod = (name: string, of?: string) => ({
  metadata: { ...key(name), ...(of ? { ownerReferences: [owner('ReplicaSet', of)] } : {}) },
  spec: template().spec,
});

/** Returns the acts, without those on the cluster's own namespaces. */
function told({ journal }: Cluster, options: ChronicleOptions = {}): string[] {
  const entries = journal.entries.filter(({ resource }) => resource.plural !== 'namespaces');
  return chronicle(entries, options).map(({ atMs, who, what }) => `${atMs} ${who} ${what}`);
}

/** Creates a client that writes the status of pods as a node's kubelet does. */
function kubelet(cluster: Cluster, node: string) {
  const client = cluster.connect(`kubelet-${node}`);
  const write = async (name: string, status: Pod['status']): Promise<void> => {
    const current = await cluster.admin.get(pods, key(name));
    await cluster.settle(client.updateStatus(pods, { ...current, status: { ...current.status, ...status } }));
  };
  const ready = (value: 'True' | 'False') => ({
    conditions: [{ type: 'Ready', status: value }],
    phase: 'Running',
  });
  return { client, write, ready };
}

describe('A chronicle', () => {
  test('describes the life of a pod', async () => {
    await using cluster = await createCluster();
    const { write, ready, client } = kubelet(cluster, 'node-1');
    await cluster.admin.create(pods, pod('a'));
    await cluster.settle(cluster.connect('scheduler').bind(key('a'), 'node-1'));
    await write('a', { phase: 'Pending', startTime: '2024-04-17T00:00:00Z' });
    await write('a', ready('True'));
    await write('a', { ...ready('True'), message: 'nothing of interest' });
    await write('a', ready('False'));
    await cluster.settle(cluster.connect('replicaset-controller').delete(pods, key('a')));
    await write('a', { ...ready('False'), phase: 'Succeeded' });
    await cluster.settle(client.delete(pods, key('a'), { gracePeriodSeconds: 0 }));
    expect(told(cluster).map((line) => line.replace(/^\d+ /, ''))).toEqual([
      'admin creates Pod a',
      'scheduler binds Pod a to node-1',
      'kubelet-node-1 accepts Pod a',
      'kubelet-node-1 reports Pod a as ready',
      'kubelet-node-1 reports Pod a as no longer ready',
      'replicaset-controller deletes Pod a',
      'kubelet-node-1 has stopped Pod a',
    ]);
  });

  test('describes failures of a pod', async () => {
    await using cluster = await createCluster();
    const { write } = kubelet(cluster, 'node-1');
    for (const name of ['a', 'b']) await cluster.admin.create(pods, pod(name));
    const state = { waiting: { reason: 'ErrImagePull' } };
    const container = { name: 'web', image: 'nginx', imageID: '', ready: false, restartCount: 0, state };
    await write('a', { phase: 'Pending', containerStatuses: [container] });
    await write('b', { phase: 'Failed', reason: 'Evicted' });
    await cluster.admin.delete(pods, key('b'));
    expect(told(cluster).map((line) => line.replace(/^\d+ /, ''))).toEqual([
      'admin creates Pod a',
      'admin creates Pod b',
      'kubelet-node-1 cannot pull the image of Pod a',
      'kubelet-node-1 evicts Pod b',
      'admin removes Pod b',
    ]);
  });

  test('combines what components do at about the same time, by owner', async () => {
    await using cluster = await createCluster();
    const controller = cluster.connect('replicaset-controller');
    const [one, two] = [kubelet(cluster, 'node-1'), kubelet(cluster, 'node-2')];
    for (const [name, of] of [
      ['a', 'web-1'],
      ['b', 'web-2'],
      ['c', 'web-1'],
    ] as const) {
      await cluster.settle(controller.create(pods, pod(name, of)));
    }
    await one.write('a', one.ready('True'));
    await two.write('c', two.ready('True'));
    expect(told(cluster)).toEqual([
      '3 replicaset-controller creates Pod b',
      '5 replicaset-controller creates 2 Pods of web-1',
      '9 kubelet reports 2 Pods of web-1 as ready',
    ]);
    expect(told(cluster, { windowMs: 0 })).toHaveLength(5);
    expect(told(cluster, { without: ['pod-created'] })).toHaveLength(1);
  });

  test("starts a new sentence after a user's request", async () => {
    await using cluster = await createCluster();
    const controller = cluster.connect('replicaset-controller');
    await cluster.settle(controller.create(pods, pod('a', 'web-1')));
    await cluster.admin.create(configMaps, { metadata: key('x') });
    await cluster.settle(controller.create(pods, pod('b', 'web-1')));
    expect(told(cluster)).toEqual([
      '1 replicaset-controller creates Pod a',
      '2 admin creates ConfigMap x',
      '3 replicaset-controller creates Pod b',
    ]);
  });

  test('describes edits of a Deployment, and its conditions', async () => {
    await using cluster = await createCluster();
    const { admin } = cluster;
    const edit = (spec: object) => admin.patch(deployments, key('web'), { type: 'merge', body: { spec } });
    const state = async (status: Deployment['status']): Promise<void> => {
      const web = await admin.get(deployments, key('web'));
      await admin.updateStatus(deployments, { ...web, status });
    };
    await admin.create(deployments, {
      metadata: key('web'),
      spec: { replicas: 1, selector, template: template() },
    } as never);
    await admin.updateScale(deployments, key('web'), { replicas: 3 });
    await edit({ template: template('nginx:2') });
    await edit({ paused: true, template: { metadata: { annotations: { x: 'y' } } } });
    await edit({ paused: false });
    await edit({ minReadySeconds: 5 });
    const progressing = (status: string, reason: string) => [{ type: 'Progressing', status, reason }];
    await state({
      replicas: 4,
      readyReplicas: 3,
      updatedReplicas: 1,
      availableReplicas: 3,
      conditions: progressing('True', 'ReplicaSetUpdated'),
    });
    await state({
      replicas: 3,
      updatedReplicas: 3,
      conditions: progressing('False', 'ProgressDeadlineExceeded'),
    });
    await admin.delete(deployments, key('web'), { propagationPolicy: 'Foreground' });
    await admin.patch(deployments, key('web'), { type: 'merge', body: { metadata: { finalizers: null } } });
    expect(told(cluster)).toEqual([
      '0 admin creates Deployment web: 1 replica of nginx',
      '0 admin scales Deployment web from 1 to 3',
      '0 admin changes the image of Deployment web from nginx to nginx:2',
      '0 admin changes the template of Deployment web',
      '0 admin pauses Deployment web',
      '0 admin resumes Deployment web',
      '0 admin changes Deployment web',
      '0 admin updates the status of Deployment web: 3 of 3 available, 3 of old ReplicaSets',
      '0 admin updates the status of Deployment web: 0 of 3 available',
      '0 admin sets condition Progressing=False on Deployment web: ProgressDeadlineExceeded',
      '0 admin deletes Deployment web, after the dependents (foregroundDeletion)',
      '0 admin removes Deployment web',
    ]);
  });

  test('describes the life of a ReplicaSet', async () => {
    await using cluster = await createCluster();
    const { admin } = cluster;
    const edit = (body: object) => admin.patch(replicaSets, key('web-1'), { type: 'merge', body });
    const revision = (value: string) => ({ annotations: { 'deployment.kubernetes.io/revision': value } });
    const metadata = { ...key('web-1'), ...revision('1'), ownerReferences: [owner('Deployment', 'web')] };
    await admin.create(replicaSets, { metadata, spec: { replicas: 1, selector, template: template() } });
    await edit({ spec: { replicas: 2 } });
    await edit({ metadata: revision('3') });
    const current = await admin.get(replicaSets, key('web-1'));
    const status = { replicas: 2, readyReplicas: 2, availableReplicas: 1 };
    await admin.updateStatus(replicaSets, { ...current, status });
    await edit({ metadata: { ownerReferences: null } });
    await edit({ metadata: { ownerReferences: [owner('Deployment', 'web')] } });
    await admin.delete(replicaSets, key('web-1'), { propagationPolicy: 'Orphan' });
    await edit({ metadata: { finalizers: null } });
    expect(told(cluster)).toEqual([
      '0 admin creates ReplicaSet web-1, revision 1, with 1 replica',
      '0 admin scales ReplicaSet web-1 from 1 to 2',
      '0 admin sets ReplicaSet web-1 to revision 3',
      '0 admin updates the status of ReplicaSet web-1: 2 of 2 pods, 2 ready, 1 available',
      '0 admin releases ReplicaSet web-1',
      '0 admin adopts ReplicaSet web-1',
      '0 admin deletes ReplicaSet web-1, once the dependents are released (orphan)',
      '0 admin removes ReplicaSet web-1',
    ]);
  });

  test('combines ReplicaSets that end together', async () => {
    await using cluster = await createCluster();
    const collector = cluster.connect('garbage-collector-controller');
    const ownerReferences = [owner('Deployment', 'web')];
    for (const name of ['web-1', 'web-2']) {
      const spec = { replicas: 0, selector, template: template() };
      await cluster.admin.create(replicaSets, { metadata: { ...key(name), ownerReferences }, spec });
    }
    for (const name of ['web-1', 'web-2']) await cluster.settle(collector.delete(replicaSets, key(name)));
    expect(told(cluster).at(-1)).toBe('3 garbage-collector-controller removes 2 ReplicaSets of web');
  });

  test('describes other objects briefly, and ignores Nodes and Events', async () => {
    await using cluster = await createCluster();
    const { admin } = cluster;
    await admin.create(nodes, { metadata: { name: 'node-1' } } as never);
    const created = await admin.create(configMaps, { metadata: key('a') });
    await admin.update(configMaps, { ...created, data: { x: 'y' } });
    await admin.delete(configMaps, key('a'));
    expect(told(cluster)).toEqual([
      '0 admin creates ConfigMap a',
      '0 admin changes ConfigMap a',
      '0 admin removes ConfigMap a',
    ]);
  });
});

describe('A tally', () => {
  test('counts the pods of each owner after each write', async () => {
    await using cluster = await createCluster();
    const { admin, journal } = cluster;
    const { write, ready } = kubelet(cluster, 'node-1');
    for (const [name, of] of [
      ['a', 'web-1'],
      ['b', 'web-1'],
      ['c', 'web-2'],
      ['d', undefined],
    ] as const) {
      await admin.create(pods, { ...pod(name, of), spec: { ...pod(name).spec, nodeName: 'node-1' } });
    }
    await write('a', ready('True'));
    await admin.delete(pods, key('b'));
    await write('c', { phase: 'Failed' });
    const last = journal.entries.at(-1)?.revision ?? 0;
    const found = tallies(journal, [1, last - 3, last]);
    const said = [1, last - 3, last].map((revision) => sayTally(found.get(revision) ?? []));
    expect(said).toEqual([
      '',
      'web-1 0/2 ready · web-2 0/1 ready · d 0/1 ready',
      'web-1 1/1 ready, 1 stopping · web-2 0/0 ready · d 0/1 ready',
    ]);
  });
});
