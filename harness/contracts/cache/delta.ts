import type { DeletedFinalStateUnknown } from '../informer.ts';

/**
 * One item of an informer's queue.
 *
 * - `Added`, `Updated`, `Deleted`: a watch reported a change of one object.
 * - `ReplacedAll`: a list returned these objects. No other objects exist.
 * - `SyncAll`: nothing changed. Handlers are notified again of every object in the cache.
 * - `Bookmark`: the resource has not changed up to this version.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/delta_fifo.go Delta, DeltaType
 */
export type Delta<T> =
  | { readonly type: 'Added' | 'Updated'; readonly object: T }
  | { readonly type: 'Deleted'; readonly object: T | DeletedFinalStateUnknown<T> }
  | ReplacedAll<T>
  | { readonly type: 'SyncAll' }
  | { readonly type: 'Bookmark'; readonly resourceVersion: string };

/**
 * All objects that exist at a version.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/the_real_fifo.go ReplacedAllInfo
 */
export interface ReplacedAll<T> {
  readonly type: 'ReplacedAll';
  readonly objects: readonly T[];
  readonly resourceVersion: string;
}

/** One notification of a handler. */
export type Notification<T> =
  | { readonly type: 'add'; readonly object: T; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly previous: T; readonly current: T }
  | { readonly type: 'delete'; readonly object: T | DeletedFinalStateUnknown<T> };
