import fc from 'fast-check';
import type * as core from '#api/core/v1';
import type { LabelSelector } from '#api/meta/v1';
import type { Labels } from '../../../api/label-selector.ts';
import type { Node, Pod } from '../../../api/objects.ts';
import { aSchedulingNode, aSchedulingPod } from '../levels/objects.ts';
import { SchedulingCluster } from '../simulation.ts';
import {
  defined,
  HOSTNAME,
  listOf,
  NAMESPACES,
  nodeNamed,
  rarely,
  type Theme,
  termNamespaces,
  ZONE,
} from './parts.ts';

const labelSelector = { matchLabels: { app: 'web' } };

/** Nodes, of which some have a taint or a cordon, so that they are excluded, or look so. */
const nodes: fc.Arbitrary<(name: string) => Node> = fc
  .record({
    zone: fc.constantFrom('a', 'b', 'a', 'b', '', undefined),
    host: fc.boolean(),
    taints: rarely(fc.constant([{ key: 'gpu', effect: 'NoSchedule' }]), 5),
    unschedulable: rarely(fc.constant(true), 2),
  })
  .map(
    ({ zone, host, ...parts }) =>
      (name) =>
        aSchedulingNode(name, {
          labels: defined({ [ZONE]: zone, [HOSTNAME]: host ? name : undefined }),
          ...defined(parts),
        }),
  );

const unnumbered = { app: 'web' };
const numbered = { app: 'web', hash: '1' };

/** The topology keys of one or two terms or constraints. */
const places = listOf([ZONE], [ZONE, HOSTNAME]);

const spread: fc.Arbitrary<Partial<core.PodSpec>> = fc
  .record({
    keys: places,
    matchLabelKeys: fc.constantFrom<string[] | undefined>(undefined, ['hash'], ['hash'], ['hash']),
    minDomains: fc.constantFrom(undefined, 2, 3),
    nodeTaintsPolicy: fc.constantFrom(undefined, 'Honor', 'Honor', 'Ignore'),
    nodeAffinityPolicy: fc.constantFrom(undefined, 'Honor', 'Ignore'),
    zone: rarely(fc.constantFrom('a', 'b'), 2),
  })
  .map(({ keys, zone, ...parts }) => ({
    ...(zone !== undefined && { nodeSelector: { [ZONE]: zone } }),
    topologySpreadConstraints: keys.map((topologyKey) =>
      defined({ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector, ...parts }),
    ),
  }));

const company: fc.Arbitrary<Partial<core.PodSpec>> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(listOf([ZONE, HOSTNAME], [ZONE, HOSTNAME], [ZONE]), termNamespaces)
      .map(([keys, where]) => ({ affinity: { podAffinity: required(keys, labelSelector, where) } })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(places, termNamespaces)
      .map(([keys, where]) => ({ affinity: { podAntiAffinity: required(keys, labelSelector, where) } })),
  },
);

function required(
  keys: readonly string[],
  selector: LabelSelector,
  where: Partial<core.PodAffinityTerm>,
): core.PodAffinity & core.PodAntiAffinity {
  const terms = keys.map((topologyKey) => ({ labelSelector: selector, topologyKey, ...where }));
  return { requiredDuringSchedulingIgnoredDuringExecution: terms };
}

const homes = fc.constantFrom('default' as const, 'shop' as const);

/** Affinity of a pod that excludes pods with the labels, or all pods, from its domain. */
const loner = fc
  .record({
    keys: places,
    selector: fc.constantFrom<LabelSelector>(labelSelector, {}),
    where: termNamespaces,
  })
  .map(({ keys, selector, where }) => ({ affinity: { podAntiAffinity: required(keys, selector, where) } }));

/**
 * Returns clusters of 2 to 4 nodes and 1 or 2 running pods; these and the new pod are of one kind.
 *
 * Labels are scarce: a node lacks some topology keys, or has one with an empty value, and some pods lack a label. Other
 * generated clusters also have such nodes and pods, but seldom where they matter.
 */
export function scarcelyLabelled(...themes: readonly Theme[]): fc.Arbitrary<SchedulingCluster> {
  const isCompany = themes.includes('company');
  const wishes = fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: fc.constant({}) },
    ...themes.map((theme) => ({ weight: 3, arbitrary: theme === 'spread' ? spread : company })),
  );
  const there = fc.record({
    on: fc.nat({ max: 3 }),
    labels: fc.constantFrom<Labels>(unnumbered, numbered, numbered),
    namespace: isCompany ? homes : fc.constant('default'),
    spec: isCompany ? rarely(loner, 3) : fc.constant(undefined),
  });
  const labels = fc.constantFrom<Labels>(unnumbered, unnumbered, numbered, ...(isCompany ? [{}] : []));
  return fc
    .record({
      nodes: fc.array(nodes, { minLength: 2, maxLength: 4, size: 'max' }),
      placed: fc.array(there, { minLength: 1, maxLength: 2 }),
      pod: fc.record({ labels, spec: wishes }),
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
      return new SchedulingCluster({ nodes: all, pods, namespaces: NAMESPACES }, aSchedulingPod(pod));
    });
}

/**
 * A node with one running pod, and one new pod. One of them has a single term about the other, which selects
 * namespaces: often all except the other's, or one by its name and the other by its labels.
 */
export const acrossNamespaces: fc.Arbitrary<SchedulingCluster> = fc
  .record({
    homes: fc.tuple(homes, homes),
    kind: fc.constantFrom('podAntiAffinity', 'podAffinity', 'podAntiAffinity of the running pod'),
    how: fc.constantFrom('elsewhere', 'either', 'anyhow'),
    anyhow: termNamespaces,
  })
  .map(({ homes: [home, runningHome], kind, how, anyhow }) => {
    const [name = ''] = kind.split(' ');
    const isNew = name === kind;
    const other = isNew ? runningHome : home;
    const { team } = NAMESPACES[other];
    const away = other === 'shop' ? 'default' : 'shop';
    const ways: Readonly<Record<string, Partial<core.PodAffinityTerm>>> = {
      elsewhere: {
        namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: [team] }] },
      },
      either: { namespaces: [away], namespaceSelector: { matchLabels: { team } } },
    };
    const where = ways[how] ?? anyhow;
    const spec = { affinity: { [name]: required([HOSTNAME], labelSelector, where) } };
    const running = aSchedulingPod({
      name: 'pod-0',
      nodeName: nodeNamed(0),
      namespace: runningHome,
      labels: unnumbered,
      ...(!isNew && { spec }),
    });
    const pod = aSchedulingPod({ namespace: home, labels: unnumbered, ...(isNew && { spec }) });
    const nodes = [aSchedulingNode(nodeNamed(0), { labels: { [HOSTNAME]: nodeNamed(0) } })];
    return new SchedulingCluster({ nodes, pods: [running], namespaces: NAMESPACES }, pod);
  });

/** Two or three zones with one pod each, of which a constraint requires one less, as many, or one more. */
export const aboutMinDomains: fc.Arbitrary<SchedulingCluster> = fc
  .record({ zones: fc.constantFrom(2, 3), more: fc.constantFrom(0, -1, 1), hasSecond: fc.boolean() })
  .map(({ zones, more, hasSecond }) => {
    const constraint: core.TopologySpreadConstraint = {
      maxSkew: 1,
      topologyKey: ZONE,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector,
      minDomains: zones + more,
    };
    const nodes = Array.from({ length: zones }, (_, index) =>
      aSchedulingNode(nodeNamed(index), { labels: { [ZONE]: `zone-${index}` } }),
    );
    const pods = [...nodes, ...(hasSecond ? nodes.slice(0, 1) : [])].map(({ metadata }, index) =>
      aSchedulingPod({ name: `pod-${index}`, nodeName: metadata.name, labels: unnumbered }),
    );
    const pod = aSchedulingPod({ labels: unnumbered, spec: { topologySpreadConstraints: [constraint] } });
    return new SchedulingCluster({ nodes, pods, namespaces: NAMESPACES }, pod);
  });
