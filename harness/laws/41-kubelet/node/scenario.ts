import type { Fault } from '../../../faults/index.ts';
import type { NodePressure } from '../../../kubelet/node/index.ts';

/** An operation on a node or its Node object. */
export type NodeOperation =
  /** A user deletes the Node. */
  | { readonly do: 'delete-node' }
  /** A user creates a Node of this name, unless one exists. */
  | { readonly do: 'make-node' }
  /** Both, one after the other. */
  | { readonly do: 'replace-node' }
  /** Another client writes into the Node: a label, a condition of another type, a resource. */
  | { readonly do: 'meddle'; readonly with: 'label' | 'condition' | 'resource' }
  /** The node controller sets the conditions to Unknown. */
  | { readonly do: 'mark-unknown' }
  /** A user changes the lease, or deletes it. */
  | { readonly do: 'touch-lease' }
  | { readonly do: 'delete-lease' }
  /** The node has exactly these pressures from now on. */
  | { readonly do: 'press'; readonly pressure: readonly NodePressure[] }
  /** The runtime or its network starts or stops to fail. */
  | { readonly do: 'break'; readonly what: 'runtime' | 'network'; readonly broken: boolean }
  /** The kubelet crashes, and restarts after a while. */
  | { readonly do: 'restart'; readonly downMs: number }
  | { readonly do: 'nothing' };

/** An operation or a fault, some time after the previous step. */
export type NodeStep = { readonly afterMs: number } & (NodeOperation | { readonly strike: Fault });

/** A scenario of a node, which fast-check generates and shrinks. */
export interface NodeScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  /** Longest latency of a message, in virtual ms. */
  readonly latencyMs: number;
  /** Time after each start of the kubelet until its sources know the runtime, and the pressures. */
  readonly blindMs: { readonly runtime: number; readonly pressure: number };
  /** Whether the Node exists before the kubelet starts. */
  readonly isThere: boolean;
  readonly steps: readonly NodeStep[];
}
