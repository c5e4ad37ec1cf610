import type { Fault } from '../../../faults/index.ts';
import type { NodePressure } from '../../../kubelet/node/index.ts';

/** What happens to a node, and to its Node. */
export type NodeOperation =
  /** A user deletes the Node. */
  | { readonly do: 'delete-node' }
  /** A user makes a Node of this name, unless there is one. */
  | { readonly do: 'make-node' }
  /** Both, in one breath. */
  | { readonly do: 'replace-node' }
  /** Another client writes into the Node: a label, a condition of a kind of its own, a resource. */
  | { readonly do: 'meddle'; readonly with: 'label' | 'condition' | 'resource' }
  /** The node controller has not heard of the node: it says that nothing is known of it. */
  | { readonly do: 'mark-unknown' }
  /** A user changes the lease, or deletes it. */
  | { readonly do: 'touch-lease' }
  | { readonly do: 'delete-lease' }
  /** From now on the node is short of this, and of nothing else. */
  | { readonly do: 'press'; readonly pressure: readonly NodePressure[] }
  /** The runtime, or its network, fails from now on, or does not. */
  | { readonly do: 'break'; readonly what: 'runtime' | 'network'; readonly broken: boolean }
  /** The kubelet dies, and comes back after a while. */
  | { readonly do: 'restart'; readonly afterMs: number }
  | { readonly do: 'nothing' };

/** Something that happens, some time after what happened before. */
export type NodeStep = { readonly afterMs: number } & (NodeOperation | { readonly strike: Fault });

/** One life of a node, as a value that fast-check makes and shrinks. */
export interface NodeScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  /** The longest that a message travels, in virtual ms. */
  readonly latencyMs: number;
  /** So long after each start of the kubelet its other parts know nothing of the runtime, and nothing of pressure. */
  readonly blindMs: { readonly runtime: number; readonly pressure: number };
  /** Whether the Node is there before its kubelet is. */
  readonly isThere: boolean;
  readonly steps: readonly NodeStep[];
}
