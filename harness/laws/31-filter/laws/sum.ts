import fc from 'fast-check';
import type { Node, Pod } from '../../../api/objects.ts';
import {
  CycleState,
  type Filtering,
  isRejected,
  type NodesThatFit,
  success,
} from '../../../contracts/framework/index.ts';
import type { PureLaw } from '../../../testing/obeys.ts';
import { described } from '../../../testing/telling.ts';
import { explain, NAMES_CONFLICT } from '../../scheduling/oracle/index.ts';
import { overcommitted } from '../../scheduling/oracle/taking.ts';
import { nodes } from '../../scheduling/scenario/clusters.ts';
import { demanding, pods } from '../../scheduling/scenario/demands.ts';
import { type SchedulingCluster, sayNode, sayPod } from '../../scheduling/simulation.ts';
import type { Ground } from '../scenario.ts';
import { ask, filterLaw, foundFor, from, isSame, mayRunOnNodes, rulings, say, table } from './asking.ts';

/** A cluster and a start index, which may be larger than the number of nodes, as after nodes were deleted. */
interface RoundTrip {
  readonly cluster: SchedulingCluster;
  readonly startIndex: number;
}

const roundTrips = (ground: Ground): fc.Arbitrary<RoundTrip> =>
  fc
    .record({ cluster: ground.usual, startIndex: fc.nat({ max: 8 }) })
    .map((trip) =>
      described(trip, ({ cluster, startIndex }) => [String(cluster), `start index ${startIndex}`]),
    );

function find(filtering: Filtering, { cluster, startIndex }: RoundTrip): NodesThatFit {
  const { plugins, findNodesThatFit } = filtering;
  return findNodesThatFit({
    plugins,
    state: new CycleState(),
    pod: cluster.pod,
    snapshot: cluster.snapshot(),
    startIndex,
  });
}

/** The search returns exactly the nodes that all plugins accept, in the order of the search. */
export const agreesInTheSum = (ground: Ground): PureLaw<Filtering, RoundTrip> =>
  filterLaw(ground, {
    inputs: roundTrips(ground),
    violation(filtering, trip) {
      const { cluster, startIndex } = trip;
      const found = find(filtering, trip).feasible.map(({ name }) => name);
      const may = new Set(mayRunOnNodes(filtering, cluster));
      const right = from(startIndex, cluster.nodes).flatMap(({ metadata: { name } }) =>
        may.has(name) ? [name] : [],
      );
      if (found.join() === right.join()) return undefined;
      return (
        `From start index ${startIndex}, findNodesThatFit returned ${list(found)}; expected ${list(right)}.\n\n` +
        table(filtering, cluster)
      );
    },
  });

/**
 * Every node either fits or has the status of the first plugin that rejects the pod there. `unschedulablePlugins` has the names of
 * these plugins, and the message for users counts their reasons.
 */
export const diagnosisIsWhole = (ground: Ground): PureLaw<Filtering, RoundTrip> =>
  filterLaw(ground, {
    inputs: roundTrips(ground),
    violation(filtering, trip) {
      const { cluster, startIndex } = trip;
      const { feasible, diagnosis, nextStartIndex } = find(filtering, trip);
      const fits = new Set(feasible.map(({ name }) => name));
      const conflict = rulings(filtering, cluster)
        .flatMap(({ each }) => each)
        .find(({ reasons: said }) => said.includes(NAMES_CONFLICT));
      if (conflict) {
        const { preFilterMsg, nodeToStatus, unschedulablePlugins } = diagnosis;
        const isSaid = preFilterMsg === NAMES_CONFLICT && nodeToStatus.size + feasible.length === 0;
        if (isSaid && [...unschedulablePlugins].join() === conflict.plugin) return undefined;
        return (
          `The node names that the pod requires exclude each other, so no node fits. Expected preFilterMsg "${NAMES_CONFLICT}" ` +
          `with unschedulablePlugins ${conflict.plugin}. The diagnosis has "${preFilterMsg}" and ${list([...unschedulablePlugins])}.`
        );
      }
      const guilty = new Set<string>();
      const reasons = new Map<string, number>();
      for (const { node, each } of rulings(filtering, cluster)) {
        const { name } = node.metadata;
        const told = diagnosis.nodeToStatus.get(name);
        const first = each.find(isRejected);
        if (fits.has(name) && told)
          return `${name} fits, but the diagnosis has a status for it\n  ${say(told)}`;
        if (!first) continue;
        if (!told) return `The diagnosis has no status for ${name}, which ${first.plugin} rejected.`;
        if (!isSame(told, first)) {
          return [
            `The diagnosis has for ${name}`,
            `  ${say(told)}`,
            `The first plugin that rejects the pod there is ${first.plugin}:`,
            `  ${say(first)}`,
            ...explain(first, cluster.pod, node, cluster).map((line) => `    ${line}`),
          ].join('\n');
        }
        guilty.add(first.plugin);
        for (const reason of told.reasons) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      const unknown = [...diagnosis.nodeToStatus.keys()].find(
        (name) => !cluster.nodes.some(({ metadata }) => metadata.name === name),
      );
      if (unknown) return `The diagnosis has a status for ${unknown}, which is not a node.`;
      const named = [...diagnosis.unschedulablePlugins].sort();
      if (named.join() !== [...guilty].sort().join()) {
        return `unschedulablePlugins has ${list(named)}; the plugins that rejected the pod are ${list([...guilty].sort())}.`;
      }
      const next = startIndex % cluster.nodes.length;
      if (nextStartIndex !== next) {
        return `The search covered all ${cluster.nodes.length} nodes, from start index ${startIndex}: nextStartIndex is ${nextStartIndex}; expected ${next}.`;
      }
      const counted = [...reasons].map(([reason, times]) => `${times} ${reason}`).sort();
      const right = `0/${cluster.nodes.length} nodes are available:${counted.length > 0 ? ` ${counted.join(', ')}.` : ''}`;
      const message = filtering.fitErrorMessage(cluster.nodes.length, diagnosis);
      return message === right ? undefined : `fitErrorMessage returned\n  ${message}\nExpected\n  ${right}`;
    },
  });

/** A cluster and more pods, each of which goes to a node that the search returned for it. */
interface Filling {
  readonly cluster: SchedulingCluster;
  readonly more: readonly { readonly pod: Pod; readonly choice: number }[];
}

const demandsOfMore = demanding(['requests'], ['containers', 'ports', 'tolerations'], 1);

const fillings = (ground: Ground): fc.Arbitrary<Filling> =>
  fc
    .record({
      cluster: ground.usual,
      more: fc.array(fc.record({ make: pods(demandsOfMore), choice: fc.nat({ max: 5 }) }), {
        maxLength: 8,
        size: 'max',
      }),
    })
    .map(({ cluster, more }) => ({
      cluster,
      more: more.map(({ make, choice }, count) => ({ pod: make({ name: `more-${count}` }), choice })),
    }))
    .map((filling) =>
      described(filling, ({ cluster, more }) => [
        String(cluster),
        ...more.map(
          ({ pod, choice }) =>
            `and then, on feasible node number ${choice}, or the last one: ${sayPod(pod, true)}`,
        ),
      ]),
    );

/** Pods are placed one by one on nodes where they fit, and no node exceeds its allocatable resources. */
export const neverOvercommits = (ground: Ground): PureLaw<Filtering, Filling> =>
  filterLaw(ground, {
    inputs: fillings(ground),
    violation(filtering, { cluster, more }) {
      let now = cluster;
      const arriving = [{ pod: cluster.pod, choice: 0 }, ...more];
      for (const { pod, choice } of arriving) {
        now = now.with({ pod });
        const found = foundFor(filtering, filtering.plugins, now, now.snapshot());
        const nodeName = found[Math.min(choice, found.length - 1)];
        const node = now.nodes.find(({ metadata }) => metadata.name === nodeName);
        if (!nodeName || !node) continue;
        now = now.with({ pods: [...now.pods, { ...pod, spec: { ...pod.spec, nodeName } }] });
        const there = now.pods.filter(({ spec }) => spec.nodeName === nodeName);
        const [over] = overcommitted(node, there, pod);
        if (!over) continue;
        return (
          `findNodesThatFit found that ${pod.metadata.name} fits on ${nodeName}. ${surplus(over)}\n\nnode ${sayNode(node)}\n` +
          there.map((each) => `  has ${sayPod(each)}`).join('\n')
        );
      }
      return undefined;
    },
  });

function surplus({ name, asked, has }: ReturnType<typeof overcommitted>[number]): string {
  const zero = has === 0 ? '; a missing allocatable counts as 0' : '';
  return name === 'pods'
    ? `With it, ${asked} pods are on the node, but its allocatable pods are ${has}${zero}.`
    : `With it, the pods of the node request ${asked} of ${name}, but the node has ${has}${zero}.`;
}

/** A cluster, and an empty node that is added at some position. */
interface Growth {
  readonly cluster: SchedulingCluster;
  readonly node: Node;
  readonly at: number;
}

const growths = (ground: Ground): fc.Arbitrary<Growth> =>
  fc
    .record({ cluster: ground.usual, make: nodes, at: fc.nat({ max: 6 }) })
    .map(({ cluster, make, at }) =>
      described({ cluster, at, node: make('node-new') }, (growth) => [
        String(growth.cluster),
        `then added at position ${growth.at}: node ${sayNode(growth.node)}`,
      ]),
    );

/**
 * An additional empty node changes no status of the others, except with topology spread: it may be a new domain with the minimum
 * of pods. A node with pods could change more, through anti-affinity and the bootstrapping rule of affinity.
 */
export const growingTakesNothingAway = (ground: Ground): PureLaw<Filtering, Growth> =>
  filterLaw(ground, {
    inputs: growths(ground),
    violation(filtering, { cluster, node, at }) {
      const grown = cluster.with({ nodes: cluster.nodes.toSpliced(at, 0, node) });
      const [before, after] = [cluster.snapshot(), grown.snapshot()];
      for (const plugin of filtering.plugins) {
        if (plugin.name === 'PodTopologySpread') continue;
        const told = ask(plugin, grown, after);
        for (const [name, said] of ask(plugin, cluster, before)) {
          const now = told.get(name) ?? success;
          if (isSame(said, now)) continue;
          return `${plugin.name} returned for ${name}\n  ${say(said)}\nbut with an empty node-new in the cluster\n  ${say(now)}`;
        }
      }
      if (
        cluster.pod.spec.topologySpreadConstraints?.some(
          ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
        )
      ) {
        return undefined;
      }
      const found = new Set(foundFor(filtering, filtering.plugins, grown, after));
      const lost = foundFor(filtering, filtering.plugins, cluster, before).filter((name) => !found.has(name));
      if (lost.length === 0) return undefined;
      return `With an empty node-new in the cluster, the search for feasible nodes no longer returned ${list(lost)}; it returned ${list([...found])}. A cluster this small must be searched completely. The status of each node:\n\n${table(filtering, grown)}`;
    },
  });

/** A cluster, and another order of its nodes and of the plugins. */
interface Shuffle {
  readonly cluster: SchedulingCluster;
  readonly nodes: readonly number[];
  readonly plugins: readonly number[];
}

const order = (most: number) =>
  fc.shuffledSubarray([...Array(most).keys()], { minLength: most, maxLength: most });

const shuffles = (ground: Ground): fc.Arbitrary<Shuffle> =>
  fc
    .record({ cluster: ground.usual, nodes: order(6), plugins: order(8) })
    .map((shuffle) => described(shuffle, ({ cluster }) => [String(cluster)]));

/** The set of feasible nodes depends neither on the order of nodes nor on that of plugins. */
export const orderDoesNotMatter = (ground: Ground): PureLaw<Filtering, Shuffle> =>
  filterLaw(ground, {
    inputs: shuffles(ground),
    violation(filtering, { cluster, nodes: nodeOrder, plugins: pluginOrder }) {
      const { plugins } = filtering;
      const shuffled = cluster.with({ nodes: arranged(cluster.nodes, nodeOrder) });
      const mixed = arranged(plugins, pluginOrder);
      const found = [...foundFor(filtering, plugins, cluster, cluster.snapshot())].sort();
      const other = [...foundFor(filtering, mixed, shuffled, shuffled.snapshot())].sort();
      if (found.join() === other.join()) return undefined;
      const right = mayRunOnNodes(filtering, cluster);
      const nodesOf = (each: SchedulingCluster) => list(each.nodes.map(({ metadata }) => metadata.name));
      return [
        `By the rules of the plugins, the pod fits on ${list(right)}. But findNodesThatFit returned`,
        `  ${list(found)}, with the nodes in the order ${nodesOf(cluster)};${missed(filtering, plugins, cluster, right)}`,
        `  ${list(other)}, with the nodes in the order ${nodesOf(shuffled)} and the plugins in the order ${list(mixed.map(({ name }) => name))}.${missed(filtering, mixed, shuffled, right)}`,
      ].join('\n');
    },
  });

/** Explains why nodes on which a pod fits were not found: a plugin rejected it there, or no plugin was called. */
function missed(
  { findNodesThatFit }: Filtering,
  plugins: Filtering['plugins'],
  cluster: SchedulingCluster,
  right: readonly string[],
): string {
  const request = { plugins, state: new CycleState(), pod: cluster.pod, snapshot: cluster.snapshot() };
  const { feasible, diagnosis } = findNodesThatFit(request);
  const lost = right.filter((name) => !feasible.some((info) => info.name === name));
  return lost
    .map((name) => {
      const status = diagnosis.nodeToStatus.get(name);
      const why = status
        ? say(status)
        : 'missing, without a status in the diagnosis: the search must not stop before it';
      return `\n    ${name}: ${why}`;
    })
    .join('');
}

function arranged<T>(all: readonly T[], order: readonly number[]): readonly T[] {
  const known = order.flatMap((index) => (index < all.length ? [all[index] as T] : []));
  return [...known, ...all.slice(order.length)];
}

/** A cluster, and a factor for the resources of its nodes. */
interface Enlargement {
  readonly cluster: SchedulingCluster;
  readonly times: number;
}

const enlargements = (ground: Ground): fc.Arbitrary<Enlargement> =>
  fc
    .record({ cluster: ground.asking, times: fc.integer({ min: 2, max: 12 }) })
    .map((enlargement) => described(enlargement, ({ cluster }) => [String(cluster)]));

/** A pod that fits on a node still fits when the node has more resources, and when the pod requests none. */
export const moreRoomStillFits = (ground: Ground): PureLaw<Filtering, Enlargement> =>
  filterLaw(ground, {
    inputs: enlargements(ground),
    violation(filtering, { cluster, times }) {
      const bigger = cluster.with({ nodes: cluster.nodes.map((node) => enlarged(node, times)) });
      const modest = cluster.with({ pod: withoutRequests(cluster.pod) });
      const fits = foundFor(filtering, filtering.plugins, cluster, cluster.snapshot());
      for (const [other, how] of [
        [bigger, `when every node has ${times} times its resources`],
        [modest, 'when it requests no resources'],
      ] as const) {
        const still = new Set(foundFor(filtering, filtering.plugins, other, other.snapshot()));
        const lost = fits.filter((name) => !still.has(name));
        if (lost.length > 0) {
          return `The pod fits on ${list(lost)}, but not ${how}.\n\n${table(filtering, other)}`;
        }
      }
      return undefined;
    },
  });

function enlarged(node: Node, times: number): Node {
  const more = Object.entries(node.status.allocatable ?? {}).map(([name, quantity]) => {
    const [, amount, unit] = /^(\d+)(.*)$/.exec(quantity) ?? [];
    return [name, `${Number(amount) * times}${unit}`];
  });
  return { ...node, status: { ...node.status, allocatable: Object.fromEntries(more) } };
}

function withoutRequests({ spec, ...rest }: Pod): Pod {
  const { overhead: _, initContainers, ...others } = spec;
  const bare = ({ resources: __, ...container }: Pod['spec']['containers'][number]) => container;
  return {
    ...rest,
    spec: {
      ...others,
      containers: spec.containers.map(bare),
      ...(initContainers ? { initContainers: initContainers.map(bare) } : {}),
    },
  };
}

function list(names: readonly string[]): string {
  return names.join(', ') || 'none';
}
