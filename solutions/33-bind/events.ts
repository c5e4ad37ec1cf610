/** Level 2 · Who wakes whom. */
import { deepEqual, framework, type KubeObject, type Node, type Pod, semanticEqual } from '#harness';
import type { QueuedPodInfo, QueueingPlugin } from './queue.ts';

/** A pod has got a node. */
export const ASSIGNED_POD_ADD: framework.ClusterEvent = { resource: 'AssignedPod', actionType: 'Add' };
/** A pod that had a node is gone, or has ended: there is room. */
export const ASSIGNED_POD_DELETE: framework.ClusterEvent = { resource: 'AssignedPod', actionType: 'Delete' };

export function nodeSchedulingPropertiesChange(newNode: Node, oldNode: Node): framework.ClusterEvent[] {
  const [now, before] = [newNode, oldNode];
  const changes: readonly [framework.ActionType, boolean][] = [
    ['UpdateNodeTaint', before.spec.unschedulable === true && !now.spec.unschedulable],
    ['UpdateNodeAllocatable', !semanticEqual(allocatableOf(now), allocatableOf(before))],
    ['UpdateNodeLabel', !same(now.metadata.labels, before.metadata.labels)],
    ['UpdateNodeTaint', !semanticEqual(now.spec.taints, before.spec.taints)],
    ['UpdateNodeCondition', !deepEqual(conditionStatuses(now), conditionStatuses(before))],
    ['UpdateNodeAnnotation', !same(now.metadata.annotations, before.metadata.annotations)],
  ];
  return changes.flatMap(([actionType, applies]) => (applies ? [{ resource: 'Node', actionType }] : []));
}

/** By its name semanticEqual knows that what is in there are quantities. */
function allocatableOf({ status }: Node): Pick<Node['status'], 'allocatable'> {
  return status.allocatable ? { allocatable: status.allocatable } : {};
}

export function podSchedulingPropertiesChange(newPod: Pod, oldPod: Pod): framework.ClusterEvent[] {
  const resource = newPod.spec.nodeName ? 'AssignedPod' : 'Pod';
  const [now, before] = [newPod.spec, oldPod.spec];
  const changes: readonly [framework.ActionType, boolean][] = [
    ['UpdatePodLabel', !same(newPod.metadata.labels, oldPod.metadata.labels)],
    ['UpdatePodScaleDown', now !== before && asksForLess(newPod, oldPod)],
    ['UpdatePodSchedulingGatesEliminated', !isGated(newPod) && isGated(oldPod)],
    ['UpdatePodToleration', (now.tolerations ?? []).length !== (before.tolerations ?? []).length],
  ];
  return changes.flatMap(([actionType, applies]) => (applies ? [{ resource, actionType }] : []));
}

export function isPodWorthRequeuing(
  info: Pick<QueuedPodInfo, 'pod' | 'unschedulablePlugins'>,
  event: framework.ClusterEvent,
  oldObject: Pod | Node | undefined,
  newObject: Pod | Node | undefined,
  plugins: readonly QueueingPlugin[],
): boolean {
  if (info.unschedulablePlugins.size === 0 || isWildcard(event)) return true;
  return plugins.some(
    (plugin) =>
      info.unschedulablePlugins.has(plugin.name) &&
      plugin
        .eventsToRegister()
        .some(
          ({ event: registered, queueingHintFn }) =>
            framework.matches(registered, event) && couldHelp(info.pod, oldObject, newObject, queueingHintFn),
        ),
  );
}

function couldHelp(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
  queueingHintFn: framework.QueueingHintFn = () => 'Queue',
): boolean {
  try {
    return queueingHintFn(pod, oldObject, newObject) === 'Queue';
  } catch {
    // To try in vain costs little; to let it sleep on could cost five minutes.
    return true;
  }
}

/** Whether the event wakes every pod, whatever turned it away. */
export function isWildcard({ resource, actionType }: framework.ClusterEvent): boolean {
  return resource === '*' && actionType === 'All';
}

function same(a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean {
  return deepEqual(a, b);
}

function conditionStatuses({ status }: Node): Record<string, string> {
  return Object.fromEntries((status.conditions ?? []).map((condition) => [condition.type, condition.status]));
}

function asksForLess(newPod: Pod, oldPod: Pod): boolean {
  const { requests: now } = framework.podInfoOf(newPod);
  const { requests: before } = framework.podInfoOf(oldPod);
  return (
    now.milliCPU < before.milliCPU ||
    now.memory < before.memory ||
    now.ephemeralStorage < before.ephemeralStorage ||
    [...before.scalar].some(([name, amount]) => (now.scalar.get(name) ?? 0) < amount)
  );
}

/** Whether the pod has scheduling gates: it is not to be tried yet. */
export function isGated({ spec }: Pod): boolean {
  return (spec.schedulingGates ?? []).length > 0;
}
