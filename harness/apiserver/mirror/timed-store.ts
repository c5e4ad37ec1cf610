import type { KeyValueStore } from '../../contracts/store/index.ts';
import type { Clock } from '../../sim/index.ts';
import { REQUEST_TIMEOUT_MS } from '../request-timeout.ts';

/**
 * Returns the store, whose calls end after a minute without an answer, like the request that makes them. Its streams
 * last.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store, whose calls have the context of the request
 */
export function timedStore(store: KeyValueStore, clock: Pick<Clock, 'after'>): KeyValueStore {
  const timed = <T>(call: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const late = (): void => reject(new Error('context deadline exceeded'));
      const cancel = clock.after(REQUEST_TIMEOUT_MS, late);
      const answering = new Promise<T>((begin) => begin(call()));
      answering.then(resolve, reject).finally(cancel);
    });
  return {
    range: (request) => timed(() => store.range(request)),
    transact: (transaction) => timed(() => store.transact(transaction)),
    compact: (revision) => timed(() => store.compact(revision)),
    grantLease: (seconds) => timed(() => store.grantLease(seconds)),
    revokeLease: (id) => timed(() => store.revokeLease(id)),
    watch: (request) => store.watch(request),
  };
}
