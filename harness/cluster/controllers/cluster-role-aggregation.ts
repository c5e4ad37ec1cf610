import type * as rbac from '#api/rbac/v1';
import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { ClusterRole } from '../../api/objects.ts';
import { clusterRoles } from '../../api/plain-resources.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Component } from '../../contracts/component.ts';

const WORKERS = 5;

/**
 * Aggregates the rules of a role from the roles that its `aggregationRule` selects: the rules of `admin` from `edit`,
 * for example.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go
 * ClusterRoleAggregationController
 */
export const clusterRoleAggregationController: Component = async (context) => {
  const { client, informers, signal } = context;
  const informer = informers.forResource(clusterRoles);
  const queue = context.newWorkQueue<string>();
  // Dependencies are unknown and aggregates are few, so each change checks every aggregate.
  const enqueue = (): void => {
    for (const { metadata, aggregationRule } of informer.indexer.list()) {
      if (aggregationRule) queue.add(metadata.name);
    }
  };
  informer.addEventHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
  informers.start();
  await informers.waitForCacheSync();
  await context.runWorkers({
    queue,
    workers: WORKERS,
    sync: async (name) => {
      const role = informer.indexer.getByKey(name);
      if (!role?.aggregationRule) return;
      const rules = gatheredRules(role, informer.indexer.list());
      if (semanticEqual(rules, role.rules ?? [])) return;
      const body = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name },
        rules,
      };
      const fieldManager = 'clusterrole-aggregation-controller';
      await client.patch(
        clusterRoles,
        { name },
        { type: 'apply', body },
        { fieldManager, force: true, signal },
      );
    },
  });
};

/** Returns the rules of the selected roles, by name, without duplicates. */
function gatheredRules(role: ClusterRole, all: readonly ClusterRole[]): rbac.PolicyRule[] {
  const others = all
    .filter(({ metadata }) => metadata.name !== role.metadata.name)
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const gathered: rbac.PolicyRule[] = [];
  for (const each of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const selector = labelSelectorAsSelector(each);
    const selected = others.filter(({ metadata }) => selector.matches(metadata.labels));
    for (const rule of selected.flatMap(({ rules }) => rules ?? [])) {
      if (!gathered.some((known) => semanticEqual(known, rule))) gathered.push(rule);
    }
  }
  return gathered;
}
