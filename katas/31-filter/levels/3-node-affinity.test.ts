import { describe, expect, test } from 'vitest';
import type { framework } from '#harness';
import { matchesNodeSelectorTerm, nodeAffinity, requiredNodeAffinityMatches } from '#kata/31-filter/filter';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '#laws/scheduling';
import { type NodeRow, nodeOf, type PodRow, type PodSpec, podOf } from './rows.fixture.ts';
import { table } from './tables.fixture.ts';
import { about, ask, askOne, expectOne, inLine } from './verdicts.fixture.ts';

describe('Level 3 · Node selector and affinity', () => {
  const NO_MATCH = "UnschedulableAndUnresolvable: node(s) didn't match Pod's node affinity/selector";
  const CONFLICT = 'UnschedulableAndUnresolvable: pod affinity terms conflict';
  const node = aSchedulingNode('a', { labels: { zone: 'z1', disk: 'ssd', cores: '8' } });
  const required = (...nodeSelectorTerms: framework.NodeSelectorTerm[]): Partial<PodSpec> => ({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  });

  type Requirement = NonNullable<framework.NodeSelectorTerm['matchExpressions']>[number];
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

  test('requires all expressions of a term', () => {
    const [holds, fails]: [Requirement, Requirement] = [
      { key: 'zone', operator: 'Exists' },
      { key: 'rack', operator: 'Exists' },
    ];
    expect(matchesNodeSelectorTerm({ matchExpressions: [holds, holds] }, node), 'both expressions hold').toBe(
      true,
    );
    expect(
      matchesNodeSelectorTerm({ matchExpressions: [holds, fails] }, node),
      'the second expression fails',
    ).toBe(false);
    expect(
      matchesNodeSelectorTerm({ matchExpressions: [fails, holds] }, node),
      'the first expression fails',
    ).toBe(false);
  });

  test('matches no node with an empty term', () => {
    expect(matchesNodeSelectorTerm({}, node), 'an empty term matches no node').toBe(false);
    expect(
      matchesNodeSelectorTerm({ matchExpressions: [], matchFields: [] }, node),
      'a term with empty lists matches no node',
    ).toBe(false);
  });

  test('matches the field metadata.name together with the expressions', () => {
    const field = (operator: string, name: string): Requirement => ({
      key: 'metadata.name',
      operator,
      values: [name],
    });
    expect(
      matchesNodeSelectorTerm({ matchFields: [field('In', 'a')] }, node),
      'metadata.name In the name of the node',
    ).toBe(true);
    expect(
      matchesNodeSelectorTerm({ matchFields: [field('In', 'b')] }, node),
      'metadata.name In another name',
    ).toBe(false);
    expect(
      matchesNodeSelectorTerm({ matchFields: [field('NotIn', 'a')] }, node),
      'metadata.name NotIn the name of the node',
    ).toBe(false);
    expect(
      matchesNodeSelectorTerm({ matchFields: [field('NotIn', 'b')] }, node),
      'metadata.name NotIn another name',
    ).toBe(true);
    expect(
      matchesNodeSelectorTerm({ matchFields: [field('In', 'a'), field('In', 'b')] }, node),
      'both fields must hold',
    ).toBe(false);
    const matchExpressions: Requirement[] = [{ key: 'rack', operator: 'Exists' }];
    expect(
      matchesNodeSelectorTerm({ matchFields: [field('In', 'a')], matchExpressions }, node),
      'the field holds, but the expression fails',
    ).toBe(false);
    expect(
      matchesNodeSelectorTerm({ matchFields: [field('NotIn', 'b')], matchExpressions }, node),
      'the field holds, but the expression fails',
    ).toBe(false);
  });

  test('matches no node with another field operator, or with other than one value', () => {
    const field = (
      operator: string,
      values: string[],
      key = 'metadata.name',
    ): framework.NodeSelectorTerm => ({
      matchFields: [{ key, operator, values }],
    });
    expect(
      matchesNodeSelectorTerm(field('Exists', []), node),
      'the operator Exists is invalid for a field, so the term matches nothing',
    ).toBe(false);
    expect(
      matchesNodeSelectorTerm(field('Gt', ['0']), node),
      'the operator Gt is invalid for a field, so the term matches nothing',
    ).toBe(false);
    expect(
      matchesNodeSelectorTerm(field('In', ['a', 'b']), node),
      'two values are invalid for a field, so the term matches nothing',
    ).toBe(false);
    expect(
      matchesNodeSelectorTerm(field('NotIn', ['b', 'c']), node),
      'two values are invalid for a field, so the term matches nothing',
    ).toBe(false);
    expect(
      matchesNodeSelectorTerm(field('In', []), node),
      'no value is invalid for a field, so the term matches nothing',
    ).toBe(false);
  });

  test('treats every other field as empty', () => {
    const field = (operator: string, value: string): framework.NodeSelectorTerm => ({
      matchFields: [{ key: 'spec.providerID', operator, values: [value] }],
    });
    expect(
      matchesNodeSelectorTerm(field('In', 'a'), node),
      'spec.providerID counts as empty, which is not a',
    ).toBe(false);
    expect(
      matchesNodeSelectorTerm(field('NotIn', 'a'), node),
      'spec.providerID counts as empty, which is not a',
    ).toBe(true);
    expect(matchesNodeSelectorTerm(field('In', ''), node), 'spec.providerID counts as empty').toBe(true);
  });

  test('requires every label of the node selector, and one of the terms', () => {
    const match = (spec: Partial<PodSpec>) => requiredNodeAffinityMatches(aSchedulingPod({ spec }), node);
    const [holds, fails]: [framework.NodeSelectorTerm, framework.NodeSelectorTerm] = [
      { matchExpressions: [{ key: 'zone', operator: 'Exists' }] },
      { matchExpressions: [{ key: 'rack', operator: 'Exists' }] },
    ];
    expect(match({}), 'a pod without selector and affinity').toBe(true);
    expect(match({ nodeSelector: {} }), 'an empty nodeSelector').toBe(true);
    expect(match({ nodeSelector: { zone: 'z1', disk: 'ssd' } }), 'both labels match').toBe(true);
    expect(match({ nodeSelector: { zone: 'z1', disk: 'hdd' } }), 'one of two labels does not match').toBe(
      false,
    );
    expect(match(required(fails, holds)), 'one of two terms holds').toBe(true);
    expect(match(required(fails, fails)), 'no term holds').toBe(false);
    expect(
      match({ nodeSelector: { disk: 'hdd' }, ...required(holds) }),
      'the nodeSelector fails, although the affinity holds',
    ).toBe(false);
    expect(
      match({ nodeSelector: { disk: 'ssd' }, ...required(fails) }),
      'the affinity fails, although the nodeSelector holds',
    ).toBe(false);
  });

  test('matches no node when required affinity has no terms', () =>
    expect(
      requiredNodeAffinityMatches(aSchedulingPod({ spec: required() }), node),
      'an empty list of required terms matches no node',
    ).toBe(false));

  test('tries the next term when one matches nothing', () => {
    const broken: framework.NodeSelectorTerm = {
      matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['#1'] }],
    };
    const holds: framework.NodeSelectorTerm = { matchExpressions: [{ key: 'zone', operator: 'Exists' }] };
    expect(
      requiredNodeAffinityMatches(aSchedulingPod({ spec: required(broken, {}, holds) }), node),
      'an invalid and an empty term match nothing, but the third holds',
    ).toBe(true);
    expect(
      requiredNodeAffinityMatches(aSchedulingPod({ spec: required(broken, {}) }), node),
      'an invalid and an empty term match nothing',
    ).toBe(false);
  });

  test('ignores preferred affinity', () => {
    const preference: framework.NodeSelectorTerm = {
      matchExpressions: [{ key: 'rack', operator: 'Exists' }],
    };
    const spec: Partial<PodSpec> = {
      affinity: {
        nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] },
      },
    };
    expectOne(nodeAffinity, aSchedulingPod({ spec }), node).toBe('Success');
  });

  test('rejects a pod in preFilter when its required node names exclude each other', () => {
    const names = (...values: string[]): framework.NodeSelectorTerm => ({
      matchFields: values.map((value) => ({ key: 'metadata.name', operator: 'In', values: [value] })),
    });
    const nodes = ['a', 'b'].map((name) => aSchedulingNode(name, { labels: { zone: 'z1' } }));
    const said = (...terms: framework.NodeSelectorTerm[]) =>
      expect(
        ask(nodeAffinity, aSchedulingPod({ spec: required(...terms) }), aSnapshot(nodes)),
        `only if every term requires two different names do the terms conflict: ${inLine(terms)}`,
      );
    said(names('a', 'b')).toEqual({ a: CONFLICT, b: CONFLICT });
    said(names('a', 'b'), names('b', 'c')).toEqual({ a: CONFLICT, b: CONFLICT });
    said(names('a', 'b'), names('b')).toEqual({ a: NO_MATCH, b: 'Success' });
    said(names('a', 'a')).toEqual({ a: 'Success', b: NO_MATCH });
    const butNot = { key: 'metadata.name', operator: 'NotIn', values: ['a'] };
    said({ matchFields: [butNot, ...(names('b').matchFields ?? [])] }).toEqual({
      a: NO_MATCH,
      b: 'Success',
    });
    said().toEqual({ a: NO_MATCH, b: NO_MATCH });
    // Only names can exclude each other; no node matches another field.
    const otherField = { key: 'metadata.other', operator: 'In', values: ['b'] };
    said({ matchFields: [...(names('a').matchFields ?? []), otherField] }).toEqual({
      a: NO_MATCH,
      b: NO_MATCH,
    });
    // An unknown node name is not a contradiction, and a term without a name allows any node.
    said(names('c')).toEqual({ a: NO_MATCH, b: NO_MATCH });
    const inZone = { matchExpressions: [{ key: 'zone', operator: 'Exists' }] };
    said(names('a', 'b'), inZone).toEqual({ a: 'Success', b: 'Success' });
  });

  test('judges each of several nodes', () => {
    const nodes = ['z1', 'z2', 'z3'].map((zone) => aSchedulingNode(zone, { labels: { zone } }));
    const inZone = { matchExpressions: [{ key: 'zone', operator: 'In', values: ['z1', 'z3'] }] };
    const pod = aSchedulingPod({ spec: required(inZone) });
    expect(ask(nodeAffinity, pod, aSnapshot(nodes)), about(pod, nodes)).toEqual({
      z1: 'Success',
      z2: NO_MATCH,
      z3: 'Success',
    });
  });

  interface AffinityRow {
    readonly pod: PodRow;
    readonly node: NodeRow;
  }
  test.each(table<AffinityRow, { fits: boolean; preFilter?: framework.Code }>('nodeAffinity', 18))(
    'judges selectors and affinity as upstream does: %s',
    (_, { input, expect: { fits, preFilter } }) => {
      const [pod, on] = [podOf(input.pod), nodeOf(input.node)];
      const rejected = preFilter === 'UnschedulableAndUnresolvable' ? CONFLICT : NO_MATCH;
      expect(askOne(nodeAffinity, pod, on), about(pod, [on])).toBe(fits ? 'Success' : rejected);
    },
  );
});
