import type {
  Compare,
  KeyRange,
  KeyValue,
  KeyValueStore,
  KeyWatch,
  KeyWatchRequest,
  Operation,
  OperationResult,
  RangeRequest,
  RangeResult,
  WatchResponse,
} from '../../../contracts/store/index.ts';

/** A part of a used store that looks like a fresh one. */
interface Part {
  /** The beginning of its keys. */
  readonly prefix: string;
  /** The difference between its revisions and those of the store. */
  readonly offset: number;
}

/**
 * Returns a store whose keys have a prefix, and whose revisions begin at 1: many histories can use one etcd, one after
 * the other.
 */
export function rebased(store: KeyValueStore, { prefix, offset }: Part): KeyValueStore {
  const into = <T extends KeyRange>(range: T): T => ({
    ...range,
    key: prefix + range.key,
    ...(range.end !== undefined && { end: prefix + range.end }),
  });
  const later = (revision: number): number => (revision === 0 ? 0 : revision + offset);
  const earlier = (revision: number): number => revision - offset;
  const rangeInto = ({ revision, ...rest }: RangeRequest): RangeRequest => ({
    ...into(rest),
    ...(revision !== undefined && { revision: later(revision) }),
  });
  const operationInto = (operation: Operation): Operation => {
    if ('put' in operation) return { put: { ...operation.put, key: prefix + operation.put.key } };
    return 'delete' in operation ? { delete: into(operation.delete) } : { range: rangeInto(operation.range) };
  };
  const compareInto = (compare: Compare): Compare => {
    const { key, target } = compare;
    if (target === 'value' || target === 'version') return { ...compare, key: prefix + key };
    return { ...compare, key: prefix + key, to: later(compare.to) };
  };
  const kvFrom = <T extends Partial<KeyValue> & Pick<KeyValue, 'key' | 'modRevision'>>(kv: T): T => ({
    ...kv,
    key: kv.key.slice(prefix.length),
    modRevision: earlier(kv.modRevision),
    ...(kv.createRevision && { createRevision: earlier(kv.createRevision) }),
  });
  const rangeFrom = (result: RangeResult): RangeResult => ({
    ...result,
    revision: earlier(result.revision),
    kvs: result.kvs.map(kvFrom),
  });
  const resultFrom = (result: OperationResult): OperationResult =>
    'range' in result ? { range: rangeFrom(result.range) } : result;
  const responseFrom = ({ revision, events, compactRevision }: WatchResponse): WatchResponse => ({
    revision: earlier(revision),
    events: events.map(({ type, kv, previous }) => ({
      type,
      kv: kvFrom(kv),
      ...(previous && { previous: kvFrom(previous) }),
    })),
    ...(compactRevision !== undefined && { compactRevision: earlier(compactRevision) }),
  });
  const watch = ({ startRevision, ...range }: KeyWatchRequest): KeyWatch => {
    const start = startRevision === undefined ? {} : { startRevision: later(startRevision) };
    const inner = store.watch({ ...into(range), ...start });
    return {
      requestProgress: () => inner.requestProgress(),
      stop: () => inner.stop(),
      async *[Symbol.asyncIterator]() {
        for await (const response of inner) yield responseFrom(response);
      },
    };
  };
  return {
    range: async (request) => rangeFrom(await store.range(rangeInto(request))),
    async transact({ compare = [], then, otherwise = [] }) {
      const { revision, succeeded, results } = await store.transact({
        compare: compare.map(compareInto),
        then: then.map(operationInto),
        otherwise: otherwise.map(operationInto),
      });
      return { revision: earlier(revision), succeeded, results: results.map(resultFrom) };
    },
    compact: (revision) => store.compact(later(revision)),
    watch,
    grantLease: (seconds) => store.grantLease(seconds),
    revokeLease: (id) => store.revokeLease(id),
  };
}
