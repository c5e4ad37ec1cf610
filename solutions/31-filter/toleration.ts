/** Levels 1 and 2 · What a pod tolerates. */
import type { Node, Pod } from '#harness';

/** One of a pod's `spec.tolerations`. */
export type Toleration = NonNullable<Pod['spec']['tolerations']>[number];
/** One of a node's `spec.taints`. */
export type Taint = NonNullable<Node['spec']['taints']>[number];

export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  const { effect, key, operator, value = '' } = toleration;
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (!operator || operator === 'Equal') && value === (taint.value ?? '');
}
