import type { ResourceQuota } from '#api/core/v1';
import { age, type Column, name, text } from './column.ts';

/** The columns of a ResourceQuota. */
export const resourceQuotaColumns: readonly Column<ResourceQuota>[] = [
  name,
  text('Request', 'What is used of what may be asked for or made.', (quota) => used(quota, false)),
  text('Limit', 'What is used of what limits may come to.', (quota) => used(quota, true)),
  age,
];

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go printResourceQuota */
function used({ status }: ResourceQuota, ofLimits: boolean): string {
  const resources = Object.entries(status?.hard ?? {}).filter(
    ([resource]) => resource.startsWith('limits.') === ofLimits,
  );
  return resources
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, hard]) => `${resource}: ${status?.used?.[resource] ?? '0'}/${hard}`)
    .join(', ');
}
