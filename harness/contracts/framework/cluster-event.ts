import type { KubeObject, Pod } from '../../api/objects.ts';

/**
 * What something happened to. `Pod` is one that has no node yet, `AssignedPod` one that has, `*` is anything.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go EventResource
 *
 * Differs: upstream speaks of `Pod` for both and tells them apart inside; volumes, claims and classes are not there.
 */
export type EventResource = 'Pod' | 'AssignedPod' | 'Node' | '*';

/**
 * What happened to it. `All` only where an event is registered for, or forced.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go ActionType
 *
 * Differs: upstream's is a set of bits; here each is registered for by itself.
 */
export type ActionType =
  | 'Add'
  | 'Delete'
  | 'UpdateNodeAllocatable'
  | 'UpdateNodeLabel'
  /** Also when it is cordoned or uncordoned. */
  | 'UpdateNodeTaint'
  | 'UpdateNodeCondition'
  | 'UpdateNodeAnnotation'
  | 'UpdatePodLabel'
  /** It asks for less. */
  | 'UpdatePodScaleDown'
  | 'UpdatePodToleration'
  | 'UpdatePodSchedulingGatesEliminated'
  | 'All';

/**
 * One thing that happened in the cluster and that could make room for a pod.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go ClusterEvent
 */
export interface ClusterEvent {
  readonly resource: EventResource;
  readonly actionType: ActionType;
}

/**
 * Could this help a pod that the plugin has turned away? `Queue`: it could. `QueueSkip`: it could not, as far as this
 * plugin goes.
 */
export type QueueingHint = 'Queue' | 'QueueSkip';

/**
 * @param pod the pod that was turned away
 * @param oldObject what it was, `undefined` for `Add`
 * @param newObject what it is, `undefined` for `Delete`
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go QueueingHintFn
 */
export type QueueingHintFn = (
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
) => QueueingHint;

/** An event that a plugin wants to hear of, for the pods that it has turned away. */
export interface ClusterEventWithHint {
  readonly event: ClusterEvent;
  /** Looks closer. One that throws is taken to say `Queue`. @defaultValue it could always help */
  readonly queueingHintFn?: QueueingHintFn;
}

/** Is `event` what was registered for? */
export function matches(registered: ClusterEvent, event: ClusterEvent): boolean {
  return (
    (registered.resource === '*' || registered.resource === event.resource) &&
    (registered.actionType === 'All' || registered.actionType === event.actionType)
  );
}
