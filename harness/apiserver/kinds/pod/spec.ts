import type * as core from 'kubernetes-types/core/v1.d.ts';
import type { Cause } from '../../../api/status.ts';

/** Every rule that a pod's spec breaks. */
export function validatePodSpec(_spec: core.PodSpec, _path: string): Cause[] {
  return [];
}
