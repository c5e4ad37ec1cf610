import type { ConfigMap } from '../../api/objects.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import type { DeletedFinalStateUnknown } from '../../contracts/informer.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { HandlerName } from './scenario.ts';

/** One thing that an informer did or was given, in the order in which it happened. */
export type HistoryEntry = { readonly atMs: number } & (
  | { readonly kind: 'list'; readonly asked: string; readonly page: boolean }
  | {
      readonly kind: 'listed';
      readonly resourceVersion: string;
      readonly items: readonly ConfigMap[];
      readonly more: boolean;
    }
  | { readonly kind: 'watch'; readonly asked: string }
  | { readonly kind: 'watching' }
  /** A request was refused, or not answered. */
  | { readonly kind: 'failed'; readonly request: 'list' | 'watch'; readonly error: unknown }
  | { readonly kind: 'event'; readonly event: WatchEvent<ConfigMap> }
  /** The server's end of the stream was reached. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'told'; readonly handler: HandlerName; readonly what: Told }
  /** The handler is done with what it was told last. */
  | { readonly kind: 'done'; readonly handler: HandlerName }
  /** `hasSynced` became true: of the informer, or of a handler's registration. */
  | { readonly kind: 'synced'; readonly who: 'informer' | HandlerName }
  | { readonly kind: 'joined'; readonly handler: HandlerName; readonly cache: readonly ConfigMap[] }
  | { readonly kind: 'mark'; readonly mark: 'healed' | 'quiet' | 'ending' | 'aborted' }
  /** An index was found to be wrong. */
  | { readonly kind: 'wrong'; readonly what: string }
);

/** What a handler was told: which of its functions was called, and with what. */
export type Told =
  | { readonly type: 'add'; readonly object: ConfigMap; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly previous: ConfigMap; readonly current: ConfigMap }
  | { readonly type: 'delete'; readonly object: ConfigMap | DeletedFinalStateUnknown<ConfigMap> };

/** One life of an informer, from start to abort and after. */
export interface InformerHistory extends ClusterRun {
  readonly entries: readonly HistoryEntry[];
  readonly handlers: readonly HandlerName[];
  /** When everything had settled: the cache, and the server's state. Absent when it never settled. */
  readonly settled: { readonly cache: readonly ConfigMap[]; readonly server: readonly ConfigMap[] };
  readonly converged: boolean;
  /** Watches that the server still served after the abort. */
  readonly watchesLeft: number;
  /** Did `run` return soon after the abort? */
  readonly returned: boolean;
}
