/** The reasons of a refusal. */
export type StoreErrorCode = 'Compacted' | 'FutureRevision' | 'DuplicateKey' | 'LeaseNotFound';

/** The words of etcd. Upstream: etcd-io/etcd@v3.6.0 api/v3rpc/rpctypes/error.go */
const MESSAGES: Readonly<Record<StoreErrorCode, string>> = {
  Compacted: 'etcdserver: mvcc: required revision has been compacted',
  FutureRevision: 'etcdserver: mvcc: required revision is a future revision',
  DuplicateKey: 'etcdserver: duplicate key given in txn request',
  LeaseNotFound: 'etcdserver: requested lease not found',
};

/** The refusal of a store. Nothing was written. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode) {
    super(MESSAGES[code]);
    this.code = code;
  }
}
