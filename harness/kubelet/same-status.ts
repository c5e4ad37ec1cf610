import type * as core from '#api/core/v1';
import { isKubeletCondition } from './api-pod-status.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Do both mean the same? What is absent, null or empty means the same: the API writes out fields that were never set.
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
 * Do both statuses say the same, as far as it is the kubelet's to say? Times of conditions say nothing new.
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

/** Is it absent, null or empty, or an object of fields that all are? */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  return Object.values(value).every(isEmpty);
}
