import { deepEqual } from '../../api/freeze.ts';
import type { Node, Pod } from '../../api/objects.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import { type ActionType, type ClusterEvent, podInfoOf } from '../framework/index.ts';
import { isGated } from './pods.ts';

/** A pod has got a node. */
export const ASSIGNED_POD_ADD: ClusterEvent = { resource: 'AssignedPod', actionType: 'Add' };
/** A pod that had a node is gone, or has ended: there is room. */
export const ASSIGNED_POD_DELETE: ClusterEvent = { resource: 'AssignedPod', actionType: 'Delete' };

/**
 * What has happened to a node that may matter to a pod. Each of these is an event of the resource `Node`:
 *
 * | action | when |
 * |---|---|
 * | `UpdateNodeTaint` | it was `spec.unschedulable` and is not any more |
 * | `UpdateNodeAllocatable` | `status.allocatable` is not the same amounts |
 * | `UpdateNodeLabel` | labels are not the same |
 * | `UpdateNodeTaint` | `spec.taints` are not the same |
 * | `UpdateNodeCondition` | the statuses of `status.conditions`, by type, are not the same; times and messages do not count |
 * | `UpdateNodeAnnotation` | annotations are not the same |
 *
 * Absent and empty are the same. Quantities are the same when the amounts are: `1` and `1000m`.
 *
 * @returns those that apply, in this order; `UpdateNodeTaint` twice when both do. Empty when nothing that matters has changed
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/events.go NodeSchedulingPropertiesChange
 */
export function nodeSchedulingPropertiesChange(newNode: Node, oldNode: Node): ClusterEvent[] {
  const [now, before] = [newNode, oldNode];
  const changes: readonly [ActionType, boolean][] = [
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

/**
 * What has happened to a pod that may matter to a pod, be it itself. Each of these is an event of the resource `AssignedPod`
 * when the *new* pod has a node, of `Pod` when it has none (or an empty one):
 *
 * | action | when |
 * |---|---|
 * | `UpdatePodLabel` | labels are not the same; absent and empty are |
 * | `UpdatePodScaleDown` | of any resource it asks for less than before, or not at all any more; `podInfoOf(pod).requests` has the sums |
 * | `UpdatePodSchedulingGatesEliminated` | it had `spec.schedulingGates` and has none any more |
 * | `UpdatePodToleration` | it has another *number* of `spec.tolerations`: they can only be added |
 *
 * @returns those that apply, in this order; empty when none does
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/events.go PodSchedulingPropertiesChange. Differs: when
 * none applies, upstream gives one that says `Update`, which no plugin of ours registers for
 */
export function podSchedulingPropertiesChange(newPod: Pod, oldPod: Pod): ClusterEvent[] {
  const resource = newPod.spec.nodeName ? 'AssignedPod' : 'Pod';
  const [now, before] = [newPod.spec, oldPod.spec];
  const changes: readonly [ActionType, boolean][] = [
    ['UpdatePodLabel', !same(newPod.metadata.labels, oldPod.metadata.labels)],
    ['UpdatePodScaleDown', now !== before && asksForLess(newPod, oldPod)],
    ['UpdatePodSchedulingGatesEliminated', !isGated(newPod) && isGated(oldPod)],
    ['UpdatePodToleration', (now.tolerations ?? []).length !== (before.tolerations ?? []).length],
  ];
  return changes.flatMap(([actionType, applies]) => (applies ? [{ resource, actionType }] : []));
}

/** Whether the event wakes every pod, whatever turned it away. */
export function isWildcard({ resource, actionType }: ClusterEvent): boolean {
  return resource === '*' && actionType === 'All';
}

function same(a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean {
  return deepEqual(a, b);
}

function conditionStatuses({ status }: Node): Record<string, string> {
  return Object.fromEntries((status.conditions ?? []).map((condition) => [condition.type, condition.status]));
}

function asksForLess(newPod: Pod, oldPod: Pod): boolean {
  const { requests: now } = podInfoOf(newPod);
  const { requests: before } = podInfoOf(oldPod);
  return (
    now.milliCPU < before.milliCPU ||
    now.memory < before.memory ||
    now.ephemeralStorage < before.ephemeralStorage ||
    [...before.scalar].some(([name, amount]) => (now.scalar.get(name) ?? 0) < amount)
  );
}
