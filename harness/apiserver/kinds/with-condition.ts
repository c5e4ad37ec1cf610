/** Fields that conditions of all kinds share. */
interface ConditionLike {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | null;
}

/**
 * Returns the list with `condition` in place of the condition of its type, or at the end. The time of its last
 * transition is `now`, unless the status is the same as before. No other field of the old condition stays, not even
 * `observedGeneration`.
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
