import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { events, type New, type Node, nodes, type Pod, pods, type ReplicaSet, replicaSets } from '#harness';
import { type Cluster, createCluster, obeys } from '#harness/testing';
import { filtering } from '#kata/31-filter/filter';
import { coreLaws, optionalLaws } from '#laws/31-filter';
import { mayRunOn, overcommitments } from '#laws/scheduling';

describe('The laws of filters', () => {
  test('Agrees: each plugin accepts a pod on exactly the nodes where its rule holds', () =>
    obeys(filtering, coreLaws.agrees));

  test('Agrees in total: findNodesThatFit returns exactly the nodes that all plugins accept, in search order', () =>
    obeys(filtering, coreLaws.agreesInTheSum));

  test('Names its reason: a rejection has the reasons and the code of Kubernetes', () =>
    obeys(filtering, coreLaws.namesItsReason));

  test('Stays unresolvable: removing the pods of a node never resolves UnschedulableAndUnresolvable, and removing all pods resolves Unschedulable', () =>
    obeys(filtering, coreLaws.staysUnresolvable));

  test('Preferences never reject: a preference never makes a plugin reject a pod', () =>
    obeys(filtering, coreLaws.wishesDecideNothing));

  test('Never overcommits: pods that are placed one by one on feasible nodes never exceed the resources of a node', () =>
    obeys(filtering, coreLaws.neverOvercommits));

  test('Growth changes nothing: an additional empty node changes no status of the other nodes', () =>
    obeys(filtering, coreLaws.growingTakesNothingAway));

  test('More room still fits: a pod that fits on a node also fits when nodes have more or the pod requests less', () =>
    obeys(filtering, coreLaws.moreRoomStillFits));

  test('Order does not matter: the order of nodes and plugins does not change which nodes fit', () =>
    obeys(filtering, coreLaws.orderDoesNotMatter));

  test('Complete diagnosis: each node fits, or has the status of the first plugin that rejected the pod', () =>
    obeys(filtering, coreLaws.diagnosisIsWhole));

  test('Calls every plugin: findNodesThatFit makes exactly the calls that the plugins of a profile need', () =>
    obeys(filtering, coreLaws.asksEveryPlugin));

  test('Stops at enough: in a large cluster the search ends when it has enough nodes, and the next one starts there', () =>
    obeys(filtering, coreLaws.stopsAtEnough));

  test('Pure: a repeated call returns the same status, and no call changes its input', () =>
    obeys(filtering, coreLaws.looksOnly));

  test('Wakes the pods it helps: an event after which a plugin would accept the pod passes the hints of the plugin', () =>
    obeys(filtering, coreLaws.wakesThePodsItHelps));

  test('Keeps cycles apart: the results of one cycle do not affect another cycle', () =>
    obeys(filtering, coreLaws.keepsCyclesApart));
});

describe('In a cluster', () => {
  test('End to end: pods run where they fit, one pod too many gets a reason, and a new node takes it', async () => {
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
    expect(per(cluster, 'name'), 'pods on each node').toEqual({ a1: 2, a2: 2 });
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
    expect(per(cluster, 'name'), 'pods on each node').toEqual({ a1: 2, a2: 2, a3: 1 });
    expect(wrong(cluster), 'pods on nodes that do not accept them').toEqual([]);
  });
});

describe('★ The laws of spread (Level 7)', () => {
  test('Spreads: a pod is accepted on exactly the nodes where its constraints are met', () =>
    obeys(filtering, optionalLaws.spreads));

  test('Explains spread: a rejection has the reasons and the code of Kubernetes', () =>
    obeys(filtering, optionalLaws.saysWhyNotSpread));

  test('Core with spread: the laws above hold for pods with spread constraints', () =>
    obeys(filtering, optionalLaws.coreWithSpread));
});

describe('★ The laws of company (Level 8)', () => {
  test('Keeps company: a pod is accepted on exactly the nodes where its terms and those of other pods hold', () =>
    obeys(filtering, optionalLaws.keepsCompany));

  test('Explains affinity: a rejection has the reasons and the code of Kubernetes', () =>
    obeys(filtering, optionalLaws.saysWhyNotTogether));

  test('Keeps pods apart: a result that is cached for one pod is not reused for a different pod', () =>
    obeys(filtering, optionalLaws.keepsPodsApart));

  test('Core with affinity: the laws above hold for pods with affinity and anti-affinity', () =>
    obeys(filtering, optionalLaws.coreWithCompany));
});

describe('★ The laws together (Levels 7 to 8)', () => {
  test('Core with both: the laws above hold with all plugins', () =>
    obeys(filtering, optionalLaws.coreWithBoth));
});

describe('★ In a cluster (Level 7)', () => {
  test('Spread, end to end: pods are spread evenly over zones, and one pod too many waits for room in the emptier zone', async () => {
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
    expect(per(cluster, 'zone'), 'pods in each zone').toEqual({ a: 3, b: 2 });
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
    expect(per(cluster, 'zone'), 'pods in each zone').toEqual({ a: 3, b: 3 });
    expect(wrong(cluster), 'pods on nodes that do not accept them').toEqual([]);
  });
});

const KEY = { namespace: 'default', name: 'web' };
const ZONE = 'topology.kubernetes.io/zone';
const CONTROL = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
const labels = { app: 'web' };

/** The parts of a node that differ from the default. */
interface NodeParts {
  readonly zone?: string;
  readonly disk?: string;
  readonly taints?: Node['spec']['taints'];
  readonly unschedulable?: boolean;
}

/** Creates a cluster with these nodes and your filters. The scheduler crashes at its first write and restarts. */
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

/** Returns a ReplicaSet; a node has room for two of its pods. */
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

/** Counts the pods on each node or in each zone. */
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

/** Returns pods on nodes that do not accept them, and overcommitments. */
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

/** Returns the message of the last FailedScheduling event. */
function whyItWaits(cluster: Cluster): string | undefined {
  const told = cluster.storage
    .list(events)
    .filter((event) => (event as { reason?: string }).reason === 'FailedScheduling');
  return (told.at(-1) as { message?: string } | undefined)?.message;
}
