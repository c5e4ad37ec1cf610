import type { Lease, Node } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { NodePressure } from '../../../kubelet/node/index.ts';
import type { ClusterRun } from '../../../testing/rig/play.ts';
import type { NodeScenario } from './scenario.ts';

/** How the node was from then on. */
export interface Truth {
  readonly atMs: number;
  readonly pressure: readonly NodePressure[];
  readonly runtimeErrors: readonly string[];
  readonly networkErrors: readonly string[];
}

/** One life of the kubelet. */
export interface NodeIncarnation {
  readonly bornMs: number;
  /** From when on it knows of the runtime, and of pressure. */
  readonly seesMs: { readonly runtime: number; readonly pressure: number };
  diedMs: number;
}

/** What happened to a node. Times are virtual ms. */
export interface NodeHistory extends ClusterRun {
  readonly scenario: NodeScenario;
  readonly truth: readonly Truth[];
  readonly incarnations: readonly NodeIncarnation[];
  readonly leases: readonly JournalEntry<Lease>[];
  readonly nodes: readonly JournalEntry<Node>[];
  /** From when on nothing is broken and no client writes. */
  readonly calmMs: number;
  /** When the kubelet was told to stop. */
  readonly stoppedMs: number;
}
