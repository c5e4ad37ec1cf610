/** `#given/12-store`: the parts of the harness that only this kata uses. */

export { MessageQueue } from '../../contracts/message-queue.ts';
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
  type Operation as StoreOperation,
  type OperationResult,
  type RangeRequest,
  type RangeResult,
  StoreError,
  type StoreErrorCode,
  type Transaction,
  type TransactionResult,
  type WatchResponse,
} from '../../contracts/store/index.ts';
// For tests: a disk.
export { MemoryLog } from '../../contracts/store/memory-log.ts';
// Levels 2 to 5: conditions, ranges, and a search in the history.
export { firstFrom, holds, prefixRange, rangeHas } from '../../contracts/store/ranges.ts';
// Level 6: checksums.
export { seal, unseal } from '../../contracts/store/seal.ts';
// Level 1: a map with ordered keys.
export { SortedMap } from '../../contracts/store/sorted-map.ts';
