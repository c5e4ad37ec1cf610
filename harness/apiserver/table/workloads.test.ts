import { describe, expect, test } from 'vitest';
import { cells, daysAgo, row } from './cells.fixture.ts';
import {
  controllerRevisionColumns,
  daemonSetColumns,
  deploymentColumns,
  podTemplateColumns,
  replicaSetColumns,
  replicationControllerColumns,
  statefulSetColumns,
} from './workloads.ts';

const metadata = { name: 'web', creationTimestamp: daysAgo(3) };
const containers = [
  { name: 'a', image: 'image-a' },
  { name: 'b', image: 'image-b' },
];
const template = { spec: { containers, nodeSelector: { disk: 'ssd', arch: 'arm64' } } };
const selector = { matchLabels: { app: 'web', tier: 'front' } };

test('A ReplicaSet shows the desired, current and ready pods', () => {
  const status = { replicas: 5, readyReplicas: 2 };
  const told = row(replicaSetColumns, { metadata, spec: { replicas: 5, selector, template }, status });
  expect(told).toEqual(['web', 5, 5, 2, '3d', 'a,b', 'image-a,image-b', 'app=web,tier=front']);
});

test('A ReplicationController shows the same columns, with labels as the selector', () => {
  const status = { replicas: 5, readyReplicas: 2 };
  const spec = { replicas: 5, selector: { b: '2', a: '1' }, template };
  expect(row(replicationControllerColumns, { metadata, spec, status })).toEqual([
    ...['web', 5, 5, 2, '3d', 'a,b', 'image-a,image-b', 'a=1,b=2'],
  ]);
  expect(cells(replicationControllerColumns, {}).Selector).toBe('<none>');
});

test('A PodTemplate shows its containers, their images and its labels', () => {
  const spec = {
    containers: [
      { name: 'a', image: 'nginx' },
      { name: 'b', image: 'redis' },
    ],
  };
  const template = { metadata: { labels: { app: 'web' } }, spec };
  expect(row(podTemplateColumns, { metadata, template })).toEqual(['web', 'a,b', 'nginx,redis', 'app=web']);
  expect(podTemplateColumns.map(({ priority }) => priority)).toEqual([0, 0, 0, 0]);
});

describe('A Deployment', () => {
  test('shows the ready, updated and available pods', () => {
    const status = { replicas: 10, updatedReplicas: 2, readyReplicas: 4, availableReplicas: 1 };
    const told = row(deploymentColumns, { metadata, spec: { replicas: 5, selector, template }, status });
    expect(told).toEqual(['web', '4/5', 2, 1, '3d', 'a,b', 'image-a,image-b', 'app=web,tier=front']);
  });

  test.each([
    [{}, ''],
    [{ matchExpressions: [{ key: 'app', operator: 'Like', values: [] }] }, '<invalid>'],
  ])('prints the selector %j as "%s"', (odd, told) => {
    expect(cells(deploymentColumns, { spec: { selector: odd, template } }).Selector).toBe(told);
  });
});

test('A StatefulSet shows the ready pods', () => {
  const spec = { replicas: 5, selector, template, serviceName: 'web' };
  const told = row(statefulSetColumns, { metadata, spec, status: { replicas: 5, readyReplicas: 2 } });
  expect(told).toEqual(['web', '2/5', '3d', 'a,b', 'image-a,image-b']);
});

test('A DaemonSet shows numbers of nodes', () => {
  const status = {
    desiredNumberScheduled: 6,
    currentNumberScheduled: 5,
    numberReady: 4,
    updatedNumberScheduled: 3,
    numberAvailable: 2,
    numberMisscheduled: 1,
  };
  expect(row(daemonSetColumns, { metadata, spec: { selector, template }, status })).toEqual([
    ...['web', 6, 5, 4, 3, 2, 'arch=arm64,disk=ssd', '3d', 'a,b', 'image-a,image-b', 'app=web,tier=front'],
  ]);
  expect(cells(daemonSetColumns, { spec: { selector: {}, template: {} } })).toMatchObject({
    'Node Selector': '<none>',
    Selector: '<none>',
  });
});

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintControllerRevision
describe('A ControllerRevision', () => {
  const owner = { kind: 'DaemonSet', name: 'agent', uid: 'u' };

  test.each([
    [[{ ...owner, apiVersion: 'apps/v1', controller: true }], 'daemonset.apps/agent'],
    [[{ ...owner, apiVersion: 'v1', kind: 'Pod', controller: true }], 'pod/agent'],
    [[{ ...owner, apiVersion: 'apps/v1', controller: false }], '<none>'],
    [[], '<none>'],
  ])('with the owners %j has the controller %s', (ownerReferences, controller) => {
    const revision = { metadata: { ...metadata, ownerReferences }, revision: 7 };
    expect(row(controllerRevisionColumns, revision)).toEqual(['web', controller, 7, '3d']);
  });
});
