/** Level 4 · The pass over all nodes. */
import {
  assembleNodeLifecycle,
  conditionOf,
  EXECUTE_TAINTS,
  type NodeLifecycle,
  TAINTS,
} from '#given/61-node-lifecycle';
import {
  type Component,
  type core,
  formatTime,
  isNotFound,
  messageOf,
  type Node,
  type Pod,
  pods,
} from '#harness';
import { checkNode } from './health.ts';
import { taintChanges, taintsByCondition } from './taints.ts';
import { setBrakes } from './zones.ts';

export function executeTaints(node: Node, allZonesDown: boolean): core.Taint[] {
  const ready = conditionOf(node, 'Ready')?.status;
  if (allZonesDown || ready === undefined || ready === 'True') return [];
  return [{ key: ready === 'False' ? TAINTS.notReady : TAINTS.unreachable, effect: 'NoExecute' }];
}

export async function limitTaints(lifecycle: NodeLifecycle, node: Node): Promise<void> {
  const changes = taintChanges(node, executeTaints(node, lifecycle.allZonesDown), EXECUTE_TAINTS);
  // Only the first taint evicts pods. A node that merely exchanges its taint, or loses it, does not wait.
  if (changes.add.length > 0 && changes.remove.length === 0) return lifecycle.taintLater(node);
  lifecycle.forgetTaint(node);
  await lifecycle.changeTaints(node, changes);
}

export async function markPodsNotReady(lifecycle: NodeLifecycle, node: Node): Promise<void> {
  if (conditionOf(node, 'Ready')?.status !== 'Unknown') return;
  for (const pod of lifecycle.podsOn(node)) {
    try {
      await markPodNotReady(lifecycle, pod);
    } catch (error) {
      // The next pass tries again: one pod must not keep the others ready.
      if (!isNotFound(error))
        lifecycle.context.log(`error marking '${pod.metadata.name}': ${messageOf(error)}`);
    }
  }
}

async function markPodNotReady({ context }: NodeLifecycle, pod: Pod): Promise<void> {
  const ready = pod.status.conditions?.find(({ type }) => type === 'Ready');
  if (!ready || ready.status === 'False') return;
  const lastTransitionTime = formatTime(context.clock.now());
  const conditions = pod.status.conditions?.map((condition) =>
    condition === ready ? { ...ready, status: 'False', lastTransitionTime } : condition,
  );
  await context.client.updateStatus(pods, { ...pod, status: { ...pod.status, conditions } });
  context.recorder.event(pod, 'Warning', 'NodeNotReady', 'Node is not ready');
}

export async function monitorPass(lifecycle: NodeLifecycle): Promise<void> {
  const nodes = await lifecycle.forEach(lifecycle.nodes(), (node) => checkNode(lifecycle, node));
  // The brakes come before the taints: no node of a cluster that is wholly down gets one.
  setBrakes(lifecycle, nodes);
  await lifecycle.forEach(nodes, async (node) => {
    await limitTaints(lifecycle, node);
    await markPodsNotReady(lifecycle, node);
  });
}

export const nodeLifecycleController: Component = assembleNodeLifecycle({
  taintsByCondition,
  executeTaints,
  taintChanges,
  monitorPass,
});
