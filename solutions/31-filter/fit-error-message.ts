/** Level 6 · The sum: the message that explains why no node fits. */
import type { framework } from '#harness';

/** Differs: upstream appends a message about preemption, which does not exist here. */
export function fitErrorMessage(
  numAllNodes: number,
  { preFilterMsg, nodeToStatus }: framework.Diagnosis,
): string {
  const why = preFilterMsg || histogram([...nodeToStatus.values()].flatMap(({ reasons }) => reasons));
  return `0/${numAllNodes} nodes are available:${why && ` ${why}.`}`;
}

/** Counts each reason: `2 node(s) were unschedulable, 3 Insufficient cpu`. */
function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Array.from(counts, ([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
