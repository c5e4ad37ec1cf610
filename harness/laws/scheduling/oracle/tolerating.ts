import type * as core from '#api/core/v1';
import type { Node } from '../../../api/objects.ts';

/** Returns the first taint of a node that keeps a pod away. */
export function untolerated({ tolerations = [] }: core.PodSpec, node: Node): core.Taint | undefined {
  return (node.spec.taints ?? []).find(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

/** Reports whether a toleration tolerates a taint. */
export function tolerates(toleration: core.Toleration, taint: core.Taint): boolean {
  const { effect, key, operator = 'Equal', value = '' } = toleration;
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || (operator === 'Equal' && value === (taint.value ?? ''));
}
