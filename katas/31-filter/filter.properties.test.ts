import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { events, type New, type Node, nodes, type Pod, pods, type ReplicaSet, replicaSets } from '#harness';
import { type Cluster, createCluster, obeys } from '#harness/testing';
import { filtering } from '#kata/31-filter/filter';
import { filterLaws as laws } from '#laws/31-filter';
import { mayRunOn, overcommitments } from '#laws/scheduling';

describe('The laws of filters', () => {
  test('Agrees: each plugin lets a pod pass on exactly the nodes on which its rule is kept', () =>
    obeys(filtering, laws.agrees));

  test('Agrees in the sum: a pod fits on exactly the nodes on which it may run, in the order in which they are looked at', () =>
    obeys(filtering, laws.agreesInTheSum));

  test('Names its reason: in the words of Kubernetes, and with the right code', () =>
    obeys(filtering, laws.namesItsReason));

  test('Means never: what it calls unresolvable, no pod of that node can make way for; what it does not, others can', () =>
    obeys(filtering, laws.meansNever));

  test('Wishes decide nothing: what is only preferred turns nobody away', () =>
    obeys(filtering, laws.wishesDecideNothing));

  test('Never overcommits: pod after pod is put where it fits, and no node gets more than it has room for', () =>
    obeys(filtering, laws.neverOvercommits));

  test('Growing takes nothing away: an empty node more changes no verdict on the others, spread aside', () =>
    obeys(filtering, laws.growingTakesNothingAway));

  test('More is never less: where a pod fits, it fits when the nodes have more, and when it asks for less', () =>
    obeys(filtering, laws.moreIsNeverLess));

  test('Order does not matter: neither that of nodes nor that of plugins changes which nodes fit', () =>
    obeys(filtering, laws.orderDoesNotMatter));

  test('The diagnosis is whole: each node fits, or was told why not by the first that turned the pod away', () =>
    obeys(filtering, laws.diagnosisIsWhole));

  test('Enough is enough: in a large cluster it stops when it has found enough, and the next pod begins there', () =>
    obeys(filtering, laws.enoughIsEnough));

  test('Looks only: asked again it says the same, and everything is as it was', () =>
    obeys(filtering, laws.looksOnly));

  test('Wakes whom it helps: an event after which a plugin lets the pod pass where it did not gets past its hints', () =>
    obeys(filtering, laws.wakesWhomItHelps));

  test('Keeps cycles apart: what was worked out for one pod is not there for the next', () =>
    obeys(filtering, laws.keepsCyclesApart));
});

describe('In a cluster', () => {
  test('End to end: pods go where they fit, the one too many is told why it waits, and a new node takes it in', async () => {
    const mine = { ...components, filtering };
    await using cluster = await createCluster({ seed: 31, latencyMs: { min: 1, max: 20 }, components: mine });
    cluster.runComponents('replicaSetController', 'scheduler');
    const control = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
    await cluster.admin.create(nodes, node('control', { zone: 'a', taints: [control] }));
    for (const [name, zone] of ['a1 a', 'a2 a', 'b1 b'].map(
      (words) => words.split(' ') as [string, string],
    )) {
      await cluster.admin.create(nodes, node(name, { zone }));
    }
    // The first word of the scheduler is lost, and it begins anew.
    cluster.nemesis.schedule([
      {
        atMs: 30,
        fault: 'crash',
        process: 'default-scheduler',
        skip: 1,
        performed: true,
        restartAfterMs: 500,
      },
    ]);

    await cluster.admin.create(replicaSets, WEB);
    expect(await cluster.runUntil(() => bound(cluster).length === 5, 60_000)).toBe(true);
    expect(perZone(cluster)).toEqual({ a: 3, b: 2 });
    expect(wrong(cluster)).toEqual([]);

    await cluster.admin.updateScale(replicaSets, KEY, { replicas: 6 });
    await cluster.runFor(10_000);
    expect(bound(cluster)).toHaveLength(5);
    expect(whyItWaits(cluster)).toBe(
      "0/4 nodes are available: 1 node(s) didn't match pod topology spread constraints, " +
        '1 node(s) had untolerated taint(s), 2 Insufficient cpu.',
    );

    await cluster.admin.create(nodes, node('b2', { zone: 'b' }));
    expect(await cluster.runUntil(() => bound(cluster).length === 6, 60_000)).toBe(true);
    expect(perZone(cluster)).toEqual({ a: 3, b: 3 });
    expect(wrong(cluster)).toEqual([]);
  });
});

const KEY = { namespace: 'default', name: 'web' };
const ZONE = 'topology.kubernetes.io/zone';
const labels = { app: 'web' };

/** Five pods, two to a node and as many in one zone as in the other. */
const WEB: New<ReplicaSet> = {
  metadata: { ...KEY },
  spec: {
    replicas: 5,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [{ name: 'nginx', image: 'nginx:1.27', resources: { requests: { cpu: '1' } } }],
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: ZONE,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: labels },
          },
        ],
      },
    },
  },
};

function node(
  name: string,
  { zone, taints = [] }: { zone: string; taints?: Node['spec']['taints'] },
): New<Node> {
  return {
    metadata: { name, labels: { [ZONE]: zone } },
    spec: taints.length > 0 ? { taints } : {},
    status: { allocatable: { cpu: '2', memory: '4Gi', pods: '110' } },
  };
}

function bound(cluster: Cluster): readonly Pod[] {
  return (cluster.storage.list(pods) as Pod[]).filter(({ spec }) => spec.nodeName);
}

function perZone(cluster: Cluster): Record<string, number> {
  const all = cluster.storage.list(nodes) as Node[];
  const counts: Record<string, number> = {};
  for (const { spec } of bound(cluster)) {
    const { labels: of = {} } = all.find(({ metadata }) => metadata.name === spec.nodeName)?.metadata ?? {};
    const zone = of[ZONE] ?? 'nowhere';
    counts[zone] = (counts[zone] ?? 0) + 1;
  }
  return counts;
}

/** Pods that should not be where they are, and nodes that have more than they have room for. */
function wrong(cluster: Cluster): readonly string[] {
  const world = {
    nodes: cluster.storage.list(nodes) as Node[],
    pods: bound(cluster),
    namespaces: { default: {} },
  };
  return world.nodes.flatMap((each) => {
    const there = world.pods.filter(({ spec }) => spec.nodeName === each.metadata.name);
    const strays = there.filter((pod) => !mayRunOn(pod, each, world));
    return [
      ...strays.map(({ metadata }) => `${metadata.name} on ${each.metadata.name}`),
      ...overcommitments(each, there),
    ];
  });
}

/** What `kubectl describe pod` says last of the pod that has no node. */
function whyItWaits(cluster: Cluster): string | undefined {
  const told = cluster.storage
    .list(events)
    .filter((event) => (event as { reason?: string }).reason === 'FailedScheduling');
  return (told.at(-1) as { message?: string } | undefined)?.message;
}
