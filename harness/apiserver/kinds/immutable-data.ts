import type { Cause } from '../../api/status.ts';
import { forbidden } from '../validation/field-error.ts';

/**
 * The limit for the data of a ConfigMap or Secret: each kubelet that mounts it holds it in memory.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/types.go MaxSecretSize
 */
export const DATA_BYTES_MAX = 1024 * 1024;

/** The common fields of ConfigMaps and Secrets. */
interface WithData {
  readonly immutable?: boolean;
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/**
 * Refuses changes of an object with `immutable: true`, and taking that back: kubelets do not watch such an object, and would
 * miss the change.
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

/** Differs from `semanticEqual`: a key with an empty text is an empty file in the pod, an absent key is no file. */
function sameEntries(
  a: Readonly<Record<string, string>> = {},
  b: Readonly<Record<string, string>> = {},
): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key])
  );
}
