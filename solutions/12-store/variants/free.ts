/**
 * A store in another shape. Its key-value store performs one call after the other, each with its own sync, and keeps
 * the versions of each key. Its object store has no cache: each read reads the store, and each watch is a watch of the
 * store.
 */
import {
  atRevision,
  bookmarkOf,
  decode,
  decodeContinue,
  encode,
  holds,
  isSameState,
  type KeyEvent,
  type KeyRange,
  type KeyValue,
  KeyWatchQueue,
  type KeyWatchRequest,
  keyIn,
  listOf,
  type NewKeyValueStore,
  type NewObjectStore,
  ObjectErrors,
  type ObjectPlace,
  parseResourceVersion,
  prefixRange,
  type RangeRequest,
  type RangeResult,
  rangeHas,
  rangeIn,
  StoreError,
  type StoreLease,
  type StoreOperation,
  type StorePreconditions,
  seal,
  type Transaction,
  type TransactionResult,
  unseal,
  WatchQueue,
  writesTwice,
} from '#given/12-store';
import { errors, type KubeObject } from '#harness';

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

export const newObjectStore: NewObjectStore = (context) => {
  const { store, prefix, clock, signal, resource } = context;
  const refuse = new ObjectErrors(context);
  const streams = new Set<WatchQueue>();
  signal.addEventListener('abort', () => {
    for (const stream of streams) stream.end();
  });

  const write = async (
    place: ObjectPlace,
    change: (current: KubeObject) => KubeObject | undefined,
    preconditions: StorePreconditions = {},
  ): Promise<KubeObject> => {
    const key = keyIn(prefix, place);
    for (;;) {
      const [kv] = (await store.range({ key })).kvs;
      if (!kv) throw refuse.notFound(place);
      const current = decode(kv);
      refuse.mustFulfil(current, preconditions);
      const next = change(current);
      if (next && isSameState(next, current)) return current;
      const value = next ? encode(next) : kv.value;
      const { succeeded, revision } = await store.transact({
        compare: [
          { key, target: 'value', is: '=', to: kv.value },
          { key, target: 'modRevision', is: '=', to: kv.modRevision },
        ],
        then: [next ? { put: { key, value } } : { delete: { key } }],
      });
      if (succeeded) return decode({ value, modRevision: revision });
    }
  };

  /** Reads the newest state, again until it has a revision. @throws StatusError Timeout after 3 s */
  const readFrom = async (range: KeyRange, least: number): Promise<RangeResult> => {
    const deadline = clock.now() + 3_000;
    for (;;) {
      const result = await store.range(range);
      if (result.revision >= least) return result;
      const left = deadline - clock.now();
      if (left <= 0) throw errors.tooLargeResourceVersion(least, result.revision);
      await new Promise<void>((resolve) => clock.after(Math.min(50, left), resolve));
    }
  };

  const readAt = async (
    range: KeyRange,
    revision: number,
    start: string | undefined,
  ): Promise<RangeResult> => {
    try {
      return { ...(await store.range({ ...range, revision })), revision };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.code === 'Compacted') throw refuse.expiredList(start);
      throw errors.tooLargeResourceVersion(revision, (await store.range({ key: prefix })).revision);
    }
  };

  return {
    async create(object) {
      const { namespace = '', name } = object.metadata;
      const key = keyIn(prefix, { namespace, name });
      const value = encode(object);
      const { succeeded, revision } = await store.transact({
        compare: [{ key, target: 'version', is: '=', to: 0 }],
        then: [{ put: { key, value } }],
      });
      if (!succeeded) throw refuse.alreadyExists({ namespace, name });
      return decode({ value, modRevision: revision });
    },
    async get(place, { resourceVersion } = {}) {
      const key = keyIn(prefix, place);
      const { kvs } = await readFrom({ key }, parseResourceVersion(resourceVersion) ?? 0);
      if (!kvs[0]) throw refuse.notFound(place);
      return decode(kvs[0]);
    },
    update: write,
    delete: (place, preconditions) => write(place, () => undefined, preconditions),
    async list(options = {}) {
      const { namespace, matches = () => true, resourceVersionMatch: match, limit = 0 } = options;
      const range = rangeIn(prefix, namespace);
      const token = options.continue ? decodeContinue(options.continue) : undefined;
      const asked = parseResourceVersion(options.resourceVersion) ?? 0;
      const key = range.key + (token?.start ?? '');
      const exact = token
        ? Math.max(0, token.revision)
        : match === 'Exact' || (!match && limit > 0)
          ? asked
          : 0;
      const { kvs, revision } =
        exact > 0
          ? await readAt({ key, end: range.end }, exact, token?.start)
          : await readFrom({ key, end: range.end }, token ? 0 : asked);
      const found = kvs.filter((kv) => matches(decode(kv)));
      const page = limit > 0 ? found.slice(0, limit) : found;
      const next = page.length < found.length ? `${page.at(-1)?.key.slice(range.key.length)}\0` : undefined;
      return listOf(resource, { items: page.map(decode), revision, next });
    },
    async watch(options = {}) {
      const { namespace, matches = () => true, allowWatchBookmarks, sendInitialEvents } = options;
      const asked = parseResourceVersion(options.resourceVersion) ?? 0;
      const isInitial = sendInitialEvents ?? asked === 0;
      const range = rangeIn(prefix, namespace);
      const state = isInitial || asked === 0 ? await readFrom(range, asked) : undefined;
      const start = state?.revision ?? asked;
      const inner = store.watch({ ...prefixRange(range.key), startRevision: start + 1 });
      const stream: WatchQueue = new WatchQueue(() => {
        streams.delete(stream);
        inner.stop();
      });
      streams.add(stream);
      if (signal.aborted) stream.end();
      if (isInitial) {
        for (const object of (state?.kvs ?? []).map(decode))
          if (matches(object)) stream.push({ type: 'ADDED', object });
        if (sendInitialEvents && allowWatchBookmarks) stream.push(bookmarkOf(resource, start, true));
      }
      const translate = ({ type, kv, previous }: KeyEvent): void => {
        const now = type === 'PUT' ? decode(kv as KeyValue) : undefined;
        const before = previous && decode(previous);
        const was = before && matches(before);
        if (now && matches(now)) stream.push({ type: was ? 'MODIFIED' : 'ADDED', object: now });
        else if (before && was) stream.push({ type: 'DELETED', object: atRevision(before, kv.modRevision) });
      };
      const read = async (): Promise<void> => {
        for await (const { events, compactRevision } of inner) {
          if (compactRevision !== undefined)
            stream.push({
              type: 'ERROR',
              object: errors.tooOldResourceVersion(start, compactRevision).status,
            });
          // Without the state before, nobody knows whether an object was selected.
          const isBlind = events.some(({ kv, previous }) => !previous && kv.version !== 1);
          if (isBlind)
            stream.push({ type: 'ERROR', object: errors.tooOldResourceVersion(start, start).status });
          if (isBlind || compactRevision !== undefined) break;
          events.forEach(translate);
        }
        stream.end();
      };
      void read();
      return stream;
    },
  };
};
