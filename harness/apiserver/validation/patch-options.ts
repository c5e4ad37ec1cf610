import type { Cause } from '../../api/status.ts';
import type { Patch, PatchOptions } from '../../contracts/client.ts';
import { forbidden, required } from './field-error.ts';

/**
 * Validates the options of a patch that depend on its type: an apply needs a manager, and only an apply can use force.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/validation/validation.go ValidatePatchOptions
 */
export function validatePatchOptions(
  type: Patch['type'],
  { fieldManager, force }: Pick<PatchOptions, 'fieldManager' | 'force'>,
): readonly Cause[] {
  if (type === 'apply') return fieldManager ? [] : [required('fieldManager', 'is required for apply patch')];
  return force === undefined ? [] : [forbidden('force', 'may not be specified for non-apply patch')];
}
