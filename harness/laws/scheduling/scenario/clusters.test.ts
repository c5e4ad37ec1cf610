import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject, New } from '../../../api/objects.ts';
import { namespaces, nodes, pods } from '../../../api/resource.ts';
import { createCluster } from '../../../cluster/cluster.ts';
import { aSchedulingNode, aSchedulingPod } from '../levels/objects.ts';
import { type Ruling, rulingsOn } from '../oracle/index.ts';
import { SchedulingCluster } from '../simulation.ts';
import { clusters } from './clusters.ts';
import { scarcelyLabelled } from './scarce-labels.ts';

const sample = fc.sample(clusters, { numRuns: 1_000, seed: 31 }).map((cluster) => ({
  cluster,
  rulings: cluster.nodes.map((node) => rulingsOn(cluster.pod, node, cluster)),
}));

/** The rulings on each node of each cluster. */
const places = sample.flatMap(({ rulings }) => rulings);

function against(rulings: readonly Ruling[]): readonly Ruling[] {
  return rulings.filter(({ code }) => code !== 'Success');
}

/** Returns the share of items that meet a condition, in percent. */
function percent<T>(all: readonly T[], is: (one: T) => boolean): number {
  return (100 * all.filter(is).length) / all.length;
}

describe('Generated clusters', () => {
  test('leave a pod somewhere to go about as often as nowhere', () => {
    const somewhere = percent(sample, ({ rulings }) => rulings.some((each) => against(each).length === 0));
    expect(somewhere).toBeGreaterThan(40);
    expect(somewhere).toBeLessThan(70);
  });

  test.each([
    ['NodeUnschedulable'],
    ['NodeName'],
    ['TaintToleration'],
    ['NodeAffinity'],
    ['NodePorts'],
    ['NodeResourcesFit'],
    ['PodTopologySpread'],
    ['InterPodAffinity'],
  ])('are turned down by %s often enough, and often by it alone', (plugin) => {
    const turnedDown = percent(places, (rulings) => against(rulings).some((each) => each.plugin === plugin));
    expect(turnedDown).toBeGreaterThan(2);
    expect(turnedDown).toBeLessThan(40);
    expect(
      percent(places, (rulings) => against(rulings).every((each) => each.plugin === plugin)),
    ).toBeGreaterThan(1);
  });

  test.each([
    ['Unschedulable', 'Too many pods'],
    ['Unschedulable', 'Insufficient cpu'],
    ['Unschedulable', 'Insufficient memory'],
    ['Unschedulable', 'Insufficient example.com/gpu'],
    ['UnschedulableAndUnresolvable', 'Insufficient cpu'],
    ['UnschedulableAndUnresolvable', 'Insufficient ephemeral-storage'],
    ['UnschedulableAndUnresolvable', 'Too many pods'],
    ['Unschedulable', "node(s) didn't match pod topology spread constraints"],
    [
      'UnschedulableAndUnresolvable',
      "node(s) didn't match pod topology spread constraints (missing required label)",
    ],
    ['UnschedulableAndUnresolvable', "node(s) didn't match pod affinity rules"],
    ['Unschedulable', "node(s) didn't match pod anti-affinity rules"],
    ['Unschedulable', "node(s) didn't satisfy existing pods anti-affinity rules"],
  ])('are %s now and then, because of: %s', (code, reason) => {
    const times = places.flat().filter((each) => each.code === code && each.reasons.includes(reason)).length;
    expect(times).toBeGreaterThan(4);
  });

  test('are such as an apiserver takes', async () => {
    await using cluster = await createCluster({ seed: 31 });
    await cluster.admin.create(namespaces, { metadata: { name: 'shop' }, spec: {} });
    const some = [
      ...sample.slice(0, 200).map(({ cluster: made }) => made),
      ...fc.sample(scarcelyLabelled('spread', 'company'), { numRuns: 100, seed: 31 }),
    ];
    for (const [index, made] of some.entries()) {
      const asNew = <T extends KubeObject>({ metadata: { name, namespace, labels }, ...rest }: T) =>
        limited({ ...rest, metadata: { name: `${name}-${index}`, namespace, labels } }) as unknown as New<T>;
      for (const node of made.nodes) await cluster.admin.create(nodes, asNew(node));
      for (const pod of [...made.pods, made.pod]) await cluster.admin.create(pods, asNew(pod));
    }
    expect(cluster.storage.list(pods).length).toBeGreaterThan(500);
  });
});

/** Adds limits for GPUs. The apiserver requires them for resources that cannot be overcommitted; no filter reads them. */
function limited(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(limited);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, limited(part)]));
  const amount = (parts as { requests?: Record<string, string> }).requests?.['example.com/gpu'];
  return amount === undefined ? parts : { ...parts, limits: { 'example.com/gpu': amount } };
}

test('A cluster says what is special about its nodes and pods', () => {
  const node = aSchedulingNode('n1', {
    labels: { disk: 'ssd' },
    taints: [{ key: 'gpu', effect: 'NoSchedule' }],
  });
  const there = aSchedulingPod({ name: 'db', namespace: 'shop', nodeName: 'n1', deleted: true });
  const pod = aSchedulingPod({
    requests: { cpu: '1' },
    nodeName: 'n2',
    spec: { nodeSelector: { disk: 'hdd' } },
  });
  expect(String(new SchedulingCluster({ nodes: [node], pods: [there], namespaces: {} }, pod))).toBe(
    [
      'node n1  labels: {disk: ssd}  taints: [{key: gpu, effect: NoSchedule}]  allocatable: {cpu: 4, memory: 8Gi, pods: 110}',
      '  has shop/db (being deleted)',
      'to be placed: pod  nodeName: n2  nodeSelector: {disk: hdd}  requests: {cpu: 1}',
    ].join('\n'),
  );
});
