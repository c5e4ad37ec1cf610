import {
  freezeObject,
  type KeyValue,
  type KeyValueStore,
  keyIn,
  ObjectErrors,
  type ObjectPlace,
  type ObjectStoreContext,
  type StorePreconditions,
} from '#given/12-store';
import { deepEqual, type KubeObject } from '#harness';

// Level 7 · Objects

/** Returns the value of an object: JSON, without its resourceVersion. Given. */
export function encode({ metadata, ...rest }: KubeObject): string {
  const { resourceVersion: _, ...stored } = metadata;
  return JSON.stringify({ ...rest, metadata: stored });
}

/** Returns the object in a value. Its resourceVersion is the revision of its last write. Given. */
export function decode({ value, modRevision }: Pick<KeyValue, 'value' | 'modRevision'>): KubeObject {
  return atRevision(JSON.parse(value) as KubeObject, modRevision);
}

/** Returns a copy with another resourceVersion. Given. */
export function atRevision(object: KubeObject, revision: number): KubeObject {
  return freezeObject({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
}

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

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.GuaranteedUpdate, conditionalDelete */
  async write(
    place: ObjectPlace,
    change: (current: KubeObject) => KubeObject | undefined,
    preconditions: StorePreconditions = {},
  ): Promise<KubeObject> {
    const key = keyIn(this.#prefix, place);
    let [kv] = (await this.#store.range({ key })).kvs;
    for (;;) {
      if (!kv) throw this.#errors.notFound(place);
      const current = decode(kv);
      this.#errors.mustFulfil(current, preconditions);
      const next = change(current);
      if (next && deepEqual(withoutVersion(next), withoutVersion(current))) return current;
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

const withoutVersion = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: '' },
});
