import { describe, expect, test } from 'vitest';
import { framework, type Pod } from '#harness';
import { filtering, filterPlugins, fitErrorMessage } from '#kata/31-filter/filter';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '#laws/scheduling';
import type { PodSpec } from './rows.fixture.ts';
import { explained, full, namesOf, never } from './sum.fixture.ts';

describe('Level 6 · The sum', () => {
  const diagnosis = (
    statuses: Readonly<Record<string, framework.Status>>,
    preFilterMsg = '',
  ): framework.Diagnosis => ({
    nodeToStatus: new Map(Object.entries(statuses)),
    unschedulablePlugins: new Set(),
    preFilterMsg,
  });

  test('counts the nodes for each reason', () => {
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

  test('sorts the reasons as text, whatever the order of the nodes', () => {
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
    expect(
      fitErrorMessage(14, diagnosis({ ...two, ...statuses, ...one, ...last })),
      'the parts "N reason" sorted as text',
    ).toBe(sentence);
    expect(
      fitErrorMessage(14, diagnosis({ ...last, ...one, ...statuses, ...two })),
      'the same nodes in another order',
    ).toBe(sentence);
  });

  test('returns preFilterMsg for a pod that preFilter rejected', () => {
    const sentence = '0/5 nodes are available: pod affinity terms conflict.';
    expect(fitErrorMessage(5, diagnosis({}, 'pod affinity terms conflict'))).toBe(sentence);
    expect(fitErrorMessage(5, diagnosis({ a: full }, 'pod affinity terms conflict'))).toBe(sentence);
  });

  test('ends with the colon when there is no reason', () => {
    expect(fitErrorMessage(0, diagnosis({}))).toBe('0/0 nodes are available:');
    expect(fitErrorMessage(2, diagnosis({ a: framework.unschedulable() }))).toBe('0/2 nodes are available:');
  });

  test('has the plugins of Levels 1 to 5 in the order of Kubernetes', () => {
    const names = filterPlugins.map(({ name }) => name);
    expect(names.slice(0, 6)).toEqual([
      'NodeUnschedulable',
      'NodeName',
      'TaintToleration',
      'NodeAffinity',
      'NodePorts',
      'NodeResourcesFit',
    ]);
    expect(filtering.plugins).toEqual(filterPlugins);
  });

  const spec: Partial<PodSpec> = { nodeSelector: { disk: 'ssd' } };
  const web = aSchedulingPod({ name: 'web', labels: { app: 'web' }, requests: { cpu: '1' }, spec });
  const ssd = { labels: { disk: 'ssd' } };
  const control: framework.Taint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
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

  test('explains in one message why a pod fits nowhere', () => {
    const snapshot = aSnapshot(nodes, [busy('full'), busy('short')]);
    expect(sentenceFor(web, snapshot), explained(filterPlugins, web, snapshot)).toBe(
      "0/5 nodes are available: 1 Too many pods, 1 node(s) didn't match Pod's node affinity/selector, " +
        '1 node(s) had untolerated taint(s), ' +
        '1 node(s) were unschedulable, 2 Insufficient cpu.',
    );
  });

  test('returns the only feasible node', () => {
    const snapshot = aSnapshot(nodes, [busy('full')]);
    expect(sentenceFor(web, snapshot), explained(filterPlugins, web, snapshot)).toBe('goes to short');
  });

  test('explains a pod that contradicts itself', () => {
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
