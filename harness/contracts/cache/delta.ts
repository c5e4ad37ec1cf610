import type { DeletedFinalStateUnknown } from '../informer.ts';

/**
 * One thing that an informer's queue holds.
 *
 * - `Added`, `Updated`, `Deleted`: what a watch told about one object.
 * - `ReplacedAll`: what a list told. There is nothing except these objects.
 * - `SyncAll`: nothing happened. Handlers are told again of what is in the cache.
 * - `Bookmark`: nothing happened to the resource up to this version.
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
 * All that there is at a version.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/the_real_fifo.go ReplacedAllInfo
 */
export interface ReplacedAll<T> {
  readonly type: 'ReplacedAll';
  readonly objects: readonly T[];
  readonly resourceVersion: string;
}

/** One thing that a handler is told. */
export type Notification<T> =
  | { readonly type: 'add'; readonly object: T; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly previous: T; readonly current: T }
  | { readonly type: 'delete'; readonly object: T | DeletedFinalStateUnknown<T> };
