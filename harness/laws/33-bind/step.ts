import type { Fault } from '../../faults/index.ts';
import type { FilterPlan } from './filters.ts';

/** The process that the scheduler runs in, as faults, trace and journal know it; and the name that pods call it by. */
export const PROCESS = 'default-scheduler';

/** Where everything happens. */
export const NAMESPACE = 'default';

/** Something that happens, some time after what happened before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** One of four nodes: the first two are in zone a, the others in zone b. */
export type NodeIndex = 0 | 1 | 2 | 3;

/** What a node is made like. It has `cpu` thousandths of a core, and room for so many pods. */
export interface NodePlan {
  readonly cpu: number;
  readonly pods: number;
  readonly disk: 'ssd' | 'hdd';
}

/**
 * Where a pod wants to run.
 *
 * - `ssd`, `zone-a`: on such a node.
 * - `alone`: on no node that has a pod of its app.
 * - `near-db`: in a zone that has a pod of the app `db`.
 * - `spread`: in zones that have equally many of its app, give or take one.
 * - `port`: where port 80 of the node is free.
 * - `tolerant`: anywhere, also on nodes that are dedicated or cordoned.
 */
export type Wish = 'anywhere' | 'ssd' | 'zone-a' | 'alone' | 'near-db' | 'spread' | 'port' | 'tolerant';

/** What a pod is made like. */
export interface PodPlan {
  /** Thousandths of a core that it asks for. */
  readonly cpu: number;
  readonly priority: number;
  readonly app: 'web' | 'db';
  readonly wish: Wish;
  /**
   * - `gated`: it must not be scheduled before its gate is removed.
   * - `held`: it has a finalizer, so that it stays for a while when it is deleted.
   * - `theirs`: it is for another scheduler.
   */
  readonly kind: 'plain' | 'gated' | 'held' | 'theirs';
}

/**
 * What another client does. `pod` picks one of those that it can be done to, whatever number it is; `node` is nothing to a
 * node that is not there.
 */
export type Operation =
  /** A user creates a pod, unless there are many. */
  | { readonly do: 'create'; readonly pod: PodPlan }
  /** A user deletes a pod: it goes at once, or, on a node or held, is marked and goes when it is reaped. */
  | { readonly do: 'delete'; readonly pod: number }
  /** A user deletes a pod that waits, and at once creates one of the same name. */
  | { readonly do: 'recreate'; readonly pod: number; readonly as: PodPlan }
  /** A user lets a gated pod go. */
  | { readonly do: 'ungate'; readonly pod: number }
  /** A user lets a pod tolerate dedicated nodes. */
  | { readonly do: 'tolerate'; readonly pod: number }
  /** A user says that a pod is of another app. */
  | { readonly do: 'relabel'; readonly pod: number; readonly app: 'web' | 'db' }
  /** A user binds a pod that waits by hand, to a node that is there. */
  | { readonly do: 'bind'; readonly pod: number; readonly node: number }
  /** A pod comes into being on a node, as those of a DaemonSet of old did. */
  | { readonly do: 'place'; readonly node: NodeIndex; readonly cpu: number }
  /** Such a pod that is gone as soon as it came. */
  | { readonly do: 'pass'; readonly node: NodeIndex; readonly cpu: number }
  /** A kubelet: a pod has done its work, or failed for good. */
  | { readonly do: 'end'; readonly pod: number; readonly phase: 'Succeeded' | 'Failed' }
  /** Kubelets and owners of finalizers: what was marked for deletion is gone. */
  | { readonly do: 'reap' }
  /** Pods of nodes that are gone are removed. */
  | { readonly do: 'collect' }
  | { readonly do: 'add-node'; readonly node: NodeIndex; readonly as: NodePlan }
  | { readonly do: 'remove-node'; readonly node: NodeIndex }
  /** It goes, and comes back under its name at once, made otherwise. What ran there is still bound to it. */
  | { readonly do: 'rebuild-node'; readonly node: NodeIndex; readonly as: NodePlan }
  | { readonly do: 'cordon'; readonly node: NodeIndex; readonly on: boolean }
  /** It is dedicated to pods that tolerate it, or no longer. */
  | { readonly do: 'dedicate'; readonly node: NodeIndex; readonly on: boolean }
  | { readonly do: 'redisk'; readonly node: NodeIndex; readonly disk: 'ssd' | 'hdd' }
  | { readonly do: 'resize'; readonly node: NodeIndex; readonly cpu: number }
  /** A kubelet says that its node is well, as it does all the time. */
  | { readonly do: 'heartbeat'; readonly node: NodeIndex }
  /** A user creates a pod that takes all the room that is left on a node, and one for which there is none then. */
  | { readonly do: 'fill'; readonly node: NodeIndex }
  /** A user creates a pod that a plugin of its own turns away for a while. */
  | { readonly do: 'whim'; readonly whim: FilterPlan }
  /** Users create important pods that no node has room for, and one that asks for nothing. */
  | { readonly do: 'crowd'; readonly giants: number }
  /** All pods are gone and all nodes but the first, which is made anew. */
  | { readonly do: 'begin-anew'; readonly as: NodePlan }
  | { readonly do: 'nothing' };
