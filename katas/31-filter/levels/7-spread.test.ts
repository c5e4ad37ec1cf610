import { describe, expect, test } from 'vitest';
import { framework, type Node, type Pod } from '#harness';
import {
  countPodsInDomains,
  countPodsMatchSelector,
  filterPlugins,
  matchesNodeInclusionPolicies,
  minMatchNum,
  podTopologySpread,
} from '#kata/31-filter/filter';
import {
  aSchedulingNode,
  aSchedulingPod,
  aSnapshot,
  type SchedulingNodeParts,
  type SchedulingPodParts,
} from '#laws/scheduling';
import { type Labels, type NodeRow, nodeOf, type PodRow, type PodSpec, podOf } from './rows.fixture.ts';
import { table } from './tables.fixture.ts';
import { about, ask, type Said } from './verdicts.fixture.ts';

type TopologySpreadConstraint = NonNullable<PodSpec['topologySpreadConstraints']>[number];

describe('Level 7 ★ · Spread', () => {
  const SKEWED = "Unschedulable: node(s) didn't match pod topology spread constraints";
  const NO_LABEL =
    "UnschedulableAndUnresolvable: node(s) didn't match pod topology spread constraints (missing required label)";
  const labels: Labels = { app: 'web' };
  const constraint = (parts: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint => ({
    maxSkew: 1,
    topologyKey: 'zone',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'web' } },
    ...parts,
  });
  const spread = (constraints: readonly TopologySpreadConstraint[], parts: SchedulingPodParts = {}): Pod =>
    aSchedulingPod({
      name: 'new',
      labels,
      ...parts,
      spec: { ...parts.spec, topologySpreadConstraints: [...constraints] },
    });
  /** A node of a zone; `null`: of none. */
  const nodeIn = (zone: string | null, name: string, parts: SchedulingNodeParts = {}): Node =>
    aSchedulingNode(name, { ...parts, labels: { host: name, ...(zone && { zone }), ...parts.labels } });
  /** So many pods on a node that would be counted. */
  const podsOn = (on: string, count: number, parts: SchedulingPodParts = {}): Pod[] =>
    Array.from({ length: count }, (_, i) =>
      aSchedulingPod({ name: `${on}-${i}`, labels, nodeName: on, ...parts }),
    );
  /** Returns the status of each node. */
  const asked = (pod: Pod, nodes: readonly Node[], pods: readonly Pod[]) =>
    expect(ask(podTopologySpread, pod, aSnapshot(nodes, pods)), about(pod, nodes, pods));

  const zones = [nodeIn('z1', 'a'), nodeIn('z2', 'b')];

  /** The only constraint of a pod. */
  const read = (pod: Pod): framework.SpreadConstraint => {
    const [only] = framework.hardConstraints(pod);
    if (only === undefined) throw new Error('framework.hardConstraints(pod) is empty, and the pod has one.');
    return only;
  };

  test('ignores the nodes that the policies of a constraint exclude', () => {
    const spec: Partial<PodSpec> = { nodeSelector: { disk: 'ssd' } };
    const counts = (parts: Partial<TopologySpreadConstraint>, node: Node): boolean => {
      const pod = spread([constraint(parts)], { spec });
      return matchesNodeInclusionPolicies(read(pod), pod, node);
    };
    const taints: framework.Taint[] = [{ key: 'spot', effect: 'NoSchedule' }];
    const asked = nodeIn('z1', 'a', { labels: { disk: 'ssd' } });
    const tainted = nodeIn('z1', 'a', { labels: { disk: 'ssd' }, taints });
    const other = nodeIn('z1', 'a');
    expect(
      [asked, tainted, other].map((node) => counts({}, node)),
      'nodeAffinityPolicy is Honor by default: a node that the nodeSelector of the pod excludes must not count (tainted nodes count, nodeTaintsPolicy is Ignore by default)',
    ).toEqual([true, true, false]);
    expect(
      [asked, tainted, other].map((node) => counts({ nodeAffinityPolicy: 'Ignore' }, node)),
      'nodeAffinityPolicy Ignore: a node that the pod does not select counts, too',
    ).toEqual([true, true, true]);
    expect(
      [asked, tainted, other].map((node) => counts({ nodeTaintsPolicy: 'Honor' }, node)),
      'nodeTaintsPolicy Honor: a node with a taint that the pod does not tolerate must not count',
    ).toEqual([true, false, false]);
    // A cordon is not a taint.
    const cordoned = { ...asked, spec: { ...asked.spec, unschedulable: true } };
    expect(
      counts({ nodeTaintsPolicy: 'Honor' }, cordoned),
      'spec.unschedulable is not a taint of the node',
    ).toBe(true);
  });

  test('counts matching pods of the namespace that are not being deleted', () => {
    const pods = [
      ...podsOn('a', 2),
      ...podsOn('a', 4, { namespace: 'other' }),
      ...podsOn('a', 8, { labels: { app: 'db' } }),
      ...podsOn('a', 16, { deleted: true }),
    ].map(framework.podInfoOf);
    const { selector } = read(spread([constraint()]));
    expect(
      countPodsMatchSelector(pods, selector, 'default'),
      'pods in default that match the selector; those that are being deleted do not count',
    ).toBe(2);
    expect(countPodsMatchSelector(pods, selector, 'other'), 'pods of the namespace other').toBe(4);
    expect(countPodsMatchSelector([], selector, 'default'), 'no pods').toBe(0);
  });

  test('counts no pod with a selector that matches every pod', () => {
    const pods = podsOn('a', 2).map(framework.podInfoOf);
    const { selector } = read(spread([constraint({ labelSelector: {} })]));
    expect(
      countPodsMatchSelector(pods, selector, 'default'),
      'an empty selector counts no pod in a spread constraint',
    ).toBe(0);
  });

  /** Compares the content of the maps. */
  const plain = (counts: ReadonlyMap<string, number>) => Object.fromEntries(counts);

  test('counts each domain of each constraint, including empty domains', () => {
    const nodes = [nodeIn('z1', 'a'), nodeIn('z1', 'b'), nodeIn('z2', 'c'), nodeIn(null, 'd')];
    const pods = [...podsOn('a', 1), ...podsOn('b', 2), ...podsOn('d', 4)];
    const counted = (...constraints: TopologySpreadConstraint[]) => {
      const pod = spread(constraints);
      const counts = countPodsInDomains(
        framework.hardConstraints(pod),
        pod,
        aSnapshot(nodes, pods).nodeInfos,
      );
      return expect(counts.map(plain), about(pod, nodes, pods, 'counts'));
    };
    const host = constraint({ topologyKey: 'host' });
    counted(constraint()).toEqual([{ z1: 3, z2: 0 }]);
    counted(host).toEqual([{ a: 1, b: 2, c: 0, d: 4 }]);
    // d is in no zone, and so in no domain at all.
    counted(host, constraint()).toEqual([
      { a: 1, b: 2, c: 0 },
      { z1: 3, z2: 0 },
    ]);
  });

  test('can ignore a node for one constraint only', () => {
    const nodes = [nodeIn('z1', 'a', { labels: { disk: 'ssd' } }), nodeIn('z2', 'b')];
    const spec: Partial<PodSpec> = { nodeSelector: { disk: 'ssd' } };
    const pod = spread([constraint(), constraint({ nodeAffinityPolicy: 'Ignore' })], { spec });
    const pods = [...podsOn('a', 1), ...podsOn('b', 2)];
    const counts = countPodsInDomains(framework.hardConstraints(pod), pod, aSnapshot(nodes, pods).nodeInfos);
    expect(counts.map(plain), about(pod, nodes, pods, 'counts')).toEqual([{ z1: 1 }, { z1: 1, z2: 2 }]);
  });

  test('returns the minimum, and 0 with too few domains', () => {
    const counts = new Map(Object.entries({ z1: 3, z2: 1, z3: 2 }));
    expect(minMatchNum(counts, 1), 'the least of 3, 1 and 2').toBe(1);
    expect(minMatchNum(counts, 3), '3 domains are as many as minDomains 3').toBe(1);
    expect(minMatchNum(counts, 4), '3 domains are fewer than minDomains 4').toBe(0);
    expect(minMatchNum(new Map(), 1), 'no domain is fewer than minDomains 1').toBe(0);
  });

  test('accepts a pod without constraints everywhere', () =>
    asked(aSchedulingPod({ labels }), [...zones, nodeIn(null, 'c')], podsOn('a', 3)).toEqual({
      a: 'Success',
      b: 'Success',
      c: 'Success',
    }));

  test('keeps every zone within maxSkew of the emptiest, including the pod itself', () => {
    asked(spread([constraint()]), zones, []).toEqual({ a: 'Success', b: 'Success' });
    asked(spread([constraint()]), zones, podsOn('a', 1)).toEqual({ a: SKEWED, b: 'Success' });
    asked(spread([constraint({ maxSkew: 2 })]), zones, podsOn('a', 1)).toEqual({
      a: 'Success',
      b: 'Success',
    });
    asked(spread([constraint({ maxSkew: 2 })]), zones, podsOn('a', 2)).toEqual({ a: SKEWED, b: 'Success' });
  });

  test('adds up the nodes of a zone', () => {
    const nodes = [...zones, nodeIn('z1', 'c')];
    const pods = [...podsOn('a', 1), ...podsOn('c', 1), ...podsOn('b', 1)];
    asked(spread([constraint()]), nodes, pods).toEqual({ a: SKEWED, b: 'Success', c: SKEWED });
  });

  test('ignores ScheduleAnyway constraints', () =>
    asked(
      spread([constraint({ whenUnsatisfiable: 'ScheduleAnyway' })]),
      [...zones, nodeIn(null, 'c')],
      podsOn('a', 3),
    ).toEqual({ a: 'Success', b: 'Success', c: 'Success' }));

  test('is unresolvable on a node without the label, whose pods do not count', () => {
    const nodes = [...zones, nodeIn(null, 'c')];
    asked(spread([constraint()]), nodes, [...podsOn('a', 1), ...podsOn('c', 5)]).toEqual({
      a: SKEWED,
      b: 'Success',
      c: NO_LABEL,
    });
  });

  test('treats an empty label as a zone', () => {
    const nodes = [nodeIn('z1', 'a'), nodeIn(null, 'b', { labels: { zone: '' } })];
    asked(spread([constraint()]), nodes, podsOn('a', 1)).toEqual({ a: SKEWED, b: 'Success' });
    asked(spread([constraint()]), nodes, podsOn('b', 1)).toEqual({ a: 'Success', b: SKEWED });
  });

  test('counts for each constraint separately, even with the same key', () => {
    const db = constraint({ labelSelector: { matchLabels: { app: 'db' } } });
    const pods = podsOn('b', 1, { labels: { app: 'db' } });
    asked(spread([constraint(), db]), zones, pods).toEqual({ a: 'Success', b: 'Success' });
    asked(spread([constraint(), db]), zones, podsOn('a', 1)).toEqual({ a: SKEWED, b: 'Success' });
  });

  test('counts only nodes that have the labels of all constraints', () => {
    // The pods on c count for neither: c has no zone, so what its host has does not matter.
    const both = [constraint(), constraint({ topologyKey: 'host' })];
    const nodes = [nodeIn('z1', 'a'), nodeIn('z2', 'b'), nodeIn(null, 'c')];
    asked(spread(both), nodes, [...podsOn('a', 1), ...podsOn('b', 1)]).toEqual({
      a: 'Success',
      b: 'Success',
      c: NO_LABEL,
    });
  });

  test('does not count itself if its own labels do not match', () => {
    const pod = spread([constraint()], { labels: { app: 'other' } });
    asked(pod, zones, podsOn('a', 1)).toEqual({ a: 'Success', b: 'Success' });
    asked(pod, zones, podsOn('a', 2)).toEqual({ a: SKEWED, b: 'Success' });
  });

  test('counts pods of its own namespace that are not being deleted', () => {
    const elsewhere = podsOn('a', 3, { namespace: 'other' });
    const going = podsOn('a', 3, { deleted: true });
    const others = podsOn('a', 3, { labels: { app: 'other' } });
    for (const pods of [elsewhere, going, others])
      asked(spread([constraint()]), zones, pods).toEqual({ a: 'Success', b: 'Success' });
  });

  test('counts no pod without a selector, and none with an empty one', () => {
    const { labelSelector, ...without } = constraint();
    asked(spread([without]), zones, podsOn('a', 3)).toEqual({ a: 'Success', b: 'Success' });
    asked(spread([constraint({ labelSelector: {} })]), zones, podsOn('a', 3)).toEqual({
      a: 'Success',
      b: 'Success',
    });
  });

  test('requires every constraint', () => {
    const both = [constraint(), constraint({ topologyKey: 'host' })];
    const nodes = [nodeIn('z1', 'a'), nodeIn('z1', 'b'), nodeIn('z2', 'c')];
    // By zone only b's and a's is the emptier; of these two a has one already.
    const pods = [...podsOn('a', 1), ...podsOn('c', 2)];
    asked(spread(both), nodes, pods).toEqual({ a: SKEWED, b: 'Success', c: SKEWED });
  });

  test('uses a minimum of 0 with fewer zones than minDomains', () => {
    const each = [...podsOn('a', 1), ...podsOn('b', 1)];
    asked(spread([constraint({ minDomains: 2 })]), zones, each).toEqual({ a: 'Success', b: 'Success' });
    asked(spread([constraint({ minDomains: 3 })]), zones, each).toEqual({ a: SKEWED, b: SKEWED });
    asked(spread([constraint({ minDomains: 3, maxSkew: 2 })]), zones, each).toEqual({
      a: 'Success',
      b: 'Success',
    });
  });

  test('ignores zones that the selector or affinity of the pod excludes, unless nodeAffinityPolicy is Ignore', () => {
    const spec: Partial<PodSpec> = { nodeSelector: { disk: 'ssd' } };
    const nodes = [
      nodeIn('z1', 'a', { labels: { disk: 'ssd' } }),
      nodeIn('z2', 'b', { labels: { disk: 'ssd' } }),
      nodeIn('z3', 'c'),
    ];
    const pods = [...podsOn('a', 1), ...podsOn('b', 1)];
    asked(spread([constraint()], { spec }), nodes, pods).toEqual({
      a: 'Success',
      b: 'Success',
      c: 'Success',
    });
    asked(spread([constraint({ nodeAffinityPolicy: 'Honor' })], { spec }), nodes, pods).toEqual({
      a: 'Success',
      b: 'Success',
      c: 'Success',
    });
    asked(spread([constraint({ nodeAffinityPolicy: 'Ignore' })], { spec }), nodes, pods).toEqual({
      a: SKEWED,
      b: SKEWED,
      c: 'Success',
    });
  });

  test('counts zones with untolerated taints, unless nodeTaintsPolicy is Honor', () => {
    const taints: framework.Taint[] = [{ key: 'spot', effect: 'NoSchedule' }];
    const tolerations: framework.Toleration[] = [{ key: 'spot', operator: 'Exists' }];
    const nodes = [...zones, nodeIn('z3', 'c', { taints })];
    const wish = [...zones, nodeIn('z3', 'c', { taints: [{ key: 'spot', effect: 'PreferNoSchedule' }] })];
    const pods = [...podsOn('a', 1), ...podsOn('b', 1)];
    const honor = [constraint({ nodeTaintsPolicy: 'Honor' })];
    const counted: Said = { a: SKEWED, b: SKEWED, c: 'Success' };
    asked(spread([constraint()]), nodes, pods).toEqual(counted);
    asked(spread([constraint({ nodeTaintsPolicy: 'Ignore' })]), nodes, pods).toEqual(counted);
    asked(spread(honor), nodes, pods).toEqual({ a: 'Success', b: 'Success', c: 'Success' });
    asked(spread(honor, { spec: { tolerations } }), nodes, pods).toEqual(counted);
    asked(spread(honor), wish, pods).toEqual(counted);
  });

  interface ClusterRow {
    readonly pod: PodRow;
    readonly nodes: readonly NodeRow[];
    readonly existingPods: readonly PodRow[];
  }
  test.each(table<ClusterRow, { codes: Record<string, framework.Code> }>('topologySpread', 18))(
    'judges spread as upstream does: %s',
    (_, { input, expect: { codes } }) => {
      const sentences: Record<string, string> = {
        Success: 'Success',
        Unschedulable: SKEWED,
        UnschedulableAndUnresolvable: NO_LABEL,
      };
      asked(podOf(input.pod), input.nodes.map(nodeOf), input.existingPods.map(podOf)).toEqual(
        Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, sentences[code] ?? code])),
      );
    },
  );

  test('comes after the plugins of Levels 1 to 5', () => {
    // A missing implementation must fail as NotImplemented.
    ask(podTopologySpread, aSchedulingPod(), aSnapshot([aSchedulingNode('a')]));
    const names = filterPlugins.map(({ name }) => name);
    expect(names.slice(6), `filterPlugins has ${names.join(', ')}; of which after the sixth`).toContain(
      'PodTopologySpread',
    );
  });
});
