import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { events, type New, type Node, nodes, type Pod, pods, type ReplicaSet, replicaSets } from '#harness';
import { type Cluster, createCluster, obeys } from '#harness/testing';
import { filtering } from '#kata/31-filter/filter';
import { coreLaws, optionalLaws } from '#laws/31-filter';
import { mayRunOn, overcommitments } from '#laws/scheduling';

describe('The laws of filters', () => {
  test('Agrees: each plugin lets a pod pass on exactly the nodes on which its rule is kept', () =>
    obeys(filtering, coreLaws.agrees));

  test('Agrees in the sum: a pod fits on exactly the nodes on which it may run, in the order in which they are looked at', () =>
    obeys(filtering, coreLaws.agreesInTheSum));

  test('Names its reason: in the words of Kubernetes, and with the right code', () =>
    obeys(filtering, coreLaws.namesItsReason));

  test('Stays unresolvable: what it calls unresolvable stays so if the pods of that node go; the rest passes if all pods go', () =>
    obeys(filtering, coreLaws.staysUnresolvable));

  test('Wishes decide nothing: what is only preferred turns no pod away', () =>
    obeys(filtering, coreLaws.wishesDecideNothing));

  test('Never overcommits: pod after pod is put where it fits, and no node gets more than it has room for', () =>
    obeys(filtering, coreLaws.neverOvercommits));

  test('Growing takes nothing away: one more empty node changes no verdict on the others', () =>
    obeys(filtering, coreLaws.growingTakesNothingAway));

  test('More room still fits: where a pod fits, it fits if the nodes have more, and if it asks for less', () =>
    obeys(filtering, coreLaws.moreRoomStillFits));

  test('Order does not matter: neither that of nodes nor that of plugins changes which nodes fit', () =>
    obeys(filtering, coreLaws.orderDoesNotMatter));

  test('The diagnosis is whole: each node fits, or was told why not by the first plugin that turned the pod away', () =>
    obeys(filtering, coreLaws.diagnosisIsWhole));

  test('Asks every plugin: whatever plugins a profile has, each is asked what it has to be asked, and nothing else', () =>
    obeys(filtering, coreLaws.asksEveryPlugin));

  test('Stops at enough: in a large cluster it stops when it has found enough, and the next pod begins there', () =>
    obeys(filtering, coreLaws.stopsAtEnough));

  test('Looks only: asked again it says the same, and everything is as it was', () =>
    obeys(filtering, coreLaws.looksOnly));

  test('Wakes the pods it helps: an event after which a plugin lets the pod pass where it did not gets past its hints', () =>
    obeys(filtering, coreLaws.wakesThePodsItHelps));

  test('Keeps cycles apart: what was worked out for one pod is not there for the next', () =>
    obeys(filtering, coreLaws.keepsCyclesApart));
});

describe('In a cluster', () => {
  test('End to end: pods go where they fit, the one too many is told why it waits, and a new node takes it in', async () => {
    await using cluster = await beginning({
      control: { disk: 'ssd', taints: [CONTROL] },
      off: { disk: 'ssd', unschedulable: true },
      slow: {},
      a1: { disk: 'ssd' },
      a2: { disk: 'ssd' },
    });
    await cluster.admin.create(replicaSets, web(4, { nodeSelector: { disk: 'ssd' } }));
    expect(
      await cluster.runUntil(() => bound(cluster).length === 4, 60_000),
      `after 60 s ${bound(cluster).length} of 4 pods have a node; ${whyItWaits(cluster)}`,
    ).toBe(true);
    expect(per(cluster, 'name')).toEqual({ a1: 2, a2: 2 });
    expect(wrong(cluster), 'pods on nodes that do not accept them').toEqual([]);

    await cluster.admin.updateScale(replicaSets, KEY, { replicas: 5 });
    await cluster.runFor(10_000);
    expect(bound(cluster), 'pods with a node: a1 and a2 have cpu for two each').toHaveLength(4);
    expect(whyItWaits(cluster), 'why the last pod waits, by fitErrorMessage').toBe(
      "0/5 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, " +
        '1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 2 Insufficient cpu.',
    );

    await cluster.admin.create(nodes, node('a3', { disk: 'ssd' }));
    expect(
      await cluster.runUntil(() => bound(cluster).length === 5, 60_000),
      `after 60 s ${bound(cluster).length} of 5 pods have a node; ${whyItWaits(cluster)}`,
    ).toBe(true);
    expect(per(cluster, 'name')).toEqual({ a1: 2, a2: 2, a3: 1 });
    expect(wrong(cluster), 'pods on nodes that do not accept them').toEqual([]);
  });
});

describe('★ The laws of spread (Level 7)', () => {
  test('Spreads: a pod passes on exactly the nodes on which its constraints are met', () =>
    obeys(filtering, optionalLaws.spreads));

  test('Says why not there: in the words of Kubernetes, and with the right code', () =>
    obeys(filtering, optionalLaws.saysWhyNotSpread));

  test('Still, with spread: the laws above hold for pods that are to be spread', () =>
    obeys(filtering, optionalLaws.stillWithSpread));
});

describe('★ The laws of company (Level 8)', () => {
  test('Keeps company: a pod passes on exactly the nodes where its terms and those of other pods are kept', () =>
    obeys(filtering, optionalLaws.keepsCompany));

  test('Says why not together: in the words of Kubernetes, and with the right code', () =>
    obeys(filtering, optionalLaws.saysWhyNotTogether));

  test('Keeps pods apart: what is kept with a snapshot for one pod is not taken for a pod that differs from it', () =>
    obeys(filtering, optionalLaws.keepsPodsApart));

  test('Still, with company: the laws above hold for pods with affinity and anti-affinity', () =>
    obeys(filtering, optionalLaws.stillWithCompany));
});

describe('★ The laws together (Levels 7 to 8)', () => {
  test('Still, with both: the laws above hold with all plugins', () =>
    obeys(filtering, optionalLaws.stillWithBoth));
});

describe('★ In a cluster (Level 7)', () => {
  test('Spread, end to end: as many pods run in one zone as in the other, and the one too many waits for room in the emptier', async () => {
    await using cluster = await beginning({
      control: { zone: 'a', taints: [CONTROL] },
      a1: { zone: 'a' },
      a2: { zone: 'a' },
      b1: { zone: 'b' },
    });
    const selector = { labelSelector: { matchLabels: labels }, topologyKey: ZONE };
    const topologySpreadConstraints = [{ ...selector, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }];
    await cluster.admin.create(replicaSets, web(5, { topologySpreadConstraints }));
    expect(
      await cluster.runUntil(() => bound(cluster).length === 5, 60_000),
      `after 60 s ${bound(cluster).length} of 5 pods have a node; ${whyItWaits(cluster)}`,
    ).toBe(true);
    expect(per(cluster, 'zone')).toEqual({ a: 3, b: 2 });
    expect(wrong(cluster), 'pods on nodes that do not accept them').toEqual([]);

    await cluster.admin.updateScale(replicaSets, KEY, { replicas: 6 });
    await cluster.runFor(10_000);
    expect(
      bound(cluster),
      'pods with a node: the sixth would have to go to zone b, which is full',
    ).toHaveLength(5);
    expect(whyItWaits(cluster), 'why the last pod waits, by fitErrorMessage').toBe(
      "0/4 nodes are available: 1 node(s) didn't match pod topology spread constraints, " +
        '1 node(s) had untolerated taint(s), 2 Insufficient cpu.',
    );

    await cluster.admin.create(nodes, node('b2', { zone: 'b' }));
    expect(
      await cluster.runUntil(() => bound(cluster).length === 6, 60_000),
      `after 60 s ${bound(cluster).length} of 6 pods have a node; ${whyItWaits(cluster)}`,
    ).toBe(true);
    expect(per(cluster, 'zone')).toEqual({ a: 3, b: 3 });
    expect(wrong(cluster), 'pods on nodes that do not accept them').toEqual([]);
  });
});

const KEY = { namespace: 'default', name: 'web' };
const ZONE = 'topology.kubernetes.io/zone';
const CONTROL = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
const labels = { app: 'web' };

/** What is special about a node. */
interface NodeParts {
  readonly zone?: string;
  readonly disk?: string;
  readonly taints?: Node['spec']['taints'];
  readonly unschedulable?: boolean;
}

/** A cluster with these nodes, whose scheduler asks your filters. Its first write is lost, and it begins anew. */
async function beginning(all: Readonly<Record<string, NodeParts>>): Promise<Cluster> {
  const mine = { ...components, filtering };
  const cluster = await createCluster({ seed: 31, latencyMs: { min: 1, max: 20 }, components: mine });
  cluster.runComponents('replicaSetController', 'scheduler');
  for (const [name, parts] of Object.entries(all)) await cluster.admin.create(nodes, node(name, parts));
  const process = 'default-scheduler';
  cluster.nemesis.schedule([
    { atMs: 30, fault: 'crash', process, skip: 1, performed: true, restartAfterMs: 500 },
  ]);
  return cluster;
}

/** So many pods, of which a node has room for two. */
function web(replicas: number, spec: Partial<Pod['spec']>): New<ReplicaSet> {
  return {
    metadata: { ...KEY },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: 'nginx', image: 'nginx:1.27', resources: { requests: { cpu: '1' } } }],
          ...spec,
        },
      },
    },
  };
}

function node(name: string, { zone, disk, ...spec }: NodeParts): New<Node> {
  const own = { ...(zone && { [ZONE]: zone }), ...(disk && { disk }) };
  return {
    metadata: { name, labels: own },
    spec,
    status: { allocatable: { cpu: '2', memory: '4Gi', pods: '110' } },
  };
}

function bound(cluster: Cluster): readonly Pod[] {
  return (cluster.storage.list(pods) as Pod[]).filter(({ spec }) => spec.nodeName);
}

/** How many pods run on each node, or in each zone. */
function per(cluster: Cluster, what: 'name' | 'zone'): Record<string, number> {
  const all = cluster.storage.list(nodes) as Node[];
  const counts: Record<string, number> = {};
  for (const { spec } of bound(cluster)) {
    const { name = 'nowhere', labels: of = {} } =
      all.find(({ metadata }) => metadata.name === spec.nodeName)?.metadata ?? {};
    const place = (what === 'zone' ? of[ZONE] : name) ?? 'nowhere';
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

/** Pods that should not be where they are, and nodes that have more than they have room for. */
function wrong(cluster: Cluster): readonly string[] {
  const simulation = {
    nodes: cluster.storage.list(nodes) as Node[],
    pods: bound(cluster),
    namespaces: { default: {} },
  };
  return simulation.nodes.flatMap((each) => {
    const there = simulation.pods.filter(({ spec }) => spec.nodeName === each.metadata.name);
    const strays = there.filter((pod) => !mayRunOn(pod, each, simulation));
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
