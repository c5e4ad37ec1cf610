import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { type ClusterRole, clusterRoles, type rbac } from '#given/13-access';
import { type Cluster, createCluster } from '#harness/testing';
import { aggregatedRules, clusterRoleAggregationController } from '#kata/13-access/access';
import { clusterRole } from './objects.fixture.ts';

const rule = (...verbs: string[]): rbac.PolicyRule => ({ verbs, apiGroups: [''], resources: ['pods'] });

const labelled = (role: ClusterRole, labels: Record<string, string>): ClusterRole => ({
  ...role,
  metadata: { ...role.metadata, labels },
});

const aggregate = (name: string, ...selected: readonly Record<string, string>[]): ClusterRole => ({
  ...clusterRole(name),
  aggregationRule: { clusterRoleSelectors: selected.map((matchLabels) => ({ matchLabels })) },
});

const PROCESS = 'clusterrole-aggregation-controller';

async function running(): Promise<Cluster> {
  const cluster = await createCluster({ components, postStartHooks: true });
  cluster.run(PROCESS, clusterRoleAggregationController);
  await cluster.runFor(1_000);
  return cluster;
}

const rulesOf = async ({ admin }: Cluster, name: string): Promise<readonly rbac.PolicyRule[]> =>
  (await admin.get(clusterRoles, { name })).rules ?? [];

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/clusterroleaggregation/clusterroleaggregation_controller_test.go TestSyncClusterRole
describe('Level 11 ★ · Aggregates', () => {
  const b = labelled(clusterRole('b', rule('get')), { view: 'true' });
  const a = labelled(clusterRole('a', rule('list'), rule('get')), { view: 'true' });
  const c = labelled(clusterRole('c', rule('watch')), { edit: 'true' });

  test('have the rules of the selected roles, by name, each once', () => {
    expect(aggregatedRules(aggregate('all', { view: 'true' }), [b, a, c])).toEqual([
      rule('list'),
      rule('get'),
    ]);
    const capital = labelled(clusterRole('B', rule('delete')), { view: 'true' });
    expect(
      aggregatedRules(aggregate('all', { view: 'true' }), [a, capital]),
      'B comes before a: names are compared by their characters, not as words',
    ).toEqual([rule('delete'), rule('list'), rule('get')]);
  });

  test('select with each of their selectors, one after the other', () => {
    expect(aggregatedRules(aggregate('all', { edit: 'true' }, { view: 'true' }), [a, b, c])).toEqual([
      rule('watch'),
      rule('list'),
      rule('get'),
    ]);
  });

  test('do not select themselves', () => {
    const self = labelled(
      { ...aggregate('all', { view: 'true' }), rules: [rule('delete')] },
      { view: 'true' },
    );
    expect(aggregatedRules(self, [self, b])).toEqual([rule('get')]);
  });

  test('without selectors have no rules', () => {
    expect(aggregatedRules(aggregate('all'), [a, b])).toEqual([]);
  });

  test('of every cluster are view, edit and admin', async () => {
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

  test('follow a new role, through all aggregates above it, and its deletion', async () => {
    await using cluster = await running();
    const { admin } = cluster;
    const crontabs = { apiGroups: ['stable.example.com'], resources: ['crontabs'], verbs: ['get'] };
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    await admin.create(clusterRoles, { metadata: { name: 'crontabs', labels }, rules: [crontabs, crontabs] });
    await cluster.runFor(1_000);
    for (const name of ['view', 'edit', 'admin']) {
      const rules = await rulesOf(cluster, name);
      expect(rules.filter(({ apiGroups }) => apiGroups?.[0] === 'stable.example.com')).toEqual([crontabs]);
    }
    await admin.delete(clusterRoles, { name: 'crontabs' });
    await cluster.runFor(1_000);
    expect(await rulesOf(cluster, 'admin')).not.toContainEqual(crontabs);
  });

  test('lose the rules that a user writes into them', async () => {
    await using cluster = await running();
    const { admin } = cluster;
    const before = await admin.get(clusterRoles, { name: 'admin' });
    expect(before.rules?.length, 'the aggregate has the rules of other roles first').toBeGreaterThan(10);
    await admin.update(clusterRoles, { ...before, rules: [] });
    await cluster.runFor(1_000);
    expect(await rulesOf(cluster, 'admin')).toEqual(before.rules);
  });

  test('are written only if their rules change', async () => {
    await using cluster = await running();
    const writes = (): number =>
      cluster.trace.entries.filter(({ actor, verb }) => actor === PROCESS && verb === 'patch').length;
    const before = writes();
    expect(before, 'the controller writes the empty aggregates of a new cluster').toBeGreaterThan(0);
    await cluster.admin.create(clusterRoles, { metadata: { name: 'unrelated' }, rules: [rule('get')] });
    await cluster.runFor(60_000);
    expect(writes()).toBe(before);
  });
});
