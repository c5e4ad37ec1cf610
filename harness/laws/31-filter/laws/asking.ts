import type { Node } from '../../../api/objects.ts';
import {
  CycleState,
  type Filtering,
  type FilterPlugin,
  isRejected,
  type Snapshot,
  type Status,
  success,
} from '../../../contracts/framework/index.ts';
import type { PureLaw } from '../../../testing/obeys.ts';
import { explain, type Ruling, rulingsOn } from '../../scheduling/oracle/index.ts';
import type { SchedulingCluster } from '../../scheduling/simulation.ts';
import type { Ground } from '../scenario.ts';

/** Restricts a law to the plugins of a ground. A missing plugin is a violation. */
export function filterLaw<T>(ground: Ground, law: PureLaw<Filtering, T>): PureLaw<Filtering, T> {
  return {
    ...law,
    violation(filtering, input) {
      const missing = ground.plugins.find(
        (name) => !filtering.plugins.some((plugin) => plugin.name === name),
      );
      if (missing) return `filtering.plugins lacks the plugin ${missing}.`;
      return law.violation(
        { ...filtering, plugins: filtering.plugins.filter(({ name }) => ground.plugins.includes(name)) },
        input,
      );
    },
  };
}

/** The statuses of a plugin by node name. */
export type Answers = ReadonlyMap<string, Status>;

/**
 * Runs a plugin for every node, as a scheduler does: preFilter, and then filter unless preFilter has decided.
 */
export function ask(
  plugin: FilterPlugin,
  { pod }: Pick<SchedulingCluster, 'pod'>,
  snapshot: Snapshot,
  state = new CycleState(),
): Answers {
  const before = plugin.preFilter?.(state, pod, snapshot);
  const said = before && (before.code === 'Skip' ? success : isRejected(before) ? before : undefined);
  return new Map(snapshot.nodeInfos.map((info) => [info.name, said ?? plugin.filter(state, pod, info)]));
}

/** Returns the oracle's rulings on each node for these plugins. */
export function rulings(
  { plugins }: Pick<Filtering, 'plugins'>,
  cluster: SchedulingCluster,
): readonly { readonly node: Node; readonly each: readonly Ruling[] }[] {
  const asked = new Set(plugins.map(({ name }) => name));
  return cluster.nodes.map((node) => ({
    node,
    each: rulingsOn(cluster.pod, node, cluster).filter(({ plugin }) => asked.has(plugin)),
  }));
}

/** Returns the names of the nodes that these plugins must accept. */
export function mayRunOnNodes(
  filtering: Pick<Filtering, 'plugins'>,
  cluster: SchedulingCluster,
): readonly string[] {
  return rulings(filtering, cluster).flatMap(({ node, each }) =>
    each.every(({ code }) => code === 'Success') ? [node.metadata.name] : [],
  );
}

/** Returns the names of the feasible nodes for the pod, in a new cycle. */
export function foundFor(
  { findNodesThatFit }: Filtering,
  plugins: readonly FilterPlugin[],
  { pod }: Pick<SchedulingCluster, 'pod'>,
  snapshot: Snapshot,
): readonly string[] {
  const { feasible } = findNodesThatFit({ plugins, state: new CycleState(), pod, snapshot });
  return feasible.map(({ name }) => name);
}

/** Reports whether two statuses are equal; the order of reasons does not matter. */
export function isSame(a: Pick<Status, 'code' | 'reasons'>, b: Pick<Status, 'code' | 'reasons'>): boolean {
  return a.code === b.code && [...a.reasons].sort().join('\n') === [...b.reasons].sort().join('\n');
}

/** Formats a status: `✓`, or `✗ Unschedulable: Insufficient cpu`. */
export function say({ code, reasons }: Pick<Status, 'code' | 'reasons'>): string {
  return code === 'Success' ? '✓' : `✗ ${code}: ${reasons.join(', ') || 'no reason'}`;
}

/** Formats the statuses of each node, one line each, and the expected status with its reasons where they differ. */
export function table({ plugins }: Filtering, cluster: SchedulingCluster): string {
  const snapshot = cluster.snapshot();
  const answers = new Map(plugins.map((plugin) => [plugin.name, ask(plugin, cluster, snapshot)]));
  const lines = rulings({ plugins }, cluster).flatMap(({ node, each }) => {
    const said = each.map((right) => ({
      right,
      is: answers.get(right.plugin)?.get(node.metadata.name) ?? success,
    }));
    const against = said.flatMap(({ is, right }) => (isRejected(is) ? [`${right.plugin} ${say(is)}`] : []));
    const wrong = said.filter(({ is, right }) => !isSame(is, right));
    return [
      `${node.metadata.name}  ${against.join(' · ') || '✓'}`,
      ...wrong.flatMap(({ right }) => [
        `  expected  ${right.plugin} ${say(right)}`,
        ...explain(right, cluster.pod, node, cluster).map((line) => `    ${line}`),
      ]),
    ];
  });
  return lines.join('\n');
}

/** Returns all elements from an index on, wrapping around. */
export function from<T>(startIndex: number, all: readonly T[]): readonly T[] {
  const start = startIndex % all.length;
  return [...all.slice(start), ...all.slice(0, start)];
}
