import { expect, test } from 'vitest';
import {
  configMapColumns,
  leaseColumns,
  namespaceColumns,
  podDisruptionBudgetColumns,
  priorityClassColumns,
  runtimeClassColumns,
  secretColumns,
  serviceAccountColumns,
} from './basics.ts';
import { daysAgo, row } from './cells.fixture.ts';

const metadata = { name: 'a', creationTimestamp: daysAgo(3) };

test('A Namespace tells its phase', () => {
  expect(row(namespaceColumns, { metadata, status: { phase: 'Active' } })).toEqual(['a', 'Active', '3d']);
});

test('A ConfigMap counts its texts and its bytes', () => {
  expect(row(configMapColumns, { metadata, data: { x: '1', y: '2' }, binaryData: { z: '' } })).toEqual([
    ...['a', 3, '3d'],
  ]);
  expect(row(configMapColumns, { metadata })).toEqual(['a', 0, '3d']);
});

test('A Secret tells its type and counts its entries', () => {
  expect(row(secretColumns, { metadata, type: 'Opaque', data: { x: '' } })).toEqual(['a', 'Opaque', 1, '3d']);
});

test('A ServiceAccount has nothing to tell but its name', () => {
  expect(row(serviceAccountColumns, { metadata })).toEqual(['a', '3d']);
});

test('A Lease tells whose it is', () => {
  expect(row(leaseColumns, { metadata, spec: { holderIdentity: 'me' } })).toEqual(['a', 'me', '3d']);
  expect(row(leaseColumns, { metadata })).toEqual(['a', '', '3d']);
});

test('A PodDisruptionBudget tells what it allows', () => {
  const status = { disruptionsAllowed: 2, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  expect(row(podDisruptionBudgetColumns, { metadata, spec: { minAvailable: 0 }, status })).toEqual([
    ...['a', '0', 'N/A', 2, '3d'],
  ]);
  expect(row(podDisruptionBudgetColumns, { metadata, spec: { maxUnavailable: '30%' } })).toEqual([
    ...['a', 'N/A', '30%', 0, '3d'],
  ]);
});

test('A PriorityClass tells its value', () => {
  const priorityClass = { metadata, value: 7, globalDefault: true, preemptionPolicy: 'Never' };
  expect(row(priorityClassColumns, priorityClass)).toEqual(['a', 7, true, '3d', 'Never']);
  expect(row(priorityClassColumns, { metadata, value: 0 })).toEqual(['a', 0, false, '3d', '']);
});

test('A RuntimeClass tells its handler', () => {
  expect(row(runtimeClassColumns, { metadata, handler: 'gvisor' })).toEqual(['a', 'gvisor', '3d']);
});
