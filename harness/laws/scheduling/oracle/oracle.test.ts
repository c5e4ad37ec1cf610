import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../../api/objects.ts';
import { aSchedulingNode, aSchedulingPod, type SchedulingPodParts } from '../levels/objects.ts';
import { type ClusterState, mayRunOn, overcommitments, type Ruling, rulingsOn } from './index.ts';

const HOST = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

const a1 = aSchedulingNode('a1', { labels: { [HOST]: 'a1', [ZONE]: 'a', disk: 'ssd', cores: '8' } });
const a2 = aSchedulingNode('a2', { labels: { [HOST]: 'a2', [ZONE]: 'a' } });
const b1 = aSchedulingNode('b1', { labels: { [HOST]: 'b1', [ZONE]: 'b' } });
const bare = aSchedulingNode('bare');

let made = 0;
const on = (node: Node, parts: SchedulingPodParts = {}): Pod =>
  aSchedulingPod({ name: `there-${++made}`, nodeName: node.metadata.name, ...parts });

function state(pods: readonly Pod[] = [], nodes: readonly Node[] = [a1, a2, b1, bare]): ClusterState {
  return { nodes, pods, namespaces: { default: {}, shop: { team: 'shop' } } };
}

/** Returns the rejections of a pod: the plugin, a short form of the code, and the reasons. */
function against(pod: Pod, node: Node, where: ClusterState = state()): readonly string[] {
  return rulingsOn(pod, node, where)
    .filter(({ code }) => code !== 'Success')
    .map(({ plugin, code, reasons }) => `${plugin} ${short[code]} ${reasons.join(', ')}`);
}
const short: Readonly<Record<Ruling['code'], string>> = {
  Success: '',
  Unschedulable: 'not now:',
  UnschedulableAndUnresolvable: 'never:',
};

const affinityTo = (app: string, topologyKey = ZONE) => ({
  topologyKey,
  labelSelector: { matchLabels: { app } },
});
const near = (...terms: ReturnType<typeof affinityTo>[]): Partial<Pod['spec']> => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const apart = (...terms: ReturnType<typeof affinityTo>[]): Partial<Pod['spec']> => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});

describe('The oracle', () => {
  test('lets a pod that asks for nothing run anywhere', () => {
    for (const node of [a1, a2, b1, bare]) expect(mayRunOn(aSchedulingPod(), node, state())).toBe(true);
  });

  test('names eight plugins, in the order in which upstream asks them', () => {
    expect(rulingsOn(aSchedulingPod(), a1, state()).map(({ plugin }) => plugin)).toEqual([
      'NodeUnschedulable',
      'NodeName',
      'TaintToleration',
      'NodeAffinity',
      'NodePorts',
      'NodeResourcesFit',
      'PodTopologySpread',
      'InterPodAffinity',
    ]);
  });

  test('knows the node that is asked for, and the cordon', () => {
    const cordoned = aSchedulingNode('cordoned', { unschedulable: true });
    expect(against(aSchedulingPod({ nodeName: 'a1' }), cordoned)).toEqual([
      'NodeUnschedulable never: node(s) were unschedulable',
      "NodeName never: node(s) didn't match the requested node name",
    ]);
    const tolerations = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }];
    expect(against(aSchedulingPod({ spec: { tolerations } }), cordoned)).toEqual([]);
  });

  test('knows taints: each must be tolerated, except one that is a mere wish', () => {
    const taints = [
      { key: 'soft', value: 'x', effect: 'PreferNoSchedule' },
      { key: 'gpu', value: 'yes', effect: 'NoSchedule' },
      { key: 'old', effect: 'NoExecute' },
    ];
    const tainted = aSchedulingNode('tainted', { taints });
    const told = (...tolerations: NonNullable<Pod['spec']['tolerations']>) =>
      against(aSchedulingPod({ spec: { tolerations } }), tainted);
    expect(told()).toEqual(['TaintToleration never: node(s) had untolerated taint(s)']);
    expect(told({ key: 'gpu', value: 'yes' })).toEqual([
      'TaintToleration never: node(s) had untolerated taint(s)',
    ]);
    expect(told({ key: 'gpu', value: 'no' }, { key: 'old' })).toHaveLength(1);
    expect(told({ key: 'gpu', value: 'yes', effect: 'NoExecute' }, { key: 'old' })).toHaveLength(1);
    expect(told({ operator: 'Exists' })).toEqual([]);
  });

  test('knows node selectors and node affinity', () => {
    const wants = (...nodeSelectorTerms: object[]) =>
      aSchedulingPod({
        spec: {
          affinity: {
            nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
          },
        } as Partial<Pod['spec']>,
      });
    const leads = (pod: Pod) => [a1, a2, b1, bare].filter((node) => mayRunOn(pod, node, state()));
    expect(leads(aSchedulingPod({ spec: { nodeSelector: { disk: 'ssd' } } }))).toEqual([a1]);
    expect(leads(wants({}))).toEqual([]);
    expect(leads(wants({ matchExpressions: [{ key: ZONE, operator: 'In', values: ['b', 'c'] }] }))).toEqual([
      b1,
    ]);
    expect(leads(wants({ matchExpressions: [{ key: ZONE, operator: 'NotIn', values: ['a'] }] }))).toEqual([
      b1,
      bare,
    ]);
    expect(leads(wants({ matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['7'] }] }))).toEqual([
      a1,
    ]);
    expect(
      leads(wants({ matchExpressions: [{ key: ZONE, operator: 'NotIn', values: ['{not valid}'] }] })),
    ).toEqual([]);
    expect(
      leads(
        wants(
          { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['bare'] }] },
          { matchExpressions: [{ key: 'disk', operator: 'Exists' }] },
        ),
      ),
    ).toEqual([a1, bare]);
  });

  test('knows ports of the node: two pods cannot both have one', () => {
    const asks = (hostPort: number, hostIP?: string, protocol?: string) => ({
      ports: [{ hostPort, ...(hostIP ? { hostIP } : {}), ...(protocol ? { protocol } : {}) }],
    });
    const where = state([on(a1, asks(80, '10.0.0.1'))]);
    const told = (parts: SchedulingPodParts, node = a1) => against(aSchedulingPod(parts), node, where);
    expect(told(asks(80))).toEqual([
      "NodePorts not now: node(s) didn't have free ports for the requested pod ports",
    ]);
    expect(told(asks(80, '10.0.0.1'))).toHaveLength(1);
    for (const free of [asks(81), asks(80, '10.0.0.2'), asks(80, undefined, 'UDP')])
      expect(told(free)).toEqual([]);
    expect(told(asks(80), a2)).toEqual([]);
  });

  test('counts what a pod takes at its hungriest moment', () => {
    const container = (name: string, cpu: string, restartPolicy?: string) => ({
      name,
      image: 'x',
      resources: { requests: { cpu } },
      ...(restartPolicy ? { restartPolicy } : {}),
    });
    const tight = aSchedulingNode('tight', { allocatable: { cpu: '3', pods: 1 } });
    const fits = (spec: Partial<Pod['spec']>) => against(aSchedulingPod({ spec }), tight).length === 0;
    const containers = [container('a', '1'), container('b', '1')];
    expect(fits({ containers })).toBe(true);
    expect(fits({ containers, initContainers: [container('i', '3')] })).toBe(true);
    expect(fits({ containers, initContainers: [container('i', '3100m')] })).toBe(false);
    expect(fits({ containers, initContainers: [container('s', '1', 'Always')] })).toBe(true);
    expect(fits({ containers, initContainers: [container('s', '1100m', 'Always')] })).toBe(false);
    expect(
      fits({ containers, initContainers: [container('s', '1', 'Always'), container('i', '2100m')] }),
    ).toBe(false);
    expect(
      fits({ containers, initContainers: [container('i', '2100m'), container('s', '1', 'Always')] }),
    ).toBe(true);
    expect(fits({ containers, overhead: { cpu: '1100m' } })).toBe(false);
  });

  test('says which resources fall short, and whether they would for ever', () => {
    const small = aSchedulingNode('small', {
      allocatable: { cpu: '2', memory: '1Gi', 'example.com/gpu': 1, pods: 1 },
    });
    const told = (requests: Record<string, string>, ...pods: Pod[]) =>
      against(aSchedulingPod({ requests }), small, state(pods, [small]));
    expect(told({ cpu: '2', memory: '1Gi' })).toEqual([]);
    expect(told({ cpu: '2001m' })).toEqual(['NodeResourcesFit never: Insufficient cpu']);
    expect(told({ 'example.com/fpga': '1' })).toEqual([
      'NodeResourcesFit never: Insufficient example.com/fpga',
    ]);
    const there = on(small, { requests: { cpu: '1500m', 'example.com/gpu': '1' } });
    expect(told({ cpu: '1', 'example.com/gpu': '1' }, there)).toEqual([
      'NodeResourcesFit not now: Too many pods, Insufficient cpu, Insufficient example.com/gpu',
    ]);
    expect(told({ cpu: '0' }, there)).toEqual(['NodeResourcesFit not now: Too many pods']);
    expect(overcommitments(small, [there, on(small, { requests: { cpu: '1' } })])).toEqual([
      'cpu: 2500 of 2000',
      'pods: 2 of 1',
    ]);
  });

  test('takes no notice of pods that have ended, and of the pod itself', () => {
    const full = aSchedulingNode('full', { allocatable: { cpu: '1', pods: 1 } });
    const there = on(full, { requests: { cpu: '1' } });
    const ended = { ...there, status: { phase: 'Succeeded' } } as Pod;
    const pod = aSchedulingPod({ requests: { cpu: '1' } });
    expect(mayRunOn(pod, full, state([there], [full]))).toBe(false);
    expect(mayRunOn(pod, full, state([ended], [full]))).toBe(true);
    expect(mayRunOn(there, full, state([there], [full]))).toBe(true);
    expect(overcommitments(full, [ended, there])).toEqual([]);
  });
});

describe('The oracle, of places', () => {
  const labels = { app: 'web' };
  const spread = (more: object = {}, topologyKey = ZONE): SchedulingPodParts => ({
    labels,
    spec: {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: labels },
          ...more,
        },
      ],
    },
  });
  const told = (parts: SchedulingPodParts, node: Node, ...pods: Pod[]) =>
    against(aSchedulingPod(parts), node, state(pods));
  const SKEW = "PodTopologySpread not now: node(s) didn't match pod topology spread constraints";
  const LABEL =
    "PodTopologySpread never: node(s) didn't match pod topology spread constraints (missing required label)";

  test('spreads: no place may get too far ahead of the emptiest', () => {
    expect(told(spread(), a2, on(a1, { labels }))).toEqual([SKEW]);
    expect(told(spread(), b1, on(a1, { labels }))).toEqual([]);
    expect(told(spread({ maxSkew: 2 }), a2, on(a1, { labels }))).toEqual([]);
    expect(told(spread({ whenUnsatisfiable: 'ScheduleAnyway' }), a2, on(a1, { labels }))).toEqual([]);
    expect(told(spread(), bare)).toEqual([LABEL]);
  });

  test('spreads: counts no pods that are being deleted, that do not match, or that are in no place', () => {
    expect(told(spread(), a1, on(a1, { labels, deleted: true }))).toEqual([]);
    expect(told(spread(), a1, on(a1, { labels, namespace: 'shop' }))).toEqual([]);
    expect(told(spread(), a1, on(bare, { labels }))).toEqual([]);
    expect(told(spread({ labelSelector: {} }), a1, on(a1, { labels }), on(a1, { labels }))).toEqual([]);
    expect(told(spread({ labelSelector: undefined }), a1, on(a1, { labels }))).toEqual([]);
  });

  test('spreads: too few places are as good as an empty one', () => {
    const both = [on(a1, { labels }), on(b1, { labels })];
    expect(told(spread({ minDomains: 2 }), a1, ...both)).toEqual([]);
    expect(told(spread({ minDomains: 3 }), a1, ...both)).toEqual([SKEW]);
  });

  test('spreads: an emptier place that is not for the pod does not count, unless it says so', () => {
    const wantsA = { nodeSelector: { [ZONE]: 'a' } };
    const parts = spread();
    const picky = { ...parts, spec: { ...parts.spec, ...wantsA } };
    expect(told(picky, a2, on(a1, { labels }))).toEqual([]);
    const strict = spread({ nodeAffinityPolicy: 'Ignore' });
    expect(told({ ...strict, spec: { ...strict.spec, ...wantsA } }, a2, on(a1, { labels }))).toEqual([SKEW]);
    const tainted = aSchedulingNode('b1', {
      labels: { [ZONE]: 'b' },
      taints: [{ key: 'x', effect: 'NoSchedule' }],
    });
    const where = state([on(a1, { labels })], [a1, tainted]);
    expect(against(aSchedulingPod(spread()), a1, where)).toEqual([SKEW]);
    expect(against(aSchedulingPod(spread({ nodeTaintsPolicy: 'Honor' })), a1, where)).toEqual([]);
  });

  test('spreads: label keys narrow down which pods are alike', () => {
    const parts = spread({ matchLabelKeys: ['hash'] });
    const mine = { ...parts, labels: { ...labels, hash: '1' } };
    expect(told(mine, a1, on(a1, { labels: { ...labels, hash: '2' } }))).toEqual([]);
    expect(told(mine, a1, on(a1, { labels: { ...labels, hash: '1' } }))).toEqual([SKEW]);
  });

  const COMPANY = "InterPodAffinity never: node(s) didn't match pod affinity rules";
  const AVOIDS = "InterPodAffinity not now: node(s) didn't match pod anti-affinity rules";
  const AVOIDED = "InterPodAffinity not now: node(s) didn't satisfy existing pods anti-affinity rules";

  test('wants company in the same place', () => {
    const db = on(a1, { labels: { app: 'db' } });
    const pod: SchedulingPodParts = { labels, spec: near(affinityTo('db')) };
    expect(told(pod, a2, db)).toEqual([]);
    expect(told(pod, b1, db)).toEqual([COMPANY]);
    expect(told(pod, bare, db)).toEqual([COMPANY]);
    expect(told({ ...pod, spec: near(affinityTo('db', HOST)) }, a2, db)).toEqual([COMPANY]);
    expect(told(pod, a1, on(a1, { labels: { app: 'db' }, namespace: 'shop' }))).toEqual([COMPANY]);
  });

  test('wants company: the first of its kind may go anywhere that is a place', () => {
    const pod: SchedulingPodParts = { labels, spec: near(affinityTo('web')) };
    expect(told(pod, a1)).toEqual([]);
    expect(told(pod, bare)).toEqual([COMPANY]);
    expect(told(pod, a1, on(b1, { labels }))).toEqual([COMPANY]);
    expect(told(pod, a1, on(bare, { labels }))).toEqual([]);
    expect(told({ ...pod, labels: { app: 'db' } }, a1)).toEqual([COMPANY]);
  });

  test('wants company: only a pod that meets all terms is company', () => {
    const spec = near(
      { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'db' } } },
      { topologyKey: HOST, labelSelector: { matchLabels: { app: 'db' } } },
    );
    const other = near(affinityTo('db'), affinityTo('web'));
    expect(told({ spec }, a1, on(a1, { labels: { app: 'db' } }))).toEqual([]);
    expect(told({ spec: other }, a1, on(a1, { labels: { app: 'db' } }), on(a1, { labels }))).toEqual([
      COMPANY,
    ]);
  });

  test('avoids, and is avoided', () => {
    const web = on(a1, { labels });
    expect(told({ spec: apart(affinityTo('web')) }, a2, web)).toEqual([AVOIDS]);
    expect(told({ spec: apart(affinityTo('web')) }, b1, web)).toEqual([]);
    expect(told({ spec: apart(affinityTo('web')) }, bare, on(bare, { labels }))).toEqual([]);
    const shy = on(a1, { spec: apart(affinityTo('web')) });
    expect(told({ labels }, a2, shy)).toEqual([AVOIDED]);
    expect(told({ labels }, b1, shy)).toEqual([]);
    expect(told({ labels: { app: 'db' } }, a2, shy)).toEqual([]);
  });

  test('looks for pods in the namespaces that a term names or selects', () => {
    const shop = on(a1, { labels, namespace: 'shop' });
    const term = affinityTo('web');
    expect(told({ spec: apart({ ...term, namespaces: ['shop'] } as typeof term) }, a1, shop)).toEqual([
      AVOIDS,
    ]);
    const namespaceSelector = { matchLabels: { team: 'shop' } };
    expect(told({ spec: apart({ ...term, namespaceSelector } as typeof term) }, a1, shop)).toEqual([AVOIDS]);
    expect(told({ spec: apart({ ...term, namespaceSelector: {} } as typeof term) }, a1, shop)).toEqual([
      AVOIDS,
    ]);
    expect(
      told({ spec: apart({ ...term, namespaceSelector } as typeof term) }, a1, on(a1, { labels })),
    ).toEqual([]);
    const shy = on(a1, { namespace: 'shop', spec: apart({ ...term, namespaceSelector: {} } as typeof term) });
    expect(told({ labels }, a1, shy)).toEqual([AVOIDED]);
  });
});
