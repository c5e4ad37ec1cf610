import type { KubeObject } from '../../api/objects.ts';
import { errors } from '../../api/status.ts';
import {
  type KeyRange,
  type ObjectPlace,
  type ObjectReadOptions,
  type ObjectStoreContext,
  StoreError,
} from '../../contracts/store/index.ts';
import { parseResourceVersion } from '../verbs/resource-version.ts';
import { decode, keyIn, ObjectErrors } from './stored-objects.ts';

/** An object and its key. */
export type Entry = readonly [key: string, object: KubeObject];

/** The objects of a range at a revision. */
export interface Snapshot {
  readonly revision: number;
  /** In the order of their keys. */
  readonly entries: readonly Entry[];
}

/** The state that a read asks for. */
export interface Wanted {
  readonly state: 'newest' | 'any' | 'notOlderThan' | 'exact';
  /** For `notOlderThan` and `exact`. */
  readonly revision?: number;
  /** The key at which a page begins, without the prefix of the range. */
  readonly start?: string;
}

/** A copy of the objects at a position of the store. */
interface ObjectCopy {
  get(key: string): KubeObject | undefined;
  reached(revision: number, clock: ObjectStoreContext['clock']): Promise<void>;
}

/** Reads objects from a store, or from a cache of it. */
export class ObjectSource<Cache extends ObjectCopy> {
  readonly context: ObjectStoreContext;
  readonly cache: Cache;
  readonly #errors: ObjectErrors;

  constructor(context: ObjectStoreContext, cache: Cache) {
    this.context = context;
    this.cache = cache;
    this.#errors = new ObjectErrors(context);
  }

  /** Returns the newest revision of the store. */
  async newest(): Promise<number> {
    // No key equals the prefix.
    return (await this.context.store.range({ key: this.context.prefix })).revision;
  }

  /** Waits until the cache has reached a revision. @throws StatusError Timeout */
  reached(revision: number): Promise<void> {
    return this.cache.reached(revision, this.context.clock);
  }

  /**
   * Reads a range of the store from a key on, at a revision or the newest.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.GetList
   *
   * Differs: it reads the whole range. Upstream reads in pages until it has enough objects that match.
   *
   * @throws StatusError Expired when the revision is compacted; Timeout when the store has not reached it
   */
  async fromStore(
    { key, end }: Required<KeyRange>,
    { revision, start }: Pick<Wanted, 'revision' | 'start'>,
  ): Promise<Snapshot> {
    const { store } = this.context;
    try {
      const result = await store.range({ key: key + (start ?? ''), end, ...(revision && { revision }) });
      const entries = result.kvs.map((kv): Entry => [kv.key, decode(kv)]);
      return { revision: revision ?? result.revision, entries };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.code === 'Compacted') throw this.#errors.expiredList(start);
      throw errors.tooLargeResourceVersion(revision ?? 0, await this.newest());
    }
  }

  /**
   * Returns an object: the newest from the store, any other state from the cache.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator.go CacheDelegator.Get
   */
  async get(place: ObjectPlace, { resourceVersion }: ObjectReadOptions): Promise<KubeObject> {
    const { prefix, store } = this.context;
    const key = keyIn(prefix, place);
    const revision = parseResourceVersion(resourceVersion);
    if (revision !== undefined) await this.reached(revision);
    const object =
      revision === undefined ? (await store.range({ key })).kvs.map(decode)[0] : this.cache.get(key);
    if (!object) throw this.#errors.notFound(place);
    return object;
  }
}
