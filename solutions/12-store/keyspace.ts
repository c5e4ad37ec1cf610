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
} from '#given/12-store';

/** A write of a key: a put, or a delete if it has no value. Given. */
export interface Change {
  readonly key: string;
  readonly value?: string;
  readonly lease?: string;
}

/** Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/kvstore.go store */
export class Keyspace {
  revision = 1;
  compactedRevision = 0;
  /** The leases that exist, ★. */
  readonly leases = new Map<string, StoreLease>();
  readonly #present = new SortedMap<KeyValue>();
  #history: KeyEvent[] = [];

  // Level 1 · One counter

  /** Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/kvstore_txn.go storeTxnWrite.put, delete */
  write(changes: readonly Change[], revision = this.revision + 1): void {
    for (const change of changes) {
      const event = eventOf(change, this.#present.get(change.key), revision);
      if (!event) continue;
      if (event.type === 'PUT') this.#present.set(change.key, event.kv as KeyValue);
      else this.#present.delete(change.key);
      this.#history.push(event);
      this.revision = revision;
    }
  }

  get(key: string): KeyValue | undefined {
    return this.#present.get(key);
  }

  all(): readonly KeyValue[] {
    return this.#present.all();
  }

  // Level 2 · All or nothing

  /** Upstream: etcd-io/etcd@v3.6.0 server/etcdserver/txn/txn.go Txn; api/v3rpc/key.go checkTxnRequest */
  transact({ compare = [], then, otherwise = [] }: Transaction): TransactionResult & {
    readonly changes: readonly Change[];
  } {
    for (const branch of [then, otherwise]) if (writesTwice(branch)) throw new StoreError('DuplicateKey');
    const succeeded = compare.every((each) => holds(each, this.get(each.key)));
    const operations = succeeded ? then : otherwise;
    for (const operation of operations) this.#check(operation);
    const revision = this.revision + 1;
    const changes: Change[] = [];
    const results = operations.map((operation) => {
      if ('range' in operation) return { range: this.range(operation.range) };
      const own = 'put' in operation ? [operation.put] : this.#keysIn(operation.delete);
      this.write(own, revision);
      changes.push(...own);
      return 'put' in operation ? { put: {} } : { deleted: own.length };
    });
    return { revision: this.revision, succeeded, results, changes };
  }

  /** Checks everything that can fail, before anything is written. */
  #check(operation: StoreOperation): void {
    if ('range' in operation) this.#mustRemember(operation.range.revision);
    if ('put' in operation && operation.put.lease && !this.leases.has(operation.put.lease))
      throw new StoreError('LeaseNotFound');
  }

  #keysIn(range: KeyRange): readonly Change[] {
    return this.#present.within(range).map(({ key }) => ({ key }));
  }

  // Level 3 · Ranges

  /** Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/kvstore_txn.go storeTxnRead.rangeKeys */
  range({ key, end, revision, limit }: RangeRequest): RangeResult {
    this.#mustRemember(revision);
    const range = end === undefined ? { key } : { key, end };
    const found = revision ? this.#at(revision, range) : this.#present.within(range);
    const kvs = limit ? found.slice(0, limit) : found;
    return { revision: this.revision, kvs, more: kvs.length < found.length, count: found.length };
  }

  // Level 4 · The past

  #mustRemember(revision: number | undefined): void {
    if (!revision) return;
    if (revision > this.revision) throw new StoreError('FutureRevision');
    if (revision < this.compactedRevision) throw new StoreError('Compacted');
  }

  /** Returns the state of a range in the past: the present, with all later changes undone. */
  #at(revision: number, range: KeyRange): KeyValue[] {
    const before = new Map<string, KeyValue | undefined>();
    for (const { kv, previous } of this.#history.slice(firstFrom(this.#history, revision + 1)).reverse())
      if (rangeHas(range, kv.key)) before.set(kv.key, previous);
    if (before.size === 0) return this.#present.within(range);
    const unchanged = this.#present.within(range).filter(({ key }) => !before.has(key));
    const restored = [...before.values()].filter((kv) => kv !== undefined);
    return [...unchanged, ...restored].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/kvstore.go store.Compact */
  compact(revision: number): void {
    if (revision <= this.compactedRevision) throw new StoreError('Compacted');
    if (revision > this.revision) throw new StoreError('FutureRevision');
    this.compactedRevision = revision;
    // A watch can still begin at this revision, but not see the state before it.
    this.#history = this.eventsFrom(revision).map((event) =>
      event.kv.modRevision === revision ? { type: event.type, kv: event.kv } : event,
    );
  }

  /** Returns the remembered events from a revision on, that revision included. */
  eventsFrom(revision: number): readonly KeyEvent[] {
    return this.#history.slice(firstFrom(this.#history, revision));
  }
}

/** Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/kvstore_txn.go storeTxnWrite.put */
export function eventOf(
  { key, value, lease }: Change,
  previous: KeyValue | undefined,
  revision: number,
): KeyEvent | undefined {
  const before = previous && { previous };
  if (value === undefined) return before && { type: 'DELETE', kv: { key, modRevision: revision }, ...before };
  const { createRevision = revision, version = 0 } = previous ?? {};
  const kv = {
    key,
    value,
    createRevision,
    modRevision: revision,
    version: version + 1,
    ...(lease && { lease }),
  };
  return { type: 'PUT', kv, ...before };
}

/** Returns whether a key is put twice, or put and deleted. */
function writesTwice(operations: readonly StoreOperation[]): boolean {
  const puts = operations.flatMap((operation) => ('put' in operation ? [operation.put.key] : []));
  const deletes = operations.flatMap((operation) => ('delete' in operation ? [operation.delete] : []));
  return (
    new Set(puts).size < puts.length || puts.some((key) => deletes.some((range) => rangeHas(range, key)))
  );
}
