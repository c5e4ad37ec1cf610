import { expect, test } from 'vitest';
import type { APIServiceCondition } from '#api/apiregistration/v1';
import { apiServiceColumns } from './api-service.ts';
import { cells, daysAgo, row } from './cells.fixture.ts';

const spec = { groupPriorityMinimum: 1, versionPriority: 1 };

test('An APIService shows the service that serves it', () => {
  const metadata = { name: 'v1.apps', creationTimestamp: daysAgo(3) };
  expect(row(apiServiceColumns, { metadata, spec })).toEqual(['v1.apps', 'Local', 'Unknown', '3d']);
  const service = { namespace: 'kube-system', name: 'metrics' };
  expect(cells(apiServiceColumns, { spec: { ...spec, service } }).Service).toBe('kube-system/metrics');
});

test.each<[Omit<APIServiceCondition, 'type'>, string]>([
  [{ status: 'True', reason: 'Local' }, 'True'],
  [{ status: 'False', reason: 'MissingEndpoints' }, 'False (MissingEndpoints)'],
  [{ status: 'False' }, 'False'],
])('With the condition %j its availability is: %s', (condition, told) => {
  const conditions = [{ type: 'Available', ...condition }];
  expect(cells(apiServiceColumns, { spec, status: { conditions } }).Available).toBe(told);
});
