import type { KeyValueStore, NewKeyValueStore, Operation } from '../../contracts/store/index.ts';
import { StoreError } from '../../contracts/store/index.ts';

/** A write that a lease ends. */
interface LeasedWrite {
  readonly key: string;
  readonly revision: number;
}

/**
 * Adds leases to a store without them: when a lease ends, it deletes each key whose last write had that lease. Without
 * leases no Event would ever be deleted. A restart of the store forgets them.
 *
 * @param onStandIn called whenever a lease is granted
 */
export function withLeaseStandIn(newStore: NewKeyValueStore, onStandIn: () => void): NewKeyValueStore {
  return async (context) => new LeaseStandIn(await newStore(context), context, onStandIn).store;
}

class LeaseStandIn {
  readonly store: KeyValueStore;
  readonly #inner: KeyValueStore;
  readonly #leases = new Map<string, LeasedWrite[]>();
  #granted = 0;

  constructor(
    inner: KeyValueStore,
    { clock, signal }: Pick<Parameters<NewKeyValueStore>[0], 'clock' | 'signal'>,
    onStandIn: () => void,
  ) {
    this.#inner = inner;
    this.store = {
      range: (request) => inner.range(request),
      compact: (revision) => inner.compact(revision),
      watch: (request) => inner.watch(request),
      transact: (transaction) => this.#transact(transaction),
      grantLease: async (seconds) => {
        onStandIn();
        const id = String(++this.#granted);
        this.#leases.set(id, []);
        clock.after(seconds * 1_000, () => {
          if (!signal.aborted && this.#leases.has(id)) void this.#end(id);
        });
        return { id, seconds };
      },
      revokeLease: (id) => this.#end(id),
    };
  }

  async #transact({
    then,
    otherwise = [],
    ...transaction
  }: Parameters<KeyValueStore['transact']>[0]): ReturnType<KeyValueStore['transact']> {
    for (const operation of [...then, ...otherwise]) this.#mustExist(operation);
    const answer = await this.#inner.transact({
      ...transaction,
      then: then.map(withoutLease),
      otherwise: otherwise.map(withoutLease),
    });
    for (const operation of answer.succeeded ? then : otherwise) {
      if (!('put' in operation) || operation.put.lease === undefined) continue;
      this.#leases.get(operation.put.lease)?.push({ key: operation.put.key, revision: answer.revision });
    }
    return answer;
  }

  #mustExist(operation: Operation): void {
    if (!('put' in operation) || operation.put.lease === undefined) return;
    if (!this.#leases.has(operation.put.lease)) throw new StoreError('LeaseNotFound');
  }

  async #end(id: string): Promise<void> {
    const writes = this.#leases.get(id);
    if (!writes) throw new StoreError('LeaseNotFound');
    this.#leases.delete(id);
    for (const { key, revision } of writes) {
      await this.#inner.transact({
        compare: [{ key, target: 'modRevision', is: '=', to: revision }],
        then: [{ delete: { key } }],
      });
    }
  }
}

function withoutLease(operation: Operation): Operation {
  if (!('put' in operation)) return operation;
  const { key, value } = operation.put;
  return { put: { key, value } };
}
