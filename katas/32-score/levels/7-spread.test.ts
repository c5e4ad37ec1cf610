import { describe, expect, test } from 'vitest';
import type { labels, Pod } from '#harness';
import {
  LABEL_HOSTNAME,
  podTopologySpread,
  scoreForCount,
  scorePlugins,
  topologyNormalizingWeight,
} from '#kata/32-score/score';
import { askScorePlugin } from '#laws/32-score';
import { aSchedulingNode, aSchedulingPod, aSnapshot, type SchedulingPodParts } from '#laws/scheduling';
import { labelled, nodesOf, only } from './nodes.fixture.ts';
import type { Spec } from './pods.fixture.ts';
import { expectScores, type Scores } from './scores.fixture.ts';
import { table } from './tables.fixture.ts';

type Constraint = NonNullable<Spec['topologySpreadConstraints']>[number];

describe('Level 7 ★ · Spread', () => {
  const ZONE = 'topology.kubernetes.io/zone';
  const WEB = { app: 'web' };

  const constraint = (parts: Partial<Constraint> = {}): Constraint => ({
    maxSkew: 1,
    topologyKey: ZONE,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: WEB },
    ...parts,
  });
  const spreading = (parts: SchedulingPodParts, ...topologySpreadConstraints: Constraint[]): Pod =>
    aSchedulingPod({ labels: WEB, ...parts, spec: { ...parts.spec, topologySpreadConstraints } });
  /** So many web servers on each of these nodes. */
  const web = (counts: Readonly<Record<string, number>>, parts: SchedulingPodParts = {}): Pod[] =>
    Object.entries(counts).flatMap(([nodeName, count]) =>
      Array.from({ length: count }, (_, i) =>
        aSchedulingPod({ name: `web-${nodeName}-${i}`, nodeName, labels: WEB, ...parts }),
      ),
    );
  test('weighs a pod more if there are more domains', () => {
    expect(topologyNormalizingWeight(1), 'ln(1 + 2)').toBeCloseTo(1.0986, 4);
    expect(topologyNormalizingWeight(2), 'ln(2 + 2)').toBeCloseTo(1.3863, 4);
    expect(topologyNormalizingWeight(5_000), 'ln(5000 + 2)').toBeCloseTo(8.5176, 4);
  });

  test('adds maxSkew - 1 to the weighted count', () => {
    expect(scoreForCount(3, 1, 1.5), '3 × 1.5 + (1 - 1)').toBe(4.5);
    expect(scoreForCount(0, 1, 1.5), '0 × 1.5 + (1 - 1)').toBe(0);
    expect(scoreForCount(2, 5, 1.5), '2 × 1.5 + (5 - 1)').toBe(7);
  });

  interface SpreadRow {
    readonly pod: { readonly metadata: { readonly labels: labels.Labels }; readonly spec: Partial<Spec> };
    readonly nodes: readonly {
      readonly metadata: { readonly name: string; readonly labels: labels.Labels };
    }[];
    readonly matchingPodsPerNode: Readonly<Record<string, number>>;
    readonly candidates: readonly string[];
  }
  test.each(table<SpreadRow, Scores>('topologySpreadScore', 5))(
    'spreads as Kubernetes does: %s',
    (_, row) => {
      const { pod, nodes, matchingPodsPerNode, candidates } = row.input;
      const snapshot = aSnapshot(
        nodes.map(({ metadata }) => aSchedulingNode(metadata.name, { labels: metadata.labels })),
        web(matchingPodsPerNode, { labels: pod.metadata.labels }),
      );
      const waiting = aSchedulingPod({ labels: pod.metadata.labels, spec: pod.spec });
      const feasible = only(snapshot, ...candidates);
      expectScores(askScorePlugin(podTopologySpread, waiting, snapshot, { feasible })).toEqual(
        row.expect.scores,
      );
    },
  );

  const zones = labelled({
    a1: { [ZONE]: 'a', [LABEL_HOSTNAME]: 'a1' },
    a2: { [ZONE]: 'a', [LABEL_HOSTNAME]: 'a2' },
    b1: { [ZONE]: 'b', [LABEL_HOSTNAME]: 'b1' },
  });

  test('is a plugin named PodTopologySpread that skips a pod without such constraints', () => {
    expect(podTopologySpread.name).toBe('PodTopologySpread');
    const snapshot = aSnapshot(zones, web({ a1: 2 }));
    const must = spreading({}, constraint({ whenUnsatisfiable: 'DoNotSchedule' }));
    for (const pod of [aSchedulingPod({ labels: WEB }), must]) {
      expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toBe('Skip');
    }
  });

  test('prefers the emptier domain, with equal scores for all its nodes', () => {
    // 3 and 1 pods, times ln(2 + 2): 4.2 and 1.4, so 4 and 1; then 100 × (4 + 1 - score) / 4.
    const snapshot = aSnapshot(zones, web({ a1: 3, b1: 1 }));
    const pod = spreading({}, constraint());
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toEqual({ a1: 25, a2: 25, b1: 100 });
  });

  test('treats each node as its own domain for the hostname key, whatever its label', () => {
    const twins = labelled({
      x: { [LABEL_HOSTNAME]: 'same' },
      y: { [LABEL_HOSTNAME]: 'same' },
      z: { [LABEL_HOSTNAME]: 'z' },
    });
    // Three places: 4 × ln(5) and 1 × ln(5) are 6.4 and 1.6.
    const snapshot = aSnapshot(twins, web({ x: 4, y: 1 }));
    const pod = spreading({}, constraint({ topologyKey: LABEL_HOSTNAME }));
    expectScores(
      askScorePlugin(podTopologySpread, pod, snapshot),
      'topologyKey kubernetes.io/hostname: each node is a domain of its own, even if two nodes have the same label. x has 4 pods, y 1 and z 0, each × ln(3 domains + 2)',
    ).toEqual({ x: 0, y: 66, z: 100 });
  });

  test('counts the pods on infeasible nodes of a domain with a feasible node', () => {
    const snapshot = aSnapshot(zones, web({ a1: 3, b1: 1 }));
    const pod = spreading({}, constraint());
    // In zone a are three pods, all on a1, which is full. In zone b is one.
    const feasible = only(snapshot, 'a2', 'b1');
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot, { feasible })).toEqual({ a2: 25, b1: 100 });
  });

  test('counts only the domains that have a feasible node', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) =>
      aSchedulingNode(name, { labels: { [ZONE]: name, [LABEL_HOSTNAME]: name } }),
    );
    const snapshot = aSnapshot(nodes, web({ a: 2, b: 1 }));
    const feasible = only(snapshot, 'a', 'b');
    for (const topologyKey of [ZONE, LABEL_HOSTNAME]) {
      const pod = spreading({}, constraint({ topologyKey }));
      // With two domains, 2 × ln(4) and 1 × ln(4) are 2.8 and 1.4; with four, 2 × ln(6) and 1 × ln(6) are 3.6 and 1.8.
      expectScores(askScorePlugin(podTopologySpread, pod, snapshot, { feasible })).toEqual({ a: 33, b: 100 });
      expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toEqual({ a: 0, b: 50, c: 100, d: 100 });
    }
  });

  test('ignores nodes that lack a key of any constraint, and the pods on them', () => {
    const nodes = [
      ...zones,
      ...labelled({ half: { [ZONE]: 'b' }, bare: {}, other: { [LABEL_HOSTNAME]: 'other' } }),
    ];
    const snapshot = aSnapshot(nodes, web({ a1: 2, half: 9, bare: 9 }));
    const pod = spreading({}, constraint(), constraint({ topologyKey: LABEL_HOSTNAME }));
    // Two zones and three hosts. a1: 2 × ln(4) + 2 × ln(5) is 6.0, a2: 2 × ln(4) is 2.8, b1: nothing.
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toEqual({
      a1: 0,
      a2: 50,
      b1: 100,
      half: 0,
      bare: 0,
      other: 0,
    });
    const feasible = only(snapshot, 'half', 'bare');
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot, { feasible })).toEqual({
      half: 0,
      bare: 0,
    });
  });

  test('leaves out such nodes also when they are not feasible: no pod on them counts', () => {
    const nodes = labelled({
      a: { [ZONE]: 'a', rack: '1' },
      b: { [ZONE]: 'b', rack: '2' },
      half: { [ZONE]: 'b' },
    });
    const snapshot = aSnapshot(nodes, web({ a: 1, half: 5 }));
    const pod = spreading({}, constraint(), constraint({ topologyKey: 'rack' }));
    const feasible = only(snapshot, 'a', 'b');
    // The five are in zone b, but on a node without a rack.
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot, { feasible })).toEqual({ a: 0, b: 100 });
  });

  test('takes the least and the most of the nodes that are not left out', () => {
    const snapshot = aSnapshot(
      labelled({ a: { [ZONE]: 'a' }, b: { [ZONE]: 'b' }, bare: {} }),
      web({ a: 3, b: 2 }),
    );
    // 3 × ln(4) and 2 × ln(4) are 4.2 and 2.8, so 4 and 3; the 0 of the other is not the least.
    const scores = askScorePlugin(podTopologySpread, spreading({}, constraint()), snapshot);
    expectScores(scores).toEqual({ a: 75, b: 100, bare: 0 });
  });

  test('leaves out no node for the key of a constraint that is a must', () => {
    const nodes = labelled({ a: { [ZONE]: 'a' }, b: { [ZONE]: 'b', rack: '1' } });
    const must = constraint({ topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' });
    const snapshot = aSnapshot(nodes, web({ a: 1, b: 3 }));
    // 1 × ln(4) and 3 × ln(4) are 1.4 and 4.2, so 1 and 4.
    const scores = askScorePlugin(podTopologySpread, spreading({}, must, constraint()), snapshot);
    expectScores(scores).toEqual({ a: 100, b: 25 });
  });

  test('rounds the sum over the constraints, and nothing before', () => {
    const nodes = labelled({ x: { [ZONE]: 'a', rack: '1' }, y: { [ZONE]: 'b', rack: '2' } });
    const snapshot = aSnapshot(nodes, web({ x: 3, y: 1 }));
    const pod = spreading({}, constraint(), constraint({ topologyKey: 'rack' }));
    // Twice 3 × ln(4), 8.3, and twice ln(4), 2.8: so 8 and 3. Rounded one by one it were 4 + 4 and 1 + 1.
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toEqual({ x: 37, y: 100 });
  });

  test('treats an empty label as a domain', () => {
    const nodes = labelled({ x: { [ZONE]: '' }, y: { [ZONE]: 'b' } });
    const snapshot = aSnapshot(nodes, web({ x: 1, y: 2 }));
    const why = '1 × ln(4) = 1.4 and 2 × ln(4) = 2.8 are rounded to 1 and 3';
    const scores = askScorePlugin(podTopologySpread, spreading({}, constraint()), snapshot);
    expectScores(scores, why).toEqual({ x: 100, y: 33 });
  });

  test('makes differences smaller, the more skew is allowed', () => {
    const snapshot = aSnapshot(zones, web({ a1: 2 }));
    const scores = [1, 2, 9].map((maxSkew) =>
      askScorePlugin(podTopologySpread, spreading({}, constraint({ maxSkew })), snapshot),
    );
    const why = '2 × ln(4) = 2.8; with maxSkew - 1 added, raw 3 and 0, then 4 and 1, then 11 and 8';
    expect(scores, why).toEqual([
      { a1: 0, a2: 0, b1: 100 },
      { a1: 25, a2: 25, b1: 100 },
      { a1: 72, a2: 72, b1: 100 },
    ]);
  });

  test('ignores pods that do not match, are being deleted, or have another version', () => {
    const others = [
      ...web({ a1: 5 }, { namespace: 'shop' }),
      ...web({ a1: 4 }, { deleted: true }),
      ...web({ a1: 3 }, { labels: { app: 'db' } }),
      ...web({ a1: 2 }, { labels: { ...WEB, hash: 'old' } }),
    ];
    const snapshot = aSnapshot(zones, [...others, ...web({ b1: 1 }, { labels: { ...WEB, hash: 'new' } })]);
    const pod = spreading({ labels: { ...WEB, hash: 'new' } }, constraint({ matchLabelKeys: ['hash'] }));
    expectScores(askScorePlugin(podTopologySpread, pod, snapshot)).toEqual({ a1: 100, a2: 100, b1: 0 });
    const hosts = constraint({ topologyKey: LABEL_HOSTNAME, matchLabelKeys: ['hash'] });
    const byHost = spreading({ labels: { ...WEB, hash: 'new' } }, hosts);
    expectScores(askScorePlugin(podTopologySpread, byHost, snapshot)).toEqual({ a1: 100, a2: 100, b1: 0 });
  });

  test('does not count nodes that the pod excludes, unless it says so; pods on a host count in any case', () => {
    const nodes = labelled({
      a1: { [ZONE]: 'a', disk: 'ssd', [LABEL_HOSTNAME]: 'a1' },
      a2: { [ZONE]: 'a', [LABEL_HOSTNAME]: 'a2' },
      b1: { [ZONE]: 'b', disk: 'ssd', [LABEL_HOSTNAME]: 'b1' },
    });
    const snapshot = aSnapshot(nodes, web({ a2: 2, b1: 1 }));
    const wantsSsd: SchedulingPodParts = { spec: { nodeSelector: { disk: 'ssd' } } };
    const feasible = only(snapshot, 'a1', 'b1');
    const ask = (parts: SchedulingPodParts, ...wishes: Constraint[]) =>
      askScorePlugin(podTopologySpread, spreading(parts, ...wishes), snapshot, { feasible });
    expectScores(ask(wantsSsd, constraint())).toEqual({ a1: 100, b1: 0 });
    // 2 × ln(4) is 2.8 and 1 × ln(4) is 1.4.
    expectScores(ask(wantsSsd, constraint({ nodeAffinityPolicy: 'Ignore' }))).toEqual({ a1: 33, b1: 100 });
    const terms = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'Exists' }] }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
    expectScores(ask({ spec: { affinity } }, constraint())).toEqual({ a1: 100, b1: 0 });
    const elsewhere: SchedulingPodParts = { spec: { nodeSelector: { disk: 'hdd' } } };
    expectScores(ask(elsewhere, constraint({ topologyKey: LABEL_HOSTNAME }))).toEqual({ a1: 100, b1: 0 });
  });

  test('counts tainted nodes, unless the pod says that it honours taints', () => {
    const tainted = (effect: string) =>
      aSchedulingNode('a2', { labels: { [ZONE]: 'a' }, taints: [{ key: 'x', effect }] });
    const ask = (effect: string, parts: Partial<Constraint>, tolerations: Spec['tolerations'] = []) => {
      const nodes = [...labelled({ a1: { [ZONE]: 'a' }, b1: { [ZONE]: 'b' } }), tainted(effect)];
      const snapshot = aSnapshot(nodes, web({ a2: 2, b1: 1 }));
      const feasible = only(snapshot, 'a1', 'b1');
      const pod = spreading({ spec: { tolerations } }, constraint(parts));
      return askScorePlugin(podTopologySpread, pod, snapshot, { feasible });
    };
    const [counts, doesNot] = [
      { a1: 33, b1: 100 },
      { a1: 100, b1: 0 },
    ];
    expectScores(ask('NoSchedule', {})).toEqual(counts);
    const honours = { nodeTaintsPolicy: 'Honor' } as const;
    expectScores(ask('NoSchedule', honours)).toEqual(doesNot);
    expectScores(ask('NoExecute', honours)).toEqual(doesNot);
    expectScores(ask('PreferNoSchedule', honours)).toEqual(counts);
    expectScores(ask('NoSchedule', honours, [{ key: 'x', operator: 'Exists' }])).toEqual(counts);
  });

  test('is in scorePlugins, with the weight 2', () => {
    // A missing implementation must fail as NotImplemented.
    askScorePlugin(podTopologySpread, aSchedulingPod(), aSnapshot(nodesOf({ a: {} })));
    expect(scorePlugins).toContainEqual({ plugin: podTopologySpread, weight: 2 });
  });
});
