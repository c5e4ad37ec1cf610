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

test('A Namespace shows its phase', () => {
  expect(row(namespaceColumns, { metadata, status: { phase: 'Active' } })).toEqual(['a', 'Active', '3d']);
});

test('A ConfigMap shows the number of its text and binary entries', () => {
  expect(row(configMapColumns, { metadata, data: { x: '1', y: '2' }, binaryData: { z: '' } })).toEqual([
    ...['a', 3, '3d'],
  ]);
  expect(row(configMapColumns, { metadata })).toEqual(['a', 0, '3d']);
});

test('A Secret shows its type and the number of its entries', () => {
  expect(row(secretColumns, { metadata, type: 'Opaque', data: { x: '' } })).toEqual(['a', 'Opaque', 1, '3d']);
});

test('A ServiceAccount shows only its name and its age', () => {
  expect(row(serviceAccountColumns, { metadata })).toEqual(['a', '3d']);
});

test('A Lease shows its holder', () => {
  expect(row(leaseColumns, { metadata, spec: { holderIdentity: 'me' } })).toEqual(['a', 'me', '3d']);
  expect(row(leaseColumns, { metadata })).toEqual(['a', '', '3d']);
});

test('A PodDisruptionBudget shows its limits and the allowed disruptions', () => {
  const status = { disruptionsAllowed: 2, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  expect(row(podDisruptionBudgetColumns, { metadata, spec: { minAvailable: 0 }, status })).toEqual([
    ...['a', '0', 'N/A', 2, '3d'],
  ]);
  expect(row(podDisruptionBudgetColumns, { metadata, spec: { maxUnavailable: '30%' } })).toEqual([
    ...['a', 'N/A', '30%', 0, '3d'],
  ]);
});

test('A PriorityClass shows its value', () => {
  const priorityClass = { metadata, value: 7, globalDefault: true, preemptionPolicy: 'Never' };
  expect(row(priorityClassColumns, priorityClass)).toEqual(['a', 7, true, '3d', 'Never']);
  expect(row(priorityClassColumns, { metadata, value: 0 })).toEqual(['a', 0, false, '3d', '']);
});

test('A RuntimeClass shows its handler', () => {
  expect(row(runtimeClassColumns, { metadata, handler: 'gvisor' })).toEqual(['a', 'gvisor', '3d']);
});
