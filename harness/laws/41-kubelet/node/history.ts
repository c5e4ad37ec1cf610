import type { Lease, Node } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { NodePressure } from '../../../kubelet/node/index.ts';
import type { ClusterRun } from '../../../testing/rig/play.ts';
import type { NodeScenario } from './scenario.ts';

/** The true state of the node from this time on. */
export interface Truth {
  readonly atMs: number;
  readonly pressure: readonly NodePressure[];
  readonly runtimeErrors: readonly string[];
  readonly networkErrors: readonly string[];
}

/** One run of the kubelet's process. */
export interface NodeIncarnation {
  readonly bornMs: number;
  /** Times when it first knows the runtime, and the pressures. */
  readonly seesMs: { readonly runtime: number; readonly pressure: number };
  diedMs: number;
}

/** The record of one run of a node. Times are virtual ms. */
export interface NodeHistory extends ClusterRun {
  readonly nodeName: string;
  /** Name of the kubelet's process. */
  readonly process: string;
  readonly scenario: NodeScenario;
  readonly truth: readonly Truth[];
  readonly incarnations: readonly NodeIncarnation[];
  readonly leases: readonly JournalEntry<Lease>[];
  readonly nodes: readonly JournalEntry<Node>[];
  /** Start of the period without faults and writes of other clients. */
  readonly calmMs: number;
  /** Time when the kubelet's signal was aborted. */
  readonly stoppedMs: number;
}
