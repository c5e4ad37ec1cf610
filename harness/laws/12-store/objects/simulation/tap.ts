import type { KeyValueStore, Transaction, TransactionResult } from '../../../../contracts/store/index.ts';
import type { ObjectEvent, StoredWrite } from '../history.ts';

/** Wraps a key-value store: records the revision of each answer, and the writes behind it. */
export function tapped(store: KeyValueStore, record: (event: ObjectEvent) => void): KeyValueStore {
  let calls = 0;
  const note = async <T extends { readonly revision: number }>(
    perform: () => Promise<T>,
    writesOf: (result: T) => readonly StoredWrite[],
  ): Promise<T> => {
    const call = calls++;
    record({ kind: 'asked', call });
    const result = await perform();
    record({ kind: 'stored', call, revision: result.revision, writes: writesOf(result) });
    return result;
  };
  return {
    range: (request) =>
      note(
        () => store.range(request),
        () => [],
      ),
    transact: (transaction) =>
      note(
        () => store.transact(transaction),
        (result) => writesOf(transaction, result),
      ),
    compact: (revision) => store.compact(revision),
    watch: (request) => store.watch(request),
    grantLease: (seconds) => store.grantLease(seconds),
    revokeLease: (id) => store.revokeLease(id),
  };
}

function writesOf(
  { then, otherwise = [] }: Transaction,
  { revision, succeeded, results }: TransactionResult,
): readonly StoredWrite[] {
  return (succeeded ? then : otherwise).flatMap((operation, i): StoredWrite[] => {
    const result = results[i];
    if ('put' in operation) return [{ revision, key: operation.put.key, value: operation.put.value }];
    const isGone = 'delete' in operation && result && 'deleted' in result && result.deleted > 0;
    return isGone ? [{ revision, key: operation.delete.key }] : [];
  });
}
