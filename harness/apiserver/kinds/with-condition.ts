/** What conditions of all kinds have in common. */
interface ConditionLike {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | null;
}

/**
 * The list with `condition` in the place of the one of its type, or at the end. The time of its last transition is `now`,
 * unless the condition was as true or false before. Nothing else of the old one stays, `observedGeneration` included.
 *
 * The conditions that the apiserver itself writes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/pod/util.go UpdatePodCondition;
 * kubernetes/apimachinery@v0.36.3 pkg/api/meta/conditions.go SetStatusCondition
 *
 * @param now RFC 3339
 */
export function withCondition<C extends ConditionLike>(
  conditions: readonly C[] = [],
  condition: Omit<C, 'lastTransitionTime'>,
  now: string,
): C[] {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[index];
  const since = old?.status === condition.status ? (old.lastTransitionTime ?? now) : now;
  const next = { ...condition, lastTransitionTime: since } as C;
  return old ? conditions.with(index, next) : [...conditions, next];
}
