import type { Fault } from '../../faults/index.ts';
import type { FilterPlan } from './simulation/filters.ts';

/** The name of the scheduler's process in faults, trace and journal, and its `schedulerName`. */
export const PROCESS = 'default-scheduler';

/** The namespace of all pods. */
export const NAMESPACE = 'default';

/** An operation or a fault, some time after the previous step. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** The index of a node: 0 and 1 are in zone a, 2 and 3 in zone b. */
export type NodeIndex = 0 | 1 | 2 | 3;

/** The parts of a node: `cpu` in thousandths of a core, and the number of pods that it takes. */
export interface NodePlan {
  readonly cpu: number;
  readonly pods: number;
  readonly disk: 'ssd' | 'hdd';
}

/**
 * The placement constraint of a pod.
 *
 * - `ssd`, `zone-a`: a node selector.
 * - `alone`: required anti-affinity to pods of its app on the same node.
 * - `near-db`: required affinity to pods of the app `db` in the same zone.
 * - `spread`: a topology spread constraint over zones with maxSkew 1.
 * - `port`: host port 80.
 * - `tolerant`: tolerates all taints, including those of dedicated and cordoned nodes.
 */
export type Wish = 'anywhere' | 'ssd' | 'zone-a' | 'alone' | 'near-db' | 'spread' | 'port' | 'tolerant';

/** The parts of a pod. */
export interface PodPlan {
  /** The cpu request in thousandths of a core. */
  readonly cpu: number;
  readonly priority: number;
  readonly app: 'web' | 'db';
  readonly wish: Wish;
  /**
   * - `gated`: has a scheduling gate.
   * - `held`: has a finalizer, so it stays for a while after its deletion.
   * - `theirs`: names another scheduler.
   */
  readonly kind: 'plain' | 'gated' | 'held' | 'theirs';
}

/**
 * An operation of another client. `pod` selects one of the suitable pods, modulo their number. An operation on a missing node
 * has no effect.
 */
export type Operation =
  /** A user creates a pod, unless the cluster already has many. */
  | { readonly do: 'create'; readonly pod: PodPlan }
  /** A user deletes a pod. It is removed at once; if it has a node or a finalizer, only when it is reaped. */
  | { readonly do: 'delete'; readonly pod: number }
  /** A user deletes a waiting pod and at once creates a pod of the same name. */
  | { readonly do: 'recreate'; readonly pod: number; readonly as: PodPlan }
  /** A user removes the scheduling gates of a pod. */
  | { readonly do: 'ungate'; readonly pod: number }
  /** A user adds a toleration for dedicated nodes to a pod. */
  | { readonly do: 'tolerate'; readonly pod: number }
  /** A user changes the label `app` of a pod. */
  | { readonly do: 'relabel'; readonly pod: number; readonly app: 'web' | 'db' }
  /** Another client binds a waiting pod to an existing node. */
  | { readonly do: 'bind'; readonly pod: number; readonly node: number }
  /** A user creates a pod with `spec.nodeName`. */
  | { readonly do: 'place'; readonly node: NodeIndex; readonly cpu: number }
  /** A user creates such a pod and deletes it at once. */
  | { readonly do: 'pass'; readonly node: NodeIndex; readonly cpu: number }
  /** A kubelet reports that a pod has ended. */
  | { readonly do: 'end'; readonly pod: number; readonly phase: 'Succeeded' | 'Failed' }
  /** Removes all pods that are being deleted, with their finalizers. */
  | { readonly do: 'reap' }
  /** Removes the pods of deleted nodes. */
  | { readonly do: 'collect' }
  | { readonly do: 'add-node'; readonly node: NodeIndex; readonly as: NodePlan }
  | { readonly do: 'remove-node'; readonly node: NodeIndex }
  /** Deletes a node and recreates it with other parts. Its pods stay bound to its name. */
  | { readonly do: 'rebuild-node'; readonly node: NodeIndex; readonly as: NodePlan }
  | { readonly do: 'cordon'; readonly node: NodeIndex; readonly on: boolean }
  /** Adds or removes the taint of a dedicated node. */
  | { readonly do: 'dedicate'; readonly node: NodeIndex; readonly on: boolean }
  | { readonly do: 'redisk'; readonly node: NodeIndex; readonly disk: 'ssd' | 'hdd' }
  | { readonly do: 'resize'; readonly node: NodeIndex; readonly cpu: number }
  /** A kubelet updates the heartbeat of its node. */
  | { readonly do: 'heartbeat'; readonly node: NodeIndex }
  /** A user creates a pod that requests all free cpu of a node, and a second pod, for which no room is left. */
  | { readonly do: 'fill'; readonly node: NodeIndex }
  /** A user creates a pod that a filter of the test holds back for a while. */
  | { readonly do: 'whim'; readonly whim: FilterPlan }
  /** A user creates pods with a high priority that fit nowhere, and a pod without requests. */
  | { readonly do: 'crowd'; readonly giants: number }
  /** Deletes all pods and nodes, and recreates the first node. */
  | { readonly do: 'begin-anew'; readonly as: NodePlan }
  | { readonly do: 'nothing' };
