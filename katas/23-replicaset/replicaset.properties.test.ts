import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { type New, namespaces, type Pod, pods, type ReplicaSet, replicaSets } from '#harness';
import { type Cluster, createCluster, holds, remembering, runScriptedNodes } from '#harness/testing';
import { replicaSetController } from '#kata/23-replicaset/replicaset';
import {
  replicaSetLaws as laws,
  type ReplicaSetScenario,
  runReplicaSet,
  versionless,
  workloads,
} from '#laws/23-replicaset';

const mine = { ...components, replicaSetController };

/** All laws read the same histories; each scenario runs once. */
const live = remembering((scenario: ReplicaSetScenario) =>
  runReplicaSet(replicaSetController, mine, scenario),
);

describe('The laws of a ReplicaSet', () => {
  test('Never too many: it never creates more active pods than spec.replicas, however late its cache', () =>
    holds(laws.neverTooMany, workloads, live));

  test('Never too few: it never deletes more pods than the surplus', () =>
    holds(laws.neverTooFew, workloads, live));

  test('Deletes in order: each deleted pod comes before each kept pod', () =>
    holds(laws.deletesInOrder, workloads, live));

  test('Leaves others alone: it takes no pod from another controller, and adopts none that it does not select', () =>
    holds(laws.leavesOthersAlone, workloads, live));

  test('Respects deletion: it does nothing for a ReplicaSet that it knows is being deleted', () =>
    holds(laws.respectsDeletion, workloads, live));

  test('Like the template: each created pod has the parts of the template, and its ReplicaSet as controller', () =>
    holds(laws.likeTheTemplate, workloads, live));

  test('Starts slowly: it sends one create, then two, then four, and one again after a failure', () =>
    holds(laws.startsSlowly, workloads, live));

  test('Backs off: it retries a rejected create less and less often', () =>
    holds(laws.backsOff, workloads, live));

  test('Truthful status: each status was true at a recent moment, and its generation never goes back', () =>
    holds(laws.truthfulStatus, workloads, live));

  test('Converges: once faults stop, each ReplicaSet has exactly spec.replicas active pods', () =>
    holds(laws.converges, workloads, live));

  test('Adopts and releases: in the end every selected pod has a controller, and every controlled pod is selected', () =>
    holds(laws.adoptsAndReleases, workloads, live));

  test('Final status: in the end each status is correct', () => holds(laws.finalStatus, workloads, live));

  test('Prompt: everything is in order soon after the last fault', () => holds(laws.prompt, workloads, live));

  test('Looks again: after five minutes without an event about a created pod it asks the server', () =>
    holds(laws.looksAgain, workloads, live));

  test('Quiet at rest: it writes nothing if nothing needs to change', () =>
    holds(laws.quietAtRest, workloads, live));
});

describe('In a cluster', () => {
  test('End to end: through scaling, crashes, rejections and a late cache, a ReplicaSet gets exactly its pods', async () => {
    await using cluster = await createCluster({
      seed: 23,
      replicas: 2,
      latencyMs: { min: 1, max: 20 },
      components: mine,
    });
    runScriptedNodes(cluster);
    cluster.runComponents('replicaSetController');
    await cluster.admin.create(replicaSets, web(3));
    cluster.nemesis.schedule([
      { atMs: 30, fault: 'crash', process: PROCESS, skip: 2, performed: true, restartAfterMs: 1_000 },
      { atMs: 20_000, fault: 'refuse', process: PROCESS, reason: 'Forbidden', requests: 6 },
      { atMs: 20_000, fault: 'delay-watches', process: PROCESS, resource: 'pods', forMs: 30_000 },
      { atMs: 60_000, fault: 'cut-watches', process: PROCESS },
      { atMs: 60_000, fault: 'time-out', process: PROCESS, performed: true },
    ]);
    await cluster.runFor(20_000);
    for (const replicas of [8, 2, 6]) {
      await cluster.admin.updateScale(replicaSets, WEB, { replicas });
      await cluster.runFor(40_000);
    }
    for (const { metadata } of activeIn(cluster).slice(0, 2)) {
      await cluster.admin.delete(pods, { namespace: 'default', name: metadata.name });
    }
    expect(
      await cluster.runUntil(() => readyIn(cluster) === 6, 600_000),
      `after 600 s ${readyIn(cluster)} pods are ready; spec.replicas is 6, and no fault is left`,
    ).toBe(true);
    await cluster.runFor(1_000);
    const { spec, status } = await cluster.admin.get(replicaSets, WEB);
    expect(spec.replicas, 'spec.replicas: the controller must not change it').toBe(6);
    expect(status, 'the status, one second later').toMatchObject({
      replicas: 6,
      fullyLabeledReplicas: 6,
      readyReplicas: 6,
      availableReplicas: 6,
    });
    const conditions = (status.conditions ?? []).map(({ type }) => type);
    expect(conditions, 'the conditions: the rejected creates are over').toEqual([]);
    expect(
      mostActive(cluster),
      'the most pods that were active at once; spec.replicas was never above 8',
    ).toBeLessThanOrEqual(8);
  });

  test('#129795: when an expectation expires under a lagging watch cache, no second set of pods is created', async () => {
    // Without versions only expectations show that the cache is old.
    await using cluster = await createCluster({ seed: 129_795, components: versionless(mine) });
    runScriptedNodes(cluster);
    cluster.runComponents('replicaSetController');
    await cluster.admin.create(replicaSets, web(2));
    await cluster.runFor(60_000);
    await cluster.admin.updateScale(replicaSets, WEB, { replicas: 5 });
    await cluster.runUntil(() => activeIn(cluster).length > 2, 1_000);
    // From now on the controller receives no events for longer than the lifetime of an expectation.
    cluster.nemesis.strike({ fault: 'lag', replica: 0, forMs: 400_000 });
    await cluster.runFor(390_000);
    expect(
      mostActive(cluster),
      'the most active pods while the cache lags for longer than an expectation lives: ask the server before you create more',
    ).toBe(5);
    await cluster.runFor(60_000);
    expect(
      [readyIn(cluster), mostActive(cluster)],
      'ready pods, and the most pods that were active at once; spec.replicas is 5',
    ).toEqual([5, 5]);
  });

  test('Terminating namespace: a rejected create is no failure', async () => {
    await using cluster = await createCluster({ seed: 23, components: mine });
    runScriptedNodes(cluster);
    cluster.runComponents('replicaSetController');
    await cluster.admin.create(namespaces, { metadata: { name: 'shop' }, spec: {} });
    await cluster.admin.create(replicaSets, web(3, 'shop'));
    await cluster.admin.create(replicaSets, web(3));
    await cluster.runFor(60_000);
    // No controller empties the namespace, so it stays terminating.
    await cluster.admin.delete(namespaces, { name: 'shop' });
    for (const { metadata } of [
      ...podsOf(cluster, 'shop').slice(0, 2),
      ...podsOf(cluster, 'default').slice(0, 1),
    ]) {
      await cluster.admin.delete(pods, metadata);
    }
    await cluster.runFor(600_000);
    const counts = ['shop', 'default'].map((namespace) => podsOf(cluster, namespace).length);
    expect(
      counts,
      'pods in the namespace that is being deleted, where none can be created, and in default',
    ).toEqual([1, 3]);
    const { status } = await cluster.admin.get(replicaSets, { namespace: 'shop', name: 'web' });
    expect(status, 'the status of the ReplicaSet in the namespace that is being deleted').toMatchObject({
      replicas: 1,
      readyReplicas: 1,
    });
    expect(
      conditionsEver(cluster),
      'conditions that were set: creates that fail because the namespace is being deleted are no ReplicaFailure',
    ).toEqual([]);
  });
});

const PROCESS = 'replicaset-controller';
const WEB = { namespace: 'default', name: 'web' };

function web(replicas: number, namespace = 'default'): New<ReplicaSet> {
  const labels = { app: 'web' };
  const spec = { containers: [{ name: 'nginx', image: 'nginx:1.27' }] };
  return {
    metadata: { ...WEB, namespace },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

function activeIn(cluster: Cluster): Pod[] {
  return (cluster.storage.list(pods) as Pod[]).filter(isActive);
}

function podsOf(cluster: Cluster, namespace: string): Pod[] {
  return activeIn(cluster).filter(({ metadata }) => metadata.namespace === namespace);
}

/** Returns each condition that a ReplicaSet ever had. */
function conditionsEver(cluster: Cluster): string[] {
  const said = new Set<string>();
  for (const { objects } of cluster.journal.states(replicaSets)) {
    for (const { status } of objects.values()) {
      for (const { type, reason, message } of status.conditions ?? [])
        said.add(`${type} ${reason}: ${message}`);
    }
  }
  return [...said];
}

function readyIn(cluster: Cluster): number {
  return activeIn(cluster).filter(({ status }) =>
    status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
  ).length;
}

/** Returns the largest number of active pods at any moment. */
function mostActive(cluster: Cluster): number {
  let most = 0;
  for (const { objects } of cluster.journal.states(pods)) {
    most = Math.max(most, [...objects.values()].filter(isActive).length);
  }
  return most;
}

function isActive({ metadata, status }: Pod): boolean {
  return !metadata.deletionTimestamp && status.phase !== 'Succeeded' && status.phase !== 'Failed';
}
