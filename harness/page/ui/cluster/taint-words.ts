/** Returns taints without the domains of their keys, and each key once: `unreachable:NoExecute`. */
export function briefTaints(taints: readonly string[]): readonly string[] {
  // An eviction matters more than a node that takes no further pods.
  const strongestLast = taints.toSorted((a, b) => Number(evicts(a)) - Number(evicts(b)));
  const byKey = new Map(strongestLast.map((taint) => [taint.replace(/[=:].*$/, ''), taint]));
  return [...byKey.values()].map((taint) => taint.replace(/^[^=:]*\//, ''));
}

const evicts = (taint: string): boolean => taint.endsWith(':NoExecute');
