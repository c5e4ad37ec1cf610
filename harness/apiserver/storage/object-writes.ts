import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Eventually } from '../eventually.ts';
import type { Turns } from '../mirror/turns.ts';
import type { Author } from './log-entry.ts';
import type { Storage } from './storage.ts';

/**
 * The writes of a verb: a storage in this process writes at once, another store answers later.
 *
 * A write expects the state that the verb has read. If another store has a newer state by then, the write is
 * {@link Superseded}.
 */
export interface ObjectWrites {
  /** Stores a new object. Returns it with its resourceVersion, frozen. */
  create<T extends KubeObject>(resource: Resource<T>, object: T, author?: Author): Eventually<T>;
  /** Replaces an object whose resourceVersion is still `expected`. */
  update<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    expected: string,
    author?: Author,
  ): Eventually<T>;
  /** Removes an object whose resourceVersion is still `expected`. Returns its last state. */
  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    expected: string,
    author?: Author,
  ): Eventually<T>;
}

/** The writes to a store whose objects the apiservers have as a copy. */
export interface StoreWrites extends ObjectWrites {
  /** The copy. */
  readonly storage: Storage;
  /**
   * Resolves when the copy has everything that the store had at the call. Undefined: it has.
   *
   * @throws StatusError Timeout, InternalError
   */
  fresh(): Promise<void> | undefined;
  /** The turns of writes that allocate values: else two of them on their way could have the same value. */
  readonly allocations: Turns;
}

/**
 * The stored object changed while a request was in admission, or on its way to the store. The whole request starts
 * again, with the new object.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.GuaranteedUpdate, which calls tryUpdate again
 */
export class Superseded extends Error {
  constructor() {
    super('The object changed during its write.');
  }
}
