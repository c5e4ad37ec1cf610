import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { aSchedulingPod, type SchedulingPodParts } from '../../laws/scheduling/index.ts';
import { hardConstraints, softConstraints } from './spread-constraint.ts';

const constraint = (parts: Partial<core.TopologySpreadConstraint> = {}): core.TopologySpreadConstraint => ({
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { app: 'web' } },
  ...parts,
});

const spread = (constraints: readonly core.TopologySpreadConstraint[], parts: SchedulingPodParts = {}): Pod =>
  aSchedulingPod({ ...parts, spec: { topologySpreadConstraints: [...constraints] } });

describe('The hard constraints of a pod', () => {
  test('are the required constraints, with defaults', () => {
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
  test.each<[string, core.TopologySpreadConstraint, Record<string, string>, boolean]>([
    ['matching labels', constraint(), { app: 'web' }, true],
    ['other labels', constraint(), { app: 'db' }, false],
    ['no selector, which matches nothing', withoutSelector, { app: 'web' }, false],
    ['an empty selector, which matches everything', constraint({ labelSelector: {} }), { app: 'db' }, true],
    ['a key with the same value', constraint({ matchLabelKeys: ['hash'] }), { app: 'web', hash: '1' }, true],
    ['a key with another value', constraint({ matchLabelKeys: ['hash'] }), { app: 'web', hash: '2' }, false],
    [
      'a key that matches without the selector',
      constraint({ matchLabelKeys: ['hash'] }),
      { app: 'db', hash: '1' },
      false,
    ],
    [
      'a key that the pod does not have',
      constraint({ matchLabelKeys: ['x'] }),
      { app: 'web', hash: '2' },
      true,
    ],
    [
      'a key that only the other pod has',
      constraint({ matchLabelKeys: ['x'] }),
      { app: 'web', x: '1' },
      true,
    ],
    ['a key with an empty value', constraint({ matchLabelKeys: ['none'] }), { app: 'web', none: '1' }, false],
    ['a key without a selector', { ...withoutSelector, matchLabelKeys: ['hash'] }, { hash: '1' }, false],
  ])('selects the counted pods: %s', (_, of, other, counts) => {
    const own = { app: 'web', hash: '1', none: '' };
    const [read] = hardConstraints(spread([of], { labels: own }));
    const message = `${JSON.stringify(of)} of a pod ${JSON.stringify(own)} counts ${JSON.stringify(other)}`;
    expect(read?.selector.matches(other), message).toBe(counts);
  });
});

test('The soft constraints of a pod are its preferences, in their order', () => {
  const wish = constraint({
    maxSkew: 3,
    whenUnsatisfiable: 'ScheduleAnyway',
    nodeAffinityPolicy: 'Ignore',
    nodeTaintsPolicy: 'Honor',
    matchLabelKeys: ['hash', 'none'],
  });
  const rack = constraint({ topologyKey: 'rack', whenUnsatisfiable: 'ScheduleAnyway' });
  const pod = spread([constraint(), wish, rack], { labels: { app: 'web', hash: '1' } });
  const soft = softConstraints(pod);
  expect(soft).toMatchObject([
    { maxSkew: 3, topologyKey: 'zone', nodeAffinityPolicy: 'Ignore', nodeTaintsPolicy: 'Honor' },
    { maxSkew: 1, topologyKey: 'rack', nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore' },
  ]);
  const means = (labels: Record<string, string>) => soft.map(({ selector }) => selector.matches(labels));
  expect(means({ app: 'web', hash: '1' })).toEqual([true, true]);
  expect(means({ app: 'web', hash: '2' })).toEqual([false, true]);
  expect(means({ app: 'db', hash: '1' })).toEqual([false, false]);
  expect(softConstraints(aSchedulingPod())).toEqual([]);
});
