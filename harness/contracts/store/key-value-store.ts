import type { Clock } from '../../sim/index.ts';
import type { LogFile } from './log-file.ts';

/**
 * A store of keys, values and their history: etcd as Kubernetes uses it.
 *
 * All keys share one revision, a counter. A fresh store is at revision 1, and each transaction that writes moves it by
 * one. Keys are ASCII and ordered by their bytes. All answers carry the revision of the store at that moment.
 *
 * Every operation is linearizable: it takes effect at one moment between its call and its answer. A write whose answer
 * has arrived survives a crash.
 *
 * Upstream: etcd-io/etcd@v3.6.0 api/etcdserverpb/rpc.proto services KV, Watch, Lease
 */
export interface KeyValueStore {
  /** Reads keys. @throws StoreError Compacted, FutureRevision */
  range(request: RangeRequest): Promise<RangeResult>;
  /**
   * Checks all `compare`, then runs `then` if all hold, otherwise `otherwise`. All of it is one step: nobody sees a
   * part of it, and all its writes have the same revision. An operation sees the effects of the operations before it.
   *
   * A refused transaction changes nothing. Both lists are searched for duplicate keys. The other errors come only from
   * the list that runs, and its ranges are checked against the revision before the transaction.
   *
   * @throws StoreError DuplicateKey, LeaseNotFound; Compacted and FutureRevision from a range in it
   */
  transact(transaction: Transaction): Promise<TransactionResult>;
  /**
   * Forgets the history before `revision`. The value that each key has at `revision` remains.
   *
   * @throws StoreError Compacted when that history is forgotten already, and always for revision 0; FutureRevision
   */
  compact(revision: number): Promise<void>;
  /** Sends the changes of a range, from any remembered or future revision on. */
  watch(request: KeyWatchRequest): KeyWatch;
  /** Grants a lease. The store deletes its keys when it ends. */
  grantLease(seconds: number): Promise<Lease>;
  /** Ends a lease now, and deletes its keys in one revision. @throws StoreError LeaseNotFound */
  revokeLease(id: string): Promise<void>;
}

/** Opens a store, with the content that its log has. */
export type NewKeyValueStore = (context: KeyValueStoreContext) => Promise<KeyValueStore>;

/** The environment of a process of the store. */
export interface KeyValueStoreContext {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** The disk. It survives a crash of the process. */
  readonly log: LogFile;
  /** Aborts when the process ends. The store answers nothing from then on, and its watches end. */
  readonly signal: AbortSignal;
}

/** A key with its value. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
  /** The revision that created the key. */
  readonly createRevision: number;
  /** The revision of the last write of the key. */
  readonly modRevision: number;
  /** The number of writes of the key since its creation: 1 for a new key. */
  readonly version: number;
  /** The lease that the last write attached. */
  readonly lease?: string;
}

/** A set of keys: one key, or all keys from `key` up to and excluding `end`. */
export interface KeyRange {
  readonly key: string;
  /** Absent: the one key. */
  readonly end?: string;
}

/** A read of a range. */
export interface RangeRequest extends KeyRange {
  /** The revision to read at; 0 is the newest. @defaultValue the newest */
  readonly revision?: number;
  /** The maximum number of keys; 0 means all. @defaultValue no limit */
  readonly limit?: number;
}

/** The answer to a range. */
export interface RangeResult {
  /**
   * The revision of the store, also when the request reads a past one. In a transaction: its new revision if an
   * operation before this one changed a key.
   */
  readonly revision: number;
  /** In the order of the keys. */
  readonly kvs: readonly KeyValue[];
  /** Whether the range has more keys than `limit`. */
  readonly more: boolean;
  /** The number of keys in the whole range, whatever the limit. */
  readonly count: number;
}

/**
 * A condition of a transaction. A missing key has revisions and version 0. No condition on the value of a missing key
 * holds, not even `!=`. Values are ordered by their bytes in UTF-8.
 */
export type Compare = { readonly key: string; readonly is: '=' | '!=' | '<' | '>' } & (
  | { readonly target: 'createRevision' | 'modRevision' | 'version'; readonly to: number }
  | { readonly target: 'value'; readonly to: string }
);

/**
 * One operation of a transaction. In one list, two puts of a key are a duplicate, and so are a put and a delete whose
 * range has the key. Two deletes are not.
 */
export type Operation =
  | { readonly put: { readonly key: string; readonly value: string; readonly lease?: string } }
  | { readonly delete: KeyRange }
  | { readonly range: RangeRequest };

/** An atomic step. */
export interface Transaction {
  /** @defaultValue none: `then` runs */
  readonly compare?: readonly Compare[];
  readonly then: readonly Operation[];
  /** @defaultValue none */
  readonly otherwise?: readonly Operation[];
}

/** The answer to one operation. */
export type OperationResult =
  | { readonly put: Record<string, never> }
  | { readonly deleted: number }
  | { readonly range: RangeResult };

/** The answer to a transaction. */
export interface TransactionResult {
  /** The revision of the store after it: a new one only if it changed a key. */
  readonly revision: number;
  /** Whether all conditions held. */
  readonly succeeded: boolean;
  /** One for each operation that ran. */
  readonly results: readonly OperationResult[];
}

/** A watch of a range. */
export interface KeyWatchRequest extends KeyRange {
  /** The first revision whose changes to send. @defaultValue the one after the last revision on disk */
  readonly startRevision?: number;
}

/**
 * A stream of changes. A revision's changes come in one response; revisions come in order, none twice and none left
 * out. An end without `compactRevision` means that the store has gone away.
 */
export interface KeyWatch extends AsyncIterable<WatchResponse> {
  /**
   * Asks for a response without changes. Its revision r promises that all changes up to r have been sent on this
   * stream.
   */
  requestProgress(): void;
  /** Ends the stream. It is safe to call it twice. */
  stop(): void;
}

/** One message of a watch. */
export interface WatchResponse {
  /** The revision of the store when it was sent; for changes at least their revision. */
  readonly revision: number;
  readonly events: readonly KeyEvent[];
  /** The watch started before this compacted revision. No message follows. A watch from this very revision works. */
  readonly compactRevision?: number;
}

/** One change of a key. */
export interface KeyEvent {
  readonly type: 'PUT' | 'DELETE';
  /** The state after the change. A deleted key has only its `key` and the `modRevision` of the deletion. */
  readonly kv: Pick<KeyValue, 'key' | 'modRevision'> & Partial<KeyValue>;
  /** The state before the change. Absent for a new key, and if the revision before the change is compacted. */
  readonly previous?: KeyValue;
}

/** A lease. */
export interface Lease {
  readonly id: string;
  /** The granted time, in seconds: at least the requested time. */
  readonly seconds: number;
}
