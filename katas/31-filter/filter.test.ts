import { describe, expect, test } from 'vitest';
import { framework, type labels, type Node, type Pod } from '#harness';
import { type VectorCase, vectors } from '#harness/testing';
import {
  affinityCounts,
  antiAffinityCounts,
  countPodsInDomains,
  countPodsMatchSelector,
  existingAntiAffinityCounts,
  filtering,
  filterPlugins,
  findMatchingUntoleratedTaint,
  findNodesThatFit,
  fitErrorMessage,
  hardConstraints,
  type InsufficientResource,
  insufficientResources,
  interPodAffinity,
  matchesNodeInclusionPolicies,
  matchesNodeSelectorTerm,
  minMatchNum,
  type NodeSelectorTerm,
  nodeAffinity,
  nodeName,
  nodePorts,
  nodeResourcesFit,
  nodeUnschedulable,
  numFeasibleNodesToFind,
  podMatchesAllAffinityTerms,
  podRequests,
  podTopologySpread,
  portsConflict,
  requiredNodeAffinityMatches,
  type SpreadConstraint,
  type Taint,
  type Toleration,
  type TopologyCounts,
  taintToleration,
  termMatches,
  toleratesTaint,
} from '#kata/31-filter/filter';
import {
  aSchedulingNode,
  aSchedulingPod,
  aSnapshot,
  type SchedulingNodeParts,
  type SchedulingPodParts,
} from '#laws/scheduling';

type PodSpec = Pod['spec'];
type Affinity = NonNullable<PodSpec['affinity']>;
type PodAffinityTerm = NonNullable<
  NonNullable<Affinity['podAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>[number];
type TopologySpreadConstraint = NonNullable<PodSpec['topologySpreadConstraints']>[number];
type Labels = labels.Labels;

/** So that each row of a table is a test with the row's name. */
const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);

/** The rows of upstream's tables for one plugin. */
const table = <I, E>(op: string, count: number) => named(vectors<I, E>('scheduler-filter', op, count));

/** A pod as a row of a table says it. */
interface PodRow {
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly labels?: Labels };
  readonly spec?: Partial<PodSpec>;
}
const podOf = ({ metadata = {}, spec = {} }: PodRow, index = 0): Pod =>
  aSchedulingPod({ name: `pod-${index}`, ...metadata, spec });

/** A node as a row of a table says it. */
interface NodeRow {
  readonly metadata?: { readonly name?: string; readonly labels?: Labels };
  readonly spec?: Node['spec'];
  readonly status?: { readonly allocatable?: framework.ResourceList };
}
const nodeOf = ({ metadata = {}, spec = {}, status = {} }: NodeRow): Node =>
  aSchedulingNode(metadata.name ?? 'node', { ...metadata, ...spec, ...status });

/** What a plugin says of each node, as text: `Success`, or code and reasons. */
type Said = Readonly<Record<string, string>>;

const say = ({ code, reasons }: framework.Status): string =>
  framework.isRejected({ code, reasons }) ? `${code}: ${reasons.join(', ')}` : code;

/** Asks a plugin as a scheduler does: preFilter once; then filter for each node, unless preFilter has said it all. */
function ask(plugin: framework.FilterPlugin, pod: Pod, snapshot: framework.Snapshot): Said {
  const state = new framework.CycleState();
  const first = plugin.preFilter?.(state, pod, snapshot) ?? framework.success;
  return Object.fromEntries(
    snapshot.nodeInfos.map((info) => [
      info.name,
      first.code === 'Skip'
        ? 'Success'
        : say(framework.isRejected(first) ? first : plugin.filter(state, pod, info)),
    ]),
  );
}

/** What it says of one node, with these pods on it. */
function askOne(plugin: framework.FilterPlugin, pod: Pod, node: Node, pods: readonly Pod[] = []): string {
  const { name } = node.metadata;
  const there = pods.map((each) => ({ ...each, spec: { ...each.spec, nodeName: name } }));
  return ask(plugin, pod, aSnapshot([node], there))[name] ?? 'nothing';
}

/** As YAML would write it in one line, more or less. */
const inLine = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/"([\w./-]+)":/g, '$1: ')
    .replaceAll('requiredDuringSchedulingIgnoredDuringExecution', 'required…');

/** What a red test is about, for its message: the pod, and each node with its pods. */
function about(pod: Pod, nodes: readonly Node[], pods: readonly Pod[] = [], what = 'verdicts'): string {
  const seen = ({ metadata: { namespace, labels: own, deletionTimestamp }, spec }: Pod): string => {
    const { containers: _, nodeName: __, ...rest } = spec;
    const elsewhere = namespace === 'default' ? {} : { namespace };
    return inLine({ ...elsewhere, labels: own, deletionTimestamp, ...rest });
  };
  return [
    `the pod ${seen(pod)}`,
    ...nodes.map(({ metadata: { name, labels: own }, spec: { taints } }) => {
      const there = pods.filter(({ spec: { nodeName: on } }) => on === name);
      const has = there.map((each) => `${each.metadata.name} ${seen(each)}`);
      return `${name} ${inLine({ labels: own, taints })} has ${has.join(', ') || 'no pods'}`;
    }),
    what,
  ].join('\n');
}

describe('Level 1 · Name and unschedulable', () => {
  const OTHER_NAME = "UnschedulableAndUnresolvable: node(s) didn't match the requested node name";
  const CORDONED = 'UnschedulableAndUnresolvable: node(s) were unschedulable';

  test('lets a pod go anywhere that asks for no node by name', () => {
    expect(askOne(nodeName, aSchedulingPod(), aSchedulingNode('a'))).toBe('Success');
    expect(askOne(nodeName, aSchedulingPod({ nodeName: '' }), aSchedulingNode('a'))).toBe('Success');
  });

  test('lets a pod that asks for a node by name go there and nowhere else', () => {
    const said = ask(
      nodeName,
      aSchedulingPod({ nodeName: 'b' }),
      aSnapshot(['a', 'b', 'bb'].map((name) => aSchedulingNode(name))),
    );
    expect(said).toEqual({ a: OTHER_NAME, b: 'Success', bb: OTHER_NAME });
  });

  interface OneRow {
    readonly pod: PodRow;
    readonly node: NodeRow;
  }
  interface Fits {
    readonly fits: boolean;
    readonly code?: framework.Code;
  }
  test.each(table<OneRow, Fits>('nodeName', 2))('goes by the name as Kubernetes does: %s', (_, row) => {
    const [pod, node] = [podOf(row.input.pod), nodeOf(row.input.node)];
    expect(askOne(nodeName, pod, node)).toBe(row.expect.fits ? 'Success' : OTHER_NAME);
  });

  const taint: Taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
  test.each<[string, Toleration, Taint, boolean]>([
    [
      'all the same',
      { key: 'dedicated', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' },
      taint,
      true,
    ],
    ['another key', { key: 'reserved', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' }, taint, false],
    ['another value', { key: 'dedicated', operator: 'Equal', value: 'cpu' }, taint, false],
    ['another effect', { key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }, taint, false],
    ['no operator, which is Equal', { key: 'dedicated', value: 'gpu' }, taint, true],
    ['no operator, and another value', { key: 'dedicated', value: 'cpu' }, taint, false],
    ['no operator and no value', { key: 'dedicated' }, taint, false],
    ['no effect, which is every effect', { key: 'dedicated', operator: 'Exists' }, taint, true],
    ['an empty effect, which is none', { key: 'dedicated', operator: 'Exists', effect: '' }, taint, true],
    ['Exists, whatever the value', { key: 'dedicated', operator: 'Exists' }, { ...taint, value: 'x' }, true],
    ['Exists, and another key', { key: 'reserved', operator: 'Exists' }, taint, false],
    ['no key and Exists, which is everything', { operator: 'Exists' }, taint, true],
    ['no key and Exists, for one effect', { operator: 'Exists', effect: 'NoExecute' }, taint, false],
    ['an empty key, which is none', { key: '', operator: 'Exists' }, taint, true],
    ['neither has a value', { key: 'spot', operator: 'Equal' }, { key: 'spot', effect: 'NoSchedule' }, true],
    ['an empty value and none', { key: 'spot', value: '' }, { key: 'spot', effect: 'NoSchedule' }, true],
    ['Exists, whatever its own value', { key: 'dedicated', operator: 'Exists', value: 'x' }, taint, true],
    ['no key, Equal, and the value', { operator: 'Equal', value: 'gpu' }, taint, true],
    ['no key, Equal, and another value', { operator: 'Equal', value: 'cpu' }, taint, false],
    ['an operator that does not exist', { key: 'dedicated', operator: 'In', value: 'gpu' }, taint, false],
  ])('decides whether a toleration tolerates a taint: %s', (_, toleration, on, tolerates) => {
    const message = `${inLine(toleration)} tolerates ${inLine(on)}`;
    expect(toleratesTaint(toleration, on), message).toBe(tolerates);
  });

  test.each(table<OneRow, Fits>('nodeUnschedulable', 2))(
    'keeps pods from a cordoned node as Kubernetes does: %s',
    (_, row) => {
      const [pod, node] = [podOf(row.input.pod), nodeOf(row.input.node)];
      expect(askOne(nodeUnschedulable, pod, node)).toBe(row.expect.fits ? 'Success' : CORDONED);
    },
  );

  test('lets a pod go to a node that says nothing of it', () =>
    expect(askOne(nodeUnschedulable, aSchedulingPod(), aSchedulingNode('a'))).toBe('Success'));

  const key = 'node.kubernetes.io/unschedulable';
  test.each<[string, readonly Toleration[], boolean]>([
    ['its taint', [{ key, operator: 'Exists', effect: 'NoSchedule' }], true],
    ['its taint, whatever the effect', [{ key, operator: 'Exists' }], true],
    ['its taint by its value, which is empty', [{ key, effect: 'NoSchedule' }], true],
    [
      'its taint, among others',
      [
        { key: 'other', operator: 'Exists' },
        { key, operator: 'Exists' },
      ],
      true,
    ],
    ['everything', [{ operator: 'Exists' }], true],
    ['something else', [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }], false],
    ['its taint, but with another effect', [{ key, operator: 'Exists', effect: 'NoExecute' }], false],
    ['its taint, but with another value', [{ key, operator: 'Equal', value: 'true' }], false],
  ])('asks of a cordoned node whether the pod tolerates %s', (_, tolerations, goes) => {
    const pod = aSchedulingPod({ spec: { tolerations: [...tolerations] } });
    const said = askOne(nodeUnschedulable, pod, aSchedulingNode('a', { unschedulable: true }));
    expect(said).toBe(goes ? 'Success' : CORDONED);
  });

  test('leaves taints to the plugin that is there for them', () => {
    const tainted = aSchedulingNode('a', { taints: [{ key, effect: 'NoSchedule' }] });
    expect(askOne(nodeUnschedulable, aSchedulingPod(), tainted)).toBe('Success');
    expect(askOne(nodeName, aSchedulingPod(), tainted)).toBe('Success');
  });
});

describe('Level 2 · Taints', () => {
  const untolerated = (of: string): string =>
    `UnschedulableAndUnresolvable: node(s) had untolerated taint {${of}}`;
  const spot: Taint = { key: 'spot', effect: 'NoSchedule' };
  const gpu: Taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
  const down: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };
  const rather: Taint = { key: 'busy', effect: 'PreferNoSchedule' };

  test('finds no taint where there is none', () => {
    expect(findMatchingUntoleratedTaint([], [])).toBeUndefined();
    expect(findMatchingUntoleratedTaint(undefined, undefined)).toBeUndefined();
  });

  test('finds the first taint that nothing tolerates', () => {
    expect(findMatchingUntoleratedTaint([spot, gpu, down], undefined)).toEqual(spot);
    expect(findMatchingUntoleratedTaint([spot, gpu, down], [{ key: 'spot', operator: 'Exists' }])).toEqual(
      gpu,
    );
    expect(findMatchingUntoleratedTaint([spot, gpu, down], [{ operator: 'Exists' }])).toBeUndefined();
  });

  test('wants each taint tolerated, by whichever toleration', () => {
    const tolerations: Toleration[] = [
      { key: 'dedicated', value: 'gpu' },
      { key: 'spot', operator: 'Exists' },
    ];
    expect(findMatchingUntoleratedTaint([spot, gpu], tolerations)).toBeUndefined();
    expect(findMatchingUntoleratedTaint([spot, gpu], tolerations.slice(0, 1))).toEqual(spot);
  });

  test('passes over PreferNoSchedule, which keeps nobody away', () => {
    expect(findMatchingUntoleratedTaint([rather], [])).toBeUndefined();
    expect(findMatchingUntoleratedTaint([rather, down], [])).toEqual(down);
  });

  test('lets a pod go where there are no taints', () =>
    expect(askOne(taintToleration, aSchedulingPod(), aSchedulingNode('a'))).toBe('Success'));

  test('names the taint, with an empty value if it has none', () => {
    const on = (...taints: Taint[]) =>
      askOne(taintToleration, aSchedulingPod(), aSchedulingNode('a', { taints }));
    expect(on(gpu)).toBe(untolerated('dedicated: gpu'));
    expect(on(spot)).toBe(untolerated('spot: '));
    expect(on(rather, down, gpu)).toBe(untolerated('node.kubernetes.io/not-ready: '));
  });

  test('is turned away by NoExecute as well, which is for those to come, too', () =>
    expect(askOne(taintToleration, aSchedulingPod(), aSchedulingNode('a', { taints: [down] }))).toBe(
      untolerated('node.kubernetes.io/not-ready: '),
    ));

  interface TaintsRow {
    readonly pod: PodRow;
    readonly node: NodeRow;
    readonly comparisonOperatorsGate?: boolean;
  }
  test.each(table<TaintsRow, { fits: boolean; code?: string }>('taints', 10))(
    'goes by taints as Kubernetes does: %s',
    (_, { input, expect: { fits } }) => {
      const [pod, node] = [podOf(input.pod), nodeOf(input.node)];
      const [{ key, value }] = node.spec.taints as [Taint];
      // Gt and Lt came with 1.35, behind a gate. Where they are switched on in the table, they tolerate nothing here.
      const goes = fits && !input.comparisonOperatorsGate;
      expect(askOne(taintToleration, pod, node), about(pod, [node])).toBe(
        goes ? 'Success' : untolerated(`${key}: ${value}`),
      );
    },
  );
});

describe('Level 3 · Node selector and affinity', () => {
  const NO_MATCH = "UnschedulableAndUnresolvable: node(s) didn't match Pod's node affinity/selector";
  const CONFLICT = 'UnschedulableAndUnresolvable: pod affinity terms conflict';
  const node = aSchedulingNode('a', { labels: { zone: 'z1', disk: 'ssd', cores: '8' } });
  const required = (...nodeSelectorTerms: NodeSelectorTerm[]): Partial<PodSpec> => ({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  });

  type Requirement = NonNullable<NodeSelectorTerm['matchExpressions']>[number];
  test.each<[string, Requirement, boolean]>([
    ['In, one of them', { key: 'zone', operator: 'In', values: ['z0', 'z1'] }, true],
    ['In, none of them', { key: 'zone', operator: 'In', values: ['z0', 'z2'] }, false],
    ['In, and no such label', { key: 'rack', operator: 'In', values: ['r1'] }, false],
    ['NotIn, none of them', { key: 'zone', operator: 'NotIn', values: ['z0'] }, true],
    ['NotIn, one of them', { key: 'zone', operator: 'NotIn', values: ['z0', 'z1'] }, false],
    ['NotIn, and no such label', { key: 'rack', operator: 'NotIn', values: ['r1'] }, true],
    ['Exists', { key: 'zone', operator: 'Exists' }, true],
    ['Exists, and no such label', { key: 'rack', operator: 'Exists' }, false],
    ['DoesNotExist', { key: 'rack', operator: 'DoesNotExist' }, true],
    ['DoesNotExist, and there is one', { key: 'zone', operator: 'DoesNotExist' }, false],
    ['Gt', { key: 'cores', operator: 'Gt', values: ['7'] }, true],
    ['Gt, of numbers and not of texts', { key: 'cores', operator: 'Gt', values: ['10'] }, false],
    ['Gt, and it is equal', { key: 'cores', operator: 'Gt', values: ['8'] }, false],
    ['Gt, and no such label', { key: 'gpus', operator: 'Gt', values: ['0'] }, false],
    ['Gt, and the label is no number', { key: 'zone', operator: 'Gt', values: ['0'] }, false],
    ['Lt', { key: 'cores', operator: 'Lt', values: ['10'] }, true],
    ['Lt, and it is equal', { key: 'cores', operator: 'Lt', values: ['8'] }, false],
    ['Lt, and no such label', { key: 'gpus', operator: 'Lt', values: ['9'] }, false],
    ['an operator that does not exist', { key: 'zone', operator: 'Equals', values: ['z1'] }, false],
    ['In, and nothing to be in', { key: 'zone', operator: 'In', values: [] }, false],
    ['NotIn, and nothing not to be in', { key: 'zone', operator: 'NotIn', values: [] }, false],
    ['Exists, which takes no values', { key: 'zone', operator: 'Exists', values: ['z1'] }, false],
    ['Gt, and a bound that is no number', { key: 'cores', operator: 'Gt', values: ['many'] }, false],
    ['a value that no label can have, even NotIn', { key: 'zone', operator: 'NotIn', values: ['#1'] }, false],
    ['a key that no label can have, even absent', { key: '#', operator: 'DoesNotExist' }, false],
  ])('matches an expression: %s', (_, expression, matches) => {
    const message = `${inLine(expression)} on ${inLine(node.metadata.labels)}`;
    expect(matchesNodeSelectorTerm({ matchExpressions: [expression] }, node), message).toBe(matches);
  });

  test('wants all expressions of a term to hold', () => {
    const [holds, fails]: [Requirement, Requirement] = [
      { key: 'zone', operator: 'Exists' },
      { key: 'rack', operator: 'Exists' },
    ];
    expect(matchesNodeSelectorTerm({ matchExpressions: [holds, holds] }, node)).toBe(true);
    expect(matchesNodeSelectorTerm({ matchExpressions: [holds, fails] }, node)).toBe(false);
    expect(matchesNodeSelectorTerm({ matchExpressions: [fails, holds] }, node)).toBe(false);
  });

  test('matches nothing with a term that says nothing', () => {
    expect(matchesNodeSelectorTerm({}, node)).toBe(false);
    expect(matchesNodeSelectorTerm({ matchExpressions: [], matchFields: [] }, node)).toBe(false);
  });

  test('knows one field, the name of the node, and expressions have to hold besides', () => {
    const field = (operator: string, name: string): Requirement => ({
      key: 'metadata.name',
      operator,
      values: [name],
    });
    expect(matchesNodeSelectorTerm({ matchFields: [field('In', 'a')] }, node)).toBe(true);
    expect(matchesNodeSelectorTerm({ matchFields: [field('In', 'b')] }, node)).toBe(false);
    expect(matchesNodeSelectorTerm({ matchFields: [field('NotIn', 'a')] }, node)).toBe(false);
    expect(matchesNodeSelectorTerm({ matchFields: [field('NotIn', 'b')] }, node)).toBe(true);
    expect(matchesNodeSelectorTerm({ matchFields: [field('In', 'a'), field('In', 'b')] }, node)).toBe(false);
    const matchExpressions: Requirement[] = [{ key: 'rack', operator: 'Exists' }];
    expect(matchesNodeSelectorTerm({ matchFields: [field('In', 'a')], matchExpressions }, node)).toBe(false);
    expect(matchesNodeSelectorTerm({ matchFields: [field('NotIn', 'b')], matchExpressions }, node)).toBe(
      false,
    );
  });

  test('understands no other operator for a field, and no more or fewer values than one', () => {
    const field = (operator: string, values: string[], key = 'metadata.name'): NodeSelectorTerm => ({
      matchFields: [{ key, operator, values }],
    });
    expect(matchesNodeSelectorTerm(field('Exists', []), node)).toBe(false);
    expect(matchesNodeSelectorTerm(field('Gt', ['0']), node)).toBe(false);
    expect(matchesNodeSelectorTerm(field('In', ['a', 'b']), node)).toBe(false);
    expect(matchesNodeSelectorTerm(field('NotIn', ['b', 'c']), node)).toBe(false);
    expect(matchesNodeSelectorTerm(field('In', []), node)).toBe(false);
  });

  test('finds every other field empty', () => {
    const field = (operator: string, value: string): NodeSelectorTerm => ({
      matchFields: [{ key: 'spec.providerID', operator, values: [value] }],
    });
    expect(matchesNodeSelectorTerm(field('In', 'a'), node)).toBe(false);
    expect(matchesNodeSelectorTerm(field('NotIn', 'a'), node)).toBe(true);
    expect(matchesNodeSelectorTerm(field('In', ''), node)).toBe(true);
  });

  test('wants every label of the node selector, and one of the terms', () => {
    const match = (spec: Partial<PodSpec>) => requiredNodeAffinityMatches(aSchedulingPod({ spec }), node);
    const [holds, fails]: [NodeSelectorTerm, NodeSelectorTerm] = [
      { matchExpressions: [{ key: 'zone', operator: 'Exists' }] },
      { matchExpressions: [{ key: 'rack', operator: 'Exists' }] },
    ];
    expect(match({})).toBe(true);
    expect(match({ nodeSelector: {} })).toBe(true);
    expect(match({ nodeSelector: { zone: 'z1', disk: 'ssd' } })).toBe(true);
    expect(match({ nodeSelector: { zone: 'z1', disk: 'hdd' } })).toBe(false);
    expect(match(required(fails, holds))).toBe(true);
    expect(match(required(fails, fails))).toBe(false);
    expect(match({ nodeSelector: { disk: 'hdd' }, ...required(holds) })).toBe(false);
    expect(match({ nodeSelector: { disk: 'ssd' }, ...required(fails) })).toBe(false);
  });

  test('matches no node when affinity is required and there is not one term', () =>
    expect(requiredNodeAffinityMatches(aSchedulingPod({ spec: required() }), node)).toBe(false));

  test('goes on to the next term when one can match nothing', () => {
    const broken: NodeSelectorTerm = {
      matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['#1'] }],
    };
    const holds: NodeSelectorTerm = { matchExpressions: [{ key: 'zone', operator: 'Exists' }] };
    expect(requiredNodeAffinityMatches(aSchedulingPod({ spec: required(broken, {}, holds) }), node)).toBe(
      true,
    );
    expect(requiredNodeAffinityMatches(aSchedulingPod({ spec: required(broken, {}) }), node)).toBe(false);
  });

  test('takes what is preferred for a wish', () => {
    const preference: NodeSelectorTerm = { matchExpressions: [{ key: 'rack', operator: 'Exists' }] };
    const spec: Partial<PodSpec> = {
      affinity: {
        nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] },
      },
    };
    expect(askOne(nodeAffinity, aSchedulingPod({ spec }), node)).toBe('Success');
  });

  test('turns a pod away from everywhere when the names that it asks for exclude each other', () => {
    const names = (...values: string[]): NodeSelectorTerm => ({
      matchFields: values.map((value) => ({ key: 'metadata.name', operator: 'In', values: [value] })),
    });
    const nodes = ['a', 'b'].map((name) => aSchedulingNode(name, { labels: { zone: 'z1' } }));
    const said = (...terms: NodeSelectorTerm[]): Said =>
      ask(nodeAffinity, aSchedulingPod({ spec: required(...terms) }), aSnapshot(nodes));
    expect(said(names('a', 'b'))).toEqual({ a: CONFLICT, b: CONFLICT });
    expect(said(names('a', 'b'), names('b', 'c'))).toEqual({ a: CONFLICT, b: CONFLICT });
    expect(said(names('a', 'b'), names('b'))).toEqual({ a: NO_MATCH, b: 'Success' });
    expect(said(names('a', 'a'))).toEqual({ a: 'Success', b: NO_MATCH });
    const butNot = { key: 'metadata.name', operator: 'NotIn', values: ['a'] };
    expect(said({ matchFields: [butNot, ...(names('b').matchFields ?? [])] })).toEqual({
      a: NO_MATCH,
      b: 'Success',
    });
    expect(said()).toEqual({ a: NO_MATCH, b: NO_MATCH });
    // Only names exclude each other: what another field says, no node fulfils.
    const otherField = { key: 'metadata.other', operator: 'In', values: ['b'] };
    expect(said({ matchFields: [...(names('a').matchFields ?? []), otherField] })).toEqual({
      a: NO_MATCH,
      b: NO_MATCH,
    });
    // A node that is not there is no contradiction, and a term without a name speaks of any node.
    expect(said(names('c'))).toEqual({ a: NO_MATCH, b: NO_MATCH });
    const inZone = { matchExpressions: [{ key: 'zone', operator: 'Exists' }] };
    expect(said(names('a', 'b'), inZone)).toEqual({ a: 'Success', b: 'Success' });
  });

  test('says of each of several nodes whether the pod asks for it', () => {
    const nodes = ['z1', 'z2', 'z3'].map((zone) => aSchedulingNode(zone, { labels: { zone } }));
    const inZone = { matchExpressions: [{ key: 'zone', operator: 'In', values: ['z1', 'z3'] }] };
    const pod = aSchedulingPod({ spec: required(inZone) });
    expect(ask(nodeAffinity, pod, aSnapshot(nodes))).toEqual({ z1: 'Success', z2: NO_MATCH, z3: 'Success' });
  });

  interface AffinityRow {
    readonly pod: PodRow;
    readonly node: NodeRow;
  }
  test.each(table<AffinityRow, { fits: boolean; preFilter?: framework.Code }>('nodeAffinity', 18))(
    'goes by selectors and affinity as Kubernetes does: %s',
    (_, { input, expect: { fits, preFilter } }) => {
      const [pod, on] = [podOf(input.pod), nodeOf(input.node)];
      const rejected = preFilter === 'UnschedulableAndUnresolvable' ? CONFLICT : NO_MATCH;
      expect(askOne(nodeAffinity, pod, on), about(pod, [on])).toBe(fits ? 'Success' : rejected);
    },
  );
});

describe('Level 4 · Ports', () => {
  const TAKEN = "Unschedulable: node(s) didn't have free ports for the requested pod ports";
  const port = (hostIP: string, hostPort: number, protocol = 'TCP'): framework.HostPort => ({
    hostIP,
    hostPort,
    protocol,
  });

  test.each<[string, framework.HostPort, framework.HostPort, boolean]>([
    ['the same', port('10.0.0.1', 80), port('10.0.0.1', 80), true],
    ['another number', port('10.0.0.1', 80), port('10.0.0.1', 81), false],
    ['another protocol', port('10.0.0.1', 80), port('10.0.0.1', 80, 'UDP'), false],
    ['another address', port('10.0.0.1', 80), port('10.0.0.2', 80), false],
    ['every address and one', port('0.0.0.0', 80), port('10.0.0.1', 80), true],
    ['every address twice', port('0.0.0.0', 80), port('0.0.0.0', 80), true],
    ['every address, but another protocol', port('0.0.0.0', 80), port('10.0.0.1', 80, 'SCTP'), false],
    ['every address, but another number', port('0.0.0.0', 80), port('10.0.0.1', 8_080), false],
  ])('says whether two ports are in each other’s way, either way round: %s', (_, a, b, conflict) => {
    expect(portsConflict(a, b), `${inLine(a)} and ${inLine(b)}`).toBe(conflict);
    expect(portsConflict(b, a), `${inLine(b)} and ${inLine(a)}`).toBe(conflict);
  });

  const node = aSchedulingNode('a');
  type Ports = NonNullable<SchedulingPodParts['ports']>;
  /** A pod with `ports` on a node where a pod has `taken`. */
  const beside = (ports: Ports | undefined, taken: Ports): string =>
    askOne(nodePorts, aSchedulingPod(ports ? { ports } : {}), node, [
      aSchedulingPod({ name: 'there', ports: taken }),
    ]);

  interface PortsRow {
    readonly podPorts: Ports;
    readonly usedPorts: Ports;
  }
  test.each(table<PortsRow, { fits: boolean; code?: framework.Code }>('nodePorts', 9))(
    'finds ports free or taken as Kubernetes does: %s',
    (_, { input: { podPorts, usedPorts }, expect: { fits } }) => {
      const message = `wants ${inLine(podPorts)}, taken are ${inLine(usedPorts)}`;
      expect(beside(podPorts, usedPorts), message).toBe(fits ? 'Success' : TAKEN);
    },
  );

  test('takes a port without address for every address, and one without protocol for TCP', () => {
    expect(beside([{ hostPort: 80 }], [{ hostPort: 80, hostIP: '10.0.0.1', protocol: 'TCP' }])).toBe(TAKEN);
    expect(beside([{ hostPort: 80, hostIP: '10.0.0.1', protocol: 'TCP' }], [{ hostPort: 80 }])).toBe(TAKEN);
    expect(beside([{ hostPort: 80 }], [{ hostPort: 80, protocol: 'UDP' }])).toBe('Success');
  });

  test('asks for nothing when the pod has no host ports, whatever it listens on inside', () => {
    expect(beside(undefined, [{ hostPort: 80 }])).toBe('Success');
    expect(beside([{ containerPort: 80 }], [{ hostPort: 80 }])).toBe('Success');
    expect(beside([{ containerPort: 80, hostPort: 0 }], [{ containerPort: 80, hostPort: 0 }])).toBe(
      'Success',
    );
  });

  test('looks at every pod that is there', () => {
    const there = [80, 81, 82].map((hostPort) =>
      aSchedulingPod({ name: `p${hostPort}`, ports: [{ hostPort }] }),
    );
    for (const hostPort of [80, 81, 82, 83])
      expect(
        askOne(nodePorts, aSchedulingPod({ ports: [{ hostPort }] }), node, there),
        String(hostPort),
      ).toBe(hostPort === 83 ? 'Success' : TAKEN);
  });

  const initContainer = (restartPolicy?: string): Partial<PodSpec> => ({
    initContainers: [
      {
        name: 'first',
        ports: [{ containerPort: 80, hostPort: 80 }],
        ...(restartPolicy ? { restartPolicy } : {}),
      },
    ],
  });

  test('passes over what only prepares the start, and counts a sidecar', () => {
    const there = (spec: Partial<PodSpec>) => [aSchedulingPod({ name: 'there', spec })];
    const wants = aSchedulingPod({ ports: [{ hostPort: 80 }] });
    expect(askOne(nodePorts, wants, node, there(initContainer()))).toBe('Success');
    expect(askOne(nodePorts, wants, node, there(initContainer('Always')))).toBe(TAKEN);
    const has = [aSchedulingPod({ name: 'there', ports: [{ hostPort: 80 }] })];
    expect(askOne(nodePorts, aSchedulingPod({ spec: initContainer() }), node, has)).toBe('Success');
    expect(askOne(nodePorts, aSchedulingPod({ spec: initContainer('Always') }), node, has)).toBe(TAKEN);
  });
});

describe('Level 5 · Resources', () => {
  const GI = 1024 ** 3;
  type ResourceList = framework.ResourceList;
  type Container = PodSpec['containers'][number];
  const asks = (requests: ResourceList, more: Partial<Container> = {}): Container => ({
    name: 'c',
    resources: { requests: requests as Record<string, string> },
    ...more,
  });
  const podWith = (spec: Partial<PodSpec>): Pod => aSchedulingPod({ spec });
  const sidecar: Partial<Container> = { restartPolicy: 'Always' };

  test('adds up what containers ask for that run together', () => {
    const containers = [asks({ cpu: '250m', memory: '1Gi' }), asks({ cpu: '1', 'example.com/gpu': '2' })];
    expect(podRequests(podWith({ containers }))).toMatchObject({ milliCPU: 1_250, memory: GI });
    expect(podRequests(podWith({ containers })).scalar.get('example.com/gpu')).toBe(2);
  });

  test('asks for nothing when nothing is asked for, and limits are no requests', () => {
    const containers = [asks({}), { name: 'd', resources: { limits: { cpu: '1', memory: '1Gi' } } }];
    expect(podRequests(podWith({ containers }))).toMatchObject({ milliCPU: 0, memory: 0 });
  });

  test('rounds up to a thousandth of a core, and to whole bytes', () => {
    const containers = [asks({ cpu: '0.0001', memory: '1500m' })];
    expect(podRequests(podWith({ containers }))).toMatchObject({ milliCPU: 1, memory: 2 });
  });

  test('needs what its hungriest init container needs, if that is more, of each resource by itself', () => {
    const pod = podWith({
      initContainers: [asks({ cpu: '3', memory: '1Gi' }), asks({ cpu: '1', memory: '2Gi' })],
      containers: [asks({ cpu: '1', memory: '1Gi' }), asks({ cpu: '1', memory: '4Gi' })],
    });
    expect(podRequests(pod)).toMatchObject({ milliCPU: 3_000, memory: 5 * GI });
  });

  test('counts a sidecar with the containers that it runs beside', () => {
    const pod = podWith({ initContainers: [asks({ cpu: '1' }, sidecar)], containers: [asks({ cpu: '2' })] });
    expect(podRequests(pod).milliCPU).toBe(3_000);
  });

  test('counts a sidecar with the init containers that come after it, and not with those before', () => {
    const containers = [asks({ cpu: '1' })];
    const after = podWith({ initContainers: [asks({ cpu: '1' }, sidecar), asks({ cpu: '5' })], containers });
    const before = podWith({ initContainers: [asks({ cpu: '5' }), asks({ cpu: '1' }, sidecar)], containers });
    expect(podRequests(after).milliCPU).toBe(6_000);
    expect(podRequests(before).milliCPU).toBe(5_000);
  });

  test('adds the overhead of the pod to whichever is more', () => {
    const overhead = { cpu: '250m', memory: '100' } as Record<string, string>;
    const containers = [asks({ cpu: '1' })];
    expect(podRequests(podWith({ containers, overhead }))).toMatchObject({ milliCPU: 1_250, memory: 100 });
    const initContainers = [asks({ cpu: '2' })];
    expect(podRequests(podWith({ containers, initContainers, overhead })).milliCPU).toBe(2_250);
  });

  const short = (
    resourceName: string,
    requested: number,
    used: number,
    capacity: number,
    unresolvable = false,
  ): InsufficientResource => ({
    resourceName,
    reason: resourceName === 'pods' ? 'Too many pods' : `Insufficient ${resourceName}`,
    requested,
    used,
    capacity,
    unresolvable,
  });
  const small = aSchedulingNode('small', {
    allocatable: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '1Gi', pods: '3', 'example.com/gpu': '1' },
  });
  const there = (requests: ResourceList, name = 'there'): Pod =>
    aSchedulingPod({ name, requests, nodeName: 'small' });
  const missing = (requests: ResourceList, ...pods: readonly Pod[]): readonly InsufficientResource[] =>
    insufficientResources(podRequests(aSchedulingPod({ requests })), framework.NodeInfo.of(small, pods));

  test('finds nothing short when everything fits, to the last', () => {
    expect(missing({})).toMatchObject([]);
    expect(
      missing({ cpu: '2', memory: '1Gi', 'ephemeral-storage': '1Gi', 'example.com/gpu': '1' }),
    ).toMatchObject([]);
    expect(missing({ cpu: '1500m' }, there({ cpu: '500m' }))).toMatchObject([]);
  });

  test('is short of what is left, and not of what there is', () => {
    expect(missing({ cpu: '1500m' }, there({ cpu: '501m' }))).toMatchObject([
      short('cpu', 1_500, 501, 2_000),
    ]);
    expect(missing({ memory: '1' }, there({ memory: '1Gi' }))).toMatchObject([short('memory', 1, GI, GI)]);
    expect(missing({ 'example.com/gpu': '1' }, there({ 'example.com/gpu': '1' }))).toMatchObject([
      short('example.com/gpu', 1, 1, 1),
    ]);
  });

  test('cannot be helped where the pod asks for more than there is at all', () => {
    expect(missing({ cpu: '2001m' })).toMatchObject([short('cpu', 2_001, 0, 2_000, true)]);
    expect(missing({ 'ephemeral-storage': '2Gi' })).toMatchObject([
      short('ephemeral-storage', 2 * GI, 0, GI, true),
    ]);
    expect(missing({ 'example.com/gpu': '2' })).toMatchObject([short('example.com/gpu', 2, 0, 1, true)]);
    expect(missing({ 'example.com/fpga': '1' })).toMatchObject([short('example.com/fpga', 1, 0, 0, true)]);
  });

  test('is never short of what the pod asks nothing of, even where there is less than none left', () => {
    const greedy = there({ cpu: '3', memory: '2Gi', 'example.com/gpu': '2', 'example.com/fpga': '1' });
    expect(missing({}, greedy)).toMatchObject([]);
    expect(missing({ cpu: '0', 'example.com/gpu': '0', 'example.com/fpga': '0' }, greedy)).toMatchObject([]);
    expect(missing({ 'ephemeral-storage': '1Gi' }, greedy)).toMatchObject([]);
  });

  test('counts pods as well, also one that asks for nothing', () => {
    const three = ['p', 'q', 'r'].map((name) => there({}, name));
    expect(missing({}, ...three.slice(1))).toMatchObject([]);
    expect(missing({}, ...three)).toMatchObject([short('pods', 1, 3, 3)]);
  });

  test('takes no pod where the node does not say how many it takes', () => {
    const info = framework.NodeInfo.of(aSchedulingNode('a', { allocatable: { cpu: '4' } }));
    expect(insufficientResources(podRequests(aSchedulingPod()), info)).toMatchObject([
      short('pods', 1, 0, 0),
    ]);
  });

  test('tells all that is short: pods, cpu, memory, storage, and then the others', () => {
    const three = ['p', 'q', 'r'].map((name) => there({}, name));
    const found = missing(
      { 'example.com/b': '1', 'example.com/a': '1', 'ephemeral-storage': '2Gi', memory: '2Gi', cpu: '3' },
      ...three,
    );
    const names = found.map(({ resourceName }) => resourceName);
    expect(names.slice(0, 4)).toEqual(['pods', 'cpu', 'memory', 'ephemeral-storage']);
    expect(names.slice(4).toSorted()).toEqual(['example.com/a', 'example.com/b']);
  });

  test('turns a pod away with all reasons, for good if one of them is', () => {
    const pod = (requests: ResourceList) => aSchedulingPod({ requests });
    const taken = [there({ cpu: '2', memory: '1Gi' }, 'p')];
    const full = [...taken, there({}, 'q'), there({}, 'r')];
    expect(askOne(nodeResourcesFit, pod({ cpu: '1', memory: '1' }), small)).toBe('Success');
    expect(askOne(nodeResourcesFit, pod({ cpu: '1', memory: '1' }), small, taken)).toBe(
      'Unschedulable: Insufficient cpu, Insufficient memory',
    );
    expect(askOne(nodeResourcesFit, pod({ cpu: '1', memory: '2Gi' }), small, taken)).toBe(
      'UnschedulableAndUnresolvable: Insufficient cpu, Insufficient memory',
    );
    expect(askOne(nodeResourcesFit, pod({}), small, full)).toBe('Unschedulable: Too many pods');
    expect(askOne(nodeResourcesFit, pod({ cpu: '3' }), small, full)).toBe(
      'UnschedulableAndUnresolvable: Too many pods, Insufficient cpu',
    );
  });

  interface FitRow {
    readonly pod: PodRow;
    readonly node: NodeRow;
    readonly nodePods: readonly PodRow[];
    readonly ignoredResources?: readonly string[];
  }
  interface FitExpect {
    readonly insufficient: readonly {
      readonly resource: string;
      readonly requested: number;
      readonly used: number;
      readonly capacity: number;
    }[];
    readonly reasons: readonly string[];
    readonly code: framework.Code;
  }
  const fits = (ignoring: boolean, count: number) =>
    named(
      vectors<FitRow, FitExpect>(
        'scheduler-filter',
        'resourceFit',
        count,
        ({ input }) => (input.ignoredResources !== undefined) === ignoring,
      ),
    );
  test.each(fits(false, 18))('finds out what is short as Kubernetes does: %s', (_, row) => {
    const { insufficient, reasons, code } = row.expect;
    const [node, pods] = [nodeOf(row.input.node), row.input.nodePods.map(podOf)];
    const pod = podOf(row.input.pod, pods.length);
    const found = insufficientResources(podRequests(pod), framework.NodeInfo.of(node, pods));
    expect(found, inLine(row.input)).toMatchObject(
      insufficient.map(({ resource, requested, used, capacity }) =>
        short(resource, requested, used, capacity, resource !== 'pods' && requested > capacity),
      ),
    );
    expect(askOne(nodeResourcesFit, pod, node, pods), inLine(row.input)).toBe(say({ code, reasons }));
  });

  // Upstream's plugin can be told to ignore a resource that somebody else looks after. Here it is told nothing.
  test.each(fits(true, 1))('looks after every resource, where Kubernetes can ignore one: %s', (_, row) => {
    const [ignored = ''] = row.input.ignoredResources ?? [];
    const node = nodeOf(row.input.node);
    expect(row.expect.code).toBe('Success');
    expect(askOne(nodeResourcesFit, podOf(row.input.pod), node)).toBe(
      `UnschedulableAndUnresolvable: Insufficient ${ignored}`,
    );
  });
});

describe('Level 6 · Spread', () => {
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
  /** What the plugin says of each node. */
  const asked = (pod: Pod, nodes: readonly Node[], pods: readonly Pod[]) =>
    expect(ask(podTopologySpread, pod, aSnapshot(nodes, pods)), about(pod, nodes, pods));

  const zones = [nodeIn('z1', 'a'), nodeIn('z2', 'b')];

  test('reads the constraints that must be met, and fills in what they do not say', () => {
    const web = constraint({ maxSkew: 2 });
    const wish = constraint({ whenUnsatisfiable: 'ScheduleAnyway' });
    const full = constraint({
      topologyKey: 'host',
      minDomains: 3,
      nodeAffinityPolicy: 'Ignore',
      nodeTaintsPolicy: 'Honor',
    });
    expect(hardConstraints(aSchedulingPod())).toEqual([]);
    expect(hardConstraints(spread([web, wish, full]))).toMatchObject([
      {
        maxSkew: 2,
        topologyKey: 'zone',
        minDomains: 1,
        nodeAffinityPolicy: 'Honor',
        nodeTaintsPolicy: 'Ignore',
      },
      {
        maxSkew: 1,
        topologyKey: 'host',
        minDomains: 3,
        nodeAffinityPolicy: 'Ignore',
        nodeTaintsPolicy: 'Honor',
      },
    ]);
  });

  const { labelSelector: _, ...withoutSelector } = constraint();
  test.each<[string, TopologySpreadConstraint, Labels, boolean]>([
    ['its labels', constraint(), { app: 'web' }, true],
    ['others', constraint(), { app: 'db' }, false],
    ['no selector, which is nothing', withoutSelector, { app: 'web' }, false],
    ['an empty selector, which is everything', constraint({ labelSelector: {} }), { app: 'db' }, true],
    ['a key that narrows it', constraint({ matchLabelKeys: ['hash'] }), { app: 'web', hash: '1' }, true],
    ['a key, and another value', constraint({ matchLabelKeys: ['hash'] }), { app: 'web', hash: '2' }, false],
    ['a key, and only that', constraint({ matchLabelKeys: ['hash'] }), { app: 'db', hash: '1' }, false],
    ['a key that the pod has not', constraint({ matchLabelKeys: ['x'] }), { app: 'web', hash: '2' }, true],
    ['a key that only the other has', constraint({ matchLabelKeys: ['x'] }), { app: 'web', x: '1' }, true],
    ['a key with an empty value', constraint({ matchLabelKeys: ['none'] }), { app: 'web', none: '1' }, false],
    ['a key without a selector', { ...withoutSelector, matchLabelKeys: ['hash'] }, { hash: '1' }, false],
  ])('reads which pods a constraint counts: %s', (_, of, other, counts) => {
    const own = { app: 'web', hash: '1', none: '' };
    const [read] = hardConstraints(spread([of], { labels: own }));
    const message = `${inLine(of)} of a pod ${inLine(own)} counts ${inLine(other)}`;
    expect(read?.selector.matches(other), message).toBe(counts);
  });

  /** The only constraint of a pod. */
  const read = (pod: Pod): SpreadConstraint => {
    const [only] = hardConstraints(pod);
    if (only === undefined) throw new Error('hardConstraints(pod) is empty, and the pod has one.');
    return only;
  };

  test('leaves out of the count the nodes that a constraint’s policies leave out', () => {
    const spec: Partial<PodSpec> = { nodeSelector: { disk: 'ssd' } };
    const counts = (parts: Partial<TopologySpreadConstraint>, node: Node): boolean => {
      const pod = spread([constraint(parts)], { spec });
      return matchesNodeInclusionPolicies(read(pod), pod, node);
    };
    const taints: Taint[] = [{ key: 'spot', effect: 'NoSchedule' }];
    const asked = nodeIn('z1', 'a', { labels: { disk: 'ssd' } });
    const tainted = nodeIn('z1', 'a', { labels: { disk: 'ssd' }, taints });
    const other = nodeIn('z1', 'a');
    expect([asked, tainted, other].map((node) => counts({}, node))).toEqual([true, true, false]);
    expect([asked, tainted, other].map((node) => counts({ nodeAffinityPolicy: 'Ignore' }, node))).toEqual([
      true,
      true,
      true,
    ]);
    expect([asked, tainted, other].map((node) => counts({ nodeTaintsPolicy: 'Honor' }, node))).toEqual([
      true,
      false,
      false,
    ]);
    // That a node is cordoned is no taint that it has.
    const cordoned = { ...asked, spec: { ...asked.spec, unschedulable: true } };
    expect(counts({ nodeTaintsPolicy: 'Honor' }, cordoned)).toBe(true);
  });

  test('counts pods of the namespace that match and stay', () => {
    const pods = [
      ...podsOn('a', 2),
      ...podsOn('a', 4, { namespace: 'other' }),
      ...podsOn('a', 8, { labels: { app: 'db' } }),
      ...podsOn('a', 16, { deleted: true }),
    ].map(framework.podInfoOf);
    const { selector } = read(spread([constraint()]));
    expect(countPodsMatchSelector(pods, selector, 'default')).toBe(2);
    expect(countPodsMatchSelector(pods, selector, 'other')).toBe(4);
    expect(countPodsMatchSelector([], selector, 'default')).toBe(0);
  });

  test('counts none with a selector that matches every pod, which is odd, and true', () => {
    const pods = podsOn('a', 2).map(framework.podInfoOf);
    const { selector } = read(spread([constraint({ labelSelector: {} })]));
    expect(countPodsMatchSelector(pods, selector, 'default')).toBe(0);
  });

  /** What is compared is what is in it. */
  const plain = (counts: ReadonlyMap<string, number>) => Object.fromEntries(counts);

  test('counts by domain, also those that have no pods, for each constraint by itself', () => {
    const nodes = [nodeIn('z1', 'a'), nodeIn('z1', 'b'), nodeIn('z2', 'c'), nodeIn(null, 'd')];
    const pods = [...podsOn('a', 1), ...podsOn('b', 2), ...podsOn('d', 4)];
    const counted = (...constraints: TopologySpreadConstraint[]) => {
      const pod = spread(constraints);
      const counts = countPodsInDomains(hardConstraints(pod), pod, aSnapshot(nodes, pods).nodeInfos);
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

  test('leaves a node out of one constraint, and not of the other', () => {
    const nodes = [nodeIn('z1', 'a', { labels: { disk: 'ssd' } }), nodeIn('z2', 'b')];
    const spec: Partial<PodSpec> = { nodeSelector: { disk: 'ssd' } };
    const pod = spread([constraint(), constraint({ nodeAffinityPolicy: 'Ignore' })], { spec });
    const pods = [...podsOn('a', 1), ...podsOn('b', 2)];
    const counts = countPodsInDomains(hardConstraints(pod), pod, aSnapshot(nodes, pods).nodeInfos);
    expect(counts.map(plain), about(pod, nodes, pods, 'counts')).toEqual([{ z1: 1 }, { z1: 1, z2: 2 }]);
  });

  test('finds the emptiest domain, and 0 where there are too few', () => {
    const counts = new Map(Object.entries({ z1: 3, z2: 1, z3: 2 }));
    expect(minMatchNum(counts, 1)).toBe(1);
    expect(minMatchNum(counts, 3)).toBe(1);
    expect(minMatchNum(counts, 4)).toBe(0);
    expect(minMatchNum(new Map(), 1)).toBe(0);
  });

  test('lets a pod without constraints go anywhere', () =>
    asked(aSchedulingPod({ labels }), [...zones, nodeIn(null, 'c')], podsOn('a', 3)).toEqual({
      a: 'Success',
      b: 'Success',
      c: 'Success',
    }));

  test('keeps no zone more than maxSkew ahead of the emptiest, the pod itself included', () => {
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

  test('takes a constraint that may be broken for a wish', () =>
    asked(
      spread([constraint({ whenUnsatisfiable: 'ScheduleAnyway' })]),
      [...zones, nodeIn(null, 'c')],
      podsOn('a', 3),
    ).toEqual({ a: 'Success', b: 'Success', c: 'Success' }));

  test('turns a pod away for good where the node is in no zone, and counts no pods there', () => {
    const nodes = [...zones, nodeIn(null, 'c')];
    asked(spread([constraint()]), nodes, [...podsOn('a', 1), ...podsOn('c', 5)]).toEqual({
      a: SKEWED,
      b: 'Success',
      c: NO_LABEL,
    });
  });

  test('takes an empty label for a zone like any other', () => {
    const nodes = [nodeIn('z1', 'a'), nodeIn(null, 'b', { labels: { zone: '' } })];
    asked(spread([constraint()]), nodes, podsOn('a', 1)).toEqual({ a: SKEWED, b: 'Success' });
    asked(spread([constraint()]), nodes, podsOn('b', 1)).toEqual({ a: 'Success', b: SKEWED });
  });

  test('counts for each constraint by itself, also where two are about the same places', () => {
    const db = constraint({ labelSelector: { matchLabels: { app: 'db' } } });
    const pods = podsOn('b', 1, { labels: { app: 'db' } });
    asked(spread([constraint(), db]), zones, pods).toEqual({ a: 'Success', b: 'Success' });
    asked(spread([constraint(), db]), zones, podsOn('a', 1)).toEqual({ a: SKEWED, b: 'Success' });
  });

  test('counts only on nodes that are in a place for every constraint', () => {
    // The pods on c count for neither: c has no zone, so what its host has does not matter.
    const both = [constraint(), constraint({ topologyKey: 'host' })];
    const nodes = [nodeIn('z1', 'a'), nodeIn('z2', 'b'), nodeIn(null, 'c')];
    asked(spread(both), nodes, [...podsOn('a', 1), ...podsOn('b', 1)]).toEqual({
      a: 'Success',
      b: 'Success',
      c: NO_LABEL,
    });
  });

  test('does not count itself where its own labels do not match', () => {
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

  test('wants every constraint to hold', () => {
    const both = [constraint(), constraint({ topologyKey: 'host' })];
    const nodes = [nodeIn('z1', 'a'), nodeIn('z1', 'b'), nodeIn('z2', 'c')];
    // By zone only b's and a's is the emptier; of these two a has one already.
    const pods = [...podsOn('a', 1), ...podsOn('c', 2)];
    asked(spread(both), nodes, pods).toEqual({ a: SKEWED, b: 'Success', c: SKEWED });
  });

  test('finds a zone empty as long as there are fewer zones than minDomains', () => {
    const each = [...podsOn('a', 1), ...podsOn('b', 1)];
    asked(spread([constraint({ minDomains: 2 })]), zones, each).toEqual({ a: 'Success', b: 'Success' });
    asked(spread([constraint({ minDomains: 3 })]), zones, each).toEqual({ a: SKEWED, b: SKEWED });
    asked(spread([constraint({ minDomains: 3, maxSkew: 2 })]), zones, each).toEqual({
      a: 'Success',
      b: 'Success',
    });
  });

  test('counts no zone that the pod’s selector or affinity keeps it from, unless it says Ignore', () => {
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

  test('counts a zone whose taints keep the pod away, unless it says Honor', () => {
    const taints: Taint[] = [{ key: 'spot', effect: 'NoSchedule' }];
    const tolerations: Toleration[] = [{ key: 'spot', operator: 'Exists' }];
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
  test.each(table<ClusterRow, { codes: Record<string, framework.Code> }>('topologySpread', 17))(
    'spreads pods as Kubernetes does: %s',
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
});

describe('Level 7 · Pod affinity', () => {
  const AFFINITY = "UnschedulableAndUnresolvable: node(s) didn't match pod affinity rules";
  const ANTI_AFFINITY = "Unschedulable: node(s) didn't match pod anti-affinity rules";
  const EXISTING = "Unschedulable: node(s) didn't satisfy existing pods anti-affinity rules";
  const term = (app: string, parts: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
    topologyKey: 'zone',
    labelSelector: { matchLabels: { app } },
    ...parts,
  });
  const near = (...terms: PodAffinityTerm[]): Partial<PodSpec> => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const apart = (...terms: PodAffinityTerm[]): Partial<PodSpec> => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const both = (a: Partial<PodSpec>, b: Partial<PodSpec>): Partial<PodSpec> => ({
    affinity: { ...a.affinity, ...b.affinity },
  });
  const a = aSchedulingNode('a', { labels: { zone: 'z1', host: 'a' } });
  const b = aSchedulingNode('b', { labels: { zone: 'z1', host: 'b' } });
  const c = aSchedulingNode('c', { labels: { zone: 'z2', host: 'c' } });
  const bare = aSchedulingNode('bare');
  const nodes = [a, b, c, bare];
  const incoming = (spec: Partial<PodSpec>, parts: SchedulingPodParts = {}): Pod =>
    aSchedulingPod({ name: 'new', labels: { app: 'new' }, ...parts, spec });
  const there = (on: string, app: string, parts: SchedulingPodParts = {}): Pod =>
    aSchedulingPod({ name: `${app}-on-${on}`, labels: { app }, nodeName: on, ...parts });
  /** What the plugin says of each node. */
  const asked = (pod: Pod, pods: readonly Pod[], namespaces: Readonly<Record<string, Labels>> = {}) =>
    expect(ask(interPodAffinity, pod, aSnapshot(nodes, pods, namespaces)), about(pod, nodes, pods));
  const anywhere: Said = { a: 'Success', b: 'Success', c: 'Success', bare: 'Success' };

  /** The only term of a pod of the namespace `mine`, as the framework reads it. */
  const read = (of: PodAffinityTerm): framework.AffinityTerm => {
    const [only] = framework.podInfoOf(incoming(near(of), { namespace: 'mine' })).requiredAffinityTerms;
    if (only === undefined) throw new Error('The framework reads a term of affinity.');
    return only;
  };
  const namespaces = new Map<string, Labels>([
    ['mine', { team: 'red' }],
    ['yours', { team: 'blue' }],
  ]);
  const named = (namespace: string, app = 'db'): Pod => aSchedulingPod({ namespace, labels: { app } });

  test('matches pods of its own namespace by their labels, when a term says no namespace', () => {
    expect(termMatches(read(term('db')), named('mine'), namespaces)).toBe(true);
    expect(termMatches(read(term('db')), named('mine', 'web'), namespaces)).toBe(false);
    expect(termMatches(read(term('db')), named('yours'), namespaces)).toBe(false);
  });

  test('matches pods of the namespaces that a term names, and only of these', () => {
    const yours = read(term('db', { namespaces: ['yours'] }));
    expect(termMatches(yours, named('yours'), namespaces)).toBe(true);
    expect(termMatches(yours, named('mine'), namespaces)).toBe(false);
  });

  test('matches pods of the namespaces that a term selects as well', () => {
    const blue = { namespaceSelector: { matchLabels: { team: 'blue' } } };
    expect(termMatches(read(term('db', blue)), named('yours'), namespaces)).toBe(true);
    expect(termMatches(read(term('db', blue)), named('mine'), namespaces)).toBe(false);
    expect(termMatches(read(term('db', { ...blue, namespaces: ['mine'] })), named('mine'), namespaces)).toBe(
      true,
    );
    const all = read(term('db', { namespaceSelector: {} }));
    expect(termMatches(all, named('yours'), namespaces)).toBe(true);
    const labelless = 'a namespace that is not among `namespaces` has no labels, ';
    const unknown = named('nobody-knows');
    expect(termMatches(all, unknown, namespaces), `${labelless}and {} selects it`).toBe(true);
    expect(
      termMatches(read(term('db', blue)), unknown, namespaces),
      `${labelless}and { matchLabels: { team: 'blue' } } does not select it`,
    ).toBe(false);
  });

  test('matches no pod without a selector, and every pod with an empty one', () => {
    const { labelSelector, ...without } = term('db');
    expect(termMatches(read(without), named('mine'), namespaces)).toBe(false);
    expect(termMatches(read({ ...without, labelSelector: {} }), named('mine'), namespaces)).toBe(true);
  });

  test('wants every term to match, and one at least', () => {
    const [db, old] = [read(term('db')), read({ ...term('db'), labelSelector: { matchLabels: { v: '1' } } })];
    const one = aSchedulingPod({ namespace: 'mine', labels: { app: 'db' } });
    const two = aSchedulingPod({ namespace: 'mine', labels: { app: 'db', v: '1' } });
    expect(podMatchesAllAffinityTerms([db], one, namespaces)).toBe(true);
    expect(podMatchesAllAffinityTerms([db, old], one, namespaces)).toBe(false);
    expect(podMatchesAllAffinityTerms([db, old], two, namespaces)).toBe(true);
    expect(podMatchesAllAffinityTerms([], two, namespaces)).toBe(false);
  });

  /** What is compared is what is in it. */
  const plain = (counts: TopologyCounts) =>
    Object.fromEntries([...counts].map(([key, values]) => [key, Object.fromEntries(values)]));
  const [db, web, host] = [term('db'), term('web'), { topologyKey: 'host' }];

  test('counts where the pods are that it wants to be with: those that match all terms', () => {
    const old: PodAffinityTerm = { ...host, labelSelector: { matchLabels: { v: '1' } } };
    const pods = [
      there('a', 'db', { labels: { app: 'db', v: '1' } }),
      there('b', 'db', { labels: { app: 'db', v: '1' } }),
      there('c', 'db'),
      there('bare', 'db', { labels: { app: 'db', v: '1' } }),
    ];
    const counted = (...terms: PodAffinityTerm[]) => {
      const pod = incoming(near(...terms));
      return expect(plain(affinityCounts(pod, aSnapshot(nodes, pods))), about(pod, nodes, pods, 'counts'));
    };
    counted(db).toEqual({ zone: { z1: 2, z2: 1 } });
    counted(db, old).toEqual({
      zone: { z1: 2 },
      host: { a: 1, b: 1 },
    });
    counted(web).toEqual({});
    counted().toEqual({});
  });

  test('counts where the pods are that it wants to be away from: those that match a term, for that term', () => {
    const pods = [there('a', 'db'), there('b', 'web'), there('c', 'db'), there('bare', 'db')];
    const counted = (...terms: PodAffinityTerm[]) => {
      const pod = incoming(apart(...terms));
      return expect(
        plain(antiAffinityCounts(pod, aSnapshot(nodes, pods))),
        about(pod, nodes, pods, 'counts'),
      );
    };
    const near = { ...web, ...host };
    counted(db).toEqual({ zone: { z1: 1, z2: 1 } });
    counted(db, near).toEqual({
      zone: { z1: 1, z2: 1 },
      host: { b: 1 },
    });
    counted(db, web).toEqual({
      zone: { z1: 2, z2: 1 },
    });
    counted().toEqual({});
  });

  test('counts where the pods are that want to be away from it, by the terms of each', () => {
    const shy = (on: string, ...terms: PodAffinityTerm[]) => there(on, 'shy', { spec: apart(...terms) });
    const pods = [shy('a', term('new'), term('new', host)), shy('b', term('new')), shy('c', db)];
    const counted = (more: readonly Pod[], pod = incoming({})) => {
      const all = [...pods, ...more];
      const counts = existingAntiAffinityCounts(pod, aSnapshot(nodes, all));
      return expect(plain(counts), about(pod, nodes, all, 'counts'));
    };
    const usual = { zone: { z1: 2 }, host: { a: 1 } };
    counted([]).toEqual(usual);
    counted([there('bare', 'rude', { spec: apart(term('new')) })]).toEqual(usual);
    counted([there('c', 'fond', { spec: near(term('new')) })]).toEqual(usual);
    counted([], incoming({}, { labels: { app: 'db' } })).toEqual({ zone: { z2: 1 } });
    counted([], incoming({}, { labels: { app: 'other' } })).toEqual({});
  });

  test('lets a pod go anywhere when nobody has any rule', () =>
    asked(incoming({}), [there('a', 'db'), there('c', 'web')]).toEqual(anywhere));

  test('goes where what it wants beside it is, which is anywhere in the same zone', () =>
    asked(incoming(near(term('db'))), [there('a', 'db')]).toEqual({
      a: 'Success',
      b: 'Success',
      c: AFFINITY,
      bare: AFFINITY,
    }));

  test('stays away for as long as what it wants is nowhere', () =>
    asked(incoming(near(term('db'))), [there('a', 'web')]).toEqual({
      a: AFFINITY,
      b: AFFINITY,
      c: AFFINITY,
      bare: AFFINITY,
    }));

  test('wants one pod to match all terms, and not each term its own', () => {
    const [app, tier] = [term('db'), { ...term('db'), labelSelector: { matchLabels: { tier: 'data' } } }];
    const spec = near(app, tier);
    const none: Said = { a: AFFINITY, b: AFFINITY, c: AFFINITY, bare: AFFINITY };
    const two = [there('a', 'db'), there('b', 'other', { labels: { tier: 'data' } })];
    asked(incoming(spec), two).toEqual(none);
    const one = [there('a', 'db', { labels: { app: 'db', tier: 'data' } })];
    asked(incoming(spec), one).toEqual({ a: 'Success', b: 'Success', c: AFFINITY, bare: AFFINITY });
  });

  test('wants the node to be in the right place for every term', () =>
    asked(incoming(near(term('db'), term('db', { topologyKey: 'host' }))), [there('a', 'db')]).toEqual({
      a: 'Success',
      b: AFFINITY,
      c: AFFINITY,
      bare: AFFINITY,
    }));

  test('lets the first pod of a group begin, anywhere where there is a zone', () => {
    const first = incoming(near(term('new')));
    const begins: Said = { a: 'Success', b: 'Success', c: 'Success', bare: AFFINITY };
    asked(first, [there('a', 'db')]).toEqual(begins);
    // Once there is one, the others join it.
    asked(first, [there('c', 'new')]).toEqual({ a: AFFINITY, b: AFFINITY, c: 'Success', bare: AFFINITY });
    // One of another namespace is no company, nor is one that is in no zone: this is still the first.
    asked(first, [there('c', 'new', { namespace: 'other' })]).toEqual(begins);
    asked(first, [there('bare', 'new')]).toEqual(begins);
  });

  test('begins no second group where it cannot join the first', () => {
    const hostless = aSchedulingNode('hostless', { labels: { zone: 'z1' } });
    const pod = incoming(near(term('new'), term('new', host)));
    // Who is there is in a zone, and on no host: that is company all the same.
    const pods = [there('hostless', 'new')];
    const on = [hostless, b, c];
    expect(ask(interPodAffinity, pod, aSnapshot(on, pods)), about(pod, on, pods)).toEqual({
      hostless: AFFINITY,
      b: AFFINITY,
      c: AFFINITY,
    });
  });

  test('takes an empty label for a place like any other', () => {
    const empty = aSchedulingNode('empty', { labels: { zone: '' } });
    const said = (pod: Pod, pods: readonly Pod[] = []) =>
      expect(ask(interPodAffinity, pod, aSnapshot([empty, c], pods)), about(pod, [empty, c], pods));
    said(incoming(apart(term('db'))), [there('empty', 'db')]).toEqual({ empty: ANTI_AFFINITY, c: 'Success' });
    said(incoming(near(term('db'))), [there('empty', 'db')]).toEqual({ empty: 'Success', c: AFFINITY });
    said(incoming(near(term('new')))).toEqual({ empty: 'Success', c: 'Success' });
    const shy = there('empty', 'db', { spec: apart(term('new')) });
    said(incoming({}), [shy]).toEqual({ empty: EXISTING, c: 'Success' });
  });

  test('is kept away by those who want nobody, also when it has no labels', () => {
    const alone = there('a', 'db', { spec: apart({ topologyKey: 'zone', labelSelector: {} }) });
    const said: Said = { a: EXISTING, b: EXISTING, c: 'Success', bare: 'Success' };
    asked(incoming({}, { labels: {} }), [alone]).toEqual(said);
  });

  test('lets only a pod begin that matches all its own terms', () =>
    asked(incoming(near(term('new'), term('db'))), []).toEqual({
      a: AFFINITY,
      b: AFFINITY,
      c: AFFINITY,
      bare: AFFINITY,
    }));

  test('does not begin where its own namespace is not meant', () =>
    asked(incoming(near(term('new', { namespaces: ['other'] }))), []).toEqual({
      a: AFFINITY,
      b: AFFINITY,
      c: AFFINITY,
      bare: AFFINITY,
    }));

  test('keeps away from what it does not bear, and bears it where there is no zone', () =>
    asked(incoming(apart(term('db'))), [there('a', 'db'), there('bare', 'db')]).toEqual({
      a: ANTI_AFFINITY,
      b: ANTI_AFFINITY,
      c: 'Success',
      bare: 'Success',
    }));

  test('keeps away when only one of its terms says so', () =>
    asked(incoming(apart(term('web'), term('db', { topologyKey: 'host' }))), [there('a', 'db')]).toEqual({
      a: ANTI_AFFINITY,
      b: 'Success',
      c: 'Success',
      bare: 'Success',
    }));

  test('keeps away from those who do not bear it, also when it has no rule of its own', () => {
    const shy = there('a', 'db', { spec: apart(term('new')) });
    const said: Said = { a: EXISTING, b: EXISTING, c: 'Success', bare: 'Success' };
    asked(incoming({}), [shy]).toEqual(said);
    asked(incoming({}, { labels: { app: 'other' } }), [shy]).toEqual(anywhere);
    const onBare = there('bare', 'db', { spec: apart(term('new')) });
    asked(incoming({}), [onBare]).toEqual(anywhere);
  });

  test('takes the namespaces of a rule for those of the pod that has it', () => {
    const shy = (parts: Partial<PodAffinityTerm> = {}) => [
      there('a', 'db', { namespace: 'other', spec: apart(term('new', parts)) }),
    ];
    const said: Said = { a: EXISTING, b: EXISTING, c: 'Success', bare: 'Success' };
    asked(incoming({}), shy()).toEqual(anywhere);
    asked(incoming({}), shy({ namespaces: ['default'] })).toEqual(said);
    const selects = { namespaceSelector: { matchLabels: { team: 'red' } } };
    asked(incoming({}), shy(selects), { default: { team: 'red' }, other: {} }).toEqual(said);
    asked(incoming({}), shy(selects), { default: { team: 'blue' }, other: { team: 'red' } }).toEqual(
      anywhere,
    );
  });

  test('is not kept away by the affinity of others, nor by what anybody merely prefers', () => {
    const fond = there('a', 'db', { spec: near(term('new')) });
    const weighted = [{ weight: 100, podAffinityTerm: term('db') }];
    const rather: Partial<PodSpec> = {
      affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: weighted } },
    };
    asked(incoming({}), [fond]).toEqual(anywhere);
    asked(incoming(rather), [there('a', 'db')]).toEqual(anywhere);
  });

  test('counts pods that are being deleted: they are still there', () => {
    const going = [there('a', 'db', { deleted: true })];
    asked(incoming(near(term('db'))), going).toEqual({
      a: 'Success',
      b: 'Success',
      c: AFFINITY,
      bare: AFFINITY,
    });
    asked(incoming(apart(term('db'))), going).toEqual({
      a: ANTI_AFFINITY,
      b: ANTI_AFFINITY,
      c: 'Success',
      bare: 'Success',
    });
  });

  test('says what no pod’s going would mend before what it would, and its own rules before others’', () => {
    const shy = there('c', 'web', { spec: apart(term('new')) });
    const pods = [there('a', 'db'), shy];
    asked(incoming(both(near(term('db')), apart(term('web')))), pods).toEqual({
      a: 'Success',
      b: 'Success',
      c: AFFINITY,
      bare: AFFINITY,
    });
    asked(incoming(apart(term('web'))), pods).toEqual({
      a: 'Success',
      b: 'Success',
      c: ANTI_AFFINITY,
      bare: 'Success',
    });
  });

  interface ClusterRow {
    readonly pod: PodRow;
    readonly nodes: readonly NodeRow[];
    readonly existingPods: readonly PodRow[];
  }
  interface ClusterExpect {
    readonly codes: Readonly<Record<string, framework.Code>>;
    readonly reasons: Readonly<Record<string, string>>;
  }
  const sentences: Readonly<Record<string, string>> = {
    affinity: AFFINITY,
    antiAffinity: ANTI_AFFINITY,
    existingAntiAffinity: EXISTING,
  };
  test.each(table<ClusterRow, ClusterExpect>('podAffinity', 14))(
    'keeps pods together and apart as Kubernetes does: %s',
    (_, { input, expect: { codes, reasons } }) => {
      const pod = podOf(input.pod, input.existingPods.length);
      const [on, pods] = [input.nodes.map(nodeOf), input.existingPods.map(podOf)];
      const wanted = Object.keys(codes).map((name) => [name, sentences[reasons[name] ?? ''] ?? 'Success']);
      expect(ask(interPodAffinity, pod, aSnapshot(on, pods)), about(pod, on, pods)).toEqual(
        Object.fromEntries(wanted),
      );
    },
  );
});

describe('Level 8 · The sum', () => {
  test.each([
    ['no nodes', 0, 0, 0],
    ['fewer than 100 nodes: all', 0, 1, 1],
    ['fewer than 100 nodes: all, whatever the percentage', 5, 99, 99],
    ['at least 100', 0, 100, 100],
    ['49%, but at least 100', 0, 200, 100],
    ['48%', 0, 250, 120],
    ['43%, rounded down', 0, 999, 429],
    ['42%', 0, 1_000, 420],
    ['10%', 0, 5_000, 500],
    ['2%, but at least 5%', 0, 6_000, 300],
    ['less than nothing, but at least 5%', 0, 20_000, 1_000],
    ['40%', 40, 1_000, 400],
    ['33%, rounded down', 33, 1_001, 330],
    ['50 nodes, but at least 100', 5, 1_000, 100],
    ['1%, since somebody says so', 1, 20_000, 200],
    ['all', 100, 1_000, 1_000],
  ])('finds enough nodes, and not all of many: %s', (_, percentage, all, wanted) =>
    expect(numFeasibleNodesToFind(percentage, all), `${percentage}% of ${all} nodes`).toBe(wanted),
  );

  const pod = aSchedulingPod({ name: 'web' });
  const ok = framework.success;
  const full = framework.unschedulable('full');
  const never = framework.unresolvable('never here');
  const cluster = (count: number): framework.Snapshot =>
    aSnapshot(Array.from({ length: count }, (_, i) => aSchedulingNode(`n${i}`)));

  /** A plugin that says this of these nodes, and of the others nothing. */
  const plugin = (
    name: string,
    verdicts: Readonly<Record<string, framework.Status>> = {},
    parts: Partial<framework.FilterPlugin> = {},
  ): framework.FilterPlugin => ({
    name,
    filter: (_state, _pod, info) => verdicts[info.name] ?? ok,
    eventsToRegister: () => [],
    ...parts,
  });
  /** Something that must not be asked. */
  const silent = (why: string) => (): never => {
    throw new Error(why);
  };

  /** A table of who said what of which node, for the message of a red test; without scores, which are kata 32. */
  const explained = (
    plugins: readonly framework.FilterPlugin[],
    of: Pod,
    snapshot: framework.Snapshot,
  ): string =>
    `${framework.explain(
      {
        filtering: { ...filtering, plugins },
        scoring: {
          plugins: [],
          prioritizeNodes: ({ feasible }) =>
            feasible.map(({ name }) => ({ name, scores: [], totalScore: 0 })),
          selectHost: silent('Nobody is asked for a host here.'),
        },
      },
      of,
      snapshot,
    )}\nthe sentence`;

  type Found = framework.NodesThatFit;
  const find = (
    plugins: readonly framework.FilterPlugin[],
    snapshot: framework.Snapshot,
    parts: Partial<framework.FindNodes> = {},
  ): Found => findNodesThatFit({ plugins, state: new framework.CycleState(), pod, snapshot, ...parts });
  const namesOf = ({ feasible }: Found): string[] => feasible.map(({ name }) => name);
  /** What it came to, as plain text. */
  const outcome = (found: Found) => ({
    feasible: namesOf(found),
    told: Object.fromEntries([...found.diagnosis.nodeToStatus].map(([name, status]) => [name, say(status)])),
    by: [...found.diagnosis.unschedulablePlugins].toSorted(),
    preFilterMsg: found.diagnosis.preFilterMsg,
  });

  test('finds every node where there is no plugin', () => {
    const snapshot = cluster(3);
    const found = find([], snapshot);
    expect(outcome(found)).toEqual({ feasible: ['n0', 'n1', 'n2'], told: {}, by: [], preFilterMsg: '' });
    expect(found.feasible[1], 'the NodeInfo of the snapshot').toBe(snapshot.nodeInfos[1]);
  });

  test('finds the nodes that no plugin turns down, and writes down what the others were told', () => {
    const plugins = [plugin('A', { n0: full }), plugin('B', { n2: never })];
    const snapshot = cluster(4);
    expect(outcome(find(plugins, snapshot)), explained(plugins, pod, snapshot)).toEqual({
      feasible: ['n1', 'n3'],
      told: { n0: 'Unschedulable: full', n2: 'UnschedulableAndUnresolvable: never here' },
      by: ['A', 'B'],
      preFilterMsg: '',
    });
  });

  test('hears only the first that turns a node down, and asks nobody after it', () => {
    const later = plugin('C', {}, { filter: silent('C was asked about a node that B had turned down.') });
    const plugins = [plugin('A'), plugin('B', { n0: full, n1: full }), later];
    const snapshot = cluster(2);
    expect(outcome(find(plugins, snapshot))).toEqual({
      feasible: [],
      told: { n0: 'Unschedulable: full', n1: 'Unschedulable: full' },
      by: ['B'],
      preFilterMsg: '',
    });
  });

  test('keeps all reasons of the one that turned a node down', () => {
    const short = framework.unschedulable('Insufficient cpu', 'Insufficient memory');
    const { diagnosis } = find([plugin('A', { n0: short })], cluster(1));
    expect(diagnosis.nodeToStatus.get('n0')?.reasons).toEqual(['Insufficient cpu', 'Insufficient memory']);
  });

  test('asks each preFilter once, with the whole snapshot, before any filter', () => {
    const snapshot = cluster(2);
    const asked: string[] = [];
    const noting = (name: string): framework.FilterPlugin => ({
      ...plugin(name),
      preFilter: (_state, of, all) => {
        expect(of).toBe(pod);
        expect(all).toBe(snapshot);
        asked.push(`${name} before`);
        return ok;
      },
      filter: (_state, _pod, info) => {
        asked.push(`${name} ${info.name}`);
        return ok;
      },
    });
    find([noting('A'), noting('B')], snapshot);
    expect(asked.slice(0, 2)).toEqual(['A before', 'B before']);
    expect(asked.slice(2).toSorted()).toEqual(['A n0', 'A n1', 'B n0', 'B n1']);
  });

  test('hands what preFilter wrote down to filter, in the state that was given', () => {
    const key = framework.stateKey<string>('PreFilterA');
    const state = new framework.CycleState();
    const writing = plugin(
      'A',
      {},
      {
        preFilter(to) {
          to.write(key, 'n1');
          return ok;
        },
        filter: (from, _pod, info) => (from.read(key) === info.name ? ok : full),
      },
    );
    expect(namesOf(find([writing], cluster(3), { state }))).toEqual(['n1']);
    expect(state.read(key)).toBe('n1');
  });

  test('passes over a plugin that has nothing to say of the pod, and says so in the state', () => {
    const state = new framework.CycleState();
    const skipping = plugin(
      'A',
      {},
      {
        preFilter: () => framework.skip,
        filter: silent('The filter of A was asked after its preFilter had said Skip.'),
      },
    );
    expect(namesOf(find([skipping, plugin('B', { n0: full })], cluster(2), { state }))).toEqual(['n1']);
    expect([...state.skipFilterPlugins]).toEqual(['A']);
  });

  /** A plugin whose preFilter says this. */
  const rejecting = (name: string, status: framework.Status): framework.FilterPlugin =>
    plugin(
      name,
      {},
      { preFilter: () => status, filter: silent(`The filter of ${name} was asked about a node.`) },
    );

  test('looks at no node when a preFilter turns the pod away, and joins its reasons', () => {
    const found = find([rejecting('A', framework.unresolvable('this', 'that'))], cluster(3), {
      startIndex: 2,
    });
    expect(outcome(found)).toEqual({ feasible: [], told: {}, by: ['A'], preFilterMsg: 'this, that' });
    expect(found.nextStartIndex, 'no node had its turn').toBe(2);
  });

  test('asks nobody else once a preFilter has turned the pod away for good', () => {
    const unasked = plugin(
      'B',
      {},
      { preFilter: silent('B was asked after A had turned the pod away for good.') },
    );
    expect(outcome(find([rejecting('A', never), unasked], cluster(1))).by).toEqual(['A']);
  });

  test('asks the rest when a preFilter turned the pod away for now: the last counts, or one for good', () => {
    const later = framework.unschedulable('later');
    const all = (...plugins: readonly framework.FilterPlugin[]) => {
      const { by, preFilterMsg } = outcome(find(plugins, cluster(1)));
      return { by, preFilterMsg };
    };
    expect(all(rejecting('A', full), rejecting('B', ok))).toEqual({ by: ['A'], preFilterMsg: 'full' });
    expect(all(rejecting('A', full), rejecting('B', later))).toEqual({ by: ['B'], preFilterMsg: 'later' });
    expect(all(rejecting('A', full), rejecting('B', never))).toEqual({
      by: ['B'],
      preFilterMsg: 'never here',
    });
    expect(all(rejecting('A', full), rejecting('B', framework.skip))).toEqual({
      by: ['A'],
      preFilterMsg: 'full',
    });
  });

  test('begins where it is told to, and goes round', () => {
    const found = find([plugin('A', { n3: full })], cluster(4), { startIndex: 2 });
    expect(namesOf(found)).toEqual(['n2', 'n0', 'n1']);
    expect(found.nextStartIndex, 'all four were looked at').toBe(2);
  });

  test('begins somewhere also when there were more nodes before', () => {
    expect(namesOf(find([], cluster(3), { startIndex: 3 }))).toEqual(['n0', 'n1', 'n2']);
    expect(namesOf(find([], cluster(3), { startIndex: 7 }))).toEqual(['n1', 'n2', 'n0']);
  });

  test('finds nothing where there is nothing', () => {
    const found = find([plugin('A')], cluster(0), { startIndex: 5 });
    expect(outcome(found)).toEqual({ feasible: [], told: {}, by: [], preFilterMsg: '' });
    expect(found.nextStartIndex).toBe(0);
  });

  test('stops when it has found enough, and the next pod begins behind', () => {
    // 300 nodes: 48% of them are 144.
    const snapshot = cluster(300);
    const first = find([plugin('A')], snapshot);
    expect(first.feasible.length).toBe(144);
    expect(namesOf(first).at(-1)).toBe('n143');
    expect(first.nextStartIndex).toBe(144);
    const second = find([plugin('A')], snapshot, { startIndex: first.nextStartIndex });
    expect(namesOf(second)[0]).toBe('n144');
    expect(second.nextStartIndex).toBe(288);
    const third = find([plugin('A')], snapshot, { startIndex: second.nextStartIndex });
    expect([namesOf(third)[0], namesOf(third)[12]]).toEqual(['n288', 'n0']);
    expect(third.nextStartIndex).toBe(132);
  });

  test('counts those that it turned down among those that it looked at', () => {
    const odd = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`n${2 * i + 1}`, full]));
    const found = find([plugin('A', odd)], cluster(300), { startIndex: 10, percentageOfNodesToScore: 40 });
    // 120 that can do, and the 119 between them that cannot.
    expect(found.feasible.length).toBe(120);
    expect(found.diagnosis.nodeToStatus.size).toBe(119);
    expect(found.nextStartIndex).toBe(249);
  });

  test('looks at all nodes when few can do', () => {
    const found = find(
      [plugin('A', {}, { filter: (_s, _p, { name }) => (name === 'n299' ? ok : full) })],
      cluster(300),
    );
    expect(namesOf(found)).toEqual(['n299']);
    expect(found.diagnosis.nodeToStatus.size).toBe(299);
    expect(found.nextStartIndex).toBe(0);
  });

  test('lets what goes wrong in a plugin be heard', () => {
    const failing = plugin('A', {}, { filter: silent('out of order') });
    expect(() => find([failing], cluster(1))).toThrow('out of order');
  });

  const diagnosis = (
    statuses: Readonly<Record<string, framework.Status>>,
    preFilterMsg = '',
  ): framework.Diagnosis => ({
    nodeToStatus: new Map(Object.entries(statuses)),
    unschedulablePlugins: new Set(),
    preFilterMsg,
  });

  test('says on how many nodes which reason was given', () => {
    expect(fitErrorMessage(3, diagnosis({ a: full, b: full, c: never }))).toBe(
      '0/3 nodes are available: 1 never here, 2 full.',
    );
    expect(fitErrorMessage(1, diagnosis({ a: full }))).toBe('0/1 nodes are available: 1 full.');
  });

  test('counts a node for each of its reasons', () => {
    const short = framework.unschedulable('Insufficient cpu', 'Insufficient memory');
    expect(fitErrorMessage(2, diagnosis({ a: short, b: framework.unschedulable('Insufficient cpu') }))).toBe(
      '0/2 nodes are available: 1 Insufficient memory, 2 Insufficient cpu.',
    );
  });

  test('sorts as text, digits and capitals first, whatever the order of the nodes', () => {
    const many = Array.from({ length: 10 }, (_, i) => [`n${i}`, framework.unschedulable('Too many pods')]);
    const statuses = Object.fromEntries(many) as Record<string, framework.Status>;
    const two = {
      x: framework.unschedulable('Insufficient cpu'),
      y: framework.unschedulable('Insufficient cpu'),
    };
    const one = { z: framework.unresolvable('node(s) were unschedulable') };
    const last = { last: framework.unschedulable('Too many things') };
    const sentence =
      '0/14 nodes are available: 1 Too many things, 1 node(s) were unschedulable, 10 Too many pods, 2 Insufficient cpu.';
    expect(fitErrorMessage(14, diagnosis({ ...two, ...statuses, ...one, ...last }))).toBe(sentence);
    expect(fitErrorMessage(14, diagnosis({ ...last, ...one, ...statuses, ...two }))).toBe(sentence);
  });

  test('says of a pod that was turned away before any node what was said, and counts nothing', () => {
    const sentence = '0/5 nodes are available: pod affinity terms conflict.';
    expect(fitErrorMessage(5, diagnosis({}, 'pod affinity terms conflict'))).toBe(sentence);
    expect(fitErrorMessage(5, diagnosis({ a: full }, 'pod affinity terms conflict'))).toBe(sentence);
  });

  test('stops at the colon when nobody gave a reason', () => {
    expect(fitErrorMessage(0, diagnosis({}))).toBe('0/0 nodes are available:');
    expect(fitErrorMessage(2, diagnosis({ a: framework.unschedulable() }))).toBe('0/2 nodes are available:');
  });

  test('has all plugins, in the order in which Kubernetes asks them', () => {
    expect(filterPlugins.map(({ name }) => name)).toEqual([
      'NodeUnschedulable',
      'NodeName',
      'TaintToleration',
      'NodeAffinity',
      'NodePorts',
      'NodeResourcesFit',
      'PodTopologySpread',
      'InterPodAffinity',
    ]);
    expect(filtering.plugins).toEqual(filterPlugins);
  });

  test('says for each plugin what could change its mind', () => {
    const changing = filterPlugins.filter((each) => each.eventsToRegister().length > 0);
    expect(changing).toHaveLength(8);
  });

  const spec: Partial<PodSpec> = { nodeSelector: { disk: 'ssd' } };
  const web = aSchedulingPod({ name: 'web', labels: { app: 'web' }, requests: { cpu: '1' }, spec });
  const ssd = { labels: { disk: 'ssd' } };
  const control: Taint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
  const busy = (on: string): Pod =>
    aSchedulingPod({ name: `busy-${on}`, nodeName: on, requests: { cpu: '3500m' } });
  const nodes = [
    aSchedulingNode('control', { ...ssd, taints: [control] }),
    aSchedulingNode('cordoned', {
      ...ssd,
      unschedulable: true,
      taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }],
    }),
    aSchedulingNode('disks'),
    aSchedulingNode('full', { ...ssd, allocatable: { cpu: '4', memory: '8Gi', pods: '1' } }),
    aSchedulingNode('short', ssd),
  ];
  const sentenceFor = (of: Pod, snapshot: framework.Snapshot): string => {
    const state = new framework.CycleState();
    const found = filtering.findNodesThatFit({ plugins: filtering.plugins, state, pod: of, snapshot });
    const names = namesOf(found);
    if (names.length > 0) return `goes to ${names.join(', ')}`;
    return filtering.fitErrorMessage(snapshot.nodeInfos.length, found.diagnosis);
  };

  test('says in one sentence why a pod can run nowhere', () => {
    const snapshot = aSnapshot(nodes, [busy('full'), busy('short')]);
    expect(sentenceFor(web, snapshot), explained(filterPlugins, web, snapshot)).toBe(
      "0/5 nodes are available: 1 Too many pods, 1 node(s) didn't match Pod's node affinity/selector, " +
        '1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, ' +
        '1 node(s) were unschedulable, 2 Insufficient cpu.',
    );
  });

  test('finds the node that is left', () => {
    const snapshot = aSnapshot(nodes, [busy('full')]);
    expect(sentenceFor(web, snapshot), explained(filterPlugins, web, snapshot)).toBe('goes to short');
  });

  test('says it of pods and places, too', () => {
    const labels = { app: 'web' };
    const inZone = (zone: string, name: string) => aSchedulingNode(name, { labels: { zone } });
    const selector = { labelSelector: { matchLabels: labels }, topologyKey: 'zone' };
    const picky = aSchedulingPod({
      name: 'picky',
      labels,
      spec: {
        topologySpreadConstraints: [{ ...selector, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'db' } } },
            ],
          },
        },
      },
    });
    const snapshot = aSnapshot(
      [inZone('z1', 'a'), inZone('z1', 'b'), inZone('z2', 'c'), aSchedulingNode('bare')],
      [
        aSchedulingPod({ name: 'web-1', labels, nodeName: 'a' }),
        aSchedulingPod({ name: 'db-1', labels: { app: 'db' }, nodeName: 'c' }),
      ],
    );
    expect(sentenceFor(picky, snapshot), explained(filterPlugins, picky, snapshot)).toBe(
      "0/4 nodes are available: 1 node(s) didn't match pod anti-affinity rules, " +
        "1 node(s) didn't match pod topology spread constraints (missing required label), " +
        "2 node(s) didn't match pod topology spread constraints.",
    );
  });

  test('says it of a pod that contradicts itself', () => {
    const name = (value: string) => ({ key: 'metadata.name', operator: 'In', values: [value] });
    const nodeSelectorTerms = [{ matchFields: [name('full'), name('short')] }];
    const torn = aSchedulingPod({
      spec: {
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
      },
    });
    const snapshot = aSnapshot(nodes);
    expect(sentenceFor(torn, snapshot), explained(filterPlugins, torn, snapshot)).toBe(
      '0/5 nodes are available: pod affinity terms conflict.',
    );
  });
});
