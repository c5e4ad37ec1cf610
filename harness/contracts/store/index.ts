export type {
  Compare,
  KeyEvent,
  KeyRange,
  KeyValue,
  KeyValueStore,
  KeyValueStoreContext,
  KeyWatch,
  KeyWatchRequest,
  Lease,
  NewKeyValueStore,
  Operation,
  OperationResult,
  RangeRequest,
  RangeResult,
  Transaction,
  TransactionResult,
  WatchResponse,
} from './key-value-store.ts';
export type { LogFile } from './log-file.ts';
export type {
  NewObjectStore,
  ObjectListOptions,
  ObjectPlace,
  ObjectReadOptions,
  ObjectStore,
  ObjectStoreContext,
  ObjectWatchOptions,
  StorePreconditions,
} from './object-store.ts';
export { StoreError, type StoreErrorCode } from './store-error.ts';
