/** `#given/12-store`: the parts of the harness that only this kata uses. */

// The list and the watch of a cache, as in kata 21.
export { followStore } from '../../apiserver/storage/follow-store.ts';
// Levels 7 to 9: keys, errors, lists and bookmarks.
export {
  type Entry,
  ObjectSource,
  type Snapshot,
  type Wanted,
} from '../../apiserver/storage/object-source.ts';
export {
  atRevision,
  bookmarkOf,
  decode,
  encode,
  isSameState,
  keyIn,
  listOf,
  ObjectErrors,
  type Page,
  rangeIn,
  type StoredResource,
} from '../../apiserver/storage/stored-objects.ts';
export { decodeContinue } from '../../apiserver/verbs/continue-token.ts';
export { parseResourceVersion } from '../../apiserver/verbs/resource-version.ts';
// Level 9: waits for a change.
export { Condition } from '../../contracts/store/condition.ts';
// The ports.
export {
  type Compare,
  type KeyEvent,
  type KeyRange,
  type KeyValue,
  type KeyValueStore,
  type KeyValueStoreContext,
  type KeyWatch,
  type KeyWatchRequest,
  type Lease as StoreLease,
  type LogFile,
  type NewKeyValueStore,
  type NewObjectStore,
  type ObjectListOptions,
  type ObjectPlace,
  type ObjectReadOptions,
  type ObjectStore,
  type ObjectStoreContext,
  type ObjectWatchOptions,
  type Operation as StoreOperation,
  type OperationResult,
  type RangeRequest,
  type RangeResult,
  StoreError,
  type StoreErrorCode,
  type StorePreconditions,
  type Transaction,
  type TransactionResult,
  type WatchResponse,
} from '../../contracts/store/index.ts';
// Level 5: a stream with both ends.
export { KeyWatchQueue } from '../../contracts/store/key-watch-queue.ts';
// For tests: a disk.
export { MemoryLog } from '../../contracts/store/memory-log.ts';
// Levels 2 to 5: conditions, ranges, and a search in the history.
export {
  firstFrom,
  groupByRevision,
  holds,
  prefixRange,
  rangeHas,
  writesTwice,
} from '../../contracts/store/ranges.ts';
// Level 6: checksums.
export { seal, unseal } from '../../contracts/store/seal.ts';
// Level 1: a map with ordered keys.
export { SortedMap } from '../../contracts/store/sorted-map.ts';
export { WatchQueue } from '../../contracts/watch-queue.ts';
