import type { KubeObject } from '../../api/objects.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';

/**
 * What the collector's informers told it, in order. `start`: a new life, which knows nothing; what it lists is no older
 * than `floor`, the revision that the server farthest behind has reached.
 */
export type Notification = { readonly atMs: number } & (
  | { readonly type: 'start'; readonly floor: number }
  | { readonly type: 'seen' | 'gone'; readonly object: KubeObject }
);

/** Something that is left for the collector to do. */
export interface Obligation {
  /** Is it a deletion that should have come to pass, or a reference that should have gone? */
  readonly of: 'deletion' | 'reference';
  readonly message: string;
  /** The object that is left as it should not be, as the timeline names it. */
  readonly object: string;
}

/** One life of a garbage collector, through crashes, until all is quiet. */
export interface GarbageHistory extends ClusterRun {
  readonly told: readonly Notification[];
  /** What it asked of the apiserver, and what came of it. */
  readonly requests: readonly TraceEntry[];
  /** When the faults were over, and all steps were done. */
  readonly healedMs: number;
  /** Until when faults had their effect at most; 0 when there was none. */
  readonly wellMs: number;
  /** When the life was over. */
  readonly endMs: number;
  /** What was still to be done, long after. */
  readonly obligations: readonly Obligation[];
  /** What the collector still asked to be changed when nothing was to be done any more. */
  readonly restless: readonly TraceEntry[];
}
