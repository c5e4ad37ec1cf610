import fc from 'fast-check';
import type { Node, Pod } from '../../../api/objects.ts';
import { type Filtering, isRejected, type Status, success } from '../../../contracts/framework/index.ts';
import type { PureLaw } from '../../../testing/obeys.ts';
import { explain, type Ruling } from '../../scheduling/oracle/index.ts';
import type { SchedulingCluster } from '../../scheduling/simulation.ts';
import type { Ground } from '../scenario.ts';
import { ask, filterLaw, isSame, rulings, say, table } from './asking.ts';

/** Each plugin accepts a pod on exactly the nodes where its rule holds. */
export const agrees = (ground: Ground): PureLaw<Filtering, SchedulingCluster> =>
  filterLaw(ground, {
    inputs: fc.oneof({ weight: 2, arbitrary: ground.usual }, { weight: 1, arbitrary: ground.narrow }),
    runs: 3,
    violation(filtering, cluster) {
      const snapshot = cluster.snapshot();
      const answers = new Map(
        filtering.plugins.map((plugin) => [plugin.name, ask(plugin, cluster, snapshot)]),
      );
      for (const { node, each } of rulings(filtering, cluster)) {
        for (const right of each) {
          const said = answers.get(right.plugin)?.get(node.metadata.name);
          if (!said || isRejected(said) === isRejected(right)) continue;
          const what = isRejected(said)
            ? `rejected the pod on ${node.metadata.name}, although it fits there by the rules of this plugin`
            : `accepted the pod on ${node.metadata.name}; expected ${say(right)}`;
          return `${right.plugin} ${what}.${irritant(filtering, cluster, node, right)}\n\n${table(filtering, cluster)}`;
        }
      }
      return undefined;
    },
  });

/** Names a running pod that the rule ignores, but without which the plugin returns the right status. */
function irritant(filtering: Filtering, cluster: SchedulingCluster, node: Node, right: Ruling): string {
  const plugin = filtering.plugins.find(({ name }) => name === right.plugin);
  if (!plugin) return '';
  const { name } = node.metadata;
  const culprit = cluster.pods.find((pod) => {
    const fewer = cluster.with({ pods: cluster.pods.filter((other) => other !== pod) });
    const ruling = rulings({ plugins: [plugin] }, fewer).find((one) => one.node === node)?.each[0];
    const said = ask(plugin, fewer, fewer.snapshot()).get(name) ?? success;
    return ruling?.code === right.code && isRejected(said) === isRejected(right);
  });
  if (!culprit) return '';
  const who = culprit.metadata.name;
  return ` Without ${who} the expected result is the same, and ${plugin.name} returns it: the plugin must not let ${who} change the result.`;
}

/** A plugin that rejects a pod returns upstream's reason, and the code that says whether preemption could help. */
export const namesItsReason = (ground: Ground): PureLaw<Filtering, SchedulingCluster> =>
  filterLaw(ground, {
    inputs: ground.usual,
    runs: 2,
    violation(filtering, cluster) {
      const snapshot = cluster.snapshot();
      const right = rulings(filtering, cluster);
      for (const plugin of filtering.plugins) {
        const answers = ask(plugin, cluster, snapshot);
        for (const { node, each } of right) {
          const said = answers.get(node.metadata.name) ?? success;
          const ruling = each.find((one) => one.plugin === plugin.name);
          if (!ruling || !isRejected(said) || !isRejected(ruling) || isSame(said, ruling)) continue;
          const wrong = said.code === ruling.code ? 'reason' : 'code';
          return [
            `${plugin.name} is right to reject the pod on ${node.metadata.name}, but the ${wrong} is wrong:`,
            `  ${say(said)}`,
            'Expected, as in Kubernetes:',
            `  ${say(ruling)}`,
            ...explain(ruling, cluster.pod, node, cluster).map((line) => `    ${line}`),
            ...(wrong === 'code' ? [CODES] : []),
          ].join('\n');
        }
      }
      return undefined;
    },
  });

const CODES =
  'The code is Unschedulable if the pod could fit once other pods are removed, otherwise UnschedulableAndUnresolvable';

/**
 * After UnschedulableAndUnresolvable, the plugin still rejects the pod when the pods of that node are removed: preemption skips
 * such a node. After Unschedulable, it accepts the pod when all other pods are removed. Upstream has three exceptions: a node
 * that takes no pods at all; a later constraint whose label the node lacks; and required affinity to pods that are removed
 * too.
 */
export const staysUnresolvable = (ground: Ground): PureLaw<Filtering, SchedulingCluster> =>
  filterLaw(ground, {
    inputs: ground.usual,
    violation(filtering, cluster) {
      const deserted = cluster.with({ pods: [] }).snapshot();
      const snapshot = cluster.snapshot();
      for (const plugin of filtering.plugins) {
        for (const [name, said] of ask(plugin, cluster, snapshot)) {
          if (!isRejected(said)) continue;
          const where = `${plugin.name} returned for ${name}\n  ${say(said)}\n`;
          if (said.code === 'UnschedulableAndUnresolvable') {
            const emptied = cluster.with({ pods: cluster.pods.filter(({ spec }) => spec.nodeName !== name) });
            if (isRejected(ask(plugin, cluster, emptied.snapshot()).get(name) ?? success)) continue;
            return `${where}but it would accept the pod if other pods were removed from the node: the code must be Unschedulable.`;
          }
          const alone = ask(plugin, cluster, deserted).get(name) ?? success;
          if (!isRejected(alone) || isExcused(said, alone)) continue;
          return `${where}which means that it would help to remove other pods. But without any other pod it returns\n  ${say(alone)}\nso the code must be UnschedulableAndUnresolvable`;
        }
      }
      return undefined;
    },
  });

function isExcused(said: Status, alone: Status): boolean {
  const takesNone = said.reasons.includes('Too many pods') && alone.reasons.includes('Too many pods');
  const isLonely = alone.reasons.includes("node(s) didn't match pod affinity rules");
  return takesNone || isLonely || alone.reasons.some((reason) => reason.endsWith('(missing required label)'));
}

/** Preferences of pods and nodes do not change a status. */
export const wishesDecideNothing = (ground: Ground): PureLaw<Filtering, SchedulingCluster> =>
  filterLaw(ground, {
    inputs: ground.usual,
    violation(filtering, cluster) {
      const sober = cluster.with({
        nodes: cluster.nodes.map((node) => ({
          ...node,
          spec: {
            ...node.spec,
            taints: (node.spec.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule'),
          },
        })),
        pods: cluster.pods.map(withoutWishes),
        pod: withoutWishes(cluster.pod),
      });
      const [before, after] = [cluster.snapshot(), sober.snapshot()];
      for (const plugin of filtering.plugins) {
        const told = ask(plugin, sober, after);
        for (const [name, said] of ask(plugin, cluster, before)) {
          const without = told.get(name) ?? success;
          if (isSame(said, without)) continue;
          return (
            `${plugin.name} returned for ${name}\n  ${say(said)}\nbut without the preferences ` +
            `(preferred affinity, ScheduleAnyway, PreferNoSchedule)\n  ${say(without)}`
          );
        }
      }
      return undefined;
    },
  });

function withoutWishes(pod: Pod): Pod {
  const { affinity = {}, topologySpreadConstraints = [], ...rest } = pod.spec;
  const required = Object.fromEntries(
    Object.entries(affinity as Record<string, Record<string, unknown>>).flatMap(([kind, rules]) => {
      const { preferredDuringSchedulingIgnoredDuringExecution: _, ...demands } = rules;
      return Object.keys(demands).length > 0 ? [[kind, demands]] : [];
    }),
  );
  const hard = topologySpreadConstraints.filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );
  return {
    ...pod,
    spec: {
      ...rest,
      ...(Object.keys(required).length > 0 ? { affinity: required } : {}),
      ...(hard.length > 0 ? { topologySpreadConstraints: hard } : {}),
    },
  };
}
