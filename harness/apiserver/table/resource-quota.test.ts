import { expect, test } from 'vitest';
import { daysAgo, row } from './cells.fixture.ts';
import { resourceQuotaColumns } from './resource-quota.ts';

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintResourceQuota
test('A ResourceQuota shows the usage, with limits in a separate column', () => {
  const status = {
    hard: { pods: '10', 'limits.memory': '8Gi', cpu: '100', 'limits.cpu': '200', 'requests.cpu': '5' },
    used: { pods: '1', 'limits.memory': '2Gi', cpu: '1', 'limits.cpu': '2' },
  };
  const metadata = { name: 'a', creationTimestamp: daysAgo(3) };
  expect(row(resourceQuotaColumns, { metadata, status })).toEqual([
    ...['a', 'cpu: 1/100, pods: 1/10, requests.cpu: 0/5', 'limits.cpu: 2/200, limits.memory: 2Gi/8Gi', '3d'],
  ]);
  expect(row(resourceQuotaColumns, { metadata })).toEqual(['a', '', '', '3d']);
});
