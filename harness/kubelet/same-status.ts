import type * as core from '#api/core/v1';
import { isKubeletCondition } from './api-pod-status.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns whether both values mean the same. Absent, null and empty values are equal, because the API writes out unset
 * fields.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/equality/semantic.go Semantic
 */
export function meansSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  if (typeof a !== 'object' || typeof b !== 'object' || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) {
    const other = b as readonly unknown[];
    return a.length === other.length && a.every((each, index) => meansSame(each, other[index]));
  }
  const [left, right] = [a as Fields, b as Fields];
  return [...Object.keys(left), ...Object.keys(right)].every((field) => meansSame(left[field], right[field]));
}

/**
 * Returns whether both statuses agree in the fields that the kubelet writes. The times of conditions are ignored.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/status_manager.go isPodStatusByKubeletEqual
 */
export function isSameStatus(a: core.PodStatus, b: core.PodStatus): boolean {
  return meansSame(comparable(a), comparable(b));
}

function comparable(status: core.PodStatus): unknown {
  const { conditions = [], resourceClaimStatuses: _, nominatedNodeName: __, ...rest } = status;
  const own = conditions
    .filter((condition) => isKubeletCondition(condition) || condition.type === 'DisruptionTarget')
    .map(({ type, status: is, reason = '', message = '' }) => [type, is, reason, message].join('\n'));
  return { ...rest, conditions: own.sort() };
}

/** Returns whether a value is absent, null or empty, or an object whose fields all are. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  return Object.values(value).every(isEmpty);
}
