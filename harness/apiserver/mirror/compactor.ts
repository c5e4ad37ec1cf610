import type { KeyValueStore } from '../../contracts/store/index.ts';

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/compact.go compactRevKey */
const KEY = 'compact_rev_key';

/** A turn of this apiserver. */
interface Turn {
  /** The revision of its write. */
  readonly revision: number;
  /** The revision to which the store is compacted; 0 if it is not. */
  readonly compacted: number;
}

/**
 * The compaction of a store that several apiservers share. One of them compacts it at each turn, to the revision of
 * the turn before.
 *
 * The version of a key in the store is the number of the turn. An apiserver that knows another number has come too late:
 * it only learns the number.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/compact.go Compact
 */
export class Compactor {
  readonly #store: KeyValueStore;
  #turn = 0;
  #revision = 0;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** Takes the next turn. Returns undefined if another apiserver has taken it. @throws any error of the store */
  async compact(): Promise<Turn | undefined> {
    const compacted = this.#revision;
    const { revision, succeeded, results } = await this.#store.transact({
      compare: [{ key: KEY, target: 'version', is: '=', to: this.#turn }],
      then: [{ put: { key: KEY, value: String(compacted) } }],
      otherwise: [{ range: { key: KEY } }],
    });
    this.#revision = revision;
    if (!succeeded) {
      const [result] = results;
      this.#turn = result && 'range' in result ? (result.range.kvs[0]?.version ?? 0) : 0;
      return undefined;
    }
    this.#turn++;
    // The first turn knows no earlier revision.
    if (compacted > 0) await this.#store.compact(compacted);
    return { revision, compacted };
  }

  /** Calls `compacted` if an apiserver has compacted the store. */
  observe(key: string, value: string | undefined, compacted: (revision: number) => void): void {
    const revision = Number(value);
    if (key === KEY && Number.isSafeInteger(revision)) compacted(revision);
  }
}
