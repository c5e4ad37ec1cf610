import type { WeightedPlugin } from '../contracts/framework/index.ts';
import type { TraceEntry } from '../sim/index.ts';

/** The decision of a scheduler about one pod: its verdict on each node. */
export interface SchedulingTable {
  /** When it decided, in virtual ms, as in the trace. */
  readonly atMs: number;
  readonly scheduler: string;
  /** As in the trace: `pods/default/web-1`. */
  readonly pod: string;
  /** The nodes with the highest total; the scheduler may choose any of them. Empty if no node fits. */
  readonly best: readonly string[];
  /** In the order of the scheduler's snapshot. */
  readonly nodes: readonly NodeVerdict[];
}

/** The verdict on one node. */
export interface NodeVerdict {
  readonly node: string;
  /** The filters that rejected the node, with their reasons. Empty if the pod fits. */
  readonly rejections: readonly { readonly plugin: string; readonly reasons: string }[];
  /** The scores, in the order of the plugins. Empty if the pod does not fit, or if no plugin scored it. */
  readonly scores: readonly PluginScore[];
  /** The sum of the weighted scores; absent if the pod does not fit. */
  readonly total?: number;
}

/** The score of one plugin for one node. */
export interface PluginScore {
  readonly plugin: string;
  /** 0 to 100. Equal to `weighted` if the weight is unknown. */
  readonly score: number;
  /** Absent if it is unknown. */
  readonly weight?: number;
  /** The score times the weight. */
  readonly weighted: number;
}

/**
 * Reads the decisions that a scheduler explains in a trace, oldest first. It explains them in clusters of up to 20 nodes.
 *
 * @param plugins the scheduler's score plugins. The trace has only weighted scores. @defaultValue their weights are unknown
 */
export function schedulingTables(
  trace: readonly TraceEntry[],
  plugins: readonly WeightedPlugin[] = [],
): readonly SchedulingTable[] {
  const weights = new Map(plugins.map(({ plugin, weight }) => [plugin.name, weight]));
  const tables: (SchedulingTable & { readonly nodes: NodeVerdict[] })[] = [];
  for (const { verb, note = '', atMs, actor, object } of trace) {
    if (verb !== 'explain' || object === undefined) continue;
    const decision = DECISION.exec(note);
    if (decision) {
      const best = decision[1]?.split(' or ') ?? [];
      tables.push({ atMs, scheduler: actor, pod: object, best, nodes: [] });
      continue;
    }
    const verdict = verdictIn(note, weights);
    if (verdict) tables.at(-1)?.nodes.push(verdict);
  }
  return tables;
}

/** The first line of `explain` in `contracts/framework/explain.ts`. */
const DECISION = /^\S+ (?:can run nowhere|goes to (.+)) \(\d+ of \d+ nodes can do\)$/;

/** Reads a further line: `node-1  ✓ 363 = TaintToleration 300 + NodeResourcesFit 63`, `node-2  ✗ NodeName: …`. */
function verdictIn(line: string, weights: ReadonlyMap<string, number>): NodeVerdict | undefined {
  const [, node, mark, rest = ''] = /^(\S+) +([✓✗]) (.*)$/s.exec(line) ?? [];
  if (node === undefined) return undefined;
  if (mark === '✗') {
    const rejections = rest.split(' · ✗ ').map((each) => {
      const [, plugin = each, reasons = ''] = /^([^:]+): (.*)$/s.exec(each) ?? [];
      return { plugin, reasons };
    });
    return { node, rejections, scores: [] };
  }
  const [total, sum = ''] = rest.split(' = ');
  const scores = sum.split(' + ').flatMap((each): PluginScore[] => {
    const [, plugin, value] = /^(\S+) (-?\d+)$/.exec(each) ?? [];
    if (plugin === undefined) return [];
    const weighted = Number(value);
    const weight = weights.get(plugin);
    return [
      {
        plugin,
        weighted,
        ...(weight === undefined ? { score: weighted } : { score: weighted / weight, weight }),
      },
    ];
  });
  return { node, rejections: [], scores, total: Number(total) };
}
