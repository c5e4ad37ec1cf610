import type { KubeObject, Pod } from '../../api/objects.ts';

/**
 * The resource of an event. `Pod` is an unscheduled pod, `AssignedPod` is a pod with a node, and `*` matches every
 * resource.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go EventResource
 *
 * Differs: upstream uses `Pod` for both and distinguishes them internally. The resources of volume drivers are missing
 * here. Only a cluster that binds volumes has events of volumes, claims and storage classes.
 */
export type EventResource =
  | 'Pod'
  | 'AssignedPod'
  | 'Node'
  | 'PersistentVolume'
  | 'PersistentVolumeClaim'
  | 'StorageClass'
  | '*';

/**
 * The kind of change. `All` occurs only in registrations and in forced events.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go ActionType
 *
 * Differs: upstream's type is a set of bits; here a plugin registers for each action separately.
 */
export type ActionType =
  | 'Add'
  | 'Delete'
  /** Any change of a volume, a claim or a storage class. */
  | 'Update'
  | 'UpdateNodeAllocatable'
  | 'UpdateNodeLabel'
  /** Also when the node is cordoned or uncordoned. */
  | 'UpdateNodeTaint'
  | 'UpdateNodeCondition'
  | 'UpdateNodeAnnotation'
  | 'UpdatePodLabel'
  /** The pod's requests decrease. */
  | 'UpdatePodScaleDown'
  | 'UpdatePodToleration'
  | 'UpdatePodSchedulingGatesEliminated'
  | 'All';

/**
 * An event in the cluster that might make a pod schedulable.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go ClusterEvent
 */
export interface ClusterEvent {
  readonly resource: EventResource;
  readonly actionType: ActionType;
}

/**
 * Whether an event might make a rejected pod schedulable, in the view of one plugin. `Queue`: it might. `QueueSkip`: it
 * cannot.
 */
export type QueueingHint = 'Queue' | 'QueueSkip';

/**
 * Inspects an event for a rejected pod.
 *
 * @param pod the pod that the plugin rejected
 * @param oldObject the object before the event; `undefined` for `Add`
 * @param newObject the object after the event; `undefined` for `Delete`
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go QueueingHintFn
 */
export type QueueingHintFn = (
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
) => QueueingHint;

/** An event that may wake the pods that a plugin has rejected. */
export interface ClusterEventWithHint {
  readonly event: ClusterEvent;
  /**
   * Inspects the event. If it throws, its result counts as `Queue`. @defaultValue every such event counts as `Queue`
   */
  readonly queueingHintFn?: QueueingHintFn;
}

/** Returns whether `event` matches a registration. */
export function matches(registered: ClusterEvent, event: ClusterEvent): boolean {
  return (
    (registered.resource === '*' || registered.resource === event.resource) &&
    (registered.actionType === 'All' || registered.actionType === event.actionType)
  );
}
