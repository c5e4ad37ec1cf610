import {
  atRevision,
  bookmarkOf,
  decode,
  decodeContinue,
  encode,
  isSameState,
  type KeyEvent,
  type KeyRange,
  type KeyValue,
  keyIn,
  listOf,
  type NewObjectStore,
  ObjectErrors,
  type ObjectPlace,
  parseResourceVersion,
  prefixRange,
  type RangeResult,
  rangeIn,
  StoreError,
  type StorePreconditions,
  WatchQueue,
} from '#given/12-store';
import { errors, type KubeObject } from '#harness';

/** An object store without a cache. */
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
      const asked = parseResourceVersion(options.resourceVersion, errors.badRequest) ?? 0;
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
