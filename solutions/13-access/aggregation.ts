import { type ClusterRole, clusterRoles, type rbac } from '#given/13-access';
import { type Component, labels, semanticEqual } from '#harness';

const WORKERS = 5;

/** Returns the rules of the selected roles, by name, each once. */
export function aggregatedRules(role: ClusterRole, all: readonly ClusterRole[]): rbac.PolicyRule[] {
  const others = all
    .filter(({ metadata }) => metadata.name !== role.metadata.name)
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const rules: rbac.PolicyRule[] = [];
  for (const each of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const selector = labels.labelSelectorAsSelector(each);
    const selected = others.filter(({ metadata }) => selector.matches(metadata.labels));
    for (const rule of selected.flatMap((other) => other.rules ?? [])) {
      if (!rules.some((known) => semanticEqual(known, rule))) rules.push(rule);
    }
  }
  return rules;
}

/** Keeps the rules of each role with an `aggregationRule` equal to those of the roles that it selects. */
export const clusterRoleAggregationController: Component = async (context) => {
  const { client, informers, signal } = context;
  const informer = informers.forResource(clusterRoles);
  const queue = context.newWorkQueue<string>();
  // Which role a change concerns is unknown, and aggregates are few: each change checks all of them.
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
      const rules = aggregatedRules(role, informer.indexer.list());
      if (semanticEqual(rules, role.rules ?? [])) return;
      const body = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name },
        rules,
      };
      const fieldManager = 'clusterrole-aggregation-controller';
      // This controller owns the rules, and replaces those of a user.
      await client.patch(
        clusterRoles,
        { name },
        { type: 'apply', body },
        { fieldManager, force: true, signal },
      );
    },
  });
};
