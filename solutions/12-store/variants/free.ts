/**
 * A store in another shape. Its key-value store performs one call after the other, each with its own sync, and keeps
 * the versions of each key. Its object store has no cache: each read reads the store, and each watch is a watch of the
 * store.
 */
import {
  holds,
  type KeyEvent,
  type KeyRange,
  type KeyValue,
  KeyWatchQueue,
  type KeyWatchRequest,
  type NewKeyValueStore,
  type RangeRequest,
  type RangeResult,
  rangeHas,
  StoreError,
  type StoreLease,
  type StoreOperation,
  seal,
  type Transaction,
  type TransactionResult,
  unseal,
  writesTwice,
} from '#given/12-store';

export { newObjectStore } from './free-objects.ts';

/** A version of a key: its state from a revision on; deleted if the state is absent. */
interface Version {
  readonly from: number;
  readonly kv?: KeyValue;
}

type Step =
  | { readonly kind: 'write'; readonly events: readonly KeyEvent[] }
  | { readonly kind: 'compact'; readonly revision: number }
  | { readonly kind: 'lease'; readonly lease: StoreLease }
  | { readonly kind: 'end'; readonly lease: string; readonly events: readonly KeyEvent[] };

class State {
  revision = 1;
  compacted = 0;
  granted = 0;
  readonly leases = new Map<string, StoreLease>();
  readonly #versions = new Map<string, Version[]>();

  perform(step: Step): void {
    if (step.kind === 'compact') this.compacted = step.revision;
    else if (step.kind === 'lease') {
      this.granted++;
      this.leases.set(step.lease.id, step.lease);
    } else {
      if (step.kind === 'end') this.leases.delete(step.lease);
      for (const { type, kv } of step.events) {
        const versions = this.#versions.get(kv.key) ?? [];
        this.#versions.set(kv.key, versions);
        versions.push({ from: kv.modRevision, ...(type === 'PUT' && { kv: kv as KeyValue }) });
        this.revision = kv.modRevision;
      }
    }
  }

  at(revision: number, range: KeyRange): KeyValue[] {
    const kvs = [...this.#versions].flatMap(([key, versions]) => {
      const kv = rangeHas(range, key) ? versions.findLast(({ from }) => from <= revision)?.kv : undefined;
      return kv ? [kv] : [];
    });
    return kvs.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Returns the changes of a revision. The state before a compacted revision is forgotten. */
  eventsAt(revision: number, range: KeyRange): KeyEvent[] {
    return [...this.#versions].flatMap(([key, versions]): KeyEvent[] => {
      const at = rangeHas(range, key) ? versions.findIndex(({ from }) => from === revision) : -1;
      if (at < 0) return [];
      const kv = versions[at]?.kv;
      const previous = revision > this.compacted ? versions[at - 1]?.kv : undefined;
      const before = previous && { previous };
      if (kv) return [{ type: 'PUT', kv, ...before }];
      return [{ type: 'DELETE', kv: { key, modRevision: revision }, ...before }];
    });
  }
}

/** The changes of a transaction that runs. */
class Draft {
  readonly events: KeyEvent[] = [];
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  get revision(): number {
    return this.#state.revision + (this.events.length > 0 ? 1 : 0);
  }

  within(range: KeyRange): KeyValue[] {
    const { events } = this;
    const kvs = this.#state
      .at(this.#state.revision, range)
      .filter(({ key }) => !events.some(({ kv }) => kv.key === key));
    const own = events.flatMap(({ type, kv }) =>
      type === 'PUT' && rangeHas(range, kv.key) ? [kv as KeyValue] : [],
    );
    return [...kvs, ...own].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  range({ revision = 0, limit = 0, ...range }: RangeRequest): RangeResult {
    const all = revision > 0 ? this.#state.at(revision, range) : this.within(range);
    const kvs = limit > 0 ? all.slice(0, limit) : all;
    return { revision: this.revision, kvs, more: kvs.length < all.length, count: all.length };
  }

  put(key: string, value: string, lease: string | undefined): void {
    const [previous] = this.within({ key });
    const modRevision = this.#state.revision + 1;
    const kv = {
      key,
      value,
      createRevision: previous?.createRevision ?? modRevision,
      modRevision,
      version: (previous?.version ?? 0) + 1,
      ...(lease !== undefined && { lease }),
    };
    this.events.push({ type: 'PUT', kv, ...(previous && { previous }) });
  }

  delete(range: KeyRange): number {
    const gone = this.within(range);
    const modRevision = this.#state.revision + 1;
    for (const previous of gone)
      this.events.push({ type: 'DELETE', kv: { key: previous.key, modRevision }, previous });
    return gone.length;
  }
}

interface OpenWatch {
  readonly request: KeyWatchRequest;
  readonly stream: KeyWatchQueue;
  next: number;
}

export const newKeyValueStore: NewKeyValueStore = async ({ clock, log, signal }) => {
  const state = new State();
  const text = await log.read();
  let length = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', length)) {
    const line = unseal(text.slice(length, end));
    if (line === undefined) break;
    state.perform(JSON.parse(line));
    length = end + 1;
  }
  await log.truncate(length);

  const watches = new Set<OpenWatch>();
  const send = (watch: OpenWatch): void => {
    const { stream, request } = watch;
    if (watch.next < state.compacted) {
      stream.push({ revision: state.revision, events: [], compactRevision: state.compacted });
      stream.end();
      return;
    }
    for (; watch.next <= state.revision; watch.next++) {
      const events = state.eventsAt(watch.next, request);
      if (events.length > 0) stream.push({ revision: state.revision, events });
    }
  };
  signal.addEventListener('abort', () => {
    for (const { stream } of watches) stream.end();
  });

  let line: Promise<unknown> = Promise.resolve();
  /** Performs a call after the one before it. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = line.then(run);
    line = result.catch(() => {});
    return result;
  };
  const write = async (step: Step): Promise<void> => {
    await log.append(seal(JSON.stringify(step)));
    await log.sync();
    if (signal.aborted) await new Promise(() => {});
    state.perform(step);
    for (const watch of watches) send(watch);
  };
  const check = (revision = 0): void => {
    if (revision > state.revision) throw new StoreError('FutureRevision');
    if (revision > 0 && revision < state.compacted) throw new StoreError('Compacted');
  };
  const checkOperation = (operation: StoreOperation): void => {
    if ('range' in operation) check(operation.range.revision);
    else if ('put' in operation && operation.put.lease && !state.leases.has(operation.put.lease))
      throw new StoreError('LeaseNotFound');
  };
  const transact = async ({
    compare = [],
    then,
    otherwise = [],
  }: Transaction): Promise<TransactionResult> => {
    if (writesTwice(then) || writesTwice(otherwise)) throw new StoreError('DuplicateKey');
    const draft = new Draft(state);
    const succeeded = compare.every((each) => holds(each, draft.within({ key: each.key })[0]));
    const operations = succeeded ? then : otherwise;
    operations.forEach(checkOperation);
    const results = operations.map((operation) => {
      if ('range' in operation) return { range: draft.range(operation.range) };
      if ('delete' in operation) return { deleted: draft.delete(operation.delete) };
      draft.put(operation.put.key, operation.put.value, operation.put.lease);
      return { put: {} };
    });
    const { revision, events } = draft;
    if (events.length > 0) await write({ kind: 'write', events });
    return { revision, succeeded, results };
  };
  const revoke = async (id: string): Promise<void> => {
    if (!state.leases.has(id)) throw new StoreError('LeaseNotFound');
    const draft = new Draft(state);
    const keys = draft.within({ key: '', end: '\x7f' }).filter(({ lease }) => lease === id);
    for (const { key } of keys) draft.delete({ key });
    await write({ kind: 'end', lease: id, events: draft.events });
  };
  const start = ({ id, seconds }: StoreLease): void => {
    clock.after(seconds * 1000, () => void inTurn(() => revoke(id)).catch(() => {}));
  };
  for (const lease of state.leases.values()) start(lease);

  return {
    range: (request) =>
      inTurn(async () => {
        check(request.revision);
        return new Draft(state).range(request);
      }),
    transact: (transaction) => inTurn(() => transact(transaction)),
    compact: (revision) =>
      inTurn(async () => {
        if (revision <= state.compacted) throw new StoreError('Compacted');
        check(revision);
        await write({ kind: 'compact', revision });
      }),
    watch: (request) => {
      const watch: OpenWatch = {
        request,
        next: request.startRevision ?? state.revision + 1,
        stream: new KeyWatchQueue(
          () => watches.delete(watch),
          () => watch.stream.push({ revision: state.revision, events: [] }),
        ),
      };
      watches.add(watch);
      if (signal.aborted) watch.stream.end();
      else send(watch);
      return watch.stream;
    },
    grantLease: (seconds) =>
      inTurn(async () => {
        const lease = { id: `lease-${state.granted + 1}`, seconds };
        await write({ kind: 'lease', lease });
        start(lease);
        return lease;
      }),
    revokeLease: (id) => inTurn(() => revoke(id)),
  };
};
