import { describe, expect, test } from 'vitest';
import {
  type Deployment,
  deployments,
  type KubeObject,
  type New,
  type Pod,
  pods,
  type Resource,
  replicaSets,
} from '#harness';
import { type Cluster, createCluster, runScriptedNodes, scripts } from '#harness/testing';
import { components } from '../components.ts';

const key = { namespace: 'default', name: 'web' };

/** Creates a cluster with an available Deployment of three replicas. */
async function deployed(): Promise<Cluster> {
  const cluster = await createCluster({ seed: 25, latencyMs: { min: 1, max: 10 }, components });
  cluster.runComponents('deploymentController', 'replicaSetController', 'garbageCollector');
  // The pods take 2 to 10 s to stop, so that the test can observe the steps in between.
  runScriptedNodes(cluster, { script: scripts({ stopsAfterMs: { min: 2_000, max: 10_000 } }) });
  await cluster.runFor(1_000);
  await apply(cluster);
  const ready = () => cluster.storage.get(deployments, key) as Deployment;
  expect(await cluster.runUntil(() => ready().status.availableReplicas === 3, 60_000)).toBe(true);
  await cluster.runFor(10_000);
  return cluster;
}

async function apply({ admin }: Cluster): Promise<void> {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } };
  const spec = { replicas: 3, selector: { matchLabels: labels }, template };
  await admin.create(deployments, { metadata: key, spec } as unknown as New<Deployment>);
}

/** Returns the kinds of the deleted objects, in the order of their deletion. */
function gone({ journal }: Cluster): string[] {
  return journal.entries.flatMap(({ type, object }) => (type === 'DELETED' ? [object.kind] : []));
}

/** Counts the created objects of a resource. */
function created({ journal }: Cluster, resource: Resource): number {
  return journal.of(resource).filter(({ type }) => type === 'ADDED').length;
}

function left({ storage }: Cluster): string[] {
  return [deployments, replicaSets, pods].flatMap((resource) =>
    storage.list(resource as Resource).map(({ kind }) => kind),
  );
}

const uids = ({ storage }: Cluster): string[] => storage.list(pods).map(({ metadata }) => metadata.uid);

function ownersOf({ storage }: Cluster, resource: Resource): string[] {
  const names = ({ metadata: { ownerReferences = [] } }: KubeObject): string[] =>
    ownerReferences.map(({ kind }) => kind);
  return storage.list(resource).flatMap(names);
}

const asResource = (resource: unknown): Resource => resource as Resource;

describe('kubectl delete deployment web', () => {
  test('--cascade=background: deletes the Deployment at once, then its ReplicaSet, then the pods after their grace periods', async () => {
    await using cluster = await deployed();
    await cluster.admin.delete(deployments, key, { propagationPolicy: 'Background' });
    expect(left(cluster)).toEqual(['ReplicaSet', 'Pod', 'Pod', 'Pod']);
    await cluster.runFor(500);
    expect(left(cluster)).toEqual(['Pod', 'Pod', 'Pod']);
    const ending = cluster.storage.list(pods) as Pod[];
    expect(ending.every(({ metadata }) => metadata.deletionTimestamp !== undefined)).toBe(true);
    await cluster.runFor(120_000);
    expect(left(cluster)).toEqual([]);
    expect(gone(cluster)).toEqual(['Deployment', 'ReplicaSet', 'Pod', 'Pod', 'Pod']);
    expect(created(cluster, asResource(pods))).toBe(3);
  });

  test('--cascade=foreground: deletes the pods first, then their ReplicaSet, and the Deployment last', async () => {
    await using cluster = await deployed();
    await cluster.admin.delete(deployments, key, { propagationPolicy: 'Foreground' });
    await cluster.runFor(500);
    expect(left(cluster)).toEqual(['Deployment', 'ReplicaSet', 'Pod', 'Pod', 'Pod']);
    const waiting = [deployments, replicaSets].flatMap((resource) =>
      cluster.storage.list(asResource(resource)),
    );
    expect(waiting.map(({ metadata }) => metadata.finalizers)).toEqual([
      ['foregroundDeletion'],
      ['foregroundDeletion'],
    ]);
    await cluster.runFor(120_000);
    expect(left(cluster)).toEqual([]);
    expect(gone(cluster)).toEqual(['Pod', 'Pod', 'Pod', 'ReplicaSet', 'Deployment']);
    expect([created(cluster, asResource(pods)), created(cluster, asResource(replicaSets))]).toEqual([3, 1]);
  });

  test('--cascade=orphan: deletes only the Deployment; a new one adopts its ReplicaSet, and the pods keep running', async () => {
    await using cluster = await deployed();
    const before = uids(cluster);
    await cluster.admin.delete(deployments, key, { propagationPolicy: 'Orphan' });
    await cluster.runFor(120_000);
    expect(left(cluster)).toEqual(['ReplicaSet', 'Pod', 'Pod', 'Pod']);
    expect(ownersOf(cluster, asResource(replicaSets))).toEqual([]);
    expect(ownersOf(cluster, asResource(pods))).toEqual(['ReplicaSet', 'ReplicaSet', 'ReplicaSet']);
    await apply(cluster);
    await cluster.runFor(120_000);
    expect(ownersOf(cluster, asResource(replicaSets))).toEqual(['Deployment']);
    expect(uids(cluster)).toEqual(before);
    expect(gone(cluster)).toEqual(['Deployment']);
  });

  test('--cascade=orphan for the ReplicaSet alone: the next ReplicaSet adopts its pods', async () => {
    await using cluster = await deployed();
    const before = uids(cluster);
    const [replicaSet] = cluster.storage.list(replicaSets);
    const { name = '' } = replicaSet?.metadata ?? {};
    await cluster.admin.delete(replicaSets, { ...key, name }, { propagationPolicy: 'Orphan' });
    await cluster.runFor(120_000);
    expect(left(cluster)).toEqual(['Deployment', 'ReplicaSet', 'Pod', 'Pod', 'Pod']);
    expect(cluster.storage.list(replicaSets)[0]?.metadata.uid).not.toBe(replicaSet?.metadata.uid);
    expect(uids(cluster)).toEqual(before);
    expect(gone(cluster)).toEqual(['ReplicaSet']);
  });
});
