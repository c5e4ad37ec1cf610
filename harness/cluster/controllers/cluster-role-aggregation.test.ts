import { expect, test } from 'vitest';
import { clusterRoles } from '../../api/plain-resources.ts';
import type { Components } from '../../contracts/component.ts';
import { type Cluster, createCluster } from '../cluster.ts';
import { runOtherControllers } from './index.ts';

const { components } = (await import('#components')) as { readonly components: Components };

async function running(): Promise<Cluster> {
  const cluster = await createCluster({ components, postStartHooks: true });
  runOtherControllers(cluster, undefined);
  await cluster.runFor(1_000);
  return cluster;
}

const rulesOf = async ({ admin }: Cluster, name: string) =>
  (await admin.get(clusterRoles, { name })).rules ?? [];

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/clusterroleaggregation/clusterroleaggregation_controller_test.go TestSyncClusterRole
test('An aggregate has the rules of the roles that it selects, by name', async () => {
  await using cluster = await running();
  const view = await rulesOf(cluster, 'view');
  expect(view).toEqual(await rulesOf(cluster, 'system:aggregate-to-view'));
  expect(view.length).toBeGreaterThan(10);
  const edit = await rulesOf(cluster, 'edit');
  expect(edit).toEqual([...(await rulesOf(cluster, 'system:aggregate-to-edit')), ...view]);
  expect(await rulesOf(cluster, 'admin')).toEqual([
    ...edit,
    ...(await rulesOf(cluster, 'system:aggregate-to-admin')),
  ]);
});

test('A newly selected role becomes part of the aggregates above it, once', async () => {
  await using cluster = await running();
  const { admin } = cluster;
  const rule = { apiGroups: ['stable.example.com'], resources: ['crontabs'], verbs: ['get'] };
  const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
  const created = await admin.create(clusterRoles, {
    metadata: { name: 'crontabs', labels },
    rules: [rule, rule],
  });
  await cluster.runFor(1_000);
  for (const name of ['view', 'edit', 'admin']) {
    const rules = await rulesOf(cluster, name);
    expect(rules.filter(({ apiGroups }) => apiGroups?.[0] === 'stable.example.com')).toEqual([rule]);
  }
  await admin.delete(clusterRoles, { name: created.metadata.name });
  await cluster.runFor(1_000);
  expect(await rulesOf(cluster, 'admin')).not.toContainEqual(rule);
});

test('Rules that a user writes into an aggregate are replaced', async () => {
  await using cluster = await running();
  const { admin } = cluster;
  const admins = await admin.get(clusterRoles, { name: 'admin' });
  await admin.update(clusterRoles, { ...admins, rules: [] });
  await cluster.runFor(1_000);
  expect(await rulesOf(cluster, 'admin')).toEqual(admins.rules);
});
