import {
  type KeyRange,
  type KeyValueStore,
  type KeyWatch,
  type KeyWatchRequest,
  type Lease,
  type RangeRequest,
  type RangeResult,
  StoreError,
  type StoreErrorCode,
  type Transaction,
  type TransactionResult,
  type WatchResponse,
} from '../contracts/store/index.ts';
import { EtcdError, Gateway, type GatewayOptions } from './gateway.ts';
import {
  compareToWire,
  operationToWire,
  rangeFromWire,
  rangeToWire,
  readToWire,
  resultFromWire,
  type WireHeader,
  type WireRange,
  type WireResult,
  type WireWatch,
  watchFromWire,
} from './wire.ts';

/**
 * A real etcd as a {@link KeyValueStore}, over its JSON gateway.
 *
 * Before 3.4.25, etcd can answer a request for progress before it has sent all changes of a stream that catches up.
 */
export class EtcdStore implements KeyValueStore {
  readonly #gateway: Gateway;
  readonly #watches = new Set<KeyWatch>();

  /** @param url `http://127.0.0.1:2379` */
  constructor(url: string, options?: GatewayOptions) {
    this.#gateway = new Gateway(url, options);
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    return rangeFromWire(await this.#call<WireRange>('/v3/kv/range', readToWire(request)));
  }

  async transact({ compare = [], then, otherwise = [] }: Transaction): Promise<TransactionResult> {
    const {
      header,
      succeeded = false,
      responses = [],
    } = await this.#call<{
      readonly header: WireHeader;
      readonly succeeded?: boolean;
      readonly responses?: readonly WireResult[];
    }>('/v3/kv/txn', {
      compare: compare.map(compareToWire),
      success: then.map(operationToWire),
      failure: otherwise.map(operationToWire),
    });
    return { revision: Number(header.revision), succeeded, results: responses.map(resultFromWire) };
  }

  async compact(revision: number): Promise<void> {
    await this.#call('/v3/kv/compaction', { revision: String(revision) });
  }

  watch({ startRevision = 0, ...range }: KeyWatchRequest): KeyWatch {
    const watch = watchOf(this.#gateway, range, startRevision, () => this.#watches.delete(watch));
    this.#watches.add(watch);
    return watch;
  }

  async grantLease(seconds: number): Promise<Lease> {
    const grant = { TTL: String(seconds) };
    const { ID, TTL } = await this.#call<{ ID: string; TTL: string }>('/v3/lease/grant', grant);
    return { id: ID, seconds: Number(TTL) };
  }

  async revokeLease(id: string): Promise<void> {
    await this.#call('/v3/lease/revoke', { ID: id });
  }

  /** Ends all watches, and closes all connections. */
  close(): void {
    for (const watch of [...this.#watches]) watch.stop();
    this.#gateway.close();
  }

  async #call<T>(path: string, message: object): Promise<T> {
    try {
      return await this.#gateway.call<T>(path, message);
    } catch (error) {
      throw error instanceof EtcdError ? (refusalOf(error.message) ?? error) : error;
    }
  }
}

const CODES: readonly StoreErrorCode[] = ['Compacted', 'FutureRevision', 'DuplicateKey', 'LeaseNotFound'];

/** Returns the refusal that has these words of etcd, if any. */
function refusalOf(message: string): StoreError | undefined {
  return CODES.map((code) => new StoreError(code)).find((error) => error.message === message);
}

function watchOf(gateway: Gateway, range: KeyRange, startRevision: number, onStop: () => void): KeyWatch {
  const request = { ...rangeToWire(range), start_revision: String(startRevision), prev_kv: true };
  const stream = gateway.stream('/v3/watch', { create_request: request });
  const stop = (): void => {
    onStop();
    stream.close();
  };
  return {
    requestProgress: () => stream.send({ progress_request: {} }),
    stop,
    async *[Symbol.asyncIterator](): AsyncGenerator<WatchResponse, void> {
      try {
        for await (const line of stream) {
          const { result } = JSON.parse(line) as { readonly result?: WireWatch };
          if (!result) return;
          if (result.created && !result.canceled) continue;
          if (!result.canceled || result.compact_revision) yield watchFromWire(result);
          if (result.canceled) return;
        }
      } finally {
        stop();
      }
    },
  };
}
