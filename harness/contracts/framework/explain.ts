import { keyOf, keyToString, type Pod } from '../../api/objects.ts';
import { CycleState } from './cycle-state.ts';
import type { NodeInfo } from './node-info.ts';
import type { FilterPlugin } from './plugin.ts';
import type { NodePluginScores, Profile } from './profile.ts';
import type { Snapshot } from './snapshot.ts';
import { isRejected, type Status } from './status.ts';

/** The results of all plugins for one node. */
interface NodeExplanation {
  readonly name: string;
  /** The status of each filter, in their order, without filters that skipped the pod. */
  readonly verdicts: readonly { readonly plugin: string; readonly status: Status }[];
  /** The scores of the node, if it passes every filter. */
  readonly scores?: NodePluginScores;
}

/** Explains on which nodes a pod can run, and why. `String(explanation)` is a table with one line per node. */
class Explanation {
  readonly pod: Pod;
  /** In the order of the snapshot. */
  readonly nodes: readonly NodeExplanation[];

  constructor(pod: Pod, nodes: readonly NodeExplanation[]) {
    this.pod = pod;
    this.nodes = nodes;
  }

  /** The nodes with the highest total. The scheduler may choose any of them. */
  get best(): readonly string[] {
    const most = Math.max(...this.nodes.map(({ scores }) => scores?.totalScore ?? Number.NEGATIVE_INFINITY));
    return this.nodes.flatMap(({ name, scores }) => (scores?.totalScore === most ? [name] : []));
  }

  /** Returns the decision, and a line for each node. */
  lines(): string[] {
    const { best, nodes } = this;
    const width = Math.max(...nodes.map(({ name }) => name.length));
    const feasible = nodes.filter(({ scores }) => scores).length;
    const outcome = feasible === 0 ? 'can run nowhere' : `goes to ${best.join(' or ')}`;
    return [
      `${keyToString(keyOf(this.pod))} ${outcome} (${feasible} of ${nodes.length} nodes can do)`,
      ...nodes.map((node) => `${node.name.padEnd(width)}  ${sayNode(node)}`),
    ];
  }

  toString(): string {
    return this.lines().join('\n');
  }
}

/**
 * Explains why a pod was scheduled to its node, or to none: the result of each plugin for each node. It is for readers
 * of a trace, of a failing test, or of a cluster that behaves unexpectedly.
 *
 * It calls every filter for every node, even after a filter has rejected the pod, and every score for the remaining
 * nodes. It has no side effects.
 *
 * @param snapshot of a small cluster, because every node is evaluated
 */
export function explain(
  { filtering, scoring }: Pick<Profile, 'filtering' | 'scoring'>,
  pod: Pod,
  snapshot: Snapshot,
): Explanation {
  const state = new CycleState();
  const rejected: { plugin: string; status: Status }[] = [];
  const asked: FilterPlugin[] = [];
  for (const plugin of filtering.plugins) {
    const status = plugin.preFilter?.(state, pod, snapshot);
    if (status && isRejected(status)) rejected.push({ plugin: plugin.name, status });
    else if (status?.code !== 'Skip') asked.push(plugin);
  }
  const verdicts = snapshot.nodeInfos.map((info) => [
    ...rejected,
    ...asked.map((plugin) => ({ plugin: plugin.name, status: plugin.filter(state, pod, info) })),
  ]);
  const fits = (index: number): boolean => !verdicts[index]?.some(({ status }) => isRejected(status));
  const feasible = snapshot.nodeInfos.filter((_, index) => fits(index));
  const scores = scoresOf(scoring, state, pod, feasible, snapshot);
  return new Explanation(
    pod,
    snapshot.nodeInfos.map(({ name }, index) => {
      const score = scores.get(name);
      return { name, verdicts: verdicts[index] ?? [], ...(score ? { scores: score } : {}) };
    }),
  );
}

function scoresOf(
  { plugins, prioritizeNodes }: Profile['scoring'],
  state: CycleState,
  pod: Pod,
  feasible: readonly NodeInfo[],
  snapshot: Snapshot,
): ReadonlyMap<string, NodePluginScores> {
  if (feasible.length === 0) return new Map();
  const scores = prioritizeNodes({ plugins, state, pod, feasible, snapshot });
  return new Map(scores.map((each) => [each.name, each]));
}

function sayNode({ verdicts, scores }: NodeExplanation): string {
  const against = verdicts.filter(({ status }) => isRejected(status));
  if (against.length > 0) {
    return against.map(({ plugin, status }) => `✗ ${plugin}: ${status.reasons.join(', ')}`).join(' · ');
  }
  const { totalScore = 0, scores: each = [] } = scores ?? {};
  return `✓ ${totalScore} = ${each.map(({ name, score }) => `${name} ${score}`).join(' + ') || 'no opinion'}`;
}
