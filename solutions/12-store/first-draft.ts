/** The functions of the short way, as a first draft: it checks the preconditions once, before the first attempt. */
import {
  decode,
  encode,
  firstFrom,
  holds,
  isSameState,
  type KeyEvent,
  type KeyRange,
  type KeyValue,
  type KeyValueStore,
  keyIn,
  ObjectErrors,
  type ObjectPlace,
  type ObjectStoreContext,
  type RangeRequest,
  type RangeResult,
  rangeHas,
  SortedMap,
  StoreError,
  type StoreLease,
  type StoreOperation,
  type StorePreconditions,
  type Transaction,
  type TransactionResult,
  writesTwice,
} from '#given/12-store';
import type { KubeObject } from '#harness';
import type { Change } from './keyspace.ts';

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

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store */
export class ObjectWriter {
  readonly #store: KeyValueStore;
  readonly #prefix: string;
  readonly #errors: ObjectErrors;

  constructor(context: Pick<ObjectStoreContext, 'store' | 'resource' | 'prefix'>) {
    this.#store = context.store;
    this.#prefix = context.prefix;
    this.#errors = new ObjectErrors(context);
  }

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.Create */
  async create(object: KubeObject): Promise<KubeObject> {
    const { namespace = '', name } = object.metadata;
    const key = keyIn(this.#prefix, { namespace, name });
    const value = encode(object);
    const { succeeded, revision } = await this.#store.transact({
      compare: [{ key, target: 'modRevision', is: '=', to: 0 }],
      then: [{ put: { key, value } }],
    });
    if (!succeeded) throw this.#errors.alreadyExists({ namespace, name });
    return decode({ value, modRevision: revision });
  }

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.GuaranteedUpdate, conditionalDelete */
  async write(
    place: ObjectPlace,
    change: (current: KubeObject) => KubeObject | undefined,
    preconditions: StorePreconditions = {},
  ): Promise<KubeObject> {
    const key = keyIn(this.#prefix, place);
    let kv: KeyValue | undefined = (await this.#store.range({ key })).kvs[0];
    if (kv) this.#errors.mustFulfil(decode(kv), preconditions);
    for (;;) {
      if (!kv) throw this.#errors.notFound(place);
      const current = decode(kv);
      const next = change(current);
      if (next && isSameState(next, current)) return current;
      const value = next ? encode(next) : kv.value;
      const { succeeded, revision, results } = await this.#store.transact({
        compare: [{ key, target: 'modRevision', is: '=', to: kv.modRevision }],
        then: [next ? { put: { key, value } } : { delete: { key } }],
        // The state that came in between is the start of the next attempt.
        otherwise: [{ range: { key } }],
      });
      if (succeeded) return decode({ value, modRevision: revision });
      const [now] = results;
      kv = now && 'range' in now ? now.range.kvs[0] : undefined;
    }
  }
}
