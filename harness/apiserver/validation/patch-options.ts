import type { Cause } from '../../api/status.ts';
import type { Patch, PatchOptions } from '../../contracts/client.ts';
import { forbidden, required } from './field-error.ts';

/**
 * The rules for the options of a patch that hold for one type of patch: a client that applies says its name, and only an apply may
 * take fields by force.
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
