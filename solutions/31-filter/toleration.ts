/** Levels 1 and 2 · Tolerations. */
import type { framework } from '#harness';

export function toleratesTaint(toleration: framework.Toleration, taint: framework.Taint): boolean {
  const { effect, key, operator, value = '' } = toleration;
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (!operator || operator === 'Equal') && value === (taint.value ?? '');
}
