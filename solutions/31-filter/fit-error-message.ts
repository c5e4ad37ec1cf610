/** Level 6 · The sum: the sentence that says why no node will do. */
import type { framework } from '#harness';

/** Differs: what preemption says follows in upstream; there is none here. */
export function fitErrorMessage(
  numAllNodes: number,
  { preFilterMsg, nodeToStatus }: framework.Diagnosis,
): string {
  const why = preFilterMsg || histogram([...nodeToStatus.values()].flatMap(({ reasons }) => reasons));
  return `0/${numAllNodes} nodes are available:${why && ` ${why}.`}`;
}

/** How often each was said: `2 node(s) were unschedulable, 3 Insufficient cpu`. */
function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Array.from(counts, ([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
