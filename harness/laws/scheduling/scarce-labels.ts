import fc from 'fast-check';
import type * as core from '#api/core/v1';
import type { Labels } from '../../api/label-selector.ts';
import type { Node, Pod } from '../../api/objects.ts';
import { SchedulingCluster } from './cluster.ts';
import { aSchedulingNode, aSchedulingPod } from './objects.ts';
import { defined, HOSTNAME, listOf, nodeNamed, rarely, ZONE } from './parts.ts';

const labelSelector = { matchLabels: { app: 'web' } };

const nodes: fc.Arbitrary<(name: string) => Node> = fc
  .record({ zone: fc.constantFrom('a', 'b', 'a', 'b', '', undefined), host: fc.boolean() })
  .map(
    ({ zone, host }) =>
      (name) =>
        aSchedulingNode(name, { labels: defined({ [ZONE]: zone, [HOSTNAME]: host ? name : undefined }) }),
  );

const unnumbered = { app: 'web' };
const numbered = { app: 'web', hash: '1' };

/** The labels of nodes that one or two terms, or constraints, are about. */
const places = listOf([ZONE], [ZONE, HOSTNAME]);

const wishes: fc.Arbitrary<Partial<core.PodSpec>> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc
      .record({
        keys: places,
        matchLabelKeys: fc.constantFrom<string[] | undefined>(undefined, ['hash'], ['hash'], ['hash']),
      })
      .map(({ keys, matchLabelKeys }) => ({
        topologySpreadConstraints: keys.map((topologyKey) =>
          defined({
            maxSkew: 1,
            topologyKey,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector,
            matchLabelKeys,
          }),
        ),
      })),
  },
  {
    weight: 2,
    arbitrary: listOf([ZONE, HOSTNAME], [ZONE, HOSTNAME], [ZONE]).map((keys) => ({
      affinity: { podAffinity: required(keys) },
    })),
  },
  { weight: 1, arbitrary: places.map((keys) => ({ affinity: { podAntiAffinity: required(keys) } })) },
);

function required(keys: readonly string[]): core.PodAffinity & core.PodAntiAffinity {
  const terms = keys.map((topologyKey) => ({ labelSelector, topologyKey }));
  return { requiredDuringSchedulingIgnoredDuringExecution: terms };
}

const there = fc.record({
  on: fc.nat({ max: 3 }),
  labels: fc.constantFrom<Labels>(unnumbered, numbered, numbered),
  spec: rarely(
    places.map((keys) => ({ affinity: { podAntiAffinity: required(keys) } })),
    5,
  ),
});

/**
 * Clusters of 2 to 4 nodes with 1 or 2 pods on them that are all of one kind, and so is the one to be placed.
 *
 * Clusters in which labels are scarce: nodes are in some places and not in others, or in one whose name is empty, and pods
 * lack what others have. A cluster of every kind has this now and then, and seldom where it matters.
 */
export const scarcelyLabelled: fc.Arbitrary<SchedulingCluster> = fc
  .record({
    nodes: fc.array(nodes, { minLength: 2, maxLength: 4, size: 'max' }),
    placed: fc.array(there, { minLength: 1, maxLength: 2 }),
    pod: fc.record({ labels: fc.constantFrom<Labels>(unnumbered, unnumbered, numbered), spec: wishes }),
  })
  .map(({ nodes: makeNodes, placed, pod }) => {
    const all = makeNodes.map((node, index) => node(nodeNamed(index)));
    const pods = placed.map(
      ({ on, spec, ...each }, index): Pod =>
        aSchedulingPod({
          name: `pod-${index}`,
          nodeName: nodeNamed(on % all.length),
          ...each,
          ...defined({ spec }),
        }),
    );
    return new SchedulingCluster({ nodes: all, pods, namespaces: { default: {} } }, aSchedulingPod(pod));
  });
