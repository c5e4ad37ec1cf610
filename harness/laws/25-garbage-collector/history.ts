import type { KubeObject } from '../../api/objects.ts';
import { DeletedFinalStateUnknown, type SharedInformer } from '../../contracts/informer.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';

/**
 * A notification from the collector's informers, in order. `start`: a new incarnation, which has observed nothing;
 * its lists are no older than `floor`, the revision of the server that is farthest behind.
 */
export type Notification = { readonly atMs: number } & (
  | { readonly type: 'start'; readonly floor: number }
  | { readonly type: 'seen' | 'gone'; readonly object: KubeObject }
);

/** A pending obligation of the collector. */
export interface Obligation {
  /** A deletion that should have happened, or a reference that should have been removed. */
  readonly of: 'deletion' | 'reference';
  readonly message: string;
  /** The object in the wrong state, as the timeline names it. */
  readonly object: string;
}

/** One run of a garbage collector, with crashes, until the cluster is quiescent. */
export interface GarbageHistory extends ClusterRun {
  /** The name of the collector in the journal. */
  readonly process: string;
  readonly notifications: readonly Notification[];
  /** The collector's requests to the apiserver, with their outcomes. */
  readonly requests: readonly TraceEntry[];
  /** The longest latency of a message. */
  readonly latencyMs: number;
  /** When the faults had ended, and all steps were performed. */
  readonly healedMs: number;
  /** The end of the last effect of a fault; 0 without faults. */
  readonly wellMs: number;
  /** When the run ended. */
  readonly endMs: number;
  /** The obligations that were still pending long after that. */
  readonly obligations: readonly Obligation[];
  /** Changes that the collector still requested when no obligation was pending. */
  readonly restless: readonly TraceEntry[];
}

/** A notification whose time its receiver adds. */
export type UntimedNotification = Notification extends infer T
  ? T extends Notification
    ? Omit<T, 'atMs'>
    : never
  : never;

/** Wraps an informer so that it reports its notifications. */
export function observed<T extends KubeObject>(
  informer: SharedInformer<T>,
  notify: (what: UntimedNotification) => void,
): SharedInformer<T> {
  return {
    indexer: informer.indexer,
    hasSynced: () => informer.hasSynced(),
    lastSyncResourceVersion: () => informer.lastSyncResourceVersion(),
    removeEventHandler: (registration) => informer.removeEventHandler(registration),
    run: (signal) => informer.run(signal),
    addEventHandler: (handler, resync) =>
      informer.addEventHandler(
        {
          onAdd: (object, isInInitialList) => {
            notify({ type: 'seen', object });
            return handler.onAdd?.(object, isInInitialList);
          },
          onUpdate: (previous, current) => {
            if (previous.metadata.uid !== current.metadata.uid) notify({ type: 'gone', object: previous });
            notify({ type: 'seen', object: current });
            return handler.onUpdate?.(previous, current);
          },
          onDelete: (last) => {
            notify({ type: 'gone', object: last instanceof DeletedFinalStateUnknown ? last.object : last });
            return handler.onDelete?.(last);
          },
        },
        resync,
      ),
  };
}
