import { describe, expect, test } from 'vitest';
import { framework } from '#harness';
import { filtering, filterPlugins, interPodAffinity, podTopologySpread } from '#kata/31-filter/filter';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '#laws/scheduling';
import { explained } from './sum.fixture.ts';

describe('Level 8 ★ · Pod affinity', () => {
  test('explains spread and affinity in one message', () => {
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
    const plugins = [podTopologySpread, interPodAffinity];
    const state = new framework.CycleState();
    const { diagnosis } = filtering.findNodesThatFit({ plugins, state, pod: picky, snapshot });
    expect(filtering.fitErrorMessage(4, diagnosis), explained(plugins, picky, snapshot)).toBe(
      "0/4 nodes are available: 1 node(s) didn't match pod anti-affinity rules, " +
        "1 node(s) didn't match pod topology spread constraints (missing required label), " +
        "2 node(s) didn't match pod topology spread constraints.",
    );
  });

  test('is asked last', () => {
    // A missing implementation must fail as NotImplemented.
    const [pod, snapshot] = [aSchedulingPod(), aSnapshot([aSchedulingNode('a')])];
    interPodAffinity.preFilter?.(new framework.CycleState(), pod, snapshot);
    const names = filterPlugins.map(({ name }) => name);
    expect(names.at(-1), `filterPlugins has ${names.join(', ')}; the last`).toBe('InterPodAffinity');
  });
});
