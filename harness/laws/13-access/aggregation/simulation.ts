import { type ClusterRole, keyOf } from '../../../api/objects.ts';
import { clusterRoles } from '../../../api/plain-resources.ts';
import { createCluster } from '../../../cluster/cluster.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Component, Components } from '../../../contracts/component.ts';
import { type ClusterRun, play, recordOf } from '../../../testing/rig/play.ts';
import { Stage } from '../../../testing/rig/stage.ts';
import { RBAC } from '../scenario/index.ts';
import { type AggregationScenario, type Operation, PROCESS, type RolePlan } from './scenario.ts';

/** Longer than the longest backoff. */
const SETTLE_MS = 600_000;
const REST_MS = 60_000;

/** One run of the aggregation controller, until it is quiescent, and a time after that. */
export interface AggregationHistory extends ClusterRun {
  /** Every write of a ClusterRole. */
  readonly writes: readonly JournalEntry<ClusterRole>[];
  /** The ClusterRoles in the end. */
  readonly roles: readonly ClusterRole[];
  /** When the controller had time to settle, and when the run ended. */
  readonly settledMs: number;
  readonly endMs: number;
}

/** Runs the controller beside an administrator and faults, and lets it settle. */
export async function runAggregation(
  component: Component,
  components: Partial<Components>,
  scenario: AggregationScenario,
): Promise<AggregationHistory> {
  const { seed, schedule, latencyMs, before, steps } = scenario;
  await using cluster = await createCluster({
    seed,
    schedule,
    latencyMs: { min: 1, max: latencyMs },
    components,
  });
  const stage = new Stage(cluster);
  const all = (): readonly ClusterRole[] => stage.list(clusterRoles);
  const put = (plan: RolePlan): Promise<void> => {
    const { name, labels, rules, selectors } = plan;
    const old = all().find(({ metadata }) => metadata.name === name);
    const role = {
      metadata: { name, ...(labels && { labels }) },
      rules: [...(rules ?? old?.rules ?? [])],
      ...(selectors && { aggregationRule: { clusterRoleSelectors: [...selectors] } }),
    };
    return stage.act('admin', old ? 'update' : 'create', `clusterroles/${name}`, (admin) =>
      old
        ? admin.update(clusterRoles, { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', ...role } as never)
        : admin.create(clusterRoles, role),
    );
  };
  const act = async (operation: Operation): Promise<void> => {
    if (operation.do === 'put') return put(operation.role);
    const { name } = operation;
    if (!all().some(({ metadata }) => metadata.name === name)) return;
    if (operation.do === 'delete')
      return stage.act('admin', 'delete', `clusterroles/${name}`, (admin) =>
        admin.delete(clusterRoles, { name }),
      );
    const body = { rules: [...operation.rules] };
    await stage.act('admin', 'patch', `clusterroles/${name}`, (admin) =>
      admin.patch(clusterRoles, { name }, { type: 'merge', body }),
    );
  };
  for (const plan of before) await put(plan);
  const { sim, journal } = cluster;
  await play<Operation>({
    cluster,
    start: () => cluster.run(PROCESS, component),
    steps,
    act,
    settle: async () => {
      await cluster.runFor(SETTLE_MS);
      return sim.elapsedMs;
    },
  });
  const settledMs = sim.elapsedMs;
  await cluster.runFor(REST_MS);
  return {
    ...recordOf(cluster),
    writes: journal.of(clusterRoles),
    roles: all().toSorted((a, b) => (keyOf(a).name < keyOf(b).name ? -1 : 1)),
    settledMs,
    endMs: sim.elapsedMs,
  };
}
