import { expect, test } from 'vitest';
import {
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  serviceCIDRs,
} from '../api/plain-resources.ts';
import { priorityClasses, type Resource } from '../api/resource.ts';
import { createCluster } from './cluster.ts';

const named = ({ items }: { readonly items: readonly { readonly metadata: { readonly name: string } }[] }) =>
  items.map(({ metadata }) => metadata.name);

test('A simulated cluster has no roles, no priority classes and no Service range', async () => {
  await using cluster = await createCluster();
  const resources: readonly Resource[] = [
    clusterRoles,
    clusterRoleBindings,
    roles,
    roleBindings,
    priorityClasses,
    serviceCIDRs,
  ];
  for (const resource of resources) {
    expect(named(await cluster.admin.list(resource))).toEqual([]);
  }
});

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/controlplane/controller/defaultservicecidr/default_servicecidr_controller_test.go
test('The Service range is ready', async () => {
  await using cluster = await createCluster({ postStartHooks: true });
  expect(await cluster.admin.get(serviceCIDRs, { name: 'kubernetes' })).toMatchObject({
    spec: { cidrs: ['10.96.0.0/12'] },
    status: {
      conditions: [
        { type: 'Ready', status: 'True', reason: '', message: 'Kubernetes default Service CIDR is ready' },
      ],
    },
  });
});

test('The system has two priority classes', async () => {
  await using cluster = await createCluster({ postStartHooks: true });
  const { items } = await cluster.admin.list(priorityClasses);
  expect(items.map(({ metadata, value }) => `${metadata.name} ${value}`)).toEqual([
    'system-cluster-critical 2000000000',
    'system-node-critical 2000001000',
  ]);
});

// Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata/*.yaml
test("A system role has upstream's rules", async () => {
  await using cluster = await createCluster({ postStartHooks: true });
  const { admin } = cluster;
  const metadata = {
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
  expect(await admin.get(clusterRoles, { name: 'cluster-admin' })).toMatchObject({
    metadata,
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ],
  });
  expect(await admin.get(clusterRoles, { name: 'admin' })).toMatchObject({
    metadata,
    aggregationRule: {
      clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' } }],
    },
  });
  expect((await admin.get(clusterRoles, { name: 'system:node-problem-detector' })).rules).toEqual([
    { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
    { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
  ]);
  expect((await admin.get(clusterRoles, { name: 'system:public-info-viewer' })).rules).toEqual([
    { nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'], verbs: ['get'] },
  ]);
  const signer = { namespace: 'kube-public', name: 'system:controller:bootstrap-signer' };
  expect((await admin.get(roles, signer)).rules?.[1]).toEqual({
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: ['cluster-info'],
    verbs: ['update'],
  });
});

test('Users, groups and service accounts have the system roles', async () => {
  await using cluster = await createCluster({ postStartHooks: true });
  const { admin } = cluster;
  const apiGroup = 'rbac.authorization.k8s.io';
  expect(await admin.get(clusterRoleBindings, { name: 'cluster-admin' })).toMatchObject({
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup, kind: 'Group', name: 'system:masters' }],
  });
  const ofController = 'system:controller:deployment-controller';
  expect(await admin.get(clusterRoleBindings, { name: ofController })).toMatchObject({
    roleRef: { name: ofController },
    subjects: [{ kind: 'ServiceAccount', name: 'deployment-controller', namespace: 'kube-system' }],
  });
  expect((await admin.get(clusterRoleBindings, { name: 'system:node' })).subjects).toBe(undefined);
  const bound = await admin.list(roleBindings, { namespace: 'kube-system' });
  expect(named(bound)).toContain('system::extension-apiserver-authentication-reader');
});

test('Each controller has its role, and every binding refers to an existing role', async () => {
  await using cluster = await createCluster({ postStartHooks: true });
  const { admin } = cluster;
  const all = named(await admin.list(clusterRoles));
  const bound = (await admin.list(clusterRoleBindings)).items.map(({ roleRef }) => roleRef.name);
  expect(all).toHaveLength(69);
  expect(bound.filter((name) => !all.includes(name))).toEqual([]);
  expect(all.filter((name) => name.startsWith('system:controller:') && !bound.includes(name))).toEqual([]);
});
