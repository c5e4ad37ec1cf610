import type { Cause } from '../../api/status.ts';
import { forbidden } from '../validation/field-error.ts';

/**
 * The size limit of a ConfigMap or Secret: each kubelet that mounts it holds it in memory.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/types.go MaxSecretSize
 */
export const DATA_BYTES_MAX = 1024 * 1024;

/** Fields that ConfigMaps and Secrets share. */
interface WithData {
  readonly immutable?: boolean;
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/**
 * Rejects changes of an object with `immutable: true`, and unsetting the field: kubelets do not watch such an object
 * and would miss the change.
 */
export function validateImmutableData(
  object: WithData,
  old: WithData,
  fields: readonly ('data' | 'binaryData')[],
): Cause[] {
  if (!old.immutable) return [];
  const changed = fields.filter((field) => !sameEntries(object[field], old[field]));
  return [...(object.immutable ? [] : ['immutable']), ...changed].map((field) =>
    forbidden(field, 'field is immutable when `immutable` is set'),
  );
}

/**
 * Compares entries. Unlike `semanticEqual`, it distinguishes an empty text (an empty file in the pod) from an absent
 * key (no file).
 */
function sameEntries(
  a: Readonly<Record<string, string>> = {},
  b: Readonly<Record<string, string>> = {},
): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key])
  );
}
