import { expect, test } from 'vitest';
import { row } from './cells.fixture.ts';
import { nodeMetricsColumns, podMetricsColumns } from './metrics.ts';

const measured = { metadata: { name: 'a' }, timestamp: '2024-04-16T00:00:00Z', window: '15s' };

test('A NodeMetrics shows the usage of the node', () => {
  const usage = { cpu: '250m', memory: '512Mi' };
  expect(row(nodeMetricsColumns, { ...measured, usage })).toEqual(['a', '250m', '512Mi', '15s']);
});

test('A PodMetrics shows the sums over its containers', () => {
  const containers = [
    { name: 'a', usage: { cpu: '1500u', memory: '1Mi' } },
    { name: 'b', usage: { cpu: '500u', memory: '512Ki' } },
  ];
  expect(row(podMetricsColumns, { ...measured, containers })).toEqual(['a', '2m', '1536Ki', '15s']);
  expect(row(podMetricsColumns, { ...measured, containers: [] })).toEqual(['a', '0', '0', '15s']);
});
