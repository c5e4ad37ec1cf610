import type { ConfigMap } from '../../api/objects.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import type { DeletedFinalStateUnknown } from '../../contracts/informer.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { HandlerName } from './scenario.ts';

/**
 * What an informer asks for: a list, a further page of it, a watch that begins with what there is (a streaming list), or a
 * watch that brings changes alone. A streaming list is `stream` until it has told all that there is, and `watch` from there.
 */
export type RequestKind = 'list' | 'page' | 'stream' | 'watch';

/** Which request it was. No two have the same number. */
export interface AskedRequest {
  readonly id: number;
  readonly request: RequestKind;
  /** The resourceVersion that was asked for; `''` where none was. */
  readonly version: string;
}

/** One thing that an informer did or was given, in the order in which it happened. */
export type HistoryEntry = { readonly atMs: number } & (
  | (AskedRequest & { readonly kind: 'asked' })
  /** The server answers a watch: events follow. */
  | (AskedRequest & { readonly kind: 'opened' })
  /** A request was refused, or not answered. */
  | (AskedRequest & { readonly kind: 'failed'; readonly error: unknown })
  | (AskedRequest & { readonly kind: 'event'; readonly event: WatchEvent<ConfigMap> })
  /** All that there is has come: the last page of a list, or the bookmark that ends what a streaming list begins with. */
  | (AskedRequest & {
      readonly kind: 'listed';
      readonly resourceVersion: string;
      readonly items: readonly ConfigMap[];
    })
  /** The server's end of the stream was reached. */
  | (AskedRequest & { readonly kind: 'ended' })
  /** The informer has closed the stream, or it has ended: nothing comes from it any more. */
  | (AskedRequest & { readonly kind: 'closed' })
  | { readonly kind: 'told'; readonly handler: HandlerName; readonly what: Notification }
  /** The handler is done with what it was told last. */
  | { readonly kind: 'done'; readonly handler: HandlerName }
  /** `hasSynced` became true: of the informer, or of a handler's registration. */
  | { readonly kind: 'synced'; readonly who: 'informer' | HandlerName }
  | { readonly kind: 'joined'; readonly handler: HandlerName }
  | { readonly kind: 'removed'; readonly handler: HandlerName }
  /** The cache is no longer what it was when it was looked at before. */
  | ({ readonly kind: 'cache' } & CacheState)
  /** `run` was called a second time; that call came back. */
  | { readonly kind: 'again'; readonly what: 'called' | 'over' }
  | { readonly kind: 'mark'; readonly mark: 'healed' | 'quiet' | 'ending' | 'aborted' }
  /** An index was found to be wrong. */
  | { readonly kind: 'wrong'; readonly what: string }
);

/** Entries of one kind. */
export type Of<K extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: K }>;

/** What can be seen of an informer's cache from outside. */
export interface CacheState {
  readonly objects: readonly ConfigMap[];
  /** `lastStoreSyncResourceVersion` of the cache; absent when the cache does not have it. */
  readonly version?: string;
  /** `lastSyncResourceVersion` of the informer. */
  readonly received: string;
}

/** What a handler was told: which of its functions was called, and with what. */
export type Notification =
  | { readonly type: 'add'; readonly object: ConfigMap; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly previous: ConfigMap; readonly current: ConfigMap }
  | { readonly type: 'delete'; readonly object: ConfigMap | DeletedFinalStateUnknown<ConfigMap> };

/** One life of an informer, from start to abort and after. */
export interface InformerHistory extends ClusterRun {
  readonly entries: readonly HistoryEntry[];
  /** Those that stay to the end. */
  readonly handlers: readonly HandlerName[];
  /** When everything had settled: the cache, and the server's state. Absent when it never settled. */
  readonly settled: { readonly cache: readonly ConfigMap[]; readonly server: readonly ConfigMap[] };
  readonly converged: boolean;
  /** Watches that the server still served after the abort. */
  readonly watchesLeft: number;
  /** Did `run` return soon after the abort? */
  readonly returned: boolean;
}
