import {
  firstFrom,
  holds,
  type KeyEvent,
  type KeyRange,
  type KeyValue,
  type RangeRequest,
  type RangeResult,
  rangeHas,
  SortedMap,
  StoreError,
  type StoreLease,
  type StoreOperation,
  type Transaction,
  type TransactionResult,
  writesTwice,
} from '#given/12-store';

/** A write of a key: a put, or a delete if it has no value. Given. */
export interface Change {
  readonly key: string;
  readonly value?: string;
  readonly lease?: string;
}

/** Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/kvstore.go store */
export class Keyspace {
  /** The counter of the store. */
  revision = 1;
  /** The revision of the last compaction; 0 before the first. */
  compactedRevision = 0;
  /** The present state of each key. */
  readonly present = new SortedMap<KeyValue>();
  /** The remembered changes, oldest first. */
  history: KeyEvent[] = [];
  /** The leases that exist, by id. */
  readonly leases = new Map<string, StoreLease>();

  // Level 1 · One counter

  /** Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/kvstore_txn.go storeTxnWrite.put, delete */
  write(changes: readonly Change[], revision = this.revision + 1): void {
    for (const change of changes) {
      const event = eventOf(change, this.present.get(change.key), revision);
      if (!event) continue;
      if (event.type === 'PUT') this.present.set(change.key, event.kv as KeyValue);
      else this.present.delete(change.key);
      this.history.push(event);
      this.revision = revision;
    }
  }

  // Level 2 · All or nothing

  /** Upstream: etcd-io/etcd@v3.6.0 server/etcdserver/txn/txn.go Txn; server/etcdserver/api/v3rpc/key.go checkTxnRequest */
  transact({ compare = [], then, otherwise = [] }: Transaction): TransactionResult & {
    readonly changes: readonly Change[];
  } {
    for (const branch of [then, otherwise]) if (writesTwice(branch)) throw new StoreError('DuplicateKey');
    const succeeded = compare.every((each) => holds(each, this.present.get(each.key)));
    const operations = succeeded ? then : otherwise;
    for (const operation of operations) this.#mustBePossible(operation);
    const revision = this.revision + 1;
    const changes: Change[] = [];
    const results = operations.map((operation) => {
      if ('range' in operation) return { range: this.range(operation.range) };
      const own = 'put' in operation ? [operation.put] : this.#deletesIn(operation.delete);
      this.write(own, revision);
      changes.push(...own);
      return 'put' in operation ? { put: {} } : { deleted: own.length };
    });
    return { revision: this.revision, succeeded, results, changes };
  }

  /** Checks everything that can fail, before anything is written. */
  #mustBePossible(operation: StoreOperation): void {
    if ('range' in operation) this.mustRemember(operation.range.revision);
    if ('put' in operation && operation.put.lease && !this.leases.has(operation.put.lease))
      throw new StoreError('LeaseNotFound');
  }

  #deletesIn(range: KeyRange): readonly Change[] {
    return this.present.within(range).map(({ key }) => ({ key }));
  }

  // Level 3 · Ranges

  /** Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/kvstore_txn.go storeTxnCommon.rangeKeys */
  range({ revision, limit, ...range }: RangeRequest): RangeResult {
    this.mustRemember(revision);
    const found = revision ? this.at(revision, range) : this.present.within(range);
    const kvs = limit ? found.slice(0, limit) : found;
    return { revision: this.revision, kvs, more: kvs.length < found.length, count: found.length };
  }

  /** Checks that the store has the state at a revision. Given. @throws StoreError FutureRevision, Compacted */
  mustRemember(revision = this.revision): void {
    if (revision > this.revision) throw new StoreError('FutureRevision');
    if (revision < this.compactedRevision) throw new StoreError('Compacted');
  }

  // Level 4 · The past

  /** Undoes all changes after the revision: etcd finds each key's version in an index instead. */
  at(revision: number, range: KeyRange): readonly KeyValue[] {
    const before = new Map<string, KeyValue | undefined>();
    for (const { kv, previous } of this.eventsFrom(revision + 1).reverse())
      if (rangeHas(range, kv.key)) before.set(kv.key, previous);
    const present = this.present.within(range);
    if (before.size === 0) return present;
    const unchanged = present.filter(({ key }) => !before.has(key));
    const restored = [...before.values()].filter((kv) => kv !== undefined);
    return [...unchanged, ...restored].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/kvstore.go store.Compact */
  compact(revision: number): void {
    if (revision <= this.compactedRevision) throw new StoreError('Compacted');
    if (revision > this.revision) throw new StoreError('FutureRevision');
    this.compactedRevision = revision;
    // A watch can still start at this revision, but the state before it is forgotten.
    this.history = this.eventsFrom(revision).map(({ previous, ...event }) =>
      previous && event.kv.modRevision > revision ? { ...event, previous } : event,
    );
  }

  /** Returns the remembered events at and after a revision, oldest first. Given. */
  eventsFrom(revision: number): KeyEvent[] {
    return this.history.slice(firstFrom(this.history, revision));
  }
}

function eventOf(
  { key, value, lease }: Change,
  previous: KeyValue | undefined,
  modRevision: number,
): KeyEvent | undefined {
  const before = previous && { previous };
  if (value === undefined) return before && { type: 'DELETE', kv: { key, modRevision }, ...before };
  const { createRevision = modRevision, version = 0 } = previous ?? {};
  const attached = lease === undefined ? {} : { lease };
  const kv = { key, value, createRevision, modRevision, version: version + 1, ...attached };
  return { type: 'PUT', kv, ...before };
}
