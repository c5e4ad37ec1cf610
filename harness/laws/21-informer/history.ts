import type { ConfigMap } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import type { DeletedFinalStateUnknown } from '../../contracts/informer.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { HandlerName } from './scenario.ts';

/**
 * The kind of a request: a list, a further page of a list, a streaming list, or a watch of changes only. A streaming
 * list is `stream` until its initial events are complete, and `watch` from there.
 */
export type RequestKind = 'list' | 'page' | 'stream' | 'watch';

/** A request of the informer, with a unique id. */
export interface AskedRequest {
  readonly id: number;
  readonly request: RequestKind;
  /** The requested resourceVersion; `''` if none. */
  readonly version: string;
}

/** One action of an informer, or one answer to it. */
export type HistoryEntry = { readonly atMs: number } & (
  | (AskedRequest & { readonly kind: 'asked' })
  /** The server accepted a watch: events follow. */
  | (AskedRequest & { readonly kind: 'opened' })
  /** The server refused a request, or did not answer it. */
  | (AskedRequest & { readonly kind: 'failed'; readonly error: unknown })
  | (AskedRequest & { readonly kind: 'event'; readonly event: WatchEvent<ConfigMap> })
  /**
   * A list is complete: its last page has arrived, or the bookmark that ends the initial events of a streaming list.
   */
  | (AskedRequest & {
      readonly kind: 'listed';
      readonly resourceVersion: string;
      readonly items: readonly ConfigMap[];
    })
  /** The server ended the stream. */
  | (AskedRequest & { readonly kind: 'ended' })
  /** The informer closed the stream, or the stream ended: it brings no further event. */
  | (AskedRequest & { readonly kind: 'closed' })
  | { readonly kind: 'told'; readonly handler: HandlerName; readonly what: Notification }
  /** The handler has processed its last notification. */
  | { readonly kind: 'done'; readonly handler: HandlerName }
  /** `hasSynced` became true: of the informer, or of a handler's registration. */
  | { readonly kind: 'synced'; readonly who: 'informer' | HandlerName }
  | { readonly kind: 'joined'; readonly handler: HandlerName }
  | { readonly kind: 'removed'; readonly handler: HandlerName }
  /** The cache has changed since the last entry of this kind. */
  | ({ readonly kind: 'cache' } & CacheState)
  /** `run` was called a second time, or that call settled. */
  | { readonly kind: 'again'; readonly what: 'called' | 'over' }
  | { readonly kind: 'mark'; readonly mark: 'healed' | 'quiet' | 'ending' | 'aborted' }
  /** An index differs from the cache. */
  | { readonly kind: 'wrong'; readonly what: string }
);

/** Entries of one kind. */
export type Of<K extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: K }>;

/** The public state of an informer's cache. */
export interface CacheState {
  readonly objects: readonly ConfigMap[];
  /** `lastStoreSyncResourceVersion` of the cache; absent if the cache does not have this function. */
  readonly version?: string;
  /** `lastSyncResourceVersion` of the informer. */
  readonly received: string;
}

/** A notification: the function of the handler that was called, and its arguments. */
export type Notification =
  | { readonly type: 'add'; readonly object: ConfigMap; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly previous: ConfigMap; readonly current: ConfigMap }
  | { readonly type: 'delete'; readonly object: ConfigMap | DeletedFinalStateUnknown<ConfigMap> };

/**
 * The record of one run of an informer, from its start until long after the abort. Without the mark `quiet`, the process
 * of the informer crashed before everything had settled.
 */
export interface InformerHistory extends ClusterRun {
  /** The resource of the informer. Its objects need not be ConfigMaps: the laws read only their metadata. */
  readonly resource: Resource;
  readonly entries: readonly HistoryEntry[];
  /** The handlers that are not removed. */
  readonly handlers: readonly HandlerName[];
  /** The cache and the objects of the server, when everything had settled, or at the end of the time to settle. */
  readonly settled: { readonly cache: readonly ConfigMap[]; readonly server: readonly ConfigMap[] };
  readonly converged: boolean;
  /** The number of watches that the server still served after the abort. */
  readonly watchesLeft: number;
  /** Whether `run` returned soon after the abort. */
  readonly returned: boolean;
}
