import { deepEqual } from '../../api/freeze.ts';
import type { Node, Pod } from '../../api/objects.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import { type ActionType, type ClusterEvent, podInfoOf } from '../framework/index.ts';
import { isGated } from './pods.ts';

/** A pod was bound to a node. */
export const ASSIGNED_POD_ADD: ClusterEvent = { resource: 'AssignedPod', actionType: 'Add' };
/** A pod with a node was deleted or has ended, which frees room. */
export const ASSIGNED_POD_DELETE: ClusterEvent = { resource: 'AssignedPod', actionType: 'Delete' };

/**
 * Returns the changes of a node that may matter to a pod. Each is an event of the resource `Node`:
 *
 * | action | condition |
 * |---|---|
 * | `UpdateNodeTaint` | it was `spec.unschedulable` before, and is not now |
 * | `UpdateNodeAllocatable` | the amounts of `status.allocatable` differ |
 * | `UpdateNodeLabel` | labels differ |
 * | `UpdateNodeTaint` | `spec.taints` differ |
 * | `UpdateNodeCondition` | the statuses of `status.conditions` differ, by type; times and messages do not count |
 * | `UpdateNodeAnnotation` | annotations differ |
 *
 * Absent and empty are equal. Quantities are equal if their amounts are: `1` and `1000m`.
 *
 * @returns the matching events in this order; `UpdateNodeTaint` twice if both rows match. Empty if no row matches
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

/** The field name makes semanticEqual compare the values as quantities. */
function allocatableOf({ status }: Node): Pick<Node['status'], 'allocatable'> {
  return status.allocatable ? { allocatable: status.allocatable } : {};
}

/**
 * Returns the changes of a pod that may matter to a pod, including itself. Each is an event of the resource
 * `AssignedPod` if the *new* pod has a node, and of `Pod` if it has none (or an empty one):
 *
 * | action | condition |
 * |---|---|
 * | `UpdatePodLabel` | labels differ; absent and empty are equal |
 * | `UpdatePodScaleDown` | the request for any resource decreases or disappears; `podInfoOf(pod).requests` has the sums |
 * | `UpdatePodSchedulingGatesEliminated` | it had `spec.schedulingGates` before, and has none now |
 * | `UpdatePodToleration` | the *number* of `spec.tolerations` differs: they can only be added |
 *
 * @returns the matching events in this order; empty if no row matches
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/events.go PodSchedulingPropertiesChange. Differs: if
 * no row matches, upstream returns an `Update` event, for which no plugin of ours registers
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

/** Returns whether the event wakes every pod, whichever plugins rejected it. */
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
