import type { NodeVerdict, PluginScore, SchedulingTable } from '../drawing/scheduling-table.ts';

/** Options of {@link renderSchedulingTable}. */
interface TableOptions {
  /** The virtual time that is printed as 0, in ms. */
  readonly sinceMs: number;
  /** The node that the pod was bound to. */
  readonly bound: string | undefined;
}

/**
 * Renders the decision about a pod: a heading, and a row for each node, the best first.
 *
 *     pods/default/web-1 at 12 ms: bound to node-2
 *             Taint          NodeResources
 *     node    Toleration     Fit            total
 *     node-2  100 × 3 = 300  98               398  ◀
 *     node-1  ✗ NodeName: node(s) didn't match the requested node name
 */
export function renderSchedulingTable(
  { pod, atMs, nodes, best }: SchedulingTable,
  { sinceMs, bound }: TableOptions,
): string[] {
  const sorted = nodes.toSorted((a, b) => (b.total ?? -1) - (a.total ?? -1));
  const plugins = [...new Set(nodes.flatMap(({ scores }) => scores.map(({ plugin }) => plugin)))];
  const headings = plugins.map(inTwoLines);
  const cells = (verdict: NodeVerdict): readonly string[] =>
    plugins.map((plugin) => cellOf(verdict.scores.find((score) => score.plugin === plugin)));
  const scored = sorted.filter(({ total }) => total !== undefined);
  const rows = [
    ['', ...headings.map(([above]) => above), ''],
    ['node', ...headings.map(([, below]) => below), 'total'],
    ...scored.map((verdict) => [verdict.node, ...cells(verdict), String(verdict.total)]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const nodeWidth = Math.max(...nodes.map(({ node }) => node.length), widths[0] ?? 0);
  const lines = rows.map((row) => {
    const padded = row.map((cell, column) =>
      column === 0
        ? cell.padEnd(nodeWidth)
        : column === row.length - 1
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
    );
    return `${padded.join('  ')}${row[0] === bound ? '  ◀' : ''}`.trimEnd();
  });
  const rejected = sorted
    .filter(({ total }) => total === undefined)
    .map(({ node, rejections }) => {
      const reasons = rejections.map(({ plugin, reasons }) => `✗ ${plugin}: ${reasons}`);
      return `${node.padEnd(nodeWidth)}  ${reasons.join(' · ')}`;
    });
  const outcome =
    best.length === 0
      ? 'fits on no node'
      : bound === undefined
        ? `fits best on ${best.join(' or ')}`
        : `bound to ${bound}`;
  const when = `${Math.round(atMs - sinceMs)} ms`;
  return [`${pod} at ${when}: ${outcome}`, ...(scored.length > 0 ? lines : []), ...rejected];
}

function cellOf(score: PluginScore | undefined): string {
  if (!score) return '';
  const { weight = 1, weighted } = score;
  return weight === 1 ? String(weighted) : `${score.score} × ${weight} = ${weighted}`;
}

/** Splits the name of a plugin at a capital letter, so that both lines are short. */
function inTwoLines(plugin: string): readonly [string, string] {
  const words = plugin.split(/(?=[A-Z])/);
  const splits = words.map(
    (_, index) => [words.slice(0, index).join(''), words.slice(index).join('')] as const,
  );
  const length = ([above, below]: readonly [string, string]): number => Math.max(above.length, below.length);
  return splits.reduce((a, b) => (length(b) < length(a) ? b : a), ['', plugin] as const);
}
