import {
  decode,
  encode,
  isSameState,
  type KeyValue,
  type KeyValueStore,
  keyIn,
  ObjectErrors,
  type ObjectPlace,
  type ObjectStoreContext,
  type StorePreconditions,
} from '#given/12-store';
import type { KubeObject } from '#harness';

// Level 7 · Objects

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store */
export class ObjectWriter {
  readonly #store: KeyValueStore;
  readonly #prefix: string;
  readonly #errors: ObjectErrors;

  constructor(context: Pick<ObjectStoreContext, 'store' | 'resource' | 'prefix'>) {
    this.#store = context.store;
    this.#prefix = context.prefix;
    this.#errors = new ObjectErrors(context);
  }

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.Create */
  async create(object: KubeObject): Promise<KubeObject> {
    const { namespace = '', name } = object.metadata;
    const key = keyIn(this.#prefix, { namespace, name });
    const value = encode(object);
    const { succeeded, revision } = await this.#store.transact({
      compare: [{ key, target: 'modRevision', is: '=', to: 0 }],
      then: [{ put: { key, value } }],
    });
    if (!succeeded) throw this.#errors.alreadyExists({ namespace, name });
    return decode({ value, modRevision: revision });
  }

  /**
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.GuaranteedUpdate, conditionalDelete
   *
   * Differs: the first attempt reads the store. Upstream begins with the object in the cache, and repeats with the
   * store's if that fails.
   */
  async write(
    place: ObjectPlace,
    change: (current: KubeObject) => KubeObject | undefined,
    preconditions: StorePreconditions = {},
  ): Promise<KubeObject> {
    const key = keyIn(this.#prefix, place);
    let kv: KeyValue | undefined = (await this.#store.range({ key })).kvs[0];
    for (;;) {
      if (!kv) throw this.#errors.notFound(place);
      const current = decode(kv);
      this.#errors.mustFulfil(current, preconditions);
      const next = change(current);
      if (next && isSameState(next, current)) return current;
      const value = next ? encode(next) : kv.value;
      const { succeeded, revision, results } = await this.#store.transact({
        compare: [{ key, target: 'modRevision', is: '=', to: kv.modRevision }],
        then: [next ? { put: { key, value } } : { delete: { key } }],
        // The state that came in between is the start of the next attempt.
        otherwise: [{ range: { key } }],
      });
      if (succeeded) return decode({ value, modRevision: revision });
      const [now] = results;
      kv = now && 'range' in now ? now.range.kvs[0] : undefined;
    }
  }
}
