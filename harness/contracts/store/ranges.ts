import type { Compare, KeyEvent, KeyRange, KeyValue, Operation } from './key-value-store.ts';

/** Returns whether a range contains a key. */
export function rangeHas({ key, end }: KeyRange, wanted: string): boolean {
  return end === undefined ? wanted === key : key <= wanted && wanted < end;
}

/**
 * Returns the range of all keys that begin with a prefix: `/registry/pods/` ends before `/registry/pods0`.
 *
 * Upstream: etcd-io/etcd@v3.6.0 client/v3/op.go GetPrefixRangeEnd
 *
 * @param prefix - ASCII, and not empty
 */
export function prefixRange(prefix: string): Required<KeyRange> {
  const last = prefix.charCodeAt(prefix.length - 1);
  return { key: prefix, end: prefix.slice(0, -1) + String.fromCharCode(last + 1) };
}

/**
 * Returns whether a condition of a transaction holds.
 *
 * Upstream: etcd-io/etcd@v3.6.0 server/etcdserver/txn/txn.go applyCompare
 *
 * @param current - the state of its key; undefined for a missing key
 */
export function holds(compare: Compare, current: KeyValue | undefined): boolean {
  if (compare.target === 'value') return current !== undefined && relate(current.value, compare);
  return relate(current?.[compare.target] ?? 0, compare);
}

function relate<T extends number | string>(
  value: T,
  { is, to }: Pick<Compare, 'is'> & { to: unknown },
): boolean {
  const wanted = to as T;
  if (is === '=') return value === wanted;
  if (is === '!=') return value !== wanted;
  return is === '<' ? value < wanted : value > wanted;
}

/** Returns the index of the first event at or after a revision. `events` are in the order of their revisions. */
export function firstFrom(events: readonly KeyEvent[], revision: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle] as KeyEvent).kv.modRevision < revision) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the events of each revision. `events` are in the order of their revisions. */
export function groupByRevision(events: readonly KeyEvent[]): readonly (readonly KeyEvent[])[] {
  const groups = new Map<number, KeyEvent[]>();
  for (const event of events) {
    const group = groups.get(event.kv.modRevision);
    if (group) group.push(event);
    else groups.set(event.kv.modRevision, [event]);
  }
  return [...groups.values()];
}

/**
 * Returns whether operations put a key twice, or put and delete it.
 *
 * Upstream: etcd-io/etcd@v3.6.0 server/etcdserver/api/v3rpc/key.go checkIntervals
 */
export function writesTwice(operations: readonly Operation[]): boolean {
  const puts = operations.flatMap((operation) => ('put' in operation ? [operation.put.key] : []));
  const deletes = operations.flatMap((operation) => ('delete' in operation ? [operation.delete] : []));
  return (
    new Set(puts).size < puts.length || puts.some((key) => deletes.some((range) => rangeHas(range, key)))
  );
}
