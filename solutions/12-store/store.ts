/**
 * The reference store: a key-value store like etcd, and the objects of an apiserver in it.
 *
 * Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc; kubernetes/apiserver@v0.36.3 pkg/storage
 */
export { Journal, recover } from './journal.ts';
export { type LogRecord, newKeyValueStore } from './key-value-store.ts';
export { type Change, Keyspace } from './keyspace.ts';
export { revokeLease, startLease } from './leases.ts';
export { pageOf, wantedBy } from './lists.ts';
export { ObjectReader } from './object-reader.ts';
export { newObjectStore } from './object-store.ts';
export { ObjectWriter } from './objects.ts';
export {
  CHANGES_KEPT,
  eventFor,
  FRESH_WITHIN_MS,
  type ObjectChange,
  PROGRESS_EVERY_MS,
  WatchCache,
} from './watch-cache.ts';
export { type OpenWatch, Watches } from './watches.ts';
