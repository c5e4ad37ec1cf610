import type * as core from '#api/core/v1';
import { deepEqual } from '../api/freeze.ts';
import { isKubeletCondition } from './api-pod-status.ts';

/**
 * Do both mean the same? What is absent, null or empty means the same: the API writes out fields that were never set.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/equality/semantic.go Semantic
 */
export function meansSame(a: unknown, b: unknown): boolean {
  return deepEqual(withoutEmpty(a), withoutEmpty(b));
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

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value === '' ? undefined : (value ?? undefined);
  const fields = Object.entries(value)
    .map(([field, each]) => [field, withoutEmpty(each)] as const)
    .filter(([, each]) => each !== undefined);
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}
